from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairness.key_files import create_key_file, read_key_file, replace_key_file


def test_created_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "keys.json"
    assert create_key_file(path, {"key": "a"})
    assert not create_key_file(path, {"key": "b"})
    assert read_key_file(path) == {"key": "a"}
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["keys.json"]


def test_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    create_key_file(path, {"key": "a"})
    replace_key_file(path, {"key": "b"})
    assert read_key_file(path) == {"key": "b"}
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["keys.json"]


def test_many_start_together_and_one_makes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda number: create_key_file(path, {"key": str(number)}), range(32)))
    assert made.count(True) == 1
    assert read_key_file(path) == {"key": str(made.index(True))}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys.json"
    create_key_file(path, {})
    path.chmod(mode)
    with pytest.raises(PermissionError, match="may be read by others"):
        read_key_file(path)
