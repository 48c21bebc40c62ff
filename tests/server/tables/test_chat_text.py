"""What is left of a typed line."""

import pytest

from server.protocol.messages import ErrorCode
from server.tables.chat_text import MOST_CHARACTERS, clean_line
from server.tables.refusal import Refused


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("good  game\tall", "good game all"),
        ("a\nb\u2028c\u0085d", "a b c d"),
        ("\u202egnol\u202c \u2066x\u2069\u200f", "gnol x"),
        ("h\u200be\u2060l\ufefflo", "hello"),
        ("cafe\u0301", "caf\u00e9"),
        ("\x1b[31mred\x07", "[31mred"),
        ("a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307", "\u00e0\u0301\u0302\u0303\u0304"),
        ("a\u0301\u0302\u0303\u200d\u0304\u0305\u0306\u200dz", "\u00e1\u0302\u0303\u200d\u0304\u0305\u200dz"),
        ("\u0995\u09cd\u200d\u09af", "\u0995\u09cd\u200d\u09af"),
        ("\u0915\u094d\u200c\u0937 \u0916\u0947\u0932", "\u0915\u094d\u200c\u0937 \u0916\u0947\u0932"),
        ("x\u200d\u200d\u200dy \u200d", "x\u200dy"),
        ("\U0001f469\u200d\U0001f680 go", "\U0001f469\u200d\U0001f680 go"),
        ("\u3164nice\u2800", "nice"),
        ("\ue000\U000e0041ok\ud7ff", "ok"),
    ],
)
def test_a_line_is_shown_without_what_hides_turns_or_piles_up(typed: str, shown: str) -> None:
    assert clean_line(typed) == shown
    assert clean_line(shown) == shown


@pytest.mark.parametrize("typed", [" ", "\u200b\u200d", "\u202e", "\u3164", "\u0301\u0302", "\n\n"])
def test_a_line_in_which_nothing_can_be_seen_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as refusal:
        clean_line(typed)
    assert refusal.value.code is ErrorCode.NOTHING_TO_SAY


def test_a_line_has_an_end() -> None:
    assert clean_line("x" * MOST_CHARACTERS)
    with pytest.raises(Refused) as refusal:
        clean_line("x" * (MOST_CHARACTERS + 1))
    assert refusal.value.code is ErrorCode.TOO_LARGE
