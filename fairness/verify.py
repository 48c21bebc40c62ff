"""Verify a hand file: V1 to V12 in order; the first that fails is named. `fairness.checks` has the steps themselves."""

from dataclasses import dataclass

from fairness.checks import HandUnderCheck, Mismatch, Step
from fairness.encoding import Malformed
from fairness.hand_file import MAX_FILE_BYTES, HandFile
from fairness.json_form import parse_json
from fairness.signing import KeyRing


@dataclass(frozen=True, slots=True)
class StepResult:
    """ok: None when an earlier step failed, so that this one was not reached."""

    step: Step
    ok: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found. hand_id: lower-case hex, None when the file could not be read."""

    hand_id: str | None
    results: tuple[StepResult, ...]

    @property
    def ok(self) -> bool:
        return all(result.ok for result in self.results)

    @property
    def first_failure(self) -> StepResult | None:
        return next((result for result in self.results if result.ok is False), None)


def verify_hand(file: object, house_keys: KeyRing | None = None) -> Report:
    """Verify a parsed hand file.

    house_keys: the keys that the house published, fetched from elsewhere than the file. Without them the file's own
    are used: they prove that one key signed everything, not whose key it is.
    """
    try:
        hand = HandFile.from_json(file)
    except Malformed as error:
        return _report(None, [StepResult(Step.V1, False, str(error))])
    players = len(hand.terms.players)
    results = [StepResult(Step.V1, True, f"{len(hand.events)} events, {players} players")]
    for step, check in HandUnderCheck(hand, house_keys).checks():
        try:
            results.append(StepResult(step, True, check()))
        except Mismatch as mismatch:
            results.append(StepResult(step, False, str(mismatch)))
            break
    return _report(hand.terms.hand_id.hex(), results)


def verify_bytes(data: bytes, house_keys: KeyRing | None = None) -> Report:
    """Verify a hand file as it lies on disk; one that is not even JSON fails V1."""
    try:
        if len(data) > MAX_FILE_BYTES:
            raise Malformed(f"the file has {len(data)} bytes: no hand needs more than {MAX_FILE_BYTES}")
        return verify_hand(parse_json(data.decode("utf-8")), house_keys)
    except UnicodeDecodeError as error:
        return _report(None, [StepResult(Step.V1, False, f"the file is not UTF-8 at byte {error.start}")])
    except Malformed as error:
        return _report(None, [StepResult(Step.V1, False, str(error))])


def _report(hand_id: str | None, results: list[StepResult]) -> Report:
    not_reached = [StepResult(step, None, "not reached") for step in list(Step)[len(results) :]]
    return Report(hand_id, (*results, *not_reached))
