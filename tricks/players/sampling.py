"""Choosing a card by solving worlds: ways the unseen cards may lie that agree with everything seen.

Each world is solved exactly, and the card is played that is worth most on the mean, in what the game's score makes of
it. Near the end every world there is gets solved; before that, as many as the budget pays for. A budget counts
positions searched and never time, and the draws follow from what is seen, so that the same deal and the same moves are
answered alike on any machine, with the native search or without.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from math import sqrt
from random import Random
from typing import Final, Generic, TypeVar

from tricks.cards import Card
from tricks.knowledge import SeenPlay, history
from tricks.moves import PlayCard
from tricks.play import Play
from tricks.search.solver import OpenDeal, Solver
from tricks.worlds import Sampler, Unknown, World, all_worlds, count_worlds

LAST_TRICKS: Final = 3
"""From so many cards a hand on every world is solved."""
LOOK_AFTER: Final = 6
"""After how many worlds each the cards are looked at that can't be best any more."""
CERTAINTY: Final = 2.5
"""How many standard errors behind the best a card has to be to be dropped."""
TRIES: Final = 12
"""How often a world that does not suit the calls is drawn anew before it is taken as it is."""


@dataclass(frozen=True, slots=True)
class Budget:
    """For one choice. worlds: at most so many are drawn. nodes: once so many were searched no further world is begun.

    world_nodes: for one world; one that takes more is left out, and while there are only such the tips decide.
    every_world: up to so many are all solved near the end.
    """

    worlds: int
    nodes: int
    world_nodes: int
    every_world: int


STRONG: Final = Budget(worlds=60, nodes=200_000, world_nodes=150_000, every_world=1_680)
"""Some 50 ms a choice with the native search, and at the most about half a second."""
LIGHT: Final = Budget(worlds=8, nodes=4_000, world_nodes=4_000, every_world=60)
"""For plain Python, some 0.3 s a choice there: follows the tips at first, and solves worlds from the middle on."""


Choice = TypeVar("Choice")

Worth = Callable[[int], float]
"""What a value that the solver found is worth to the own side in the end."""


@dataclass(frozen=True, slots=True)
class Question:
    """cards: those that may be played; between equals the earlier one is.

    worth: in a world, by all cards that each seat was dealt. likelihood: how well a world suits the calls, from 0 to 1.
    """

    play: SeenPlay
    cards: tuple[Card, ...]
    unknown: Unknown
    open: Callable[[Play], OpenDeal]
    worth: Callable[[World], Worth]
    likelihood: Callable[[World], float]


@dataclass(slots=True)
class Contest(Generic[Choice]):
    """Choices compared world by world.

    choices: those that may still be best; between equals the earlier one is. is_sample: whether the worlds are drawn,
    so that a choice far behind in some of them may be given up; of all worlds each counts.
    """

    choices: list[Choice]
    is_sample: bool = True
    worths: list[dict[Choice, float]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def add(self, worths: dict[Choice, float], weight: float = 1) -> None:
        """What each choice is worth in one more world."""
        self.worths.append(worths)
        self.weights.append(weight)
        if self.is_sample and len(self.worths) % LOOK_AFTER == 0:
            self._drop_beaten()

    @property
    def best(self) -> Choice:
        return max(self.choices, key=self._sum) if self.worths else self.choices[0]

    def mean(self, choice: Choice) -> float | None:
        """Over the worlds in which it was compared; None without any."""
        found = [
            (weight, each[choice]) for weight, each in zip(self.weights, self.worths, strict=True) if choice in each
        ]
        weights = sum(weight for weight, _ in found)
        return sum(weight * worth for weight, worth in found) / weights if weights else None

    @property
    def is_decided(self) -> bool:
        return len(self.choices) == 1

    def _drop_beaten(self) -> None:
        """Leave out the choices that are surely worse than the best one."""
        best = self.best
        self.choices = [each for each in self.choices if each == best or not self._is_beaten(each, best)]

    def _sum(self, choice: Choice) -> float:
        return sum(weight * each[choice] for weight, each in zip(self.weights, self.worths, strict=True))

    def _is_beaten(self, choice: Choice, best: Choice) -> bool:
        behind = [each[best] - each[choice] for each in self.worths]
        mean = sum(behind) / len(behind)
        variance = sum((each - mean) ** 2 for each in behind) / len(behind)
        return mean > CERTAINTY * sqrt(variance / len(behind))


def best_card(question: Question, solver: Solver, budget: Budget, random: Random) -> Card:
    """The card to play."""
    return compare_cards(question, solver, budget, random).best


def compare_cards(question: Question, solver: Solver, budget: Budget, random: Random) -> Contest[Card]:
    """All cards that may be played, world by world: which is best, and what each is worth on the mean."""
    solves_all = _solves_all(question, budget)
    contest = Contest(list(question.cards), is_sample=not solves_all)
    if contest.is_decided:
        return contest
    nodes, guess = 0, 0
    for world, weight in _every(question) if solves_all else _drawn(question, budget, random):
        solved = solver.solve(question.open(_play_in(question.play, world)), contest.choices, budget.world_nodes, guess)
        nodes += solved.nodes
        if not solved.is_cut:
            worth = question.worth(dealt_in(question.play, world))
            contest.add({card: worth(value) for card, value in solved.values.items()}, weight)
            guess = solved.values[contest.choices[0]]
        if contest.is_decided or (nodes >= budget.nodes and not solves_all):
            break
    return contest


def advised_first(cards: tuple[Card, ...], advised: object) -> tuple[Card, ...]:
    """The cards, with the one that the tips would play in front: it stands where worlds tell nothing else."""
    return tuple(sorted(cards, key=lambda card: PlayCard(card) != advised))


def seeded(seed: int, seen: object) -> Random:
    """Draws that follow from the seed and from what is seen, and from nothing else."""
    return Random(int.from_bytes(sha256(f"{seed} {seen!r}".encode()).digest()[:8]))  # noqa: S311 - a player's thoughts


def dealt_in(play: SeenPlay, world: World) -> World:
    """All cards that each seat held before the first lead, if the world is so."""
    hands = [[*hand] for hand in world]
    hands[play.seat].extend(play.hand)
    for played in history(play):
        hands[played.seat].append(played.card)
    return tuple(tuple(sorted(hand)) for hand in hands)


def _play_in(play: SeenPlay, world: World) -> Play:
    hands = tuple(play.hand if seat == play.seat else hand for seat, hand in enumerate(world))
    return Play(hands, play.leader, play.trick, play.taken)


def _solves_all(question: Question, budget: Budget) -> bool:
    return len(question.play.hand) <= LAST_TRICKS and count_worlds(question.unknown) <= budget.every_world


def _every(question: Question) -> Iterator[tuple[World, float]]:
    for world in all_worlds(question.unknown):
        yield world, question.likelihood(dealt_in(question.play, world))


def _drawn(question: Question, budget: Budget, random: Random) -> Iterator[tuple[World, float]]:
    suits = partial(_dealt_likelihood, question)
    for world in drawn_worlds(question.unknown, suits, budget.worlds, random):
        yield world, 1


def _dealt_likelihood(question: Question, world: World) -> float:
    return question.likelihood(dealt_in(question.play, world))


def drawn_worlds(unknown: Unknown, likelihood: Callable[[World], float], count: int, random: Random) -> Iterator[World]:
    """Worlds in proportion to their likelihood, as far as a bounded number of draws reaches."""
    sampler = Sampler(unknown)
    for _ in range(count):
        world = sampler.draw(random)
        for _ in range(TRIES):
            if random.random() < likelihood(world):
                break
            world = sampler.draw(random)
        yield world
