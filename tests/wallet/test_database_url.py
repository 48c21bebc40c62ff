"""The address of the database: what people write, and where it is looked for."""

from pathlib import Path

import pytest

from wallet.database_url import NoDatabase, asyncpg_url, find_database_url


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("postgres://u:p@h:1/d", "postgresql+asyncpg://u:p@h:1/d"),
        ("postgresql://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgresql+psycopg://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgresql+asyncpg://u@/d?host=/run/pg", "postgresql+asyncpg://u@/d?host=%2Frun%2Fpg"),
        ("postgresql://u@h/d?sslmode=require", "postgresql+asyncpg://u@h/d?ssl=require"),
        ("postgresql://u:p%40ss@h/d", "postgresql+asyncpg://u:p%40ss@h/d"),
    ],
)
def test_every_usual_form_is_understood(written: str, expected: str) -> None:
    assert asyncpg_url(written).render_as_string(hide_password=False) == expected


@pytest.mark.parametrize("written", ["mysql://u@h/d", "sqlite:///x", "nonsense"])
def test_another_database_is_refused(written: str) -> None:
    with pytest.raises(NoDatabase):
        asyncpg_url(written)


def test_the_flag_goes_before_the_variable_and_the_variable_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "database_url").write_text("postgresql://u@h/file\n", "utf-8")
    in_file = {"RUMMY_DATA_DIR": str(tmp_path)}
    in_both = {**in_file, "DATABASE_URL": "postgresql://u@h/variable"}
    assert find_database_url("postgresql://u@h/flag", in_both).database == "flag"
    assert find_database_url(None, in_both).database == "variable"
    assert find_database_url(None, in_file).database == "file"


def test_no_address_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase, match="set DATABASE_URL"):
        find_database_url(None, {"RUMMY_DATA_DIR": str(tmp_path)})
