"""The native build of the search: found by its source, and never needed."""

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from random import Random

import pytest

from tricks.cards import PACK_24, PACK_32, Card, Suit
from tricks.klaverjas.following import Variant
from tricks.play import Play, sorted_hands
from tricks.search import native, search, solver
from tricks.search.solver import OpenDeal, Solver


@pytest.fixture
def own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the source that builds beside itself, away from the checkout."""
    source = tmp_path / "search.py"
    for name in ("search.py", "search.pxd"):
        shutil.copy(Path(search.__file__).with_name(name), tmp_path / name)
    monkeypatch.setattr(native, "_SOURCE", source)
    native.load.cache_clear()
    yield source
    native.load.cache_clear()


def deals(random: Random) -> Iterator[OpenDeal]:
    """Of every game, with three to five cards in each hand."""
    for cards_each in (3, 4, 5):
        for pack, seats in ((PACK_32, 4), (PACK_24, 3)):
            dealt: list[Card] = random.sample(pack, cards_each * seats)
            play = Play(sorted_hands([dealt[seat::seats] for seat in range(seats)]), random.randrange(seats))
            if seats == 3:
                yield solver.thousand(random.randrange(3), random.choice((None, *Suit)), play)
                continue
            yield from (solver.klaverjas(variant, random.choice(tuple(Suit)), play) for variant in Variant)
            yield from (OpenDeal(search.BALOOT, (0, 1, 0, 1), trump, play) for trump in (None, Suit.HEARTS))


@pytest.mark.usefixtures("own_copy")
def test_plain_and_native_search_the_same_positions_and_find_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-O0")
    with contextlib.suppress(native.NotBuilt):
        native.build()
    # A machine without a C compiler has only the plain file to compare.
    plain, built = Solver(search.Search, table_bits=8), Solver(table_bits=8)
    for budget in (solver.WITHOUT_END, 40):
        for deal in deals(Random(4)):
            question = deal, deal.play.hand, budget
            assert plain.solve(*question) == built.solve(*question)


def test_a_build_of_other_source_is_not_loaded(own_copy: Path) -> None:
    stale = own_copy.with_name(native._module_name() + EXTENSION_SUFFIXES[0])
    stale.write_bytes(b"not even a library")
    own_copy.write_text(own_copy.read_text() + "\n")
    assert native.load() is None
    assert native.search_class() is search.Search


def test_without_a_compiler_one_line_says_so(tmp_path: Path) -> None:
    room = Path(search.__file__).parents[1]
    shutil.copytree(room, tmp_path / "tricks", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    built = subprocess.run(
        [sys.executable, "-m", "tricks.search.native"],
        cwd=tmp_path,
        env={"PATH": "", "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert built.returncode == 1
    assert built.stdout.startswith("trick search: not built, plain Python serves with the same answers (")
    assert len(built.stdout.splitlines()) == 1
    assert built.stderr == ""
    assert not list((tmp_path / "tricks" / "search").glob("_search_*"))
