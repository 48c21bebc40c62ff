"""What a player may be called."""

import unicodedata
from typing import Final

MAX_NAME_LENGTH: Final = 24

_JOINERS: Final = "\u200c\u200d"
"""Format characters, yet Bengali and Hindi names are misspelt without them."""
_KEPT: Final = _JOINERS + " "


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


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character)[0] in "CZ"
