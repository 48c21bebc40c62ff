"""`/metrics` for Prometheus: from this machine itself, or with a token."""

import hmac
import ipaddress

from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from server.web.authentication import SharedServices
from server.web.errors import HttpRefusal, RefusalCode

router = APIRouter(include_in_schema=False)

_PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-real-ip")


@router.get("/metrics")
async def metrics(request: Request, services: SharedServices) -> Response:
    """Without a token set, only a caller on this machine gets it, and none that comes through a proxy on it.

    Nobody else is told that it exists.
    """
    token = services.settings.metrics_token
    given = request.headers.get("authorization", "")
    allowed = (
        hmac.compare_digest(given.encode(), f"Bearer {token.get_secret_value()}".encode())
        if token is not None
        else _is_on_this_machine(request)
    )
    if not allowed:
        raise HttpRefusal(404, RefusalCode.NOT_FOUND, "there is nothing here")
    return Response(generate_latest(services.measures.registry), media_type=CONTENT_TYPE_LATEST)


def _is_on_this_machine(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in _PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
