"""What may be seen of a rummy hand, built up from nothing: by everyone, and by the player of one seat.

Nothing here copies a state and takes secrets out. A new field of the hand is unseen until somebody adds it here.
"""

from collections.abc import Sequence
from typing import Final

from rummy.cards import Card
from rummy.formats.kinds import MatchFormat
from rummy.groups import Arrangement
from rummy.refusals import ActionName, allowed_actions
from rummy.rules import FIRST_DROP_POINTS
from rummy.scoring import drop_price
from rummy.solver import best_arrangement
from rummy.state import HandState, OutBy
from server.protocol.messages import ArrangementView, GroupView, HandView, TakenView
from server.tables.game import HandFrame, SeatCards, SeatInHand

_COMMAND_NAMES: Final = {
    ActionName.DRAW_STOCK: "draw_stock",
    ActionName.DRAW_PILE: "draw_pile",
    ActionName.DISCARD: "discard",
    ActionName.DECLARE: "declare",
    ActionName.DROP: "drop",
    ActionName.LEAVE: "leave_table",
}


def command_names(actions: Sequence[ActionName]) -> tuple[str, ...]:
    """What the wire calls these actions."""
    return tuple(_COMMAND_NAMES[action] for action in actions)


def hand_view(frame: HandFrame, state: HandState | None, taken: Sequence[tuple[int, Card]]) -> HandView:
    """The public part: counts of what is face down, cards of what is face up."""
    return HandView(
        hand_id=frame.hand_id,
        hand_no=frame.hand_no,
        stage=frame.stage,
        stage_deadline_ms=frame.stage_deadline_ms,
        dealer=frame.dealer,
        players=list(frame.players),
        commitment=frame.commitment,
        turn=frame.turn,
        wild_card=None if state is None else state.turned,
        wild_rank=None if state is None else state.wild_rank,
        stock_count=0 if state is None else len(state.stock),
        discard_pile=[] if state is None else list(state.discard_pile),
        taken=[TakenView(seat=seat, card=card) for seat, card in taken],
        reshuffles=0 if state is None else state.reshuffles_done,
    )


def seat_view(state: HandState, seat: int) -> SeatInHand:
    """points: what a seat that is out owes; what the others count is nobody's to know before the end."""
    player = state.seat(seat)
    ended = {} if state.ended is None else dict(state.ended.points)
    return SeatInHand(
        card_count=len(player.cards),
        out=None if player.out is None else player.out.by.value,
        points=ended.get(seat, None if player.out is None else player.out.points),
        misses=player.misses,
    )


def cards_view(state: HandState, seat: int, rate: int, format_: MatchFormat | None) -> SeatCards:
    """The seat's own cards and choices. rate: token units per point. format_: of the hand's match, if any."""
    player = state.seat(seat)
    drawn = state.drawn if state.turn_seat == seat else None
    still_plays = player.is_in and not state.is_over
    price = drop_price(state, seat) if still_plays else None
    return SeatCards(
        cards=player.cards,
        drawn_card=None if drawn is None else drawn.card,
        allowed=command_names(allowed_actions(state, seat)),
        drop_points=price if format_ is None else _match_price(price, format_),
        drop_units=None if price is None or format_ is not None else price * rate,
    )


def _match_price(price: int | None, format_: MatchFormat) -> int | None:
    """What a drop counts in a match when it costs so many points by the rules of the hand."""
    if price is None:
        return None
    return format_.first_drop if price == FIRST_DROP_POINTS else format_.middle_drop


def shown_arrangement(state: HandState, seat: int) -> ArrangementView | None:
    """The best arrangement of cards that everybody has seen: after a valid declare, or of a wrong one."""
    player = state.seat(seat)
    declared_wrongly = player.out is not None and player.out.by is OutBy.WRONG_DECLARE
    shown_at_the_end = state.declarer is not None and player.is_in
    if not (declared_wrongly or shown_at_the_end):
        return None
    return arrangement_view(best_arrangement(player.cards, state.wild_rank))


def arrangement_view(arrangement: Arrangement) -> ArrangementView:
    return ArrangementView(
        groups=[GroupView(kind=group.kind.value, cards=list(group.cards)) for group in arrangement.groups],
        deadwood=list(arrangement.deadwood),
        points=arrangement.points,
        can_declare=arrangement.complete,
    )
