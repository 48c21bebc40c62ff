"""The socket as an AsyncAPI 3 document, from the same models: seen from the house, which receives commands and sends.

Source: AsyncAPI 3.0.0, https://www.asyncapi.com/docs/reference/specification/v3.0.0
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from server.protocol import PROTOCOL_VERSION

Schema = Mapping[str, Any]

_ANSWERS: Final = ("ack", "error", "pong")
_CHANNEL: Final = "#/channels/socket"
_ABOUT: Final = (
    "One WebSocket per client, JSON text both ways. docs/protocol.md says what the shapes cannot: who may ask what and"
    " when, what repeats do, and what each close code means."
)


def asyncapi_document(commands: Schema, messages: Schema) -> dict[str, Any]:
    """commands, messages: the JSON Schemas of the two unions, with a discriminator that names every member."""
    asked, told = _members(commands), _members(messages)
    schemas = {**commands.get("$defs", {}), **messages.get("$defs", {})}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Rummy house", "version": str(PROTOCOL_VERSION), "description": _ABOUT},
        "defaultContentType": "application/json",
        "servers": {
            "house": {
                "host": "127.0.0.1:8000",
                "protocol": "ws",
                "security": [_ref("components", "securitySchemes", name) for name in ("session", "bearer")],
            }
        },
        "channels": {
            "socket": {
                "address": "/ws",
                "messages": {name: _ref("components", "messages", name) for name in (*asked, *told)},
            }
        },
        "operations": {
            "receiveCommand": {
                "action": "receive",
                "channel": {"$ref": _CHANNEL},
                "summary": "Each command is answered once, with the id that the client gave it.",
                "messages": [_ref("channels", "socket", "messages", name) for name in asked],
                "reply": {
                    "channel": {"$ref": _CHANNEL},
                    "messages": [_ref("channels", "socket", "messages", name) for name in _ANSWERS],
                },
            },
            "sendMessage": {
                "action": "send",
                "channel": {"$ref": _CHANNEL},
                "messages": [_ref("channels", "socket", "messages", name) for name in told],
            },
        },
        "components": {
            "messages": {
                name: _message(name, shape, schemas[shape]) for name, shape in sorted({**asked, **told}.items())
            },
            "schemas": {name: _moved(schemas[name]) for name in sorted(schemas)},
            "securitySchemes": {
                "session": {"type": "httpApiKey", "in": "cookie", "name": "rummy_session"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _members(union: Schema) -> dict[str, str]:
    """Each member's `type`, and the name of its shape."""
    mapping: Mapping[str, str] = union["discriminator"]["mapping"]
    return {name: ref.rsplit("/", 1)[-1] for name, ref in mapping.items()}


def _message(name: str, shape: str, schema: Schema) -> dict[str, Any]:
    summary = str(schema.get("description", "")).split("\n", 1)[0]
    about = {"summary": summary} if summary else {}
    return {"name": name, "title": re.sub(r"(?<!^)(?=[A-Z])", " ", shape), **about, "payload": _ref_to(shape)}


def _moved(schema: Any) -> Any:
    """The same schema with its references where this document keeps them."""
    match schema:
        case dict():
            return {
                key: _ref_to(str(value).rsplit("/", 1)[-1])["$ref"] if key == "$ref" else _moved(value)
                for key, value in schema.items()
            }
        case list():
            return [_moved(each) for each in schema]
        case _:
            return schema


def _ref_to(shape: str) -> dict[str, str]:
    return _ref("components", "schemas", shape)


def _ref(*path: str) -> dict[str, str]:
    return {"$ref": "#/" + "/".join(path)}
