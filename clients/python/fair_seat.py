"""A seat's own part in the fairness of a hand: its contribution, made before and shown after everyone's hash.

Source: FAIRNESS_SPEC sections 5 and 11.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from fairness.contributions import contribution_hash, decode_hashes
from fairness.terms import Terms


class HouseBrokeItsWord(Exception):
    """What the house sent does not agree with itself or with what it promised: stop playing here."""


@dataclass(frozen=True, slots=True)
class SeatContribution:
    """What this seat adds to the shuffle of one hand."""

    hand_id: UUID
    seat: int
    terms_hash: bytes
    hash: bytes
    nonce: bytes = field(repr=False)
    text: str = ""

    @classmethod
    def for_commitment(cls, receipt: Mapping[str, Any], player_id: UUID, text: str = "") -> "SeatContribution":
        """Answer a commitment. Raises HouseBrokeItsWord when this player is not in the terms."""
        terms = Terms.from_json(receipt["terms"])
        terms_hash = terms.hash()
        if terms_hash.hex() != receipt["terms_hash"]:
            raise HouseBrokeItsWord("the terms do not have the hash that came with them")
        seats = [seat for seat, player in terms.players if player == player_id.bytes]
        if len(seats) != 1:
            raise HouseBrokeItsWord("the terms do not name this player once")
        nonce = secrets.token_bytes(32)
        own_hash = contribution_hash(terms_hash, seats[0], nonce, text.encode())
        return cls(UUID(bytes=terms.hand_id), seats[0], terms_hash, own_hash, nonce, text)

    def check_hashes(self, receipt: Mapping[str, Any]) -> None:
        """Before revealing: the closed list must hold our own hash. Raises HouseBrokeItsWord."""
        listed = dict(decode_hashes(bytes.fromhex(receipt["hashes"])))
        if listed.get(self.seat) != self.hash:
            raise HouseBrokeItsWord("the closed list of hashes does not hold ours")
