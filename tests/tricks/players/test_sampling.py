"""The strong players: they think with what their seat knows and with nothing else, and answer alike anywhere."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.conformance.trick_games import TRICK_GAMES, TrickGame
from tricks.cards import Card
from tricks.klaverjas.deal import NameTrump, Pass
from tricks.knowledge import history
from tricks.moves import PlayCard
from tricks.play import Play
from tricks.players import baloot_sampler, klaverjas_sampler, thousand_sampler
from tricks.players.player import Player
from tricks.players.sampling import LIGHT, STRONG, Budget, Question, compare_cards
from tricks.search.search import Search
from tricks.search.solver import Solver
from tricks.worlds import NoWorld, Unknown, World, all_worlds, sample_world

SAMPLERS = {"klaverjas": klaverjas_sampler, "baloot": baloot_sampler, "thousand": thousand_sampler}
FEW = replace(LIGHT, worlds=2, nodes=200, world_nodes=200)


def strong(name: str, solver: Solver, budget: Budget = FEW) -> Player[Any, Any]:
    player: Player[Any, Any] = SAMPLERS[name].SamplingPlayer(solver, seed=3, budget=budget)
    return player


def turns(game: TrickGame, random: Random) -> Iterator[tuple[Any, Any, Any]]:
    """Match, deal and what the seat on turn knows, in a deal between players that follow the tips."""
    match = game.begin(random)
    state = game.deal.start(match.next_deal(game.random_deck(random)))
    while state.on_turn is not None:
        seen = game.seen_from(match, state, state.on_turn)
        yield match, state, seen
        state, _ = game.deal.apply(state, state.on_turn, game.players["tips"].choose(seen))


def plays(game: TrickGame, random: Random, from_hand: int, to_hand: int) -> Iterator[tuple[Any, Any, Any]]:
    """The turns at which a card is played, and the hand has from so many cards down to so many."""
    while True:
        for match, state, seen in turns(game, random):
            if isinstance(seen.options[0], PlayCard) and to_hand <= len(seen.hand) <= from_hand:
                yield match, state, seen


def unknown(seen: Any) -> Unknown:
    counts = tuple(0 if seat == seen.seat else count for seat, count in enumerate(seen.play.counts))
    return Unknown(seen.unseen, counts, seen.excluded())


@pytest.mark.parametrize("name", SAMPLERS)
def test_other_unseen_cards_in_the_other_hands_never_change_its_move(name: str) -> None:
    game, random = TRICK_GAMES[name], Random(12)
    compared = 0
    for match, state, seen in islice(plays(game, random, from_hand=7, to_hand=2), 3, 40, 5):
        try:
            world = sample_world(unknown(seen), random)
        except NoWorld:
            continue
        other = with_hands(state, seen.seat, world)
        if other == state or game.seen_from(match, other, seen.seat) != seen:
            continue
        choices = {strong(name, Solver()).choose(game.seen_from(match, each, seen.seat)) for each in (state, other)}
        assert len(choices) == 1
        compared += 1
    assert compared >= 3


def with_hands(state: Any, seat: int, world: World) -> Any:
    hands = tuple(held if other == seat else world[other] for other, held in enumerate(state.play.hands))
    return replace(state, play=replace(state.play, hands=hands))


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_native_search_and_the_plain_one_choose_alike_at_every_turn_of_a_deal(name: str) -> None:
    # One solver answers all turns in order, the other ones backwards: no choice depends on what was asked before.
    seen = [seen for _, _, seen in turns(TRICK_GAMES[name], Random(2))][::4]
    native, plain = strong(name, Solver()), strong(name, Solver(Search))
    assert [native.choose(each) for each in seen] == [plain.choose(each) for each in seen[::-1]][::-1]


@pytest.mark.parametrize("name", SAMPLERS)
def test_it_only_does_what_is_allowed(name: str) -> None:
    player = strong(name, Solver())
    for _, state, seen in turns(TRICK_GAMES[name], Random(5)):
        TRICK_GAMES[name].deal.apply(state, seen.seat, player.choose(seen))


@pytest.mark.parametrize("name", SAMPLERS)
def test_in_the_last_tricks_it_weighs_every_world(name: str) -> None:
    ask: Callable[[Any], Question] = SAMPLERS[name].question
    for _, _, seen in islice(plays(TRICK_GAMES[name], Random(6), from_hand=2, to_hand=2), 4):
        question, solver = ask(seen), Solver()
        worths: dict[Card, float] = dict.fromkeys(question.cards, 0.0)
        for world in all_worlds(question.unknown):
            hands = tuple(seen.hand if seat == seen.seat else hand for seat, hand in enumerate(world))
            dealt = tuple(
                tuple(sorted((*hand, *(played.card for played in history(seen.play) if played.seat == seat))))
                for seat, hand in enumerate(hands)
            )
            play = Play(hands, seen.play.leader, seen.play.trick, seen.play.taken)
            for card in question.cards:
                value = solver.solve(question.open(play), [card]).values[card]
                worths[card] += question.likelihood(dealt) * question.worth(dealt)(value)
        contest = compare_cards(question, solver, STRONG, Random(0))
        assert worths[contest.best] == pytest.approx(max(worths.values()))
        if len(question.cards) > 1:
            weights = sum(contest.weights)
            assert {card: contest.mean(card) for card in worths} == pytest.approx(
                {card: worth / weights for card, worth in worths.items()}
            )


def test_klaverjas_names_what_the_tips_would_and_what_its_table_likes() -> None:
    game, agreed, more = TRICK_GAMES["klaverjas"], 0, 0
    for seed in range(150):
        for _, _, seen in turns(game, Random(seed)):
            if seen.trump is not None:
                break
            tips, named = game.players["tips"].choose(seen), klaverjas_sampler.call(seen)
            assert named in seen.options
            if tips == Pass():
                more += named != tips
            else:
                assert isinstance(named, NameTrump)
                agreed += 1
    assert agreed > 0
    assert more > 0
