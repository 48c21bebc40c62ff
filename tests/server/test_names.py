import pytest

from server.identity.names import NameRefused, clean_name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Asha", "Asha"),
        ("  two   words ", "two words"),
        ("tab\tand\nline", "tabandline"),
        ("e\u0301", "é"),
        ("\u202eevil", "evil"),
        ("zero\u200bwidth", "zerowidth"),
        ("অর্\u200dঘ্য", "অর্\u200dঘ্য"),
        ("क्\u200cष", "क्\u200cष"),
        ("a" * 24, "a" * 24),
    ],
)
def test_a_name_is_shown_clean(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "at least one"),
        (" \t\n", "at least one"),
        ("\u200d\u200c", "at least one"),
        ("a" * 25, "at most 24"),
        ("\ud800", "at least one"),
        ("Asha (BOT)", "only bots"),
    ],
)
def test_an_unusable_name_is_refused_with_the_reason(typed: str, why: str) -> None:
    with pytest.raises(NameRefused, match=why):
        clean_name(typed)
