"""Whole hands as golden transcripts: `tests/vectors/hands/`, one line for each action and what came of it.

After a wanted change of the rules, `python tests/rummy/test_hand_transcripts.py` writes them anew, for review.
"""

from pathlib import Path

import pytest

from rummy.script import transcript

HANDS = sorted((Path(__file__).parents[1] / "vectors" / "hands").glob("*.txt"))


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_a_golden_hand_comes_out_as_it_is_written(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert transcript(written) == written


if __name__ == "__main__":
    for hand in HANDS:
        hand.write_text(transcript(hand.read_text(encoding="utf-8")), encoding="utf-8")
