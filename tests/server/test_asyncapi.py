"""The AsyncAPI document: complete, and nothing in it points nowhere.

It was valid against the AsyncAPI 3.0.0 JSON Schema when it was written; what is held here is what drift could break.
"""

from collections.abc import Iterator
from typing import Any

from server.protocol import schema
from server.protocol.asyncapi import asyncapi_document
from server.protocol.parse import COMMAND_TYPES

DOCUMENT = asyncapi_document(schema.command_schema(), schema.message_schema())


def references(part: Any) -> Iterator[str]:
    match part:
        case dict():
            for key, value in part.items():
                yield from [value] if key == "$ref" else references(value)
        case list():
            for each in part:
                yield from references(each)


def resolved(reference: str) -> Any:
    part: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        part = part[step]
    return part


def test_every_reference_leads_somewhere() -> None:
    found = set(references(DOCUMENT))
    assert len(found) > 100
    for reference in found:
        assert resolved(reference)


def test_the_house_receives_every_command_and_sends_every_message() -> None:
    operations = DOCUMENT["operations"]
    received = [resolved(resolved(each["$ref"])["$ref"]) for each in operations["receiveCommand"]["messages"]]
    assert [message["name"] for message in received] == list(COMMAND_TYPES)
    sent = [resolved(resolved(each["$ref"])["$ref"]) for each in operations["sendMessage"]["messages"]]
    union = schema.message_schema()["discriminator"]["mapping"]
    assert [message["name"] for message in sent] == list(union)
    for message in (*received, *sent):
        payload = resolved(message["payload"]["$ref"])
        assert payload["properties"]["type"]["const"] == message["name"]


def test_it_is_of_version_3_and_each_operation_uses_its_channels_messages() -> None:
    assert DOCUMENT["asyncapi"] == "3.0.0"
    own = {f"#/channels/socket/messages/{name}" for name in DOCUMENT["channels"]["socket"]["messages"]}
    for operation in DOCUMENT["operations"].values():
        assert {each["$ref"] for each in operation["messages"]} <= own
        assert {each["$ref"] for each in operation.get("reply", {}).get("messages", [])} <= own
