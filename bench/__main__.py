"""`make bench`: every benchmark of the house, one after the other, into bench/RESULTS.md and bench/results.jsonl.

    python -m bench                  # all of them
    python -m bench solver fairness  # some

Each is a command of its own (`python -m bench.<name>`) that measures itself against a peer or a limit in the same run.
A line of its output that is JSON is a figure for results.jsonl; everything else is for people. Exits 1 when one of them
does: a gate that does not hold.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent
BENCHES: Final = (
    "solver",
    "random_hands",
    "fairness",
    "browser_verify",
    "events",
    "settlements",
    "bots",
    "trick_solver",
    "trick_players",
    "integrity",
    "desk",
)
SHORTER: Final = {
    "random_hands": ("--hands", "20000"),
    "bots": ("--deals", "300"),
    "trick_players": ("--deals", "100"),
    "desk": ("--hands", "10000"),
}
"""What would take hours whole; the commands run alone do it whole."""


def machine() -> str:
    cores = os.cpu_count() or 1
    system = f"{platform.system()} {platform.release()}"
    return f"{platform.machine()}, {cores} cores, {system}, Python {platform.python_version()}"


def run(name: str) -> tuple[int, list[str]]:
    """Run one benchmark, showing its output as it comes; returns its exit code and its lines."""
    command = [sys.executable, "-m", f"bench.{name}", *SHORTER.get(name, ())]
    print(f"\n== {name}", flush=True)
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=FOLDER.parent) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip("\n"))
    return process.returncode, lines


def is_figure(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the house.")
    parser.add_argument("names", nargs="*", choices=(*BENCHES, []), help=f"some of: {', '.join(BENCHES)}")
    names = parser.parse_args().names or BENCHES
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    report = ["# Results", "", f"`make bench` on {machine()}, {date}.", ""]
    figures = []
    failed = []
    for name in names:
        code, lines = run(name)
        told = [line for line in lines if not is_figure(line)]
        report += [f"## {name}", "", "```", *told, "```", ""]
        figures += [json.dumps({"bench": name, "date": date, **json.loads(line)}) for line in lines if is_figure(line)]
        if code:
            failed.append(name)
            report += [f"Exit code {code}: a gate did not hold.", ""]
    (FOLDER / "RESULTS.md").write_text("\n".join(report))
    (FOLDER / "results.jsonl").write_text("".join(figure + "\n" for figure in figures))
    if failed:
        print(f"\nnot all gates held: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
