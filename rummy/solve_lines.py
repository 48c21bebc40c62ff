"""Hands as JSON lines, answered with their best arrangement: what `python -m rummy solve` does.

In: {"id", "cards": 13 names such as "10H", "AS" or "PJ", "wild": a rank or "PJ", "decks": 2 or 3}; other keys are left
alone. Out: {"id", "points", "can_declare", "groups": [{"kind", "cards"}], "deadwood"}.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rummy.cards import (
    CARDS_PER_HAND,
    PRINTED_JOKER_NAME,
    RANK_NAMES,
    Card,
    Rank,
    UnreadableCard,
    card_name,
    cards_from_names,
    parse_rank,
)
from rummy.groups import Arrangement
from rummy.solver import best_arrangement

LONGEST_LINE: Final = 10_000
"""Bytes; a hand takes about 150."""

_DECKS: Final = (2, 3)


class MalformedLine(ValueError):
    """Why a line holds no hand."""


@dataclass(frozen=True, slots=True)
class Question:
    id: str | int
    cards: tuple[Card, ...]
    wild_rank: Rank | None


def answer_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, str | MalformedLine]]:
    """(line number from 1, answer or what is wrong) for every line that is not blank."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, answer(parse_question(line))
        except MalformedLine as malformed:
            yield number, malformed


def answer(question: Question) -> str:
    """One JSON line."""
    arrangement = best_arrangement(question.cards, question.wild_rank)
    return json.dumps({"id": question.id, **_arrangement_map(arrangement)})


def _arrangement_map(arrangement: Arrangement) -> dict[str, object]:
    return {
        "points": arrangement.points,
        "can_declare": arrangement.complete,
        "groups": [
            {"kind": group.kind.value, "cards": [card_name(card) for card in group.cards]}
            for group in arrangement.groups
        ],
        "deadwood": [card_name(card) for card in arrangement.deadwood],
    }


def parse_question(line: bytes) -> Question:
    """Read one line. Raises MalformedLine for anything that is no hand of the game."""
    given = _parse_object(line)
    missing = [key for key in ("id", "cards", "wild", "decks") if key not in given]
    if missing:
        raise MalformedLine(f"{' and '.join(missing)} missing")
    decks = given["decks"]
    if decks not in _DECKS or isinstance(decks, bool | float):
        raise MalformedLine(f"decks is {_shown(decks)}: a table has 2 or 3")
    return Question(_parse_id(given["id"]), _parse_hand(given["cards"], int(decks)), _parse_wild(given["wild"]))


def _parse_object(line: bytes) -> dict[str, object]:
    if len(line) > LONGEST_LINE:
        raise MalformedLine(f"{len(line)} bytes long: {LONGEST_LINE} are allowed")
    try:
        given = json.loads(line.decode())
    except (ValueError, RecursionError) as unreadable:
        raise MalformedLine(f"not JSON: {unreadable}") from unreadable
    if not isinstance(given, dict):
        raise MalformedLine("not a JSON object")
    return given


def _parse_id(given: object) -> str | int:
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise MalformedLine(f"id is {_shown(given)}: a text or a whole number is allowed")
    return given


def _parse_hand(given: object, decks: int) -> tuple[Card, ...]:
    if not isinstance(given, list) or len(given) != CARDS_PER_HAND:
        count = f"{len(given)} of them" if isinstance(given, list) else "no list"
        raise MalformedLine(f"cards: {CARDS_PER_HAND} are needed, this is {count}")
    names = [name if isinstance(name, str) else _shown(name) for name in given]
    for name, copies in Counter(names).items():
        if copies > decks:
            raise MalformedLine(f"cards: {name} is there {copies} times, and {decks} decks have {decks}")
    try:
        return cards_from_names(names)
    except UnreadableCard as unreadable:
        raise MalformedLine(f"cards: {unreadable}") from unreadable


def _parse_wild(given: object) -> Rank | None:
    if given == PRINTED_JOKER_NAME:
        return None
    if given not in RANK_NAMES:
        allowed = " ".join((*RANK_NAMES, PRINTED_JOKER_NAME))
        raise MalformedLine(f"wild is {_shown(given)}: allowed are {allowed}")
    return parse_rank(str(given))


def _shown(given: object) -> str:
    """A wrong value as it was written, cut short."""
    text = json.dumps(given, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}..."
