"""The search behind the solver, on integers only: the fewest points that a hand can count, and how.

A hand is packed into masks of 52 bits, one bit a face. Ranks lie from the dearest down (A K Q .. 2), four suits to a
rank, so the lowest bit is always a dearest card and the next rank down in the same suit is four bits up. `ones` holds
the faces of which the hand has a copy, `twos` those with a second, `threes` those with a third. Wild cards are no
bits but a number, a budget; `selves` holds the faces that wild-rank cards have as themselves.

How it searches
1. No three in a row in any suit: no pure sequence, every card counts, done. Most dealt hands end here.
2. For every pure run of three to five cards, take it away and cover the rest by branch and bound: the dearest card
   left is laid in one of the groups that it can lead, or it and its equal copies count. A branch ends when it counts
   as much as the best so far, which at first is the best single run alone, or when no second sequence is in reach.

Why that is exact (rules sections 3 and 4)
- A wild card counts nothing, so it matters only for what it covers, and one is as good as another, except as itself
  in the one pure run that a hand needs: everywhere else it may as well substitute for its own face. So a group is its
  natural cards and a price. Wild cards left over lengthen the second sequence, or are it when they are three, so a
  hand can be declared when it counts nothing and has a pure run.
- A run of six or more is two runs for the same price (a piece of wild cards alone sets them free), and one natural
  card with two wild cards is a run. The best single run has at most five cards too: a longer one is two sequences.
- No wild card takes a place that a natural card can take. Let x be a natural card that fits where a group has a wild
  card, and not yet decided when that group is. If x ends up loose, exchanging the two counts less. If x lies in
  another group, the wild card can stand for x there: the exchange costs nothing and makes the group that is decided
  first larger, so it comes to an end. Hence a run from the dearest card down takes every card on its way and has at
  most three lengths worth trying (the ace: three each way), and a pair with a wild card is a set only when no third
  suit is left.
- What lies above the dearest card of a run is decided already, and aces before all; a wild card there covers nothing
  that it would not cover below.
- Equal copies are interchangeable: they are grouped one after the other, and once one counts, all that are left count.
- Among the runs of an arrangement without any wild card let the pure run be the one with the dearest card. So while
  it is taken away no such run may begin dearer (`barred`), and none at all when the pure run holds a wild card as
  itself. That only keeps an arrangement from being found once for each of its runs.
- Cards that no group within the budget can hold count in any case. They are counted first, and when the best comes
  down to them the search is over.

14 cards: the best discard is the dearest card that stays loose when they are arranged with that card free. What each
discard leaves follows for most cards from the best arrangement of all 14, see `points_after_each`.

The module runs as it stands and builds to native code from this very file (`python -m rummy.native`); both give the
same answers in the same order, so it uses nothing but whole numbers, tuples, lists and dictionaries of them.
"""

from collections.abc import Sequence
from typing import Final

Option = tuple[int, int, bool]
"""A group as the search sees it: the natural faces it takes, the wild cards it costs, whether it is a sequence."""

Run = tuple[int, int, int, int]
"""A pure run: minus its points (so that sorting puts the best first), natural faces, price, and what it bars."""

NO_OPTION: Final[Option] = (0, 0, False)
"""Ends a plan."""

FACE_POINTS: Final = tuple(points for points in (10, 10, 10, 10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 10) for _ in range(4))
"""By bit number; the last four are the aces once more, below the twos."""

_RANKS: Final = 13
_FACES_PER_DECK: Final = 53
_MOST_DECKS: Final = 3
_ALL_FACES: Final = (1 << 52) - 1
_LONGEST_RUN: Final = 5
_MOST_GROUPS: Final = 4
SHORTEST_GROUP: Final = 3


def bit_of(face: int) -> int:
    """The mask of one natural face, numbered as in `rummy.cards`."""
    suit, index = divmod(face, _RANKS)
    return 1 << (4 * ((_RANKS - index) % _RANKS) + suit)


def bit_numbers(mask: int) -> list[int]:
    """The numbers of the bits that are set, ascending."""
    numbers: list[int] = []
    while mask:
        numbers.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return numbers


def _card_bits(wild_rank: int) -> tuple[int, ...]:
    """By card: the bit of its face, 0 for a wild card. Rank 0 makes only printed jokers wild."""
    return tuple(
        0 if face == 52 or face % _RANKS + 1 == wild_rank else bit_of(face)
        for _ in range(_MOST_DECKS)
        for face in range(_FACES_PER_DECK)
    )


CARD_BITS: Final = tuple(_card_bits(wild_rank) for wild_rank in range(_RANKS + 1))
"""By wild rank, 0 for none, and card: the bit of its face, 0 for a wild card."""
_POINTS: Final = tuple(tuple(FACE_POINTS[bit.bit_length() - 1] if bit else 0 for bit in bits) for bits in CARD_BITS)
NATURAL_BITS: Final = _card_bits(-1)
"""By card: the bit of its face whatever is wild, 0 for a printed joker."""


# What may be laid with the dearest card left ------------------------------------------------------------------------


def _window(number: int) -> int:
    """Every face that can decide which groups the face of this bit number may lead."""
    place, suit = divmod(number, 4)
    below = [*range(place, min(place + _LONGEST_RUN, _RANKS))]
    if place == 0:
        below += range(_RANKS - _LONGEST_RUN + 1, _RANKS)
    numbers = [4 * other + suit for other in below] + [4 * place + other for other in range(suit + 1, 4)]
    mask = 0
    for near in numbers:
        mask |= 1 << near
    return mask


_WINDOWS: Final = tuple(_window(number) for number in range(52))

_BARRED: Final = 4
_OPTIONS: Final[tuple[dict[int, tuple[Option, ...]], ...]] = tuple({} for _ in range(2 * _BARRED))
"""By budget (3 stands for more), plus `_BARRED` where runs without a wild card are barred; then by the faces in the
window of the dearest, which is the lowest bit of the key: its options, cheapest and largest first. Filled as hands need
it, each entry once."""


def _options(key: int, level: int) -> tuple[Option, ...]:
    """Work out one entry of the table and keep it."""
    lead = key & -key
    place, suit = divmod(lead.bit_length() - 1, 4)
    laid = _runs_of(key, lead, range(place + 1, _RANKS), suit)
    if place == 0:
        laid += _runs_of(key, lead, range(_RANKS - 1, 0, -1), suit)
    laid += _sets_of(key, lead, place, suit)
    budget = level % _BARRED
    kept = {
        (faces, price, run) for faces, price, run in laid if price <= budget and (price or not run or level < _BARRED)
    }
    options = tuple(sorted(kept, key=lambda option: (option[1], -option[0].bit_count(), not option[2], option[0])))
    _OPTIONS[level][key] = options
    return options


def leading_options(ones: int, wilds: int) -> tuple[Option, ...]:
    """The groups that the dearest of these faces may lead with at most this many wild cards."""
    level = min(wilds, _BARRED - 1)
    lead = ones & -ones
    key = ones & _WINDOWS[lead.bit_length() - 1]
    options = _OPTIONS[level].get(key)
    return _options(key, level) if options is None else options


def _runs_of(key: int, lead: int, places: range, suit: int) -> list[Option]:
    """Runs from the leading card through `places`: three long, and longer where a natural card is the new end.

    Where the places end (a two has nothing below it that is undecided) wild cards lie above instead.
    """
    laid: list[Option] = []
    faces = lead
    for length in range(2, _LONGEST_RUN + 1):
        end = key & 1 << (4 * places[length - 2] + suit) if length - 2 < len(places) else 0
        faces |= end
        if length == 3 or (length > 3 and end):
            laid.append((faces, length - faces.bit_count(), True))
    return laid


def _sets_of(key: int, lead: int, place: int, suit: int) -> list[Option]:
    """Sets of the leading card with the later suits of its rank: with one of them a wild card makes the third."""
    others = [key & 1 << (4 * place + other) for other in range(suit + 1, 4)]
    others = [face for face in others if face]
    if len(others) == 1:
        return [(lead | others[0], 1, False)]
    triples = [(lead | one | two, 0, False) for one in others for two in others if one < two]
    return triples if len(others) < 3 else [*triples, (lead | sum(others), 0, False)]


# Pure runs ----------------------------------------------------------------------------------------------------------


def _pure_runs(ones: int, selves: int) -> list[Run]:
    """Every pure run of three to five cards, the one worth most first.

    Longer than three, one that ends in a wild card as itself is left out: without that card it is as good and cheaper.
    """
    runs: list[Run] = []
    chain = ones | selves
    chain |= (chain & 15) << 52
    tops = chain & chain >> 4 & chain >> 8
    while tops:
        top = tops & -tops
        tops ^= top
        number = top.bit_length() + 7
        end = top << 8
        cards = top | top << 4
        points = FACE_POINTS[number - 8] + FACE_POINTS[number - 4]
        while end & chain:
            cards |= end
            points += FACE_POINTS[number]
            faces = (cards | cards >> 52) & _ALL_FACES
            own = faces & ~ones
            if not own:
                runs.append((-points, faces, 0, faces & -faces))
            elif end == top << 8 or not own & (top | end | end >> 52):
                runs.append((FACE_POINTS[own.bit_length() - 1] - points, faces ^ own, 1, _ALL_FACES + 1))
            if end == top << 16:
                break
            end <<= 4
            number += 4
    runs.sort()
    return runs


# The search ---------------------------------------------------------------------------------------------------------


def _cover(
    ones: int,
    twos: int,
    threes: int,
    wilds: int,
    need: bool,
    barred: int,
    free: int,
    spent: int,
    best: int,
    plan: list[Option],
    depth: int,
) -> int:
    """The fewest points, from `spent` on, that these cards leave loose, if fewer than `best`; else `best`.

    need: a sequence must be among the groups. barred: no run without a wild card may begin below this bit. free: how
    many loose cards, the dearest first, count nothing. When the answer is less than `best`, `plan` from `depth` on
    says how.
    """
    if need and wilds < 2:
        # A second sequence takes a run with at most one wild card.
        chain = ones | (ones & 15) << 52
        if not (chain & (chain >> 4 | chain >> 8) if wilds else chain & chain >> 4 & chain >> 8):
            return best
    level = wilds if wilds < _BARRED else _BARRED - 1
    while ones:
        lead = ones & -ones
        number = lead.bit_length() - 1
        row = level if lead >= barred else level + _BARRED
        key = ones & _WINDOWS[number]
        options = _OPTIONS[row].get(key)
        if options is None:
            options = _options(key, row)
        for faces, price, sequence in options:
            still = need and not sequence
            if twos & faces:
                left = ones & ~faces | twos & faces
                seconds = twos & ~faces | threes & faces
                thirds = threes & ~faces
                found = _cover(left, seconds, thirds, wilds - price, still, barred, free, spent, best, plan, depth + 1)
            else:
                left = ones ^ faces
                found = _cover(left, twos, threes, wilds - price, still, barred, free, spent, best, plan, depth + 1)
            if found < best:
                best = found
                plan[depth] = (faces, price, sequence)
                if best <= spent:
                    return best
        if free:
            free -= 1
        else:
            spent += FACE_POINTS[number]
        if twos & lead:
            spent += FACE_POINTS[number]
            twos ^= lead
            if threes & lead:
                spent += FACE_POINTS[number]
                threes ^= lead
        if spent >= best:
            return best
        ones ^= lead
    if need and wilds < SHORTEST_GROUP:
        return best
    plan[depth] = NO_OPTION
    return spent


def _best_over_runs(
    ones: int,
    twos: int,
    threes: int,
    wilds: int,
    runs: list[Run],
    free: int,
    spent: int,
    best: int,
    enough: int,
    plan: list[Option],
) -> int:
    """The fewest points with one of `runs` as the pure sequence and a second sequence beside it, if fewer than `best`.

    enough: where the search may stop, since nothing less is possible.
    """
    for _, faces, price, barred in runs:
        if best <= enough:
            break
        left = ones & ~faces | twos & faces
        seconds = twos & ~faces | threes & faces
        thirds = threes & ~faces
        found = _cover(left, seconds, thirds, wilds - price, True, barred, free, spent, best, plan, 1)
        if found < best:
            best = found
            plan[0] = (faces, price, True)
    return best


def _reach(ones: int, wilds: int, runs: list[Run]) -> int:
    """The faces that a pure run or a group with at most this many wild cards can hold."""
    if wilds > 1:
        return ones
    table = _OPTIONS[wilds]
    reach = 0
    for _, faces, _, _ in runs:
        reach |= faces
    left = ones
    while left:
        lead = left & -left
        key = ones & _WINDOWS[lead.bit_length() - 1]
        options = table.get(key)
        if options is None:
            options = _options(key, wilds)
        for faces, _, _ in options:
            reach |= faces
        left ^= lead
    return reach


def _points_of(ones: int, twos: int, threes: int) -> int:
    """What the copies of the faces in `ones` count."""
    points = 0
    while ones:
        lead = ones & -ones
        copies = 1 if not twos & lead else 2 if not threes & lead else 3
        points += copies * FACE_POINTS[lead.bit_length() - 1]
        ones ^= lead
    return points


def packed(cards: Sequence[int], wild_rank: int) -> tuple[int, int, int, int, int, int]:
    """ones, twos, threes, the number of wild cards, selves, and what all cards count."""
    ones = twos = threes = selves = wilds = total = 0
    bits = CARD_BITS[wild_rank]
    points = _POINTS[wild_rank]
    for card in cards:
        bit = bits[card]
        if not bit:
            wilds += 1
            selves |= NATURAL_BITS[card]
            continue
        total += points[card]
        if not ones & bit:
            ones |= bit
        elif not twos & bit:
            twos |= bit
        else:
            threes |= bit
    return ones, twos, threes, wilds, selves, total


# What the solver asks -----------------------------------------------------------------------------------------------


def empty_plan() -> list[Option]:
    """Room for the groups of 14 cards and the end."""
    return [NO_OPTION] * (_MOST_GROUPS + 1)


def best_plan(cards: Sequence[int], wild_rank: int, plan: list[Option]) -> int:
    """The fewest points that 13 cards can count. wild_rank: 0 when only printed jokers are wild.

    plan: `empty_plan()`; filled with the groups, the pure run first, up to a `NO_OPTION`.
    """
    ones, twos, threes, wilds, selves, total = packed(cards, wild_rank)
    runs = _pure_runs(ones, selves)
    if not runs:
        return total
    reach = _reach(ones, wilds, runs)
    spent = _points_of(ones & ~reach, twos, threes)
    points, faces, price, _ = runs[0]
    plan[0] = (faces, price, True)
    return _best_over_runs(
        ones & reach, twos & reach, threes & reach, wilds, runs, 0, spent, total + points, spent, plan
    )


def best_discard(cards: Sequence[int], wild_rank: int) -> tuple[int, int | None]:
    """The fewest points that one discard of 14 cards can leave, and that card: the first of its face in `cards`.

    The best discard is the dearest card that stays loose when all 14 are arranged with that one counting nothing.
    The card is None when no natural card stays loose.
    """
    ones, twos, threes, wilds, selves, total = packed(cards, wild_rank)
    runs = _pure_runs(ones, selves)
    plan = empty_plan()
    best = total - _dearest(ones)
    for points, faces, price, _ in runs:
        alone = total + points - _dearest(ones & ~faces | twos & faces)
        if alone < best or not plan[0][0]:
            best = alone
            plan[0] = (faces, price, True)
    best = _best_over_runs(ones, twos, threes, wilds, runs, 1, 0, best, 0, plan)
    loose = _loose(ones, twos, threes, plan)
    if not loose:
        return best, None
    return best, cards[list(map(CARD_BITS[wild_rank].__getitem__, cards)).index(loose & -loose)]


def _dearest(ones: int) -> int:
    return FACE_POINTS[(ones & -ones).bit_length() - 1] if ones else 0


def points_after_each(cards: Sequence[int], wild_rank: int) -> list[int]:
    """For each of 14 cards, the fewest points that the other 13 can count.

    Let `least` be what all 14 count at best. Giving one up cannot save more than its own points: with the card back
    among the loose ones, the arrangement of the 13 is one of the 14. So a card that is loose in the best arrangement
    of all 14 leaves exactly `least` less its points, and one wild card too many leaves `least`. For the others a
    search of their own starts from what is known: it ends where that bound is met, and where a spare wild card can
    stand in for the card it has `least` to beat.

    What that costs is the proof for each grouped card that nothing better is left, so it takes some searches and not
    one. Sharing them does not pay: one branch and bound with a bound for every card, and two sweeps over all states
    (what is spent before each, what is still to come), gave the same answers from less than half the nodes, and took
    about as long, because the nodes then end late: some card's bound nearly always keeps them open.
    """
    bits = CARD_BITS[wild_rank]
    ones, twos, threes, wilds, selves, total = packed(cards, wild_rank)
    runs = _pure_runs(ones, selves)
    if not runs:
        return [total - points for points in map(_POINTS[wild_rank].__getitem__, cards)]
    reach = _reach(ones, wilds, runs)
    spent = _points_of(ones & ~reach, twos, threes)
    plan = empty_plan()
    points, faces, price, _ = runs[0]
    plan[0] = (faces, price, True)
    held = ones & reach
    seconds = twos & reach
    thirds = threes & reach
    least = _best_over_runs(held, seconds, thirds, wilds, runs, 0, spent, total + points, spent, plan)
    loose = _loose(ones, twos, threes, plan)
    spare = wilds - _price_of(plan)
    known: dict[int, int] = {}
    answers: list[int] = []
    for card in cards:
        bit = bits[card]
        points = _POINTS[wild_rank][card]
        key = bit if bit else _self_at_stake(card, cards, runs)
        answer = known.get(key, -1)
        if answer < 0:
            if bit & loose:
                answer = least - points
            elif bit:
                bound = least if spare and not plan[0][0] & bit else total
                answer = _best_without(
                    bit, held, seconds, thirds, wilds, runs, spent, total - points, bound, least - points
                )
            elif spare and (key == 0 or plan[0][1] == 0):
                answer = least
            else:
                left = runs if key == 0 else _pure_runs(ones, selves ^ key)
                answer = _best_without(0, held, seconds, thirds, wilds - 1, left, spent, total, total, least)
            known[key] = answer
        answers.append(answer)
    return answers


def _best_without(
    bit: int,
    ones: int,
    twos: int,
    threes: int,
    wilds: int,
    runs: list[Run],
    spent: int,
    total: int,
    bound: int,
    enough: int,
) -> int:
    """The fewest points without one copy of a face. total: what all the others count. bound: known to be possible."""
    if threes & bit:
        threes ^= bit
    elif twos & bit:
        twos ^= bit
    elif bit:
        ones ^= bit
        runs = [run for run in runs if not run[1] & bit]
    if not runs:
        return total
    best = min(bound, total + runs[0][0])
    return _best_over_runs(ones, twos, threes, wilds, runs, 0, spent, best, max(enough, spent), empty_plan())


def _self_at_stake(card: int, cards: Sequence[int], runs: list[Run]) -> int:
    """The face that a wild card is the only one to be, if any pure run uses a wild card as itself; else 0."""
    own = NATURAL_BITS[card]
    if not own or not any(price for _, _, price, _ in runs):
        return 0
    return own if [NATURAL_BITS[other] for other in cards].count(own) == 1 else 0


def _loose(ones: int, twos: int, threes: int, plan: list[Option]) -> int:
    """The faces of which some copy is in no group of the plan."""
    for faces, _, _ in plan:
        if not faces:
            break
        ones = ones & ~faces | twos & faces
        twos = twos & ~faces | threes & faces
        threes &= ~faces
    return ones


def _price_of(plan: list[Option]) -> int:
    """The wild cards that the groups of the plan cost."""
    total = 0
    for faces, price, _ in plan:
        if not faces:
            break
        total += price
    return total
