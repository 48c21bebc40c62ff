"""Refusals over HTTP, all in one form: {"error": {"code", "message", "allowed"}}."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from server.eventlog.failure import Failure, failure_of, quotes_rows, words_for

DATABASE_AWAY: Final = (DBAPIError, PoolTimeout, OSError)
"""What a query raises while PostgreSQL can't be reached."""

_log = structlog.get_logger(__name__)


class RefusalCode(StrEnum):
    """Why a request was refused. Clients decide by the code; the words are for people."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    WRONG_CONTENT_TYPE = "wrong_content_type"
    TOO_MANY = "too_many"
    FORBIDDEN_ORIGIN = "forbidden_origin"
    CSRF_HEADER_MISSING = "csrf_header_missing"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    DATABASE_AWAY = "database_away"
    DRAINING = "draining"
    INTERNAL = "internal"

    SIGN_IN = "sign_in"
    WRONG_NAME_OR_PASSWORD = "wrong_name_or_password"  # noqa: S105
    WRONG_PASSWORD = "wrong_password"  # noqa: S105
    WRONG_CODE = "wrong_code"
    SECOND_FACTOR_NEEDED = "second_factor_needed"
    TOO_MANY_TRIES = "too_many_tries"
    BUSY = "busy"
    NAME_REFUSED = "name_refused"
    NAME_TAKEN = "name_taken"
    PASSWORD_REFUSED = "password_refused"  # noqa: S105
    ALREADY_PERMANENT = "already_permanent"
    NOT_PERMANENT = "not_permanent"
    BOTS_STAY_GUESTS = "bots_stay_guests"
    NO_SUCH_SESSION = "no_such_session"
    NO_SECOND_FACTOR = "no_second_factor"
    NOT_OFFERED = "not_offered"
    STAFF_NEEDS_IT = "staff_needs_it"
    PLAYERS_ONLY = "players_only"
    ENROL_SECOND_FACTOR = "enrol_second_factor"
    PROVE_SECOND_FACTOR = "prove_second_factor"
    READ_ONLY = "read_only"

    OUT_OF_BOUNDS = "out_of_bounds"
    ONLY_LONGER = "only_longer"

    NO_SUCH_TABLE = "no_such_table"
    NO_HAND = "no_hand"
    NO_MATCH = "no_match"
    NO_SUCH_PLAYER = "no_such_player"
    NO_SUCH_ADJUSTMENT = "no_such_adjustment"
    NO_SUCH_ENTRY = "no_such_entry"
    SAME_OPERATOR = "same_operator"
    ALREADY_DECIDED = "already_decided"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    KEY_REUSED = "key_reused"

    DAY_GOES_ON = "day_goes_on"
    ALREADY_SO = "already_so"
    NO_SUCH_CASE = "no_such_case"
    NO_SUCH_SIGNAL = "no_such_signal"

    NO_SUCH_HAND = "no_such_hand"
    EMPTY_LOG = "empty_log"
    NO_SUCH_TREE = "no_such_tree"


_OUR_MISTAKE: Final = "the house made a mistake, which is on record: try again"
_OF_STATUS: Final = {
    400: RefusalCode.MALFORMED,
    404: RefusalCode.NOT_FOUND,
    405: RefusalCode.METHOD_NOT_ALLOWED,
}


class HttpRefusal(Exception):
    """A request that is refused, with words for a person and a code for a client.

    allowed: what would be accepted instead. wait_ms: how long until the same request may be made again.
    """

    def __init__(
        self, status: int, code: str, message: str, allowed: Sequence[str] = (), wait_ms: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.allowed = list(allowed)
        self.wait_ms = wait_ms


def refusal_response(refusal: HttpRefusal) -> JSONResponse:
    body = {"error": {"code": refusal.code, "message": refusal.message, "allowed": refusal.allowed}}
    # RFC 9110, 10.2.3: whole seconds.
    headers = None if refusal.wait_ms is None else {"retry-after": str(math.ceil(refusal.wait_ms / 1000))}
    return JSONResponse(body, refusal.status, headers)


def install_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(HttpRefusal)
    async def refused(_: Request, refusal: HttpRefusal) -> JSONResponse:
        return refusal_response(refusal)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, fault: RequestValidationError) -> JSONResponse:
        words = "; ".join(
            f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in fault.errors()[:3]
        )
        return refusal_response(HttpRefusal(422, RefusalCode.MALFORMED, _printable(words)))

    async def database_away(_: Request, fault: Exception) -> JSONResponse:
        if _was_answered(fault):
            _log.error("database_refused", why=words_for(fault))
            return refusal_response(HttpRefusal(500, RefusalCode.INTERNAL, _OUR_MISTAKE))
        _log.error("database_away", why=words_for(fault))
        words = "the house can't be reached just now: try again soon"
        return refusal_response(HttpRefusal(503, RefusalCode.DATABASE_AWAY, words, wait_ms=1_000))

    for away in DATABASE_AWAY:
        app.add_exception_handler(away, database_away)

    @app.exception_handler(HTTPException)
    async def plain(_: Request, fault: HTTPException) -> JSONResponse:
        code = _OF_STATUS.get(fault.status_code, f"http_{fault.status_code}")
        methods = Headers(fault.headers or {}).get("allow", "")
        allowed = [method for each in methods.split(",") if (method := each.strip())]
        response = refusal_response(HttpRefusal(fault.status_code, code, str(fault.detail), allowed))
        response.headers.update(fault.headers or {})
        return response

    @app.exception_handler(Exception)
    async def internal(_: Request, fault: Exception) -> JSONResponse:
        return refusal_response(HttpRefusal(500, RefusalCode.INTERNAL, _OUR_MISTAKE))


def _was_answered(fault: Exception) -> bool:
    """Whether PostgreSQL is there and found fault with what we asked: that is our mistake, and no outage."""
    return quotes_rows(fault) and failure_of(fault, connection_closed=False) is Failure.REFUSED


def _printable(words: str) -> str:
    """What a client sent can be in the words of a refusal; half a character of it could not be encoded."""
    return words.encode("utf-8", "replace").decode()
