"""The search as native code, built by Cython from the very file that also runs as plain Python.

    python -m tricks.search.native    # build it beside the source; one line says what came of it, 1 if it was not built

Nothing needs it. Without a build, without Cython or without a C compiler the plain file serves: it visits the same
positions and gives the same answers, some fifty times slower. A build is found by the hash of the source it was made
from, so one that no longer fits is never loaded.

What was weighed. Rummy's solver is built by mypyc, which takes the annotated file as it is. A first version of this one
built so took 18 us for a trick's start, where Cython takes about one: the search is nothing but small integers and flat
arrays, which have C types here and are objects there. The types stand in `search.pxd`, so that the source stays plain.
"""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from compiled import twin
from compiled.twin import NotBuilt
from tricks.search import search
from tricks.search.search import Search

__all__ = ["NotBuilt", "build", "load", "search_class"]

_SOURCE: Final = Path(search.__file__)
_SETUP: Final = """
from setuptools import Extension, setup
from Cython.Build import cythonize
setup(ext_modules=cythonize([Extension("{name}", ["{name}.py"])], quiet=True))
"""


def search_class() -> type[Search]:
    """The native build's class, or the plain one where there is no build."""
    module = load()
    return Search if module is None else cast(type[Search], module.Search)


@cache
def load() -> ModuleType | None:
    """The native build of the source as it is now; None where there is none."""
    return twin.load(_sources())


def build() -> Path:
    """Build beside the source and remove earlier builds. Raises NotBuilt with the reason."""
    if importlib.util.find_spec("Cython") is None:
        raise NotBuilt("Cython is not installed: pip install 'rummy-house[native]'")
    return twin.build(
        _sources(),
        "the compiler",
        lambda name: ["setup.py", "build_ext", "--inplace", "--quiet"],
        files={"setup.py": _SETUP.format(name=_module_name())},
    )


def _sources() -> list[Path]:
    return [_SOURCE, _SOURCE.with_suffix(".pxd")]


def _module_name() -> str:
    return twin.module_name(_sources())


if __name__ == "__main__":
    sys.exit(twin.tell("trick search", build))
