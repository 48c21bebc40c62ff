"""The wire's schemas and the web client's types, written from the pydantic models.

`python -m server.protocol.schema` writes docs/schema/{commands,messages,asyncapi}.json and
clients/web/src/generated/protocol.ts; with `--check` it writes nothing and exits 1, naming every file that
differs. Commands are described as a client may send them (fields with a default may be left out), messages as the
server sends them (every field is there).
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic.json_schema import GenerateJsonSchema

from server.protocol.asyncapi import asyncapi_document
from server.protocol.commands import COMMAND
from server.protocol.messages import SERVER_MESSAGE

Schema = Mapping[str, Any]

REPOSITORY: Final = Path(__file__).resolve().parents[2]
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PRIMITIVES: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
HEADER: Final = """\
// Written by `python -m server.protocol.schema` from the server's models: change those, not this file.
"""


class UnknownShape(ValueError):
    """A model uses a JSON Schema construct that has no TypeScript here yet; the message names it."""


class _EveryField(GenerateJsonSchema):
    """What the server sends has every field, those that hold their default too."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return True


def command_schema() -> dict[str, Any]:
    return {"$schema": DIALECT, "title": "Command", **COMMAND.json_schema(mode="validation")}


def message_schema() -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "title": "ServerMessage",
        **SERVER_MESSAGE.json_schema(mode="serialization", schema_generator=_EveryField),
    }


def typescript(roots: Mapping[str, Schema]) -> str:
    """One exported type per definition, in the order of the alphabet, then one union per root."""
    definitions: dict[str, Schema] = {}
    for root in roots.values():
        for name, schema in root.get("$defs", {}).items():
            if definitions.setdefault(name, schema) != schema:
                raise UnknownShape(f"{name} has two different shapes in the protocol: give one of them another name")
    parts = [HEADER]
    parts += [_declaration(name, definitions[name]) for name in sorted(definitions)]
    parts += [f"export type {name} = {_type(schema)};\n" for name, schema in roots.items()]
    return "\n".join(parts)


def _declaration(name: str, schema: Schema) -> str:
    comment = _comment(schema, indent="")
    if schema.get("type") != "object":
        return f"{comment}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    lines = [f"{comment}export interface {name} {{"]
    for field, shape in schema.get("properties", {}).items():
        lines.append(f"{_comment(shape, indent='  ')}  {field}{'' if field in required else '?'}: {_type(shape)};")
    return "\n".join([*lines, "}\n"])


def _comment(schema: Schema, indent: str) -> str:
    text = schema.get("description")
    if not text:
        return ""
    lines = str(text).splitlines()
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "\n".join(f"{indent} * {line}".rstrip() for line in lines)
    return f"{indent}/**\n{body}\n{indent} */\n"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(_type(member) for member in schema[union])
    match schema.get("type"):
        case "array":
            return f"{_grouped(_type(schema['items']))}[]"
        case "object":
            return _record(schema)
        case str(kind) if kind in PRIMITIVES:
            return PRIMITIVES[kind]
    raise UnknownShape(f"no TypeScript for {json.dumps(dict(schema))[:200]}")


def _record(schema: Schema) -> str:
    values = schema.get("additionalProperties")
    value = _type(values) if isinstance(values, dict) else "unknown"
    names = schema.get("propertyNames")
    key = _type(names) if isinstance(names, dict) and "enum" in names else "string"
    return f"Record<{key}, {value}>" if key == "string" else f"Partial<Record<{key}, {value}>>"


def _grouped(text: str) -> str:
    return f"({text})" if "|" in text else text


def files() -> dict[Path, str]:
    """Every generated file with what it should hold, by path from the repository's root."""
    commands, messages = command_schema(), message_schema()
    document = asyncapi_document(commands, messages)
    return {
        Path("docs/schema/commands.json"): json.dumps(commands, indent=2, ensure_ascii=False) + "\n",
        Path("docs/schema/messages.json"): json.dumps(messages, indent=2, ensure_ascii=False) + "\n",
        Path("docs/schema/asyncapi.json"): json.dumps(document, indent=2, ensure_ascii=False) + "\n",
        Path("clients/web/src/generated/protocol.ts"): typescript({"Command": commands, "ServerMessage": messages}),
    }


def drifted(root: Path) -> list[Path]:
    """The generated files under `root` that are missing or differ from the models."""
    return [path for path, text in files().items() if _read(root / path) != text]


def write(root: Path) -> None:
    for path, text in files().items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m server.protocol.schema", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file differs")
    parser.add_argument("--root", type=Path, default=REPOSITORY, help="repository to write into")
    options = parser.parse_args(arguments)
    if not options.check:
        write(options.root)
        return 0
    stale = drifted(options.root)
    for path in stale:
        print(f"{path} differs from the models: run python -m server.protocol.schema", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
