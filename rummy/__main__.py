"""`python -m rummy solve`: the best arrangement of hands, one JSON line each. The line's shape: `rummy.solve_lines`."""

import argparse
import os
import sys
from collections.abc import Sequence

from rummy.solve_lines import MalformedLine, answer_lines

MALFORMED_EXIT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rummy", description="Indian Rummy at this house.")
    commands = parser.add_subparsers(required=True)
    solve = commands.add_parser(
        "solve",
        help="arrange hands of 13 cards for the fewest points",
        description="Reads JSON lines such as"
        ' {"id": 1, "cards": ["AS", "10H", "PJ", ...13], "wild": "7", "decks": 2} and writes one answer each.'
        " A line that holds no hand is named with the reason on standard error, the others are answered all the same,"
        " and the exit code is 2.",
    )
    solve.add_argument("file", nargs="?", help="where to read; standard input when left out")
    return _solve(parser.parse_args(arguments).file)


def _solve(file: str | None) -> int:
    if file is None:
        return _answer_all(sys.stdin.fileno())
    try:
        return _answer_all(os.open(file, os.O_RDONLY))
    except OSError as unreadable:
        print(f"{file}: {unreadable.strerror}", file=sys.stderr)
        return MALFORMED_EXIT


def _answer_all(source: int) -> int:
    malformed = False
    with open(source, "rb", closefd=True) as lines:
        for number, answer in answer_lines(lines):
            if isinstance(answer, MalformedLine):
                malformed = True
                print(f"line {number}: {answer}", file=sys.stderr)
            else:
                print(answer, flush=True)
    return MALFORMED_EXIT if malformed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Whoever read the answers has seen enough; what Python flushes on its way out must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
