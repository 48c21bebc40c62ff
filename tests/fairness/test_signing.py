import json
import secrets
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from fairness.encoding import Malformed
from fairness.signing import (
    KEY_FILE,
    RENEW_DAYS,
    VALID_DAYS,
    KeyRing,
    NotSigned,
    SigningKey,
    key_id_of,
    load_or_create_signing_keys,
    rotate_signing_keys,
)

TODAY = date(2026, 9, 1)


def noon(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
def key() -> SigningKey:
    return SigningKey.generate(secrets.token_bytes, TODAY)


def test_a_key_is_valid_on_its_first_and_last_day_and_not_beside(key: SigningKey) -> None:
    ring, signature = KeyRing((key.published,)), key.sign(b"message")
    last = TODAY + timedelta(days=VALID_DAYS - 1)
    assert (key.published.first_day, key.published.last_day) == (TODAY, last)
    midnight = noon(TODAY) - 12 * 3_600_000
    for at_ms in (midnight, noon(last), noon(last) + 12 * 3_600_000 - 1):
        ring.check(b"message", at_ms, signature)
    for at_ms in (midnight - 1, noon(last) + 12 * 3_600_000, 2**53 - 1):
        with pytest.raises(NotSigned, match="valid from 2026-09-01 to 2027-10-05"):
            ring.check(b"message", at_ms, signature)


def test_a_signature_of_nobody(key: SigningKey) -> None:
    ring = KeyRing((key.published,))
    for message, signature in ((b"other", key.sign(b"message")), (b"message", bytes(64)), (b"message", b"")):
        with pytest.raises(NotSigned, match="no key of the house"):
            ring.check(message, noon(TODAY), signature)
    with pytest.raises(NotSigned):
        KeyRing(()).check(b"message", noon(TODAY), key.sign(b"message"))


def test_a_statement_binds_the_days(key: SigningKey) -> None:
    assert key.published.states_itself()
    for change in (
        {"first_day": TODAY - timedelta(days=1)},
        {"last_day": TODAY},
        {"public_key": bytes(32)},
        {"signature": bytes(64)},
    ):
        assert not replace(key.published, **change).states_itself()


def test_key_list_round_trip(key: SigningKey) -> None:
    published = {"keys": KeyRing((key.published,)).to_json()}
    assert KeyRing.from_json(json.loads(json.dumps(published))) == KeyRing((key.published,))
    assert published["keys"][0]["key_id"] == key_id_of(key.published.public_key).hex()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("key_id", "00" * 8, "first 8 bytes"),
        ("first_day", "2026-9-1", "no day|write YYYY"),
        ("first_day", "20260901", "write YYYY"),
        ("first_day", "1969-12-31", "1970 or later"),
        ("last_day", "2020-01-01", "ends before it begins"),
        ("last_day", "2026-12-01", "has not signed its days"),
        ("signature", "00", "64 are needed"),
    ],
)
def test_a_changed_key_list_is_refused(key: SigningKey, name: str, value: str, words: str) -> None:
    published = json.loads(json.dumps({"keys": [key.published.to_json()]}))
    published["keys"][0][name] = value
    with pytest.raises(Malformed, match=words):
        KeyRing.from_json(published)


def test_secrets_do_not_show_in_repr(key: SigningKey, tmp_path: Path) -> None:
    assert key.secret.hex() not in repr(key)
    assert "secret" not in repr(load_or_create_signing_keys(tmp_path, secrets.token_bytes, TODAY))


def test_the_file_is_made_once_and_read_again(tmp_path: Path) -> None:
    directory = tmp_path / "keys"
    first = load_or_create_signing_keys(directory, secrets.token_bytes, TODAY)
    assert (directory / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert load_or_create_signing_keys(directory, secrets.token_bytes, TODAY) == first
    first.ring.check(b"m", noon(TODAY), first.at(noon(TODAY)).sign(b"m"))


def test_rotation_signs_with_the_new_key_and_keeps_the_old_statement(tmp_path: Path) -> None:
    old = load_or_create_signing_keys(tmp_path, secrets.token_bytes, TODAY)
    signature = old.at(noon(TODAY)).sign(b"m")
    later = TODAY + timedelta(days=10)
    new = rotate_signing_keys(tmp_path, secrets.token_bytes, later)
    assert new.at(noon(later)).published == new.published[-1] != old.published[-1]
    assert new.at(noon(TODAY)).published == old.published[-1]
    new.ring.check(b"m", noon(TODAY), signature)
    assert load_or_create_signing_keys(tmp_path, secrets.token_bytes, later) == new


def test_a_key_that_runs_out_is_renewed_and_its_secret_forgotten(tmp_path: Path) -> None:
    old = load_or_create_signing_keys(tmp_path, secrets.token_bytes, TODAY)
    soon = old.published[0].last_day - timedelta(days=RENEW_DAYS - 1)
    assert len(load_or_create_signing_keys(tmp_path, secrets.token_bytes, soon).published) == 2
    much_later = soon + timedelta(days=VALID_DAYS)
    keys = load_or_create_signing_keys(tmp_path, secrets.token_bytes, much_later)
    assert len(keys.published) == 3
    assert old.published[0] in keys.published
    assert [key.published for key in keys.usable] == [keys.published[2]]
    assert old.usable[0].secret.hex() not in (tmp_path / KEY_FILE).read_text()


def test_no_key_for_a_time_that_none_covers(tmp_path: Path) -> None:
    keys = load_or_create_signing_keys(tmp_path, secrets.token_bytes, TODAY)
    with pytest.raises(LookupError, match="rotate the signing keys"):
        keys.at(noon(TODAY - timedelta(days=1)))
