"""The tips of Thousand (section 11). A marriage that may be declared is, before anything else is led."""

from random import Random
from typing import Any, Final

from tests.conformance.trick_games import TRICK_GAMES
from tests.tricks.tips.behaviours import At, Behaviour, Choose, Positions, walk
from tricks.cards import SUITS, Card, Rank, Suit, card_of, of_suit, rank_of, suit_of
from tricks.moves import PlayCard
from tricks.thousand.bookkeeping import PlayerScore
from tricks.thousand.deal import Bid, Give, Pass, Phase, State, WriteOff
from tricks.thousand.following import ranking
from tricks.thousand.marriages import declaring_leads, has_marriage
from tricks.thousand.match import Match

GAME = TRICK_GAMES["thousand"]
DEAR = (Suit.HEARTS, Suit.DIAMONDS)


def _bidding(chance: float) -> Choose:
    """Bids as little as it may with that chance each time, else passes; then plays anything, but writes nothing off."""

    def choose(state: State, legal: tuple[Any, ...], random: Random) -> Any:
        if state.phase is Phase.BIDDING:
            bids = [action for action in legal if isinstance(action, Bid)]
            return bids[0] if bids and (Pass() not in legal or random.random() < chance) else Pass()
        if state.phase is Phase.GIVING:
            assert state.bid is not None
            return Give(*random.sample(state.play.hand, 2), bid=state.bid)
        return random.choice(legal)

    return choose


PLANNED: Final = (card_of(Rank.ACE, Suit.SPADES), card_of(Rank.KING, Suit.HEARTS))
"""What the opener leads to the first two tricks: an ace, and then a marriage."""
KEPT: Final = tuple(card_of(rank, suit) for suit in (Suit.DIAMONDS, Suit.CLUBS) for rank in (Rank.ACE, Rank.NINE))
"""What it keeps for later: two suits of which it can take a trick or not."""
OPENERS: Final = (*PLANNED, card_of(Rank.QUEEN, Suit.HEARTS), *KEPT)


def _openers_deck(random: Random) -> tuple[Card, ...]:
    """A deck that gives whoever opens just these seven cards."""
    others = [card for card in GAME.random_deck(random) if card not in OPENERS]
    return tuple(OPENERS[place // 3] if place % 3 == 0 and place < 21 else others.pop() for place in range(24))


def _opener_has_to_follow(state: State, legal: tuple[Any, ...], random: Random) -> Any:
    """The opener declares its marriage, for a bid that it does not make with that alone; else random play."""
    if state.phase is Phase.BIDDING:
        return _bidding(0)(state, legal, random)
    if state.phase is Phase.GIVING:
        return Give(*random.sample([card for card in state.play.hand if card not in OPENERS], 2), bid=155)
    if state.on_turn != state.declarer:
        return random.choice(legal)
    planned = [PlayCard(card) for card in PLANNED[len(state.play.taken) :][:1] if not state.play.trick]
    spared = [action for action in legal if action.card not in (*KEPT, *PLANNED)]
    return next((action for action in planned if action in legal), random.choice(spared or legal))


def _scored(random: Random) -> Match:
    """A match under way: any marks, nobody near the barrel."""
    players = [PlayerScore(random.randrange(0, 600, 5), random.randrange(3), random.randrange(3)) for _ in range(3)]
    return Match(random.randrange(3), tuple(players))


def _is_bidding(state: State) -> bool:
    return state.phase is Phase.BIDDING


def _is_giving(state: State) -> bool:
    return state.phase is Phase.GIVING


def _is_playing(state: State) -> bool:
    return state.phase is Phase.PLAYING


def _is_late_for_the_declarer(state: State) -> bool:
    return state.phase is Phase.PLAYING and state.on_turn == state.declarer and len(state.play.hand) <= 4


def _has_first_trick(state: State) -> bool:
    return bool(state.play.taken)


AUCTION = Positions(walk(GAME, 1, _bidding(0.8), _is_bidding, _is_giving, begin=_scored))
GIVING = Positions(walk(GAME, 2, _bidding(0.4), _is_giving, _is_playing, begin=_scored))
FORCED = Positions(walk(GAME, 3, _bidding(0), _is_giving, _is_playing, begin=_scored))
FIRST_TRICK = Positions(walk(GAME, 4, _bidding(0.4), _is_playing, _has_first_trick))
PLAY = Positions(walk(GAME, 5, _bidding(0.4), _is_playing))
LATE = Positions(walk(GAME, 6, _opener_has_to_follow, _is_late_for_the_declarer, deck=_openers_deck))


def _marriages(hand: tuple[Card, ...]) -> list[Suit]:
    return [suit for suit in SUITS if has_marriage(hand, suit)]


def _aces(hand: tuple[Card, ...]) -> int:
    return sum(rank_of(card) is Rank.ACE for card in hand)


def _longest(hand: tuple[Card, ...]) -> int:
    return max(len(of_suit(hand, suit)) for suit in SUITS)


def _dear_marriage_behind_an_ace(at: At) -> bool:
    hand = at.seen.hand
    return _aces(hand) >= 1 and any(has_marriage(hand, suit) for suit in DEAR) and at.seen.bid is not None


def _marriage_without_a_trick(at: At) -> bool:
    """No ace, so no trick is likely to be won before it could be declared."""
    hand = at.seen.hand
    return bool(_marriages(hand)) and not _aces(hand) and at.seen.bid is not None and at.seen.bid >= 115


def _only_hopes(at: At) -> bool:
    """Halves of marriages that the prikup would have to complete, and little else."""
    hand = at.seen.hand
    halves = sum(rank_of(card) in (Rank.KING, Rank.QUEEN) for card in hand)
    is_poor = not _marriages(hand) and _aces(hand) <= 1 and _longest(hand) <= 4
    return is_poor and halves >= 2 and at.seen.bid is not None and at.seen.bid >= 110


def _only_nine(at: At) -> set[Card]:
    """The nine that an opponent may have the other three to; none otherwise."""
    nines = {card for card in at.seen.hand if rank_of(card) is Rank.NINE}
    return nines if len(nines) == 1 else set()


def _gives(action: Any, cards: set[Card]) -> bool:
    return isinstance(action, Give) and bool({action.to_next, action.to_last} & cards)


def _forced_and_weak(at: At) -> bool:
    hand = at.seen.hand
    return at.seen.bid == 100 and not _marriages(hand) and _aces(hand) <= 1 and _longest(hand) <= 5


def _own_write_offs(at: At) -> int:
    return int(at.seen.players[at.seen.seat].write_offs)


def _winner(at: At) -> int | None:
    seen = at.seen
    return (seen.play.leader + ranking(seen.trump).winning(seen.play.trick)) % 3 if seen.play.trick else None


def _taking(at: At) -> list[Card]:
    legal = [action.card for action in at.seen.options]
    return list(ranking(at.seen.trump).beating(at.seen.play.trick, legal)) if at.seen.play.trick else legal


def _declarer_would_declare(at: At) -> bool:
    """The declarer wins this trick so far and holds a marriage."""
    return _winner(at) == at.seen.declarer and bool(_marriages(at.state.play.hands[at.seen.declarer]))


def _may_take_or_not(at: At) -> bool:
    return 0 < len(_taking(at)) < len(at.seen.options)


def _took(at: At, seat: int) -> int:
    cards = sum(ranking(None).points_of(trick.cards) for trick in at.seen.play.taken if trick.winner == seat)
    worth = {Suit.HEARTS: 100, Suit.DIAMONDS: 80, Suit.CLUBS: 60, Suit.SPADES: 40}
    return cards + sum(worth[declared.suit] for declared in at.seen.declared if declared.seat == seat)


def _need(at: At) -> int:
    return int(at.seen.bid) - _took(at, at.seen.declarer)


def _left(at: At) -> int:
    played = [card for trick in at.seen.play.taken for card in trick.cards]
    return 120 - int(ranking(None).points_of(played))


def _bid_hangs(at: At) -> bool:
    """The declarer needs more than half of what is left, and not more than is left."""
    return 0 < _need(at) <= _left(at) < 2 * _need(at)


def _declaring(at: At) -> list[Card]:
    return list(declaring_leads(at.seen.hand, len(at.seen.play.taken) + 1)) if not at.seen.play.trick else []


def _bosses(at: At) -> list[Card]:
    """Cards to lead that nothing in another hand beats in their suit."""
    others = [card for seat, hand in enumerate(at.state.play.hands) if seat != at.seen.seat for card in hand]
    strength = ranking(None).strength
    return [
        card
        for card in at.seen.hand
        if not any(strength(other, suit_of(card)) > strength(card, suit_of(card)) for other in others)
    ]


def _late_and_short(at: At) -> bool:
    return at.seen.is_declarer and len(at.seen.hand) <= 4 and 0 < _need(at) <= _left(at)


def _other_opponent(at: At) -> int:
    return 3 - int(at.seen.seat) - int(at.seen.declarer)


def _fattest(at: At) -> list[Card]:
    legal = [action.card for action in at.seen.options]
    most = max(map(ranking(None).points, legal))
    return [card for card in legal if ranking(None).points(card) == most]


BEHAVIOURS = [
    Behaviour(
        "1 bids to 115 on a dear marriage behind an ace",
        AUCTION,
        lambda at: _dear_marriage_behind_an_ace(at) and at.seen.bid <= 110,
        lambda at, action: isinstance(action, Bid),
    ),
    Behaviour(
        "1 does not bid on a marriage that no trick is likely to be won for",
        AUCTION,
        _marriage_without_a_trick,
        lambda at, action: action == Pass(),
    ),
    Behaviour(
        "2 does not bid on what the prikup may complete", AUCTION, _only_hopes, lambda at, action: action == Pass()
    ),
    Behaviour(
        "3 gives no nine that may be the fourth",
        GIVING,
        lambda at: bool(_only_nine(at)),
        lambda at, action: not _gives(action, _only_nine(at)),
    ),
    Behaviour(
        "5 writes off a weak hand forced to 100 while that is free",
        FORCED,
        lambda at: _forced_and_weak(at) and _own_write_offs(at) < 2,
        lambda at, action: action == WriteOff(),
    ),
    Behaviour(
        "5 plays a weak hand when the third write-off costs more than the bid",
        FORCED,
        lambda at: _forced_and_weak(at) and _own_write_offs(at) == 2,
        lambda at, action: isinstance(action, Give),
    ),
    Behaviour(
        "1 declares a marriage when it may",
        PLAY,
        lambda at: 0 < len(_declaring(at)) < len(at.seen.options),
        lambda at, action: action.card in _declaring(at),
    ),
    Behaviour(
        "4 keeps a declarer with a marriage off the lead",
        FIRST_TRICK,
        lambda at: not at.seen.is_declarer and _declarer_would_declare(at) and _may_take_or_not(at),
        lambda at, action: action.card in _taking(at),
    ),
    Behaviour(
        "6 takes what it can as a declarer short of the bid",
        LATE,
        lambda at: _late_and_short(at) and bool(at.seen.play.trick) and _may_take_or_not(at),
        lambda at, action: action.card in _taking(at),
    ),
    Behaviour(
        "6 leads what wins as a declarer short of the bid",
        LATE,
        lambda at: (
            _late_and_short(at)
            and not at.seen.play.trick
            and not _declaring(at)
            and 0 < len(_bosses(at)) < len(at.seen.hand)
        ),
        lambda at, action: action.card in _bosses(at),
    ),
    Behaviour(
        "6 takes from a declarer whose bid hangs on it",
        PLAY,
        lambda at: (
            not at.seen.is_declarer and _bid_hangs(at) and _winner(at) == at.seen.declarer and _may_take_or_not(at)
        ),
        lambda at, action: action.card in _taking(at),
    ),
    Behaviour(
        "6 gives the other opponent points while the bid hangs on it",
        PLAY,
        lambda at: (
            not at.seen.is_declarer
            and _bid_hangs(at)
            and len(at.seen.play.trick) == 2
            and _winner(at) == _other_opponent(at)
            and len(_fattest(at)) < len(at.seen.options)
        ),
        lambda at, action: action.card in _fattest(at),
    ),
]
