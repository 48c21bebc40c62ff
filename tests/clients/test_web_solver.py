"""The browser's solver and Python's on hands that nobody chose: a small run of `npm run check:solver`."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HANDS = 3_000


def test_both_solvers_agree_on_random_hands() -> None:
    command = [str(ROOT / "scripts" / "npm.sh"), "run", "--silent", "check:solver", "--", str(HANDS), "2"]
    environment = {**os.environ, "PYTHON": sys.executable}
    ran = subprocess.run(command, cwd=ROOT / "clients" / "web", env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{HANDS} of {HANDS} hands (seed 2): 0 different" in ran.stdout
