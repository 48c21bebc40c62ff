"""What a player may be called, and when two names are one."""

import unicodedata
from typing import Final

MAX_NAME_LENGTH: Final = 24

_JOINERS: Final = "\u200c\u200d"
"""Format characters, yet Bengali and Hindi names are misspelt without them."""
_KEPT: Final = _JOINERS + " "

_LOOK_ALIKES: Final = str.maketrans(
    "аеіјорсухѕһԁԛԝӏвкмнт" + "αεικνορτυχγ" + "ıi1|0",
    "aeljopcyxshdqwlbkmht" + "aelkvoptuxy" + "llllo",
    _JOINERS + " -_.'",
)
"""After case folding: Cyrillic and Greek letters drawn like Latin ones, i and l and 1, o and 0; spaces are nothing."""

_MIXES_WITH_LATIN: Final = frozenset(
    ("BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "ARABIC")
)
"""Scripts whose letters nobody takes for Latin ones."""


class NameRefused(ValueError):
    """The name can't be used; the message says why and what can."""


def clean_name(typed: str, bot: bool = False) -> str:
    """The name as it will be shown: NFC, single spaces, no control or invisible characters.

    Raises NameRefused when nothing readable of 1 to 24 characters is left, or a person calls themselves a bot.
    """
    composed = unicodedata.normalize("NFC", typed)
    visible = "".join(character for character in composed if character in _KEPT or not _is_invisible(character))
    name = " ".join(visible.split())
    if not name.strip(_KEPT):
        raise NameRefused("a name needs at least one letter, digit or sign that can be seen")
    if len(name) > MAX_NAME_LENGTH:
        raise NameRefused(f"a name has at most {MAX_NAME_LENGTH} characters; this one has {len(name)}")
    if "(bot)" in name.casefold() and not bot:
        raise NameRefused("only bots are called so")
    return name


def lasting_name(typed: str) -> str:
    """A name that somebody keeps: clean, and with letters of one alphabet, or of Latin beside an Indian one.

    Raises NameRefused. Mixed alphabets are how one name is made to look like another.
    """
    name = clean_name(typed)
    scripts = {unicodedata.name(character, "").partition(" ")[0] for character in name if character.isalpha()}
    if len(scripts) > 1 and not ("LATIN" in scripts and scripts - {"LATIN"} <= _MIXES_WITH_LATIN):
        raise NameRefused("the letters of a name come from one alphabet")
    if not name_key(name):
        raise NameRefused("a name that is kept needs a letter or a digit")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ only in case, spacing or letters that look alike."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.translate(_LOOK_ALIKES)


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character)[0] in "CZ"
