"""The generated schemas and types: they follow the models, and drift is named."""

from pathlib import Path

import pytest

from server.protocol import schema


def test_the_committed_files_match_the_models() -> None:
    assert schema.drifted(schema.REPOSITORY) == []


def test_check_names_every_file_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema.write(tmp_path)
    assert schema.main(["--check", "--root", str(tmp_path)]) == 0
    types = tmp_path / "clients/web/src/generated/protocol.ts"
    types.write_text(types.read_text(encoding="utf-8") + "// by hand\n", encoding="utf-8")
    (tmp_path / "docs/schema/commands.json").unlink()
    assert schema.main(["--check", "--root", str(tmp_path)]) == 1
    named = capsys.readouterr().err
    assert "docs/schema/commands.json" in named
    assert "protocol.ts" in named
    assert "messages.json" not in named


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ({"type": "integer"}, "number"),
        ({"const": "draw"}, '"draw"'),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "(number | null)[]"),
        ({"type": "object", "additionalProperties": {"$ref": "#/$defs/Balance"}}, "Record<string, Balance>"),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"enum": ["HT", "PT"]}},
            'Partial<Record<"HT" | "PT", number>>',
        ),
    ],
)
def test_shapes_become_types(shape: schema.Schema, expected: str) -> None:
    assert schema.typescript({"Shape": shape}).splitlines()[-1] == f"export type Shape = {expected};"


def test_a_field_with_a_default_may_be_left_out_of_a_command_but_never_of_a_message() -> None:
    types = schema.typescript({"Command": schema.command_schema(), "ServerMessage": schema.message_schema()})
    sit = types.split("export interface Sit {")[1].split("}")[0]
    assert "seat?: number | null;" in sit
    welcome = types.split("export interface Pong {")[1].split("}")[0]
    assert 'type: "pong";' in welcome


def test_a_shape_without_a_type_is_refused_by_name() -> None:
    with pytest.raises(schema.UnknownShape, match="prefixItems"):
        schema.typescript({"Pair": {"prefixItems": []}})


def test_one_name_with_two_shapes_is_refused() -> None:
    one = {"type": "integer", "$defs": {"Card": {"type": "integer"}}}
    other = {"type": "integer", "$defs": {"Card": {"type": "string"}}}
    with pytest.raises(schema.UnknownShape, match="Card has two"):
        schema.typescript({"One": one, "Other": other})
