"""What a hand's terms say of the match that it is part of: five more rules in the map (docs/fairness.md)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fairness.encoding import JSON_INTEGER_LIMIT, Id
from fairness.terms import Terms
from rummy.formats.kinds import MATCH_FORMATS, FormatName, MatchFormat

POINTS_FORMAT: Final = FormatName.POINTS.value
MATCH_RULES: Final = ("buy_in", "match", "match_hand", "standing")
"""Besides `format`: there in every hand of a match, and in no other."""

_MATCH_ID: Final = re.compile(r"[0-9a-f]{32}")
_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,15}")
_STANDING: Final = re.compile(r"[0-7]:(?:0|[1-9][0-9]{0,8})(?: [0-7]:(?:0|[1-9][0-9]{0,8}))*")


class UnknownRules(ValueError):
    """A rule map that this house does not play by; the message names the rule and what is allowed."""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """buy_in: token units. hand: its number in the match, from 1, void ones too. standing: (seat, score) at its start,
    every player of the hand, ascending seats.
    """

    format_name: FormatName
    buy_in: int
    match_id: Id
    hand: int
    standing: tuple[tuple[int, int], ...]

    @property
    def format(self) -> MatchFormat:
        return MATCH_FORMATS[self.format_name]

    def to_map(self) -> dict[str, str]:
        return {
            "format": self.format_name.value,
            "buy_in": str(self.buy_in),
            "match": self.match_id.hex(),
            "match_hand": str(self.hand),
            "standing": " ".join(f"{seat}:{score}" for seat, score in self.standing),
        }


def match_terms(terms: Terms) -> MatchTerms | None:
    """The match that a hand belongs to; None in points. Raises UnknownRules for anything half said or misshapen."""
    word = terms.rules.get("format")
    if word is None:
        raise UnknownRules("the rule format is missing")
    present = [name for name in MATCH_RULES if name in terms.rules]
    if word == POINTS_FORMAT:
        if present:
            raise UnknownRules(f"the rule {present[0]} belongs to a match, and the format is points")
        return None
    name = _format_name(word)
    missing = sorted(set(MATCH_RULES) - set(present))
    if missing:
        raise UnknownRules(f"the rule {missing[0]} is missing")
    if terms.rate != 0:
        raise UnknownRules(f"the rate is {terms.rate}: the hands of a match move no tokens")
    standing = _standing(terms.rules)
    if tuple(seat for seat, _ in standing) != terms.occupied:
        raise UnknownRules("the rule standing is not one score for each player of the hand")
    return MatchTerms(
        name,
        _whole(terms.rules, "buy_in"),
        _match_id(terms.rules),
        _whole(terms.rules, "match_hand"),
        standing,
    )


def _format_name(word: str) -> FormatName:
    try:
        return FormatName(word)
    except ValueError:
        known = ", ".join(sorted(FormatName))
        raise UnknownRules(f"the rule format is {word[:40]!r}: this house plays {known}") from None


def _whole(rules: Mapping[str, str], name: str) -> int:
    text = rules[name]
    if not _WHOLE.fullmatch(text) or not 1 <= int(text) < JSON_INTEGER_LIMIT:
        raise UnknownRules(f"the rule {name} is {text[:40]!r}: a number from 1 on, in decimal")
    return int(text)


def _match_id(rules: Mapping[str, str]) -> Id:
    text = rules["match"]
    if not _MATCH_ID.fullmatch(text):
        raise UnknownRules(f"the rule match is {text[:40]!r}: an id in 32 hex digits")
    return Id(bytes.fromhex(text))


def _standing(rules: Mapping[str, str]) -> tuple[tuple[int, int], ...]:
    text = rules["standing"]
    if not _STANDING.fullmatch(text):
        raise UnknownRules(f"the rule standing is {text[:40]!r}: seat:score for each player, one space between")
    return tuple((int(seat), int(score)) for seat, score in (one.split(":") for one in text.split(" ")))
