"""A source file's native twin: built beside it, and found by the hash of its sources, so none out of date is loaded.

sources: the module's own file first, then what else it is built from, such as its types; all alike named.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Final

_BUILD_SECONDS: Final = 300


class NotBuilt(Exception):
    """Why there is no native build; the plain file serves."""


def module_name(sources: Sequence[Path]) -> str:
    digest = sha256(b"".join(source.read_bytes() for source in sources))
    return f"_{sources[0].stem}_{digest.hexdigest()[:12]}"


def load(sources: Sequence[Path]) -> ModuleType | None:
    """The native build of the sources as they are now; None where there is none."""
    name = module_name(sources)
    path = sources[0].with_name(name + EXTENSION_SUFFIXES[0])
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.exists() or spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(
    sources: Sequence[Path],
    compiler: str,
    arguments: Callable[[str], Sequence[str]],
    *,
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Path:
    """Build beside the sources and remove earlier builds. Raises NotBuilt with the reason.

    arguments: our interpreter's, for a module of that name, in a folder that holds its sources and the `files`.
    compiler: how a failure that says nothing is told.
    """
    name = module_name(sources)
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            Path(folder, name + source.suffix).write_bytes(source.read_bytes())
        for file, text in (files or {}).items():
            Path(folder, file).write_text(text)
        done = _run([sys.executable, *arguments(name)], folder, {**os.environ, **(environment or {})}, compiler)
        built = Path(folder, name + EXTENSION_SUFFIXES[0])
        if done.returncode != 0 or not built.exists():
            raise NotBuilt(((done.stdout + done.stderr).strip().splitlines() or [f"{compiler} said nothing"])[-1])
        return _put_beside(sources[0], built)


def tell(what: str, build: Callable[[], Path]) -> int:
    """Build, and say in one line what came of it; the command's exit code."""
    try:
        print(f"{what}: native code built, {build().name}")
    except NotBuilt as reason:
        print(f"{what}: not built, plain Python serves with the same answers ({reason})")
        return 1
    return 0


def _run(
    command: Sequence[str], folder: str, environment: Mapping[str, str], compiler: str
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - our own source, by our own interpreter
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise NotBuilt(f"{compiler} did not end within {_BUILD_SECONDS} s") from late


def _put_beside(source: Path, built: Path) -> Path:
    """Move a build to where `load` looks, in one step for whoever is loading, and remove earlier ones."""
    target = source.with_name(built.name)
    arriving = target.with_suffix(".arriving")
    try:
        arriving.write_bytes(built.read_bytes())
        arriving.replace(target)
    except OSError as refused:
        raise NotBuilt(f"{target.parent} cannot be written: {refused.strerror}") from refused
    for earlier in target.parent.glob(f"_{source.stem}_*{EXTENSION_SUFFIXES[0]}"):
        if earlier != target:
            earlier.unlink()
    return target
