"""Each field report B01 to B38 has a test that bears its number."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
REPORTS = {f"b{number:02}" for number in range(1, 39)}


def test_every_field_report_has_a_test_of_its_number() -> None:
    names = [name for file in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())]
    numbered = {number for name in names for number in re.findall(r"_(b\d\d)(?=_|$)", name)}
    assert numbered >= REPORTS, f"without a test: {sorted(REPORTS - numbered)}"
    assert numbered <= REPORTS, f"no such report: {sorted(numbered - REPORTS)}"
