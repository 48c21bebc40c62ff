"""The tips of Klaverjas (section 10). Roem goes before tens and aces; with trumps still out, trumps before aces."""

from random import Random
from typing import Any

from tests.conformance.trick_games import TRICK_GAMES
from tests.tricks.tips.behaviours import At, Behaviour, Positions, walk
from tricks.cards import SUITS, Card, Rank, Suit, card_name, card_of, of_suit, rank_of, suit_of
from tricks.klaverjas.deal import NameTrump, Pass, State
from tricks.klaverjas.following import ranking
from tricks.klaverjas.scoring import roem
from tricks.moves import PlayCard

GAME = TRICK_GAMES["klaverjas"]


def _trumps_first(state: State, legal: tuple[Any, ...], random: Random) -> Any:
    """Leads trumps and keeps aces, so that there are aces to cash once the trumps are gone."""
    assert state.trump is not None or not state.play.trick
    trumps = [a for a in legal if isinstance(a, PlayCard) and suit_of(a.card) is state.trump]
    if trumps and not state.play.trick:
        return random.choice(trumps)
    others = [a for a in legal if isinstance(a, PlayCard) and rank_of(a.card) is not Rank.ACE]
    return random.choice(others or legal)


CALLS = Positions(
    walk(GAME, 1, lambda _, legal, random: random.choice(legal), lambda s: True, lambda s: s.trump is not None)
)
PLAY = Positions(walk(GAME, 2, lambda _, legal, random: random.choice(legal), lambda s: s.trump is not None))
LEADS = Positions(walk(GAME, 3, _trumps_first, lambda s: s.trump is not None and not s.play.trick))


def _good_suits(at: At) -> list[Suit]:
    good = []
    for suit in SUITS:
        ranks = "".join(card_name(card)[0] for card in of_suit(at.seen.hand, suit))
        if len(ranks) >= 3 and ("J" in ranks or ("9" in ranks and "A" in ranks)):
            good.append(suit)
    return good


def _bare(hand: tuple[Card, ...], suit: Suit) -> bool:
    return not {card_of(Rank.JACK, suit), card_of(Rank.NINE, suit)} & set(hand)


def _may_pass(at: At) -> bool:
    return Pass() in at.seen.options


def _looks_good(at: At, suit: Suit) -> bool:
    """A long suit, or one with its ace and ten."""
    held = of_suit(at.seen.hand, suit)
    return len(held) >= 4 or {card_of(Rank.ACE, suit), card_of(Rank.TEN, suit)} <= set(held)


def _makers_lead(at: At) -> bool:
    return not at.seen.play.trick and at.seen.maker % 2 == at.seen.seat % 2


def _trumps_out(at: At, seats: tuple[int, ...]) -> bool:
    return any(suit_of(card) is at.seen.trump for seat in seats for card in at.state.play.hands[seat])


def _others(at: At) -> tuple[int, ...]:
    return tuple(seat for seat in range(4) if seat != at.seen.seat)


def _opponents(at: At) -> tuple[int, ...]:
    return ((at.seen.seat + 1) % 4, (at.seen.seat + 3) % 4)


def _side_aces(at: At) -> list[Card]:
    return [card for card in at.seen.hand if rank_of(card) is Rank.ACE and suit_of(card) is not at.seen.trump]


def _winner(at: At) -> int:
    trick = at.seen.play.trick
    return (at.seen.play.leader + ranking(at.seen.trump).winning(trick)) % 4


def _partner_is_sure(at: At) -> bool:
    """Partner wins a trick that nobody can take any more: all others have played, or partner led the jack of trump."""
    trick = at.seen.play.trick
    if not trick or _winner(at) != (at.seen.seat + 2) % 4:
        return False
    return len(trick) == 3 or (len(trick) == 2 and trick[0] == card_of(Rank.JACK, at.seen.trump))


def _earning(at: At) -> list[Card]:
    """Legal cards with which the trick holds more roem."""
    trick = at.seen.play.trick
    before = roem(at.seen.trump, trick)
    return [a.card for a in at.seen.options if roem(at.seen.trump, (*trick, a.card)) > before]


def _fat(at: At) -> list[Card]:
    legal = [a.card for a in at.seen.options]
    return [c for c in legal if rank_of(c) in (Rank.TEN, Rank.ACE) and suit_of(c) is not at.seen.trump]


def _opponent_wins(at: At) -> bool:
    return bool(at.seen.play.trick) and _winner(at) in _opponents(at)


def _gives_roem(at: At, card: Card) -> bool:
    """It earns, and the opponent goes on winning."""
    trick = (*at.seen.play.trick, card)
    return card in _earning(at) and ranking(at.seen.trump).winning(trick) != len(trick) - 1


BEHAVIOURS = [
    Behaviour(
        "1 names trump with three and the jack, or nine and ace",
        CALLS,
        lambda at: bool(_good_suits(at)),
        lambda at, action: isinstance(action, NameTrump) and action.suit in _good_suits(at),
    ),
    Behaviour(
        "2 names no suit that looks good without its jack and nine",
        CALLS,
        lambda at: (
            not _good_suits(at) and any(_bare(at.seen.hand, s) and _looks_good(at, s) for s in SUITS) and _may_pass(at)
        ),
        lambda at, action: not (isinstance(action, NameTrump) and _bare(at.seen.hand, action.suit)),
    ),
    Behaviour(
        "6 passes many points without a trump suit, for fear of nat",
        CALLS,
        lambda at: not _good_suits(at) and _may_pass(at) and sum(map(_plain_points, at.seen.hand)) > 35,
        lambda at, action: action == Pass(),
    ),
    Behaviour(
        "3 draws trumps while opponents hold some",
        PLAY,
        lambda at: _makers_lead(at) and bool(of_suit(at.seen.hand, at.seen.trump)) and _trumps_out(at, _opponents(at)),
        lambda at, action: suit_of(action.card) is at.seen.trump,
    ),
    Behaviour(
        "3 cashes side aces once the trumps are drawn",
        LEADS,
        lambda at: _makers_lead(at) and bool(_side_aces(at)) and not _trumps_out(at, _others(at)),
        lambda at, action: action.card in _side_aces(at),
    ),
    Behaviour(
        "4 completes roem on partner's trick",
        PLAY,
        lambda at: _partner_is_sure(at) and 0 < len(_earning(at)) < len(at.seen.options),
        lambda at, action: action.card in _earning(at),
    ),
    Behaviour(
        "4 gives partner's trick a ten or an ace",
        PLAY,
        lambda at: _partner_is_sure(at) and not _earning(at) and 0 < len(_fat(at)) < len(at.seen.options),
        lambda at, action: action.card in _fat(at),
    ),
    Behaviour(
        "5 completes no roem for opponents",
        PLAY,
        lambda at: (
            _opponent_wins(at) and 0 < sum(_gives_roem(at, a.card) for a in at.seen.options) < len(at.seen.options)
        ),
        lambda at, action: not _gives_roem(at, action.card),
    ),
]


def _plain_points(card: Card) -> int:
    return {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}.get(rank_of(card), 0)
