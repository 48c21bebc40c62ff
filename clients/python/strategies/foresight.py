"""`Foresight`: imagines the cards that may come, and plays for the points that the hand is expected to gain.

Cards that the seat has not seen are as likely in the stock as in any hand. So it samples some of them as its next
draws: what the best 13 after each draw are expected to gain, on average, is what drawing from the stock is worth now,
or what a hand is worth after a discard. The samples are bounded by count and depend on nothing but the seed and the
knowledge, so the same turn is always decided alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from clients.python.strategies.feeding import feeding_cost
from clients.python.strategies.knowledge import BeforeDraw, Finish, SeatKnowledge
from clients.python.strategies.outlook import Race, expected_gain, race_of, win_gain
from clients.python.strategies.prospects import Appraiser, company, faces_mask
from rummy.cards import FACES_PER_DECK, Card, deck_size, face_of
from rummy.solver import DiscardOption, discard_options


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is imagined in one decision; the whole of it takes a few milliseconds.

    stock_draws: draws before drawing. discards: how many discards are weighed by what follows; the others look worse
    at once. next_draws: draws after each of them. next_discards: discards that are weighed after an imagined draw.
    """

    stock_draws: int = 16
    discards: int = 3
    next_draws: int = 10
    next_discards: int = 3


class Foresight:
    """The strongest. seed: of the draws that it imagines."""

    def __init__(self, seed: int, bounds: Bounds | None = None) -> None:
        self._seed = seed
        self._bounds = Bounds() if bounds is None else bounds

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        turn = _Turn(known, self._seed, self._bounds)
        stock = turn.after_stock_draws()
        best, choice = stock, BeforeDraw.STOCK
        if known.may_draw_pile:
            pile = turn.after_pile_draw()
            if pile > stock:
                best, choice = pile, BeforeDraw.PILE
        if known.drop_points is not None and best < -known.drop_points:
            return BeforeDraw.DROP
        return choice

    def after_draw(self, known: SeatKnowledge) -> Finish:
        options = discard_options(known.cards, known.wild_rank)
        for option in options:
            if option.declares:
                return Finish(option.card, declare=True)
        turn = _Turn(known, self._seed, self._bounds)
        promising = turn.promising(options)
        best = promising[0] if len(promising) == 1 else max(promising, key=turn.after_discard)
        return Finish(best.card, declare=False)


class _Turn:
    """What one turn's knowledge gives, worked out once: the race, the draws that may come, hands already weighed."""

    def __init__(self, known: SeatKnowledge, seed: int, bounds: Bounds) -> None:
        self._known = known
        self._bounds = bounds
        self._copies = known.unseen_copies()
        self._appraiser = Appraiser(self._copies, known.wild_rank)
        self._race = race_of(known)
        seen = {*known.cards, *known.pile, known.turned, *(taken.card for taken in known.taken)}
        self._hidden = [Card(card) for card in range(deck_size(known.decks)) if card not in seen]
        Random(f"{seed} {known.turn_number} {sorted(known.cards)}").shuffle(self._hidden)
        self._weighed: dict[tuple[float, frozenset[Card]], float] = {}

    def after_stock_draws(self) -> float:
        """The expected gain when the stock is drawn from."""
        draws = self._hidden[: self._bounds.stock_draws]
        return sum(self._best_after(self._known.cards, drawn, self._race) for drawn in draws) / len(draws)

    def after_pile_draw(self) -> float:
        """The expected gain when the top of the pile is taken, and so must be kept."""
        return self._best_after(self._known.cards, self._known.pile[-1], self._race, stays=True)

    def promising(self, options: Sequence[DiscardOption]) -> list[DiscardOption]:
        """The discards that look best without looking ahead."""
        cards = self._known.cards
        allowed = [option for option in options if self._known.may_throw(option.card)]
        ranked = self._ranked(cards, allowed)
        return sorted(ranked, key=lambda option: -self._gain(cards, option, self._race))[: self._bounds.discards]

    def after_discard(self, option: DiscardOption) -> float:
        """The expected gain after a discard, seen one draw further, less what the card may bring the next player."""
        left = [card for card in self._known.cards if card != option.card]
        later = replace(self._race, rounds=self._race.rounds + 1)
        draws = self._hidden[: self._bounds.next_draws]
        own = sum(self._best_after(left, drawn, later) for drawn in draws) / len(draws)
        return own - feeding_cost(option.card, self._known, self._copies)

    def _best_after(self, cards: Sequence[Card], drawn: Card, race: Race, stays: bool = False) -> float:
        """The expected gain of 13 cards and one more, after the best discard. stays: the one more may not go."""
        hand = (*cards, drawn)
        options = discard_options(hand, self._known.wild_rank)
        if any(option.declares for option in options):
            return win_gain(race)
        if stays:
            options = tuple(option for option in options if face_of(option.card) != face_of(drawn))
        return max(
            self._gain(hand, option, race) for option in self._ranked(hand, options)[: self._bounds.next_discards]
        )

    def _gain(self, cards: Sequence[Card], option: DiscardOption, race: Race) -> float:
        left = frozenset(cards) - {option.card}
        known = self._weighed.get((race.rounds, left))
        if known is None:
            known = expected_gain(self._appraiser.prospects(left, option.points), race)
            self._weighed[race.rounds, left] = known
        return known

    def _ranked(self, cards: Sequence[Card], options: Sequence[DiscardOption]) -> list[DiscardOption]:
        """The discards in the order in which a plain player would think of them, one of each face."""
        mask = faces_mask(cards)
        wild, points = self._appraiser.is_wild, self._appraiser.points

        def preference(option: DiscardOption) -> tuple[bool, int, int, int, Card]:
            face = option.card % FACES_PER_DECK
            return wild[face], option.points, company(option.card, mask), -points[face], option.card

        return sorted({face_of(option.card): option for option in options}.values(), key=preference)
