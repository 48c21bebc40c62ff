"""The built web client: hashed assets cached for good, pages always fresh."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response

from server.web.errors import HttpRefusal

_FOREVER: Final = "public, max-age=31536000, immutable"
_FRESH: Final = "no-cache"
_DESK: Final = "operator"


def client_router(client_dir: Path) -> APIRouter:
    """Serves files below `client_dir`; /operator is the desk, every other path the app's own page, index.html."""
    router = APIRouter(include_in_schema=False)
    root = client_dir.resolve()

    @router.get("/{path:path}")
    async def page(path: str, _: Request) -> Response:
        if path.startswith("api/"):
            raise HttpRefusal(404, "not_found", "there is nothing here")
        wanted = _file_below(root, path)
        if wanted is not None:
            return FileResponse(wanted, headers={"cache-control": _FOREVER if "/assets/" in f"/{path}" else _FRESH})
        index = root / ("desk.html" if path.rstrip("/") == _DESK else "index.html")
        if "." in path.rsplit("/", 1)[-1]:
            raise HttpRefusal(404, "not_found", "there is no such file")
        if not index.is_file():
            return PlainTextResponse("The web client is not built: run `make client`.\n", 503)
        return FileResponse(index, headers={"cache-control": _FRESH})

    return router


def _file_below(root: Path, path: str) -> Path | None:
    try:
        wanted = (root / path).resolve()
        return wanted if wanted.is_relative_to(root) and wanted.is_file() else None
    except (ValueError, OSError):  # A NUL or an endless name: no file is called so.
        return None
