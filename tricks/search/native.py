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
import subprocess
import sys
import tempfile
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from tricks.search import search
from tricks.search.search import Search

_SOURCE: Final = Path(search.__file__)
_BUILD_SECONDS: Final = 300
_SETUP: Final = """
from setuptools import Extension, setup
from Cython.Build import cythonize
setup(ext_modules=cythonize([Extension("{name}", ["{name}.py"])], quiet=True))
"""


class NotBuilt(Exception):
    """Why there is no native build; the plain file serves."""


def search_class() -> type[Search]:
    """The native build's class, or the plain one where there is no build."""
    module = load()
    return Search if module is None else cast(type[Search], module.Search)


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
    if importlib.util.find_spec("Cython") is None:
        raise NotBuilt("Cython is not installed: pip install 'rummy-house[native]'")
    name = _module_name()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{name}.py").write_bytes(_SOURCE.read_bytes())
        Path(folder, f"{name}.pxd").write_bytes(_SOURCE.with_suffix(".pxd").read_bytes())
        Path(folder, "setup.py").write_text(_SETUP.format(name=name))
        done = _run_setup(folder)
        built = Path(folder, name + EXTENSION_SUFFIXES[0])
        if done.returncode != 0 or not built.exists():
            raise NotBuilt(((done.stdout + done.stderr).strip().splitlines() or ["the compiler said nothing"])[-1])
        return _put_beside_source(built)


def _run_setup(folder: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "setup.py", "build_ext", "--inplace", "--quiet"]
    try:
        return subprocess.run(  # noqa: S603 - our own source, by our own interpreter
            command, cwd=folder, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise NotBuilt(f"the compiler did not end within {_BUILD_SECONDS} s") from late


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
    digest = sha256(_SOURCE.read_bytes() + _SOURCE.with_suffix(".pxd").read_bytes())
    return f"_{_SOURCE.stem}_{digest.hexdigest()[:12]}"


def main() -> int:
    try:
        print(f"trick search: native code built, {build().name}")
    except NotBuilt as reason:
        print(f"trick search: not built, plain Python serves with the same answers ({reason})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
