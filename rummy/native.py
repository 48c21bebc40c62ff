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
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar, cast

from rummy import search

_SOURCE: Final = Path(search.__file__)
_BUILD_SECONDS: Final = 300

Function = TypeVar("Function", bound=Callable[..., object])


class NotBuilt(Exception):
    """Why there is no native build; the plain file serves."""


def twin(plain: Function) -> Function:
    """The native build of a function of `rummy.search`, or the function itself where there is no build."""
    module = load()
    return plain if module is None else cast(Function, getattr(module, plain.__name__))


@cache
def load() -> ModuleType | None:
    """The native build of the source as it is now; None where there is none."""
    path = _SOURCE.with_name(_module_name() + EXTENSION_SUFFIXES[0])
    spec = importlib.util.spec_from_file_location(_module_name(), path)
    if not path.exists() or spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build() -> Path:
    """Build beside the source and remove earlier builds. Raises NotBuilt with the reason."""
    if importlib.util.find_spec("mypyc") is None:
        raise NotBuilt("mypy is not installed: pip install 'rummy-house[native]'")
    name = _module_name()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{name}.py").write_bytes(_SOURCE.read_bytes())
        done = _run_mypyc(folder, name)
        built = Path(folder, name + EXTENSION_SUFFIXES[0])
        if done.returncode != 0 or not built.exists():
            raise NotBuilt(((done.stdout + done.stderr).strip().splitlines() or ["mypyc said nothing"])[-1])
        return _put_beside_source(built)


def _run_mypyc(folder: str, name: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - our own source, by our own interpreter
            [sys.executable, "-m", "mypyc", f"{name}.py"],
            cwd=folder,
            env={**os.environ, "MYPYC_OPT_LEVEL": "3"},
            capture_output=True,
            text=True,
            timeout=_BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise NotBuilt(f"mypyc did not end within {_BUILD_SECONDS} s") from late


def _put_beside_source(built: Path) -> Path:
    """Move a build to where `load` looks, in one step for whoever is loading, and remove earlier ones."""
    target = _SOURCE.with_name(built.name)
    arriving = target.with_suffix(".arriving")
    try:
        arriving.write_bytes(built.read_bytes())
        arriving.replace(target)
    except OSError as refused:
        raise NotBuilt(f"{target.parent} cannot be written: {refused.strerror}") from refused
    for earlier in target.parent.glob(f"_{_SOURCE.stem}_*{EXTENSION_SUFFIXES[0]}"):
        if earlier != target:
            earlier.unlink()
    return target


def _module_name() -> str:
    return f"_{_SOURCE.stem}_{sha256(_SOURCE.read_bytes()).hexdigest()[:12]}"


def main() -> int:
    try:
        print(f"solver: native code built, {build().name}")
    except NotBuilt as reason:
        print(f"solver: not built, plain Python serves with the same answers ({reason})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
