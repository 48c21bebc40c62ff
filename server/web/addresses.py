"""Where a request comes from, and by which road: what limits and cookies go by."""

import ipaddress
from typing import Final

from starlette.requests import HTTPConnection

UNKNOWN: Final = "unknown"
_IPV6_HOUSEHOLD_BITS: Final = 64
"""A household has a whole /64 to choose from (RFC 6177): it counts as one address."""


def client_address(connection: HTTPConnection) -> str:
    """The peer's address as the server was told (behind a trusted proxy: as the proxy says)."""
    if connection.client is None:
        return UNKNOWN
    try:
        address = ipaddress.ip_address(connection.client.host.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, _IPV6_HOUSEHOLD_BITS), strict=False))


def is_encrypted(connection: HTTPConnection, always: bool) -> bool:
    """Whether the browser speaks https with the house; always: the house is only ever reached so."""
    return always or connection.url.scheme in ("https", "wss")
