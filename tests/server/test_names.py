import pytest

from server.identity.names import NameRefused, clean_name, lasting_name, name_key


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


@pytest.mark.parametrize("name", ["Asha", "রানা", "रानी", "রানা Rana", "Жанна", "Ирина 2", "José-María", "山田 7"])
def test_a_name_of_one_alphabet_or_of_latin_beside_an_indian_one_is_kept(name: str) -> None:
    assert lasting_name(name) == name


@pytest.mark.parametrize("name", ["Ash\u0430", "\u0391sha", "Жan", "...", " - "])
def test_a_name_that_mixes_alphabets_or_has_no_letters_is_not_kept(name: str) -> None:
    with pytest.raises(NameRefused):
        lasting_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Asha", "aSHA"),
        ("Bill", "BiIl"),
        ("Bob", "B0b"),
        ("Asha R", "asha-r"),
        ("Aco", "\u0430\u0441\u043e"),
        ("strasse", "Straße"),
        ("Ａｓｈａ", "Asha"),
        ("ক\u200dষ", "কষ"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_names_of_other_letters_are_two() -> None:
    assert len({name_key(name) for name in ("Asha", "Aasha", "Asna", "রানা", "রানী", "Āsha")}) == 6
