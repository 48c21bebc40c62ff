"""Private key files: outside the database, readable by their owner alone, never half written."""

import json
import os
import tempfile
from pathlib import Path
from typing import Final

from fairness.json_form import JsonObject, parse_json

_DIRECTORY_OWNER_ONLY: Final = 0o700


def create_key_file(path: Path, content: JsonObject) -> bool:
    """Write a key file unless one is there already; returns whether this call made it.

    Two processes that start together both end up reading the same file.
    """
    path.parent.mkdir(mode=_DIRECTORY_OWNER_ONLY, parents=True, exist_ok=True)
    draft = _write_draft(path, content)
    try:
        # A link appears whole or not at all, and fails if the name is taken: rename would overwrite.
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    _sync_directory(path.parent)
    return True


def replace_key_file(path: Path, content: JsonObject) -> None:
    """Swap a key file for its next version in one step."""
    os.replace(_write_draft(path, content), path)
    _sync_directory(path.parent)


def read_key_file(path: Path) -> object:
    """Read a key file as JSON. Raises PermissionError when others than the owner may read it."""
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        raise PermissionError(f"{path} may be read by others (mode {mode:o}): it must be 600")
    return parse_json(path.read_text(encoding="ascii"))


def _write_draft(path: Path, content: JsonObject) -> Path:
    """A complete version under a name of its own beside `path`; mkstemp makes it readable by its owner alone."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        json.dump(content, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
