from typing import Any

import pytest

from fairness import events as record
from fairness.contributions import Contribution, Roster, Status
from fairness.event_codec import event_from_json
from fairness.json_form import Fields
from fairness.terms import Terms
from fairness.transcript import SeatChain, Showing, Transcript

ROSTER = Roster((Contribution(0, Status.NONE), Contribution(1, Status.NONE)))
TH, C = bytes(32), bytes(range(32))


def test_vectors(vectors: dict[str, Any]) -> None:
    for hand in vectors["hands"]:
        terms = Terms.from_json(hand["input"]["terms"])
        th, promised = terms.hash(), bytes.fromhex(hand["deal"]["commitment"])
        transcript = Transcript(th, promised, [event_from_json(event) for event in hand["events"]])
        assert [head.hex() for head in transcript.heads] == hand["heads"]
        for seat_name, seat in hand["seats"].items():
            showings = [Showing.read(Fields(showing, "private")) for showing in seat["private"]]
            chain = SeatChain(th, int(seat_name), terms.player_at(int(seat_name)), showings)
            assert [head.hex() for head in chain.heads] == seat["heads"]
            assert [showing.to_json() for showing in chain.showings] == seat["private"]


def test_a_transcript_grows_by_one_head_an_event() -> None:
    transcript = Transcript(TH, C)
    assert (transcript.next_index, transcript.last_ms, len(transcript.heads)) == (0, 0, 1)
    first = transcript.append(record.RosterClosed(5, ROSTER))
    assert (transcript.next_index, transcript.last_ms, transcript.head) == (1, 5, first)
    second = transcript.append(record.Dealt(5))
    assert transcript.heads[1:] == (first, second)
    assert Transcript(TH, C, transcript.events).heads == transcript.heads


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([record.Dealt(0)], "roster is always event 0"),
        ([record.RosterClosed(0, ROSTER), record.RosterClosed(0, ROSTER)], "roster is always event 0"),
        ([record.RosterClosed(1, ROSTER), record.Dealt(0)], "event 1 is at 0"),
        (
            [record.RosterClosed(0, ROSTER), record.SeedRevealed(0, bytes(32)), record.Dealt(0)],
            "reveal is always the last",
        ),
    ],
)
def test_a_transcript_refuses_what_cannot_follow(events: list[record.Event], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Transcript(TH, C, events)


def test_a_seat_chain_knows_its_head_at_every_event() -> None:
    chain = SeatChain(TH, 2, bytes(16))
    first = chain.append(Showing(1, tuple(range(13))))
    second = chain.append(Showing(4, (20,)))
    assert [chain.head_at(k) for k in range(6)] == [chain.heads[0], first, first, first, second, second]
    assert chain.head == second


def test_a_seat_chain_belongs_to_one_player_on_one_seat_of_one_hand() -> None:
    starts = [(TH, 2, bytes(16)), (C, 2, bytes(16)), (TH, 3, bytes(16)), (TH, 2, bytes(15) + b"x")]
    assert len({SeatChain(*start).head for start in starts}) == 4
