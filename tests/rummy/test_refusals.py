"""Every action that the rules refuse, table rules of section 8 too: its code and what is allowed instead."""

import pytest

from rummy.actions import Declare, Discard, DrawFromPile, DrawFromStock, Drop, Leave, Timeout, Void, VoidReason
from rummy.cards import Card
from rummy.hand import apply
from rummy.notation import parse_action, parse_card, parse_cards
from rummy.refusals import (
    ActionName,
    IllegalAction,
    RefusalCode,
    allowed_actions,
    can_discard,
    can_draw_from_pile,
    can_drop,
    legal_discards,
    refusal_of,
)
from rummy.script import play_script

TABLE = "players 0 1 3\ncards 0 4S 5S 2C 9C KD\ncards 1 3C 3C'\nwild 7H\nopen 4S'\nstock KH 8D\n"
DRAWN = TABLE + "> 0 draw stock\n"
TAKEN = TABLE + "> 0 draw pile\n"
DROPPED = TABLE + "> 0 drop\n"
OVER = DROPPED + "> 1 leave\n"
NEVER = "rule take_wild_from_pile never\n"
FIRST = "rule take_wild_from_pile first_turn_only\n"
RETURN = "rule return_taken_card allowed\n"

TO_DRAW = "draw_stock draw_pile drop leave"
TO_DRAW_CLOSED = "draw_stock drop leave"
TO_DISCARD = "discard declare leave"

# position | action | code | what is allowed instead
REFUSED = [
    (OVER, "3 draw stock", "hand_over", ""),
    (OVER, "3 draw pile", "hand_over", ""),
    (OVER, "3 discard KD", "hand_over", ""),
    (OVER, "3 declare KD", "hand_over", ""),
    (OVER, "3 drop", "hand_over", ""),
    (OVER, "3 leave", "hand_over", ""),
    (OVER, "3 timeout", "hand_over", ""),
    (OVER, "void operator", "hand_over", ""),
    (OVER, "void stock_exhausted", "hand_over", ""),
    (TABLE, "2 draw stock", "not_in_hand", ""),
    (TABLE, "2 leave", "not_in_hand", ""),
    (TABLE, "4 leave", "not_in_hand", ""),
    (TABLE, "-1 leave", "not_in_hand", ""),
    (TABLE, "2 timeout", "not_in_hand", ""),
    (DROPPED, "0 draw stock", "out_of_hand", ""),
    (DROPPED, "0 drop", "out_of_hand", ""),
    (DROPPED, "0 leave", "out_of_hand", ""),
    (DROPPED, "0 timeout", "out_of_hand", ""),
    (TABLE, "1 draw stock", "not_your_turn", "leave"),
    (TABLE, "1 draw pile", "not_your_turn", "leave"),
    (TABLE, "1 discard 3C", "not_your_turn", "leave"),
    (TABLE, "1 declare 3C", "not_your_turn", "leave"),
    (TABLE, "1 drop", "not_your_turn", "leave"),
    (TABLE, "1 timeout", "not_your_turn", "leave"),
    (DRAWN, "1 draw stock", "not_your_turn", "leave"),
    (TABLE, "0 discard 4S", "draw_first", TO_DRAW),
    (TABLE, "0 declare 4S", "draw_first", TO_DRAW),
    (DRAWN, "0 draw stock", "already_drawn", TO_DISCARD),
    (DRAWN, "0 draw pile", "already_drawn", TO_DISCARD),
    (DRAWN, "0 drop", "drop_before_drawing", TO_DISCARD),
    (DRAWN, "0 discard 3C", "card_not_held", TO_DISCARD),
    (DRAWN, "0 discard 4S'", "card_not_held", TO_DISCARD),
    (DRAWN, "0 discard PJ''", "card_not_held", TO_DISCARD),
    (DRAWN, "0 declare 3C", "card_not_held", TO_DISCARD),
    (TAKEN, "0 discard 4S'", "taken_card_stays", TO_DISCARD),
    (TAKEN, "0 discard 4S", "taken_card_stays", TO_DISCARD),
    (TAKEN + "> 0 leave\n", "1 draw pile", "pile_empty", TO_DRAW_CLOSED),
    (NEVER + "open 7S\n", "0 draw pile", "wild_stays_on_pile", TO_DRAW_CLOSED),
    (NEVER + "open PJ\n", "0 draw pile", "wild_stays_on_pile", TO_DRAW_CLOSED),
    (NEVER + "wild PJ\nopen PJ'\n", "0 draw pile", "wild_stays_on_pile", TO_DRAW_CLOSED),
    (TABLE, "void stock_exhausted", "void_reason_is_the_hands", ""),
]


@pytest.mark.parametrize(("position", "action", "code", "allowed"), REFUSED)
def test_a_refusal_has_a_code_words_and_what_is_allowed(position: str, action: str, code: str, allowed: str) -> None:
    state, _ = play_script("wild 7H\n" + position)
    with pytest.raises(IllegalAction) as refused:
        apply(state, parse_action(action))
    assert refused.value.code == code
    assert refused.value.words.endswith(".")
    assert refused.value.allowed == tuple(allowed.split())


def test_every_code_is_tested() -> None:
    in_declare_tests = {RefusalCode.GROUPS_ARE_NOT_THE_CARDS}
    assert {code for _, _, code, _ in REFUSED} | in_declare_tests == set(RefusalCode)


READY = "2S 3S 4S 5S 9H 10H JH QC QD QS KC KD KH"


@pytest.mark.parametrize(
    "groups",
    [
        "2S 3S 4S 5S | 9H 10H JH | QC QD QS | KC KD",  # one missing
        "2S 3S 4S 5S | 9H 10H JH | QC QD QS | KC KD KH 8D",  # the finish card too
        "2S 3S 4S 5S | 9H 10H JH | QC QD QS | KC KD KD",  # one twice
        "2S 3S 4S 5S | 9H 10H JH | QC QD QS | KC KD KH | KH",
        "2S 3S 4S 5S | 9H 10H JH | QC QD QS | KC KD KS",  # not held
        "2S 3S 4S 5S | 9H 10H JH | QC QD QS | KC KD KH'",  # the copy is another card
        "2S 3S 4S 5S",
    ],
)
def test_groups_that_are_not_the_13_cards_are_refused_and_nothing_is_lost(groups: str) -> None:
    state, _ = play_script(f"players 0 1\ncards 0 {READY}\nwild 7H\nstock 8D\n> 0 draw stock")
    declare = parse_action(f"0 declare 8D: {groups}")
    with pytest.raises(IllegalAction) as refused:
        apply(state, declare)
    assert refused.value.code is RefusalCode.GROUPS_ARE_NOT_THE_CARDS
    assert apply(state, Declare(0, parse_card("8D")))[0].is_over


def test_an_empty_group_is_refused() -> None:
    state, _ = play_script(f"players 0 1\ncards 0 {READY}\nwild 7H\nstock 8D\n> 0 draw stock")
    refusal = refusal_of(state, Declare(0, parse_card("8D"), (parse_cards(READY), ())))
    assert refusal is not None
    assert refusal.code is RefusalCode.GROUPS_ARE_NOT_THE_CARDS


# Section 8: table rules. rules | position | action


@pytest.mark.parametrize(
    ("position", "action"),
    [
        # take_wild_from_pile
        ("open 7S\n", "0 draw pile"),
        ("open PJ\n", "0 draw pile"),
        (NEVER + "open 8S\n", "0 draw pile"),
        (NEVER + "wild PJ\nopen 7S\n", "0 draw pile"),
        (FIRST + "open 7S\n", "0 draw pile"),
        (FIRST + "open 7S\n> 0 leave\n", "1 draw pile"),
        (FIRST + "stock 7S\n> 0 timeout\n", "1 draw pile"),
        (FIRST + "stock 7S PJ 5D\nopen 8S\n> 0 timeout\n> 1 timeout\n> 2 timeout\n> 3 timeout\n", "0 draw pile"),
        # return_taken_card
        (RETURN + "open 4S\n> 0 draw pile\n", "0 discard 4S"),
        (RETURN + "cards 0 4S\nopen 4S'\n> 0 draw pile\n", "0 discard 4S"),
        ("cards 0 4S\nopen 5S\n> 0 draw pile\n", "0 discard 4S"),
        ("cards 0 4S\nstock 4S'\n> 0 draw stock\n", "0 discard 4S'"),
        ("cards 0 4S\nstock 4S'\n> 0 draw stock\n", "0 discard 4S"),
        ("cards 0 4S\nopen 4S'\n> 0 draw pile\n", "0 declare 4S'"),
        ("cards 0 4S\nopen 4S'\n> 0 draw pile\n", "0 declare 4S"),
    ],
)
def test_section_8_allows(position: str, action: str) -> None:
    state, _ = play_script("wild 7H\n" + position)
    assert refusal_of(state, parse_action(action)) is None
    apply(state, parse_action(action))


def test_section_8_first_turn_only_ends_with_the_seats_own_first_turn() -> None:
    state, _ = play_script(
        f"players 0 1\n{FIRST}wild 7H\nstock KH 7S KS 7D\n> 0 timeout\n> 1 draw stock\n> 1 discard 7S"
    )
    refusal = refusal_of(state, DrawFromPile(0))
    assert refusal is not None
    assert refusal.code is RefusalCode.WILD_STAYS_ON_PILE
    assert "first turn" in refusal.words


def test_section_8_a_taken_card_may_go_in_a_later_turn() -> None:
    state, _ = play_script(
        "players 0 1\ncards 0 AC\nopen 4S\nstock KH 5D\n> 0 draw pile\n> 0 discard AC\n> 1 timeout\n> 0 draw stock"
    )
    assert can_discard(state, 0, parse_card("4S"))


# The questions agree with the refusals


def test_allowed_actions_by_position() -> None:
    before, _ = play_script(TABLE)
    assert allowed_actions(before, 0) == tuple(TO_DRAW.split())
    assert allowed_actions(before, 1) == (ActionName.LEAVE,)
    assert allowed_actions(before, 2) == ()
    drawn, _ = play_script(DRAWN)
    assert allowed_actions(drawn, 0) == tuple(TO_DISCARD.split())
    over, _ = play_script(OVER)
    assert [allowed_actions(over, seat) for seat in range(4)] == [()] * 4


def test_questions_change_nothing_and_answer_yes_or_no() -> None:
    before, _ = play_script(TABLE)
    drawn, _ = play_script(DRAWN)
    assert (can_draw_from_pile(before, 0), can_draw_from_pile(before, 1), can_draw_from_pile(drawn, 0)) == (1, 0, 0)
    assert (can_drop(before, 0), can_drop(before, 1), can_drop(drawn, 0)) == (True, False, False)
    assert (can_discard(before, 0, parse_card("4S")), can_discard(drawn, 0, parse_card("4S"))) == (False, True)


def test_legal_discards_leave_out_what_was_taken_and_its_copies() -> None:
    taken, _ = play_script(TAKEN)
    assert set(taken.seat(0).cards) - set(legal_discards(taken, 0)) == set(parse_cards("4S 4S'"))
    drawn, _ = play_script(DRAWN)
    assert legal_discards(drawn, 0) == drawn.seat(0).cards
    assert legal_discards(drawn, 1) == ()
    assert legal_discards(play_script(TABLE)[0], 0) == ()


@pytest.mark.parametrize("seat", [-1, 2, 4, 10**9])
def test_a_seat_that_is_not_there_may_nothing(seat: int) -> None:
    state, _ = play_script(TABLE)
    card = Card(0)
    for action in (
        DrawFromStock(seat),
        DrawFromPile(seat),
        Discard(seat, card),
        Declare(seat, card),
        Drop(seat),
        Leave(seat),
        Timeout(seat),
    ):
        refusal = refusal_of(state, action)
        assert refusal is not None
        assert refusal.code is RefusalCode.NOT_IN_HAND
    assert refusal_of(state, Void(VoidReason.OPERATOR)) is None
