"""What was played for a player who was away: kept until they act again, and after a restart read from the record."""

from collections.abc import Sequence
from typing import Final

from fairness.events import Declared, Discarded, DrewFromPile, DrewFromStock, Event, How, WentOut
from server.protocol.messages import AutoPlayed, AwayHand, ResultLine

KEPT_HANDS: Final = 5
"""Hands that are told of; turns are counted over all of them. Whoever is away for longer sits out."""


def with_turn(away: AutoPlayed | None, hand_no: int, card: int | None, dropped: bool) -> AutoPlayed:
    """After one more turn that the clock played. dropped: it was one too many, and the table dropped the seat."""
    hands = [] if away is None else list(away.hands)
    if not hands or hands[-1].hand_no != hand_no:
        hands.append(AwayHand(hand_no=hand_no, discards=[], dropped=False))
    last = hands[-1]
    discards = last.discards if card is None else [*last.discards, card]
    hands[-1] = last.model_copy(update={"discards": discards, "dropped": dropped})
    turns = 0 if away is None else away.turns
    return AutoPlayed(turns=turns + 1, last_card=card, hands=hands[-KEPT_HANDS:])


def with_result(away: AutoPlayed, hand_no: int, line: ResultLine) -> AutoPlayed:
    """After the end of a hand in which turns were played for this player."""
    return away.model_copy(
        update={
            "hands": [
                hand.model_copy(update={"points": line.points, "delta": line.delta})
                if hand.hand_no == hand_no
                else hand
                for hand in away.hands
            ]
        }
    )


def from_record(events: Sequence[Event], seat: int, hand_no: int) -> AutoPlayed | None:
    """What the clock has played for a seat since its own last move of this hand; None for nothing."""
    away: AutoPlayed | None = None
    for event in events:
        match event:
            case Discarded(seat=whose, auto=True, card=card) if whose == seat:
                away = with_turn(away, hand_no, card, dropped=False)
            case WentOut(seat=whose, how=How.MISSED_TURNS) if whose == seat and away is not None:
                dropped = away.hands[-1].model_copy(update={"dropped": True})
                away = away.model_copy(update={"hands": [*away.hands[:-1], dropped]})
            case DrewFromStock(seat=whose, auto=auto) | DrewFromPile(seat=whose, auto=auto) if whose == seat:
                away = away if auto else None
            case Discarded(seat=whose) | Declared(seat=whose) | WentOut(seat=whose) if whose == seat:
                away = None
            case _:
                continue
    return away
