"""One hand as the record that proves it: terms, commitment, transcript, private chains, receipts (FAIRNESS_SPEC).

Game-independent. It holds the server's seed: nothing here is logged, and `repr` shows no secret.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal
from uuid import UUID

from fairness.commitment import RandomSource, commitment, new_server_seed
from fairness.contributions import Roster, Status
from fairness.deck import hand_key
from fairness.encoding import Hash, Id
from fairness.event_codec import encode_event, event_to_json
from fairness.events import Event, RosterClosed
from fairness.json_form import Fields
from fairness.receipts import (
    CommitReceipt,
    ContributionReceipt,
    HandReceipt,
    HashesReceipt,
    RevealReceipt,
    StateReceipt,
    keepable,
)
from fairness.signing import SigningKeys
from fairness.terms import Terms
from fairness.transcript import SeatChain, Showing, Transcript
from server.protocol.messages import Receipt
from server.tables.game import PrivateShowing
from server.tables.match_ports import MatchStart
from server.tables.ports import EventRow, HandOpening

ContributionWord = Literal["waiting", "hashed", "given", "withheld", "none"]
ReceiptKind = Literal["commit", "contribution", "hashes", "reveal", "state"]

_STATUS_WORDS: Final[Mapping[Status, ContributionWord]] = {
    Status.NONE: "none",
    Status.GIVEN: "given",
    Status.WITHHELD: "withheld",
}


class HandRecord:
    """Grows with its hand. What it was given but the journal has not stored yet, nobody has been shown."""

    def __init__(self, opening: HandOpening, commit_receipt: Mapping[str, Any], keys: SigningKeys) -> None:
        self.terms = opening.terms
        self.commitment = opening.commitment
        self._server_seed = opening.server_seed
        self._commit_receipt = CommitReceipt.read(Fields(commit_receipt, "commit receipt"))
        self._keys = keys
        self.terms_hash: Hash = opening.terms.hash()
        self.hand_id = UUID(bytes=opening.terms.hand_id)
        self._players = {seat: UUID(bytes=player_id) for seat, player_id in opening.terms.players}
        self._seats = {player_id: seat for seat, player_id in self._players.items()}
        self._contributions: Mapping[int, ContributionWord] = {}
        self._hashes_receipt: HashesReceipt | None = None
        self._receipts: dict[tuple[ReceiptKind, int], Receipt] = {}
        self._transcript = Transcript(self.terms_hash, self.commitment)
        self._chains = {seat: SeatChain(self.terms_hash, seat, player_id) for seat, player_id in opening.terms.players}

    @property
    def id_bytes(self) -> Id:
        return self.terms.hand_id

    @property
    def seats(self) -> tuple[int, ...]:
        return self.terms.occupied

    @property
    def server_seed(self) -> bytes:
        """For the reveal that ends the hand, and for nothing else."""
        return self._server_seed

    @property
    def events(self) -> tuple[Event, ...]:
        return self._transcript.events

    @property
    def head(self) -> Hash:
        return self._transcript.head

    @property
    def contributions(self) -> Mapping[int, ContributionWord]:
        """How each seat took part, once the roster is closed; empty before."""
        return self._contributions

    def player_at(self, seat: int) -> UUID:
        return self._players[seat]

    def seat_of(self, player_id: UUID) -> int | None:
        return self._seats.get(player_id)

    def hand_key(self, roster: Roster) -> Hash:
        """What the deck follows from: kept in memory only."""
        return hand_key(self._server_seed, self.terms_hash, roster.hash())

    def stamp_ms(self, now_ms: int) -> int:
        """The time for the next event: never before the one in front of it, even if the clock was set back."""
        return max(now_ms, self._transcript.last_ms)

    def extend(
        self, events: Sequence[Event], showings: Iterable[PrivateShowing], clock: Mapping[str, Any]
    ) -> tuple[EventRow, ...]:
        """Chain these events and what single seats were shown with them; returns the rows to store.

        A showing's place counts within `events`. clock: how the clocks stand after all of them.
        """
        first = self._transcript.next_index
        rows = tuple(
            EventRow(first + offset, encode_event(event), self._transcript.append(event), clock)
            for offset, event in enumerate(events)
        )
        for event in events:
            if isinstance(event, RosterClosed):
                words = {one.seat: _STATUS_WORDS[one.status] for one in event.roster.contributions}
                self._contributions = MappingProxyType(words)
        for showing in showings:
            self._chains[showing.seat].append(Showing(first + showing.place, showing.cards))
        return rows

    def public_events(self, first: int) -> list[dict[str, Any]]:
        """The events from index `first` on, as the hand file has them, each with its index k."""
        return [{"k": k} | event_to_json(event) for k, event in enumerate(self._transcript.events[first:], start=first)]

    def commit_receipt(self, table_id: UUID) -> Receipt:
        """Carries the terms too: what a client checks before it contributes."""
        return self._message(table_id, "commit", self._commit_receipt, {"terms": self.terms.to_json()})

    def contribution_receipt(self, table_id: UUID, seat: int, contribution_hash: Hash, now_ms: int) -> Receipt:
        """Signed once for each seat: a repeat of the same is answered the same."""
        receipt = self._receipts.get(("contribution", seat))
        if receipt is None:
            signed = ContributionReceipt.sign(self._keys.at(now_ms), self.terms_hash, seat, contribution_hash, now_ms)
            receipt = self._receipts["contribution", seat] = self._message(table_id, "contribution", signed)
        return receipt

    def sign_hashes(self, hashes: bytes, now_ms: int) -> HashesReceipt:
        return HashesReceipt.sign(self._keys.at(now_ms), self.terms_hash, hashes, now_ms)

    def keep_hashes(self, receipt: HashesReceipt) -> None:
        """The list is closed under this signature, for good: a player answers one list only."""
        self._hashes_receipt = receipt

    def hashes_receipts(self, table_id: UUID) -> tuple[Receipt, ...]:
        """The receipt of the closed list; none while it is open, or for a hand voided before."""
        return () if self._hashes_receipt is None else (self._message(table_id, "hashes", self._hashes_receipt),)

    def reveal_receipt(self, table_id: UUID, seat: int, contribution_hash: Hash, now_ms: int) -> Receipt:
        """Signed once for each seat."""
        receipt = self._receipts.get(("reveal", seat))
        if receipt is None:
            signed = RevealReceipt.sign(self._keys.at(now_ms), self.terms_hash, seat, contribution_hash, now_ms)
            receipt = self._receipts["reveal", seat] = self._message(table_id, "reveal", signed)
        return receipt

    def sign_state(self, table_id: UUID, seat: int, now_ms: int) -> Receipt:
        """How the whole hand stands for this seat now; there must be an event."""
        receipt = StateReceipt.sign(
            self._keys.at(now_ms),
            self.terms_hash,
            k=self._transcript.next_index - 1,
            head=self._transcript.head,
            seat=seat,
            seat_head=self._chains[seat].head,
            at_ms=now_ms,
        )
        return self._message(table_id, "state", receipt)

    def _message(
        self, table_id: UUID, kind: ReceiptKind, receipt: HandReceipt, more: Mapping[str, Any] | None = None
    ) -> Receipt:
        form = keepable(receipt, self.terms.hand_id, self.terms_hash, self.commitment)
        return Receipt(table_id=table_id, hand_id=self.hand_id, kind=kind, receipt={**form, **(more or {})})


def new_opening(
    terms: Terms, asset: str, hold_units: int, random: RandomSource, match: MatchStart | None = None
) -> HandOpening:
    """A fresh seed for these terms, and the promise of it."""
    server_seed = new_server_seed(random)
    return HandOpening(terms, commitment(terms.hash(), server_seed), server_seed, asset, hold_units, match)
