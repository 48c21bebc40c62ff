"""Refusals over HTTP, all in one form: {"error": {"code", "message", "allowed"}}."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException


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

    @app.exception_handler(HTTPException)
    async def plain(_: Request, fault: HTTPException) -> JSONResponse:
        return refusal_response(HttpRefusal(fault.status_code, f"http_{fault.status_code}", str(fault.detail)))
