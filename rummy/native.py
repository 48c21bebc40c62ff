"""The search as native code, built by mypyc from the very file that also runs as plain Python.

    python -m rummy.native        # build it beside the source; one line says what came of it, 1 if it was not built

Nothing needs it. Without a build, without mypy or without a C compiler the plain file serves and gives the same
answers; a build is found by the hash of the source it was made from, so one that no longer fits is never loaded.

What was weighed. mypyc takes the annotated file as it is; Cython's pure-Python mode needed a second file of C types to
do half as well, since the search lives in dictionaries and tuples. Plain Python already answers a dealt hand faster
than RLCard answers gin's easier question, so the server gains nothing that a player could notice, and installing does
not compile. Four times the speed is worth having where hands come by the million: sampling bots, integrity reports,
comparisons. `python -m bench.solver` shows both.
"""

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar, cast

from compiled import twin as native_twin
from compiled.twin import NotBuilt
from rummy import search

__all__ = ["NotBuilt", "build", "load", "twin"]

_SOURCE: Final = Path(search.__file__)

Function = TypeVar("Function", bound=Callable[..., object])


def twin(plain: Function) -> Function:
    """The native build of a function of `rummy.search`, or the function itself where there is no build."""
    module = load()
    return plain if module is None else cast(Function, getattr(module, plain.__name__))


@cache
def load() -> ModuleType | None:
    """The native build of the source as it is now; None where there is none."""
    return native_twin.load([_SOURCE])


def build() -> Path:
    """Build beside the source and remove earlier builds. Raises NotBuilt with the reason."""
    if importlib.util.find_spec("mypyc") is None:
        raise NotBuilt("mypy is not installed: pip install 'rummy-house[native]'")
    return native_twin.build(
        [_SOURCE], "mypyc", lambda name: ["-m", "mypyc", f"{name}.py"], environment={"MYPYC_OPT_LEVEL": "3"}
    )


def _module_name() -> str:
    return native_twin.module_name([_SOURCE])


if __name__ == "__main__":
    sys.exit(native_twin.tell("solver", build))
