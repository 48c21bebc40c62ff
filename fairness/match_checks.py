"""Verify a match: its hands' files, each by itself, and that scores, outcome and tokens follow from all of them.

Source: docs/formats.md section 6. M1 is about the hands, M2 about who played them from which score, M3 about the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fairness import events as record
from fairness.encoding import Id, Malformed
from fairness.hand_file import HandFile
from fairness.match_file import MatchFile
from fairness.match_terms import MatchTerms, UnknownRules, match_terms
from fairness.signing import KeyRing
from fairness.verify import verify_hand
from rummy.formats.counting import HandLine
from rummy.formats.kinds import MATCH_FORMATS
from rummy.formats.match import (
    HandCounted,
    HandWasVoid,
    MatchEvent,
    MatchState,
    NotInThisMatch,
    begin,
    evolve,
)
from rummy.formats.payout import payout_of
from rummy.state import OutBy


class MatchStep(StrEnum):
    M1 = "the hands"
    M2 = "players and scores"
    M3 = "outcome and tokens"


@dataclass(frozen=True, slots=True)
class MatchReport:
    """failed: the first step that does not match, None when everything does. words: for people."""

    match_id: str | None
    failed: MatchStep | None
    words: str

    @property
    def ok(self) -> bool:
        return self.failed is None


class _Differs(Exception):
    def __init__(self, step: MatchStep, words: str) -> None:
        super().__init__(words)
        self.step = step
        self.words = words


def verify_match(claim: object, hand_files: Sequence[object], house_keys: KeyRing | None = None) -> MatchReport:
    """Verify a parsed match file with the parsed files of all its hands, in any order. Raises Malformed for the claim.

    house_keys: as for `verify_hand`.
    """
    file = MatchFile.from_json(claim)
    match_id = file.match_id.hex()
    try:
        hands = _hands(file, hand_files, house_keys)
        state = _played(file, hands)
        _check_end(file, state, hands[0])
    except _Differs as differs:
        return MatchReport(match_id, differs.step, differs.words)
    return MatchReport(match_id, None, f"{len(hands)} hands, {file.outcome}, commission {file.commission}")


def _hands(file: MatchFile, hand_files: Sequence[object], house_keys: KeyRing | None) -> tuple[HandFile, ...]:
    """M1: every hand that the match names, verified, in its order."""
    found: dict[Id, HandFile] = {}
    for one in hand_files:
        report = verify_hand(one, house_keys)
        failure = report.first_failure
        if failure is not None:
            raise _Differs(MatchStep.M1, f"hand {report.hand_id or 'unknown'}: {failure.step.name}: {failure.words}")
        hand = HandFile.from_json(one)
        found[hand.terms.hand_id] = hand
    missing = [hand_id.hex() for hand_id in file.hands if hand_id not in found]
    if missing or not file.hands:
        raise _Differs(MatchStep.M1, f"the file of hand {missing[0]} is missing" if missing else "it has no hands")
    if len(found) != len(file.hands):
        raise _Differs(MatchStep.M1, f"{len(found)} hands were given, and the match names {len(file.hands)}")
    hands = tuple(found[hand_id] for hand_id in file.hands)
    for number, hand in enumerate(hands, start=1):
        _check_terms(file, hand, number, hands[0].terms.hand_no + number - 1)
    return hands


def _check_terms(file: MatchFile, hand: HandFile, number: int, hand_no: int) -> None:
    terms, bound = hand.terms, _match_of(hand)
    said = (file.match_id, file.format_name, file.buy_in, file.table_id, file.commission_bp, number, hand_no)
    shown = (
        bound.match_id,
        bound.format_name,
        bound.buy_in,
        terms.table_id,
        terms.commission_bp,
        bound.hand,
        terms.hand_no,
    )
    names = ("match", "format", "buy-in", "table", "commission", "number in the match", "number at the table")
    for name, one, other in zip(names, said, shown, strict=True):
        if one != other:
            raise _Differs(MatchStep.M1, f"hand {number} of the match is bound to another {name}")


def _match_of(hand: HandFile) -> MatchTerms:
    try:
        bound = match_terms(hand.terms)
    except (UnknownRules, Malformed) as error:
        raise _Differs(MatchStep.M1, str(error)) from error
    if bound is None:
        raise _Differs(MatchStep.M1, f"hand {hand.terms.hand_id.hex()} is part of no match")
    return bound


def _played(file: MatchFile, hands: Sequence[HandFile]) -> MatchState:
    """M2: the events that the house names, each hand of them held against its file; returns how the match stands."""
    players = dict(hands[0].terms.players)
    state = begin(MATCH_FORMATS[file.format_name], players)
    left = iter(enumerate(hands, start=1))
    for event in file.events:
        if isinstance(event, HandCounted | HandWasVoid):
            _check_hand(state, event, players, left)
        try:
            state = evolve(state, event)
        except NotInThisMatch as wrong:
            raise _Differs(MatchStep.M2, str(wrong)) from wrong
    over = next(left, None)
    if over is not None:
        raise _Differs(MatchStep.M2, f"hand {over[0]} is in no event of the match")
    return state


def _check_hand(
    state: MatchState, event: MatchEvent, players: Mapping[int, Id], left: Iterator[tuple[int, HandFile]]
) -> None:
    following = next(left, None)
    if following is None:
        raise _Differs(MatchStep.M2, "the match names more hands than there are files")
    number, hand = following
    expected = tuple((seat, players[seat]) for seat in state.seats_in)
    if hand.terms.players != expected:
        raise _Differs(MatchStep.M2, f"hand {number} was not played by those who were in")
    if _match_of(hand).standing != tuple((seat, state.player(seat).score) for seat in state.seats_in):
        raise _Differs(MatchStep.M2, f"hand {number} did not begin at the scores of the hands before it")
    if event != hand_event(hand.events):
        raise _Differs(MatchStep.M2, f"hand {number} ended otherwise than the match says")


def hand_event(events: Sequence[record.Event]) -> MatchEvent:
    """What a whole transcript is for its match."""
    out: dict[int, OutBy] = {}
    for event in events:
        if isinstance(event, record.WentOut):
            out[event.seat] = OutBy(event.how.word)
        elif isinstance(event, record.Declared) and not event.valid:
            out[event.seat] = OutBy.WRONG_DECLARE
    settled = next(event for event in events if isinstance(event, record.Settled))
    if settled.winner is None:
        return HandWasVoid()
    return HandCounted(
        settled.winner, tuple(HandLine(line.seat, line.points, out.get(line.seat)) for line in settled.lines)
    )


def _check_end(file: MatchFile, state: MatchState, first: HandFile) -> None:
    """M3: outcome, scores and tokens."""
    if not state.is_over:
        raise _Differs(MatchStep.M3, "by its hands the match was not over")
    if file.outcome != state.outcome:
        raise _Differs(MatchStep.M3, f"the outcome is {file.outcome[:40]!a}, and {state.outcome} follows")
    payout = payout_of(state, file.buy_in, file.commission_bp)
    if file.commission != payout.commission:
        raise _Differs(MatchStep.M3, f"the commission is {file.commission}, and {payout.commission} follows")
    ids = dict(first.terms.players)
    expected = tuple(
        (line.seat, ids[line.seat], player.score, player.standing.value, line.staked, line.delta)
        for line, player in zip(payout.lines, state.players, strict=True)
    )
    said = tuple((line.seat, line.player_id, line.score, line.standing, line.staked, line.delta) for line in file.lines)
    if said != expected:
        raise _Differs(MatchStep.M3, "a player's score, standing or tokens are not what follows from the hands")
