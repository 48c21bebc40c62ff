"""Refusals over HTTP, all in one form: {"error": {"code", "message", "allowed"}}."""

from typing import Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

DATABASE_AWAY: Final = (DBAPIError, PoolTimeout, OSError)
"""What a query raises while PostgreSQL can't be reached."""

_log = structlog.get_logger(__name__)


class HttpRefusal(Exception):
    """A request that is refused, with words for a person and a code for a client."""

    def __init__(self, status: int, code: str, message: str, allowed: list[str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.allowed = allowed or []


def refusal_response(refusal: HttpRefusal) -> JSONResponse:
    body = {"error": {"code": refusal.code, "message": refusal.message, "allowed": refusal.allowed}}
    return JSONResponse(body, refusal.status)


def install_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(HttpRefusal)
    async def refused(_: Request, refusal: HttpRefusal) -> JSONResponse:
        return refusal_response(refusal)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, fault: RequestValidationError) -> JSONResponse:
        words = "; ".join(
            f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in fault.errors()[:3]
        )
        return refusal_response(HttpRefusal(422, "malformed", words))

    async def database_away(_: Request, fault: Exception) -> JSONResponse:
        _log.error("database_away", kind=type(fault).__name__)
        return refusal_response(
            HttpRefusal(503, "database_away", "the house can't be reached just now: try again soon")
        )

    for away in DATABASE_AWAY:
        app.add_exception_handler(away, database_away)

    @app.exception_handler(HTTPException)
    async def plain(_: Request, fault: HTTPException) -> JSONResponse:
        return refusal_response(HttpRefusal(fault.status_code, f"http_{fault.status_code}", str(fault.detail)))
