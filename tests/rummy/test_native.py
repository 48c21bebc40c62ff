"""The native build answers like the plain file, and without a compiler the plain file serves."""

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from bench.solver_hands import RUMMY_PACKS, dealt, dense, make, mixed
from rummy import native, search


@pytest.fixture
def own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the source that builds beside itself, away from the checkout."""
    source = tmp_path / "search.py"
    shutil.copy(search.__file__, source)
    monkeypatch.setattr(native, "_SOURCE", source)
    native.load.cache_clear()
    yield source
    native.load.cache_clear()


@pytest.mark.usefixtures("own_copy")
def test_plain_and_native_give_the_same_answers() -> None:
    with contextlib.suppress(native.NotBuilt):
        native.build()
    # A machine without a C compiler has only the plain file to compare.
    module = native.load() or search
    for maker in (dealt, mixed, dense):
        for hand in make(maker, 300, 8, RUMMY_PACKS):
            question = hand.cards, hand.wild_rank or 0
            plans = search.empty_plan(), search.empty_plan()
            assert module.best_plan(*question, plans[0]) == search.best_plan(*question, plans[1])
            assert plans[0] == plans[1]
            question = (*hand.cards, hand.extra), hand.wild_rank or 0
            assert module.points_after_each(*question) == search.points_after_each(*question)
            assert module.best_discard(*question) == search.best_discard(*question)


def test_a_build_of_other_source_is_not_loaded(own_copy: Path) -> None:
    stale = own_copy.with_name(native._module_name() + EXTENSION_SUFFIXES[0])
    stale.write_bytes(b"not even a library")
    own_copy.write_text(own_copy.read_text() + "\n")
    assert native.load() is None
    assert native.twin(search.best_plan) is search.best_plan


def test_without_a_compiler_one_line_says_so_and_everything_works(tmp_path: Path) -> None:
    shutil.copytree(Path(search.__file__).parent, tmp_path / "rummy", ignore=shutil.ignore_patterns("*.so", "*.pyd"))

    def run(module: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", module, *words],
            cwd=tmp_path,
            env={"PATH": "", "CC": "no-such-compiler"},
            input=given,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    built = run("rummy.native")
    assert built.returncode == 1
    assert built.stdout.startswith("solver: not built, plain Python serves with the same answers (")
    assert len(built.stdout.splitlines()) == 1
    assert built.stderr == ""
    assert not list((tmp_path / "rummy").glob("_search_*"))

    cards = ["5H", "3S", "JH", "6H", "8D", "5D", "JH", "10C", "7H", "4S", "2H", "2H", "7S"]
    solved = run("rummy", "solve", given=json.dumps({"id": 1, "cards": cards, "wild": "J", "decks": 2}))
    assert solved.returncode == 0, solved.stderr
    assert json.loads(solved.stdout)["points"] == 27
