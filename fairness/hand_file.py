"""A finished hand as one JSON file: all that anybody needs to check it (FAIRNESS_SPEC section 12, docs/fairness.md).

The public file shows every private draw: the reveal made them public anyway. A player's own file is the same with the
receipts that the player kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fairness.commitment import SERVER_SEED_BYTES, commitment
from fairness.contributions import Roster
from fairness.deck import hand_key
from fairness.encoding import PROTOCOL, Hash, Malformed
from fairness.event_codec import event_to_json, read_event
from fairness.events import MAX_EVENTS, Event, RosterClosed, SeedRevealed
from fairness.json_form import Fields, JsonObject
from fairness.receipts import (
    MAX_PROOF,
    CommitReceipt,
    ContributionReceipt,
    HashesReceipt,
    RevealReceipt,
    StateReceipt,
    TreeHead,
)
from fairness.replay import showings
from fairness.signing import KeyRing
from fairness.terms import Terms
from fairness.transcript import SeatChain, Showing, Transcript

MAX_FILE_BYTES: Final = 8 * 1024 * 1024
"""A hand of ten thousand events stays far below this."""


@dataclass(frozen=True, slots=True)
class LogProof:
    """Where the hand stands in the log, under a signed tree head.

    consistency: from the tree of the commit receipt to this one. inclusion_close: of the close leaf in this one.
    """

    close_index: int
    head: TreeHead
    consistency_from: int
    consistency: tuple[Hash, ...]
    inclusion_close: tuple[Hash, ...]

    def head_json(self) -> JsonObject:
        return self.head.to_json() | {
            "consistency_from": self.consistency_from,
            "consistency": [node.hex() for node in self.consistency],
            "inclusion_close": [node.hex() for node in self.inclusion_close],
        }


SeatReceipt = ContributionReceipt | RevealReceipt | StateReceipt


@dataclass(frozen=True, slots=True)
class SeatPart:
    """One seat's private chain, opened, and the receipts that its player kept. heads: s(-1), s(0), ..."""

    showings: tuple[Showing, ...]
    heads: tuple[Hash, ...]
    contribution_receipt: ContributionReceipt | None
    reveal_receipt: RevealReceipt | None
    state_receipts: tuple[StateReceipt, ...]

    def receipts(self) -> tuple[SeatReceipt, ...]:
        accepted = (self.contribution_receipt, self.reveal_receipt)
        return (*(receipt for receipt in accepted if receipt is not None), *self.state_receipts)

    def to_json(self) -> JsonObject:
        result: JsonObject = {
            "private": [showing.to_json() for showing in self.showings],
            "heads": [head.hex() for head in self.heads],
        }
        if self.contribution_receipt is not None:
            result["contribution_receipt"] = self.contribution_receipt.to_json()
        if self.reveal_receipt is not None:
            result["reveal_receipt"] = self.reveal_receipt.to_json()
        if self.state_receipts:
            result["state_receipts"] = [receipt.to_json() for receipt in self.state_receipts]
        return result

    @classmethod
    def read(cls, fields: Fields) -> "SeatPart":
        part = cls(
            fields.objects("private", MAX_EVENTS, Showing.read),
            fields.hashes("heads", MAX_EVENTS + 1),
            fields.optional("contribution_receipt", ContributionReceipt.read),
            fields.optional("reveal_receipt", RevealReceipt.read),
            fields.objects("state_receipts", MAX_EVENTS, StateReceipt.read) if fields.has("state_receipts") else (),
        )
        fields.nothing_else()
        return part


@dataclass(frozen=True, slots=True)
class HandFile:
    """A hand file as read: well-formed, and nothing more is said of it. Claims are the file's, to be checked."""

    terms: Terms
    server_seed: bytes
    roster: Roster
    claimed_th: Hash
    claimed_commitment: Hash
    events: tuple[Event, ...]
    heads: tuple[Hash, ...]
    seats: Mapping[int, SeatPart]
    commit_receipt: CommitReceipt
    hashes_receipt: HashesReceipt | None
    log: LogProof
    keys: KeyRing

    def to_json(self) -> JsonObject:
        return {
            "protocol": PROTOCOL,
            "input": {
                "terms": self.terms.to_json(),
                "server_seed": self.server_seed.hex(),
                "contributions": self.roster.to_json(),
            },
            "terms_hash": self.claimed_th.hex(),
            "commitment": self.claimed_commitment.hex(),
            "events": [event_to_json(event) for event in self.events],
            "heads": [head.hex() for head in self.heads],
            "seats": {str(seat): part.to_json() for seat, part in self.seats.items()},
            "commit_receipt": self.commit_receipt.to_json(),
            "hashes_receipt": None if self.hashes_receipt is None else self.hashes_receipt.to_json(),
            "close_index": self.log.close_index,
            "sth": self.log.head_json(),
            "keys": self.keys.to_json(),
        }

    @classmethod
    def from_json(cls, value: object) -> "HandFile":
        """Raises Malformed naming the first thing that breaks the form."""
        fields = Fields(value, "file")
        protocol = fields.text("protocol")
        if protocol != PROTOCOL:
            raise fields.wrong("protocol", f"is {protocol[:40]!r}: this reads {PROTOCOL!r}")
        terms, server_seed, roster = read_input(fields.nested("input"))
        file = cls(
            terms,
            server_seed,
            roster,
            fields.hash("terms_hash"),
            fields.hash("commitment"),
            fields.objects("events", MAX_EVENTS, read_event),
            fields.hashes("heads", MAX_EVENTS + 1),
            _read_seats(fields.nested("seats"), terms),
            CommitReceipt.read(fields.nested("commit_receipt")),
            None if fields.is_null("hashes_receipt") else HashesReceipt.read(fields.nested("hashes_receipt")),
            _read_log(fields),
            KeyRing.read(fields),
        )
        fields.nothing_else()
        return file


def hand_file(
    *,
    terms: Terms,
    events: Sequence[Event],
    commit_receipt: CommitReceipt,
    hashes_receipt: HashesReceipt | None,
    log: LogProof,
    keys: KeyRing,
    receipts: Iterable[SeatReceipt] = (),
) -> JsonObject:
    """The file of a finished hand, from what the house stored of it.

    events: the whole transcript, roster to reveal. hashes_receipt: None when the hand was voided before it was signed.
    keys: all that are published; the file carries those valid when something in it was signed. receipts: those that
    one player kept, for that player's own file; the public one has none.
    """
    roster, reveal = events[0], events[-1]
    if not isinstance(roster, RosterClosed) or not isinstance(reveal, SeedRevealed):
        raise ValueError("only a finished hand has a file: its events go from the roster to the reveal")
    th = terms.hash()
    promised = commitment(th, reveal.server_seed)
    kept = tuple(receipts)
    shown = showings(terms, hand_key(reveal.server_seed, th, roster.roster.hash()), events)
    seats = {seat: _seat_part(th, seat, player_id, shown[seat], kept) for seat, player_id in terms.players}
    signed = (commit_receipt, log.head, *kept, *(() if hashes_receipt is None else (hashes_receipt,)))
    return HandFile(
        terms=terms,
        server_seed=reveal.server_seed,
        roster=roster.roster,
        claimed_th=th,
        claimed_commitment=promised,
        events=tuple(events),
        heads=Transcript(th, promised, events).heads,
        seats=seats,
        commit_receipt=commit_receipt,
        hashes_receipt=hashes_receipt,
        log=log,
        keys=keys.valid_on_any(one.at_ms for one in signed),
    ).to_json()


def read_input(fields: Fields) -> tuple[Terms, bytes, Roster]:
    """Terms, server seed and contributions: what a deal follows from. Raises Malformed."""
    terms = Terms.read(fields.nested("terms"))
    server_seed = fields.hex("server_seed", SERVER_SEED_BYTES)
    roster = Roster.read(fields)
    fields.nothing_else()
    if roster.seats != terms.occupied:
        raise Malformed("the contributions are not one for each player of the terms")
    return terms, server_seed, roster


def _seat_part(
    th: Hash, seat: int, player_id: bytes, shown: tuple[Showing, ...], kept: tuple[SeatReceipt, ...]
) -> SeatPart:
    own = [receipt for receipt in kept if receipt.seat == seat]
    return SeatPart(
        shown,
        SeatChain(th, seat, player_id, shown).heads,
        next((receipt for receipt in own if isinstance(receipt, ContributionReceipt)), None),
        next((receipt for receipt in own if isinstance(receipt, RevealReceipt)), None),
        tuple(receipt for receipt in own if isinstance(receipt, StateReceipt)),
    )


def _read_seats(fields: Fields, terms: Terms) -> dict[int, SeatPart]:
    expected = [str(seat) for seat in terms.occupied]
    if sorted(fields.names()) != expected:
        raise Malformed(f"file.seats is not one entry for each player: {', '.join(expected)}")
    return {int(seat): SeatPart.read(fields.nested(seat)) for seat in expected}


def _read_log(fields: Fields) -> LogProof:
    sth = fields.nested("sth")
    proof = LogProof(
        fields.u64("close_index"),
        TreeHead.take(sth),
        sth.u64("consistency_from"),
        sth.hashes("consistency", MAX_PROOF),
        sth.hashes("inclusion_close", MAX_PROOF),
    )
    sth.nothing_else()
    return proof
