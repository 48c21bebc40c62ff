"""From bytes off the wire to a command, or to a refusal that says what was wrong."""

from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from server.protocol.commands import COMMAND, Command, CommandId
from server.protocol.messages import ErrorCode

_MOST_FAULTS_NAMED: Final = 3
_COMMAND_ID: Final = TypeAdapter(CommandId)


class Refused(Exception):
    """The message is no command. `command_id` is the client's id where one could be read."""

    def __init__(self, code: ErrorCode, words: str, command_id: str | None = None, allowed: list[str] | None = None):
        super().__init__(words)
        self.code = code
        self.words = words
        self.command_id = command_id
        self.allowed = allowed or []


def parse_command(text: str, max_bytes: int) -> Command:
    """Read one command. Raises Refused for anything else; never any other exception."""
    if len(text) > max_bytes or len(text.encode("utf-8", "surrogatepass")) > max_bytes:
        raise Refused(ErrorCode.TOO_LARGE, f"a message has at most {max_bytes} bytes")
    try:
        return COMMAND.validate_json(text, strict=True)
    except ValidationError as fault:
        raise Refused(ErrorCode.MALFORMED, _words(fault), _readable_id(text), _allowed(fault)) from None


def _readable_id(text: str) -> str | None:
    """The client's id, where the message is good enough to name one."""
    try:
        document = from_json(text)
        return _COMMAND_ID.validate_python(document["id"] if isinstance(document, dict) else None)
    except (ValueError, KeyError):
        return None


def _words(fault: ValidationError) -> str:
    faults = fault.errors(include_url=False, include_input=False, include_context=False)
    named = [f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}".lstrip(": ") for each in faults]
    more = f"; and {len(named) - _MOST_FAULTS_NAMED} more" if len(named) > _MOST_FAULTS_NAMED else ""
    return "; ".join(named[:_MOST_FAULTS_NAMED]) + more


def _allowed(fault: ValidationError) -> list[str]:
    unknown_type = any(each["type"].startswith("union_tag") for each in fault.errors(include_url=False))
    return list(COMMAND_TYPES) if unknown_type else []


def _command_types() -> tuple[str, ...]:
    mapping: dict[str, Any] = COMMAND.json_schema()["discriminator"]["mapping"]
    return tuple(mapping)


COMMAND_TYPES: Final = _command_types()
