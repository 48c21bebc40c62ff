"""Check a hand or a match, derive a deal, audit the log.

Exit codes: 0 everything matches, 1 something does not, 2 the input could not be read.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from fairness.audit import (
    ConsistencyProof,
    Finding,
    InclusionProof,
    LeafRange,
    audit_leaves,
    check_consistency,
    check_head,
    check_inclusion,
    join_leaves,
)
from fairness.deal_lines import BadLine, deal_lines
from fairness.encoding import Malformed, as_id
from fairness.json_form import parse_json
from fairness.match_checks import verify_match
from fairness.receipts import TreeHead
from fairness.signing import KeyRing
from fairness.verify import verify_bytes

MATCHES: Final = 0
DIFFERS: Final = 1
UNREADABLE: Final = 2

_MARKS: Final = {True: "ok  ", False: "FAIL", None: "-   "}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (OSError, UnicodeDecodeError, Malformed) as error:
        print(f"fairness: {error}", file=sys.stderr)
        return UNREADABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fairness", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    verify = commands.add_parser("verify", help="check a hand file; exit 0 only when everything matches")
    verify.add_argument("file", help="hand file, - for standard input")
    verify.add_argument("--keys", type=Path, help="the key list that the house published")
    verify.set_defaults(run=_verify)

    match = commands.add_parser("match", help="check a whole match; exit 0 only when everything follows from its hands")
    match.add_argument("file", type=Path, help="match file")
    match.add_argument("hands", type=Path, nargs="+", help="the files of all its hands, in any order")
    match.add_argument("--keys", type=Path, help="the key list that the house published")
    match.set_defaults(run=_match)

    deal = commands.add_parser("deal", help="JSON lines of terms, seed and contributions in, deals out")
    deal.add_argument("file", nargs="?", default="-", help="JSON lines, standard input by default")
    deal.set_defaults(run=_deal)

    log = commands.add_parser("log", help="audit the log of all hands with what was downloaded of it")
    log.add_argument("--head", type=Path, help="a signed tree head")
    log.add_argument("--older", type=Path, help="a head kept from before")
    log.add_argument("--consistency", type=Path, help="the proof from the older head to this one")
    log.add_argument("--leaves", type=Path, nargs="+", help="all leaves of the head's tree, in any number of files")
    log.add_argument("--inclusion", type=Path, help="the proof that a hand's leaves are in the tree")
    log.add_argument("--hand", type=_hand_id, help="hand id that the inclusion proof has to be about")
    log.add_argument("--keys", type=Path, help="the key list that the house published")
    log.set_defaults(run=_log)
    return parser


def _verify(options: argparse.Namespace) -> int:
    keys = None if options.keys is None else KeyRing.from_json(_json_of(options.keys))
    report = verify_bytes(_bytes_of(options.file), keys)
    for result in report.results:
        print(f"{_MARKS[result.ok]} {result.step.name:<4}{result.step.value}: {result.words}")
    failure = report.first_failure
    if failure is None:
        print(f"hand {report.hand_id}: everything matches")
        return MATCHES
    print(
        f"hand {report.hand_id or 'unknown'}: {failure.step.name} does not match, {failure.step.value}: {failure.words}"
    )
    return DIFFERS


def _match(options: argparse.Namespace) -> int:
    keys = None if options.keys is None else KeyRing.from_json(_json_of(options.keys))
    report = verify_match(_json_of(options.file), [_json_of(path) for path in options.hands], keys)
    if report.failed is None:
        print(f"match {report.match_id}: everything follows from its hands: {report.words}")
        return MATCHES
    print(f"match {report.match_id}: {report.failed.name} does not match, {report.failed.value}: {report.words}")
    return DIFFERS


def _deal(options: argparse.Namespace) -> int:
    code = MATCHES
    for answer in deal_lines(_bytes_of(options.file).decode("utf-8").split("\n")):
        if isinstance(answer, BadLine):
            print(f"line {answer.number}: {answer.words}", file=sys.stderr)
            code = UNREADABLE
        else:
            print(json.dumps(answer))
    return code


def _log(options: argparse.Namespace) -> int:
    findings = list(_log_findings(options))
    if not findings:
        raise Malformed("nothing to check: give at least --head or --inclusion")
    for finding in findings:
        print(f"{_MARKS[finding.ok]} {finding.words}")
    wrong = sum(finding.ok is False for finding in findings)
    print("nothing wrong was found" if not wrong else f"{wrong} things do not match")
    return DIFFERS if wrong else MATCHES


def _log_findings(options: argparse.Namespace) -> Iterator[Finding]:
    """What can be checked with the files that were given."""
    keys = None if options.keys is None else KeyRing.from_json(_json_of(options.keys))
    heads = {name: TreeHead.from_json(_json_of(path)) for name, path in _given(options, "head", "older")}
    head, older = heads.get("head"), heads.get("older")
    for name, each in heads.items():
        yield check_head(name, each, keys)
    if options.consistency is not None:
        if head is None or older is None:
            raise Malformed("--consistency goes between two heads: give --older and --head")
        yield check_consistency(older, head, ConsistencyProof.from_json(_json_of(options.consistency)))
    if options.hand is not None and options.inclusion is None:
        raise Malformed("--hand needs --inclusion, the proof to check for it")
    if options.inclusion is not None:
        proof = InclusionProof.from_json(_json_of(options.inclusion))
        yield check_head("head of the inclusion proof", proof.head, keys)
        yield from check_inclusion(proof, options.hand)
    if options.leaves is not None:
        if head is None:
            raise Malformed("--leaves needs --head, the tree that they should give")
        leaves = join_leaves([LeafRange.from_json(_json_of(path)) for path in options.leaves])
        yield from audit_leaves(leaves, head, older)


def _given(options: argparse.Namespace, *names: str) -> Iterator[tuple[str, Path]]:
    for name in names:
        path = getattr(options, name)
        if path is not None:
            yield name, path


def _hand_id(text: str) -> bytes:
    """A hand id as hex, with dashes or without."""
    try:
        return as_id(bytes.fromhex(text.replace("-", "")), "a hand id")
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no hand id: 32 hex digits") from error


def _bytes_of(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _json_of(path: Path) -> object:
    try:
        return parse_json(path.read_text(encoding="utf-8"))
    except Malformed as error:
        raise Malformed(f"{path}: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
