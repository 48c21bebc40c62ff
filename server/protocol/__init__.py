"""The wire between the house and its clients: message shapes and their bounds, nothing about sockets."""

from typing import Final

PROTOCOL_VERSION: Final = 1
