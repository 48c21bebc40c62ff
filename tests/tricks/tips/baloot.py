"""The tips of Baloot (section 12). In calling, the match score goes before the hand; in leading, Al-kaboot first."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from tests.conformance.trick_games import TRICK_GAMES
from tests.tricks.tips.behaviours import At, Behaviour, Positions, walk
from tricks.baloot.bidding import PASS, Call, CallName
from tricks.baloot.contract import Mode
from tricks.baloot.deal import UPCARD, MakeCall, State
from tricks.baloot.match import Match
from tricks.baloot.projects import find_projects, points
from tricks.baloot.scoring import CARD_POINTS_PER_GAME_POINT
from tricks.cards import SUITS, Card, Rank, Suit, card_of, of_suit, rank_of, suit_of

GAME = TRICK_GAMES["baloot"]
SUNS = (CallName.SUN, CallName.ASHKAL)
STRONGEST_FIRST = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.NINE, Rank.EIGHT, Rank.SEVEN)


def _mostly_pass(_: State, legal: tuple[Any, ...], random: Random) -> Any:
    """So that both rounds of calls are seen; any card in play."""
    is_call = isinstance(legal[0], MakeCall)
    return legal[0] if is_call and random.random() < 0.7 else random.choice(legal)


STRONG_PLACES: Final = (0, 1, 2, 6, 7, 8, 12, 13, 16, 17, 20, 21, 22, 26, 27, 28)
"""Where in the deck the cards of the first player and its partner lie, when the first player buys."""


def _strong_pair(random: Random) -> tuple[Card, ...]:
    """A deck with most of the high cards for the first player and its partner."""
    ranked = sorted(GAME.random_deck(random), key=lambda card: rank_of(card) + 4 * random.random())
    high, low = ranked[:16], ranked[16:]
    random.shuffle(high)
    random.shuffle(low)
    return tuple((high if place in STRONG_PLACES else low).pop() for place in range(32))


def _strong_pair_takes(state: State, legal: tuple[Any, ...], random: Random) -> Any:
    """The first player buys; its pair plays its best cards and the other its worst, for six tricks; then anything."""
    assert state.on_turn is not None
    is_strong = state.on_turn % 2 == state.first % 2
    if state.bought is None:
        bids = [action for action in legal if action.call.name in (CallName.HOKUM, CallName.SUN)]
        return random.choice(bids) if bids and state.on_turn == state.first else MakeCall(PASS)
    if len(state.play.taken) >= 6:
        return random.choice(legal)
    strength, hand = state.bought.contract.ranking.strength, state.play.hand

    def merit(action: Any) -> tuple[int, int]:
        """The weak pair throws from its short suits first, so that it has a choice of one suit in the end."""
        suit = suit_of(action.card)
        return (0 if is_strong else len(of_suit(hand, suit)), strength(action.card, suit))

    return (max if is_strong else min)(legal, key=merit)


def _five_places(turn: int) -> tuple[int, ...]:
    """Where in the deck the first five cards of the player lie who calls after so many others."""
    return (*range(3 * turn, 3 * turn + 3), *range(12 + 2 * turn, 14 + 2 * turn))


def _deal_to(random: Random, turn: int, held: Sequence[Card], turned: Card) -> tuple[Card, ...]:
    """A deck with these cards for one player's first five, and that one turned."""
    places = dict(zip([*_five_places(turn)[: len(held)], UPCARD], [*held, turned], strict=True))
    others = [card for card in GAME.random_deck(random) if card not in places.values()]
    return tuple(places[place] if place in places else others.pop() for place in range(32))


def _big_trumps_held(random: Random) -> tuple[Card, ...]:
    trump, side, *_ = random.sample(SUITS, 4)
    low, turned = random.sample((Rank.TEN, Rank.QUEEN, Rank.EIGHT, Rank.SEVEN), 2)
    held = [*(card_of(rank, trump) for rank in (Rank.JACK, Rank.NINE, low)), card_of(Rank.ACE, side)]
    return _deal_to(random, random.randrange(4), held, card_of(turned, trump))


def _big_trump_turned(random: Random) -> tuple[Card, ...]:
    trump, side, *_ = random.sample(SUITS, 4)
    turned, kept = random.sample((Rank.JACK, Rank.NINE), 2)
    held = [card_of(kept, trump), card_of(Rank.EIGHT, trump), card_of(Rank.ACE, side)]
    return _deal_to(random, random.randrange(4), held, card_of(turned, trump))


def _doubtful_trumps(random: Random) -> tuple[Card, ...]:
    trump = random.choice(SUITS)
    held = [card_of(random.choice((Rank.JACK, Rank.NINE)), trump), card_of(Rank.EIGHT, trump)]
    return _deal_to(random, random.randrange(4), held, card_of(random.choice((Rank.SEVEN, Rank.QUEEN)), trump))


def _short_sequence(random: Random) -> tuple[Card, ...]:
    trump = random.choice(SUITS)
    run = random.choice(((Rank.KING, Rank.QUEEN, Rank.JACK), (Rank.QUEEN, Rank.JACK, Rank.TEN)))
    turned, *held = (card_of(rank, trump) for rank in random.sample(run, 3))
    return _deal_to(random, random.randrange(4), held, turned)


def _three_aces(random: Random) -> tuple[Card, ...]:
    first, second, third, _ = random.sample(SUITS, 4)
    held = [card_of(Rank.ACE, first), card_of(Rank.TEN, first), card_of(Rank.ACE, second)]
    return _deal_to(random, random.randrange(4), held, card_of(Rank.ACE, third))


def _ace_turned_for_a_ten(random: Random) -> tuple[Card, ...]:
    suit, other, *_ = random.sample(SUITS, 4)
    held = [card_of(Rank.TEN, suit), card_of(Rank.ACE, other)]
    return _deal_to(random, random.randrange(2, 4), held, card_of(Rank.ACE, suit))


def _early(random: Random) -> Match:
    """So that the score has no say."""
    return Match(random.randrange(4), totals=(random.randrange(60), random.randrange(60)))


def _level_and_late(random: Random) -> Match:
    total = random.randrange(136, 152)
    return Match(random.randrange(4), totals=(total, total))


def _one_pair_far_ahead(random: Random) -> Match:
    ahead, behind = random.randrange(144, 152), random.randrange(60, 130)
    return Match(random.randrange(4), totals=random.choice([(ahead, behind), (behind, ahead)]))


def _is_calling(state: State) -> bool:
    return state.bought is None


def _is_playing(state: State) -> bool:
    return state.bought is not None


def _is_after_six(state: State) -> bool:
    return len(state.play.taken) >= 6


def _is_no_sweep(state: State) -> bool:
    return len({trick.winner % 2 for trick in state.play.taken}) == 2


def _calls(
    seed: int, deck: Callable[[Random], tuple[Card, ...]] = GAME.random_deck, begin: Callable[[Random], Match] = _early
) -> Positions:
    return Positions(walk(GAME, seed, _mostly_pass, _is_calling, _is_playing, begin, deck))


CALLS = _calls(1)
PLAY = Positions(walk(GAME, 2, _mostly_pass, _is_playing))
AFTER_SIX = Positions(walk(GAME, 3, _strong_pair_takes, _is_after_six, _is_no_sweep, deck=_strong_pair))


def _six(at: At) -> tuple[Card, ...]:
    return (*at.seen.hand, at.seen.upcard)


def _may(at: At, name: CallName) -> list[Call]:
    return [action.call for action in at.seen.options if action.call.name is name]


def _count(cards: tuple[Card, ...], rank: Rank) -> int:
    return sum(rank_of(card) is rank for card in cards)


def _guarded_tens(cards: tuple[Card, ...]) -> int:
    return sum({card_of(Rank.ACE, suit), card_of(Rank.TEN, suit)} <= set(cards) for suit in SUITS)


def _has_no_projects(cards: tuple[Card, ...]) -> bool:
    return not find_projects(Mode.SUN, tuple(sorted(cards)))


def _partner_bids(at: At) -> bool:
    """Partner has a Sun that could be taken over."""
    turns = [turn for turn, call in enumerate(at.seen.calls) if call.name in SUNS]
    return bool(turns) and (at.seen.first + turns[0] - at.seen.seat) % 4 == 2


def _trump_ranks(cards: tuple[Card, ...], trump: Suit) -> set[Rank]:
    return {rank_of(card) for card in of_suit(cards, trump)}


def _side_aces(cards: tuple[Card, ...], trump: Suit) -> int:
    return sum(rank_of(card) is Rank.ACE and suit_of(card) is not trump for card in cards)


def _big_trumps(at: At, cards: tuple[Card, ...]) -> bool:
    """A Hokum may be called with jack, nine and another trump among these cards, and with a side ace."""
    return any(
        {Rank.JACK, Rank.NINE} < _trump_ranks(cards, call.trump) and _side_aces(cards, call.trump)
        for call in _may(at, CallName.HOKUM)
        if call.trump is not None
    )


def _dead_suits(at: At) -> list[Suit]:
    """Suits that may be called, long or with their ace, but without jack and nine."""
    suits = [call.trump for call in _may(at, CallName.HOKUM) if call.trump is not None]
    ranks = {suit: _trump_ranks(_six(at), suit) for suit in suits}
    return [s for s in suits if not {Rank.JACK, Rank.NINE} & ranks[s] and (len(ranks[s]) >= 3 or Rank.ACE in ranks[s])]


def _hangs_on_a_project(at: At) -> bool:
    """Three trumps with the jack, without nine and ace, and no side ace are too little; a sequence makes it up."""
    has_project = bool(find_projects(Mode.HOKUM, tuple(sorted(_six(at)))))
    return (
        has_project
        and not _count(_six(at), Rank.ACE)
        and any(
            Rank.JACK in ranks and Rank.NINE not in ranks and len(ranks) == 3
            for call in _may(at, CallName.HOKUM)
            if call.trump is not None and (ranks := _trump_ranks(_six(at), call.trump))
        )
    )


def _totals(at: At) -> tuple[int, int]:
    return at.seen.totals[at.seen.seat % 2], at.seen.totals[1 - at.seen.seat % 2]


def _doubtful_hokum(at: At) -> bool:
    """Jack or nine and two more trumps, no ace, no project, and nothing for a Sun."""
    if _count(_six(at), Rank.ACE) or not _has_no_projects(_six(at)) or _count(_six(at), Rank.TEN) > 1:
        return False
    return any(
        len({Rank.JACK, Rank.NINE} & ranks) == 1 and len(ranks) == 3
        for call in _may(at, CallName.HOKUM)
        if call.trump is not None and (ranks := _trump_ranks(_six(at), call.trump))
    )


def _ahead_with_the_match_at_stake(at: At) -> bool:
    ours, theirs = _totals(at)
    return ours >= theirs >= 152 - 16


def _as_good_as_lost(at: At) -> bool:
    ours, theirs = _totals(at)
    return ours < theirs and theirs >= 152 - 8


def _fair_hokum(at: At) -> bool:
    """Jack and two more trumps with a side ace, or jack and nine."""
    return any(
        ({Rank.JACK, Rank.NINE} <= ranks)
        or (Rank.JACK in ranks and len(ranks) >= 3 and _side_aces(_six(at), call.trump))
        for call in _may(at, CallName.HOKUM)
        if call.trump is not None and (ranks := _trump_ranks(_six(at), call.trump))
    )


def _gone(at: At) -> set[Card]:
    return {card for trick in at.seen.play.taken for card in trick.cards}


def _ekkas(at: At) -> list[Card]:
    """Side cards in Hokum, no aces, of which every stronger one lies in finished tricks."""
    contract = at.seen.bought.contract
    if contract.mode is Mode.SUN:
        return []
    found = []
    for card in at.seen.hand:
        place = STRONGEST_FIRST.index(rank_of(card))
        stronger = {card_of(rank, suit_of(card)) for rank in STRONGEST_FIRST[:place]}
        if place and suit_of(card) is not contract.trump and stronger <= _gone(at):
            found.append(card)
    return found


def _winner(at: At) -> int | None:
    play = at.seen.play
    return (play.leader + at.seen.ranking.winning(play.trick)) % 4 if play.trick else None


def _partner_has_it(at: At) -> bool:
    return len(at.seen.play.trick) == 3 and _winner(at) == (at.seen.seat + 2) % 4


def _fattest(at: At) -> list[Card]:
    legal = [action.card for action in at.seen.options]
    most = max(map(at.seen.ranking.points, legal))
    return [card for card in legal if at.seen.ranking.points(card) == most]


def _line_is_open(at: At) -> bool:
    """Neither pair is further ahead, projects counted, than what is left to be taken."""
    ranking, mode = at.seen.ranking, at.seen.bought.contract.mode
    ahead, left = 0, 162 if mode is Mode.HOKUM else 130
    for trick in at.seen.play.taken:
        ahead += ranking.points_of(trick.cards) * (1 if trick.winner % 2 == 0 else -1)
        left -= ranking.points_of(trick.cards)
    for seat, projects in enumerate(at.seen.shown):
        ahead += CARD_POINTS_PER_GAME_POINT[mode] * points(mode, projects) * (1 if seat % 2 == 0 else -1)
    return abs(ahead) <= left


def _opponent_has_it(at: At) -> bool:
    winner = _winner(at)
    return winner is not None and winner % 2 != at.seen.seat % 2


def _taking(at: At) -> list[Card]:
    return list(at.seen.ranking.beating(at.seen.play.trick, [action.card for action in at.seen.options]))


def _bosses(at: At) -> list[Card]:
    """Cards to lead that nothing in another hand beats in their suit."""
    others = [card for seat, hand in enumerate(at.state.play.hands) if seat != at.seen.seat for card in hand]
    strength = at.seen.ranking.strength
    return [
        card
        for card in at.seen.hand
        if not any(strength(other, suit_of(card)) > strength(card, suit_of(card)) for other in others)
    ]


BEHAVIOURS = [
    Behaviour(
        "1 buys a Sun with three aces and a guarded ten",
        _calls(4, _three_aces),
        lambda at: (
            bool(_may(at, CallName.SUN))
            and not _partner_bids(at)
            and _count(_six(at), Rank.ACE) >= 3
            and _guarded_tens(_six(at)) >= 1
        ),
        lambda at, action: action.call.name in SUNS,
    ),
    Behaviour(
        "1 buys no Sun with tens that may fall under an ace",
        CALLS,
        lambda at: (
            _count(_six(at), Rank.ACE) <= 1
            and _guarded_tens(_six(at)) == 0
            and _count(_six(at), Rank.TEN) >= 2
            and _has_no_projects(_six(at))
        ),
        lambda at, action: action.call.name not in SUNS,
    ),
    Behaviour(
        "2 buys with jack, nine and another trump, and a side ace",
        _calls(5, _big_trumps_held),
        lambda at: _big_trumps(at, at.seen.hand),
        lambda at, action: action.call != PASS,
    ),
    Behaviour(
        "2 buys no Hokum with neither jack nor nine",
        CALLS,
        lambda at: bool(_dead_suits(at)),
        lambda at, action: action.call.trump not in _dead_suits(at),
    ),
    Behaviour(
        "3 counts the turned card that makes jack and nine",
        _calls(6, _big_trump_turned),
        lambda at: _big_trumps(at, _six(at)) and not _big_trumps(at, at.seen.hand),
        lambda at, action: action.call != PASS,
    ),
    Behaviour(
        "3 gives partner no ace in Ashkal that guards an own ten",
        _calls(7, _ace_turned_for_a_ten),
        lambda at: (
            bool(_may(at, CallName.ASHKAL))
            and rank_of(at.seen.upcard) is Rank.ACE
            and card_of(Rank.TEN, suit_of(at.seen.upcard)) in at.seen.hand
        ),
        lambda at, action: action.call.name is not CallName.ASHKAL,
    ),
    Behaviour(
        "4 leads a boss card as Ekka",
        PLAY,
        lambda at: (
            not at.seen.play.trick
            and 0 < len(_ekkas(at)) < len(at.seen.hand)
            and (len(at.seen.play.taken) < 6 or _is_no_sweep(at.state))
        ),
        lambda at, action: action.card in _ekkas(at),
    ),
    Behaviour(
        "5 buys what a project makes worth it",
        _calls(8, _short_sequence),
        _hangs_on_a_project,
        lambda at, action: action.call != PASS,
    ),
    Behaviour(
        "5 gives partner's trick the most points while the line is open, projects counted",
        PLAY,
        lambda at: (
            len(at.seen.play.taken) >= 2
            and _partner_has_it(at)
            and _line_is_open(at)
            and len(_fattest(at)) < len(at.seen.options)
        ),
        lambda at, action: action.card in _fattest(at),
    ),
    Behaviour(
        "6 risks nothing doubtful when a lost deal would lose a match not behind",
        _calls(9, _doubtful_trumps, _level_and_late),
        lambda at: _ahead_with_the_match_at_stake(at) and _doubtful_hokum(at),
        lambda at, action: action.call == PASS,
    ),
    Behaviour(
        "6 buys on a fair hand when the match is as good as lost",
        _calls(10, _big_trump_turned, _one_pair_far_ahead),
        lambda at: _as_good_as_lost(at) and _fair_hokum(at),
        lambda at, action: action.call != PASS,
    ),
    Behaviour(
        "7 takes a trick for or against Al-kaboot",
        AFTER_SIX,
        lambda at: _opponent_has_it(at) and 0 < len(_taking(at)) < len(at.seen.options),
        lambda at, action: action.card in _taking(at),
    ),
    Behaviour(
        "7 leads what holds for Al-kaboot",
        AFTER_SIX,
        lambda at: not at.seen.play.trick and 0 < len(_bosses(at)) < len(at.seen.hand),
        lambda at, action: action.card in _bosses(at),
    ),
]
