"""The two windows in which players add to a hand's randomness, the same in every game (FAIRNESS_SPEC section 5)."""

from collections.abc import Collection, Iterable
from typing import Literal

from fairness.contributions import ContributionRefused, ContributionRound, Roster, Step, text_from_str
from fairness.encoding import Hash
from server.protocol.messages import ErrorCode
from server.tables.ports import StoredContribution
from server.tables.record import ContributionWord
from server.tables.refusal import Refused


class SeedsRound:
    """Who has answered what, and what the open window still waits for. It has no clock."""

    def __init__(self, terms_hash: Hash, seats: tuple[int, ...]) -> None:
        self._round = ContributionRound(terms_hash, seats)
        self._seats = seats
        self._revealed: set[int] = set()

    @classmethod
    def restore(
        cls,
        terms_hash: Hash,
        seats: tuple[int, ...],
        contributions: Iterable[StoredContribution],
        hashes_closed: bool,
    ) -> "SeedsRound":
        """As far as it was stored; Refused cannot happen for what was accepted before."""
        restored = cls(terms_hash, seats)
        stored = tuple(contributions)
        for one in stored:
            restored.take_hash(one.seat, one.hash)
        if hashes_closed:
            restored.close_hashes()
            for one in stored:
                if one.nonce is not None and one.text is not None:
                    restored.take_reveal(one.seat, one.nonce, one.text)
        return restored

    @property
    def stage(self) -> Literal["hashes", "reveals"]:
        return "hashes" if self._round.step is Step.HASHES else "reveals"

    @property
    def hashes(self) -> bytes:
        return self._round.hashes

    def hash_of(self, seat: int) -> Hash | None:
        return self._round.hash_of(seat)

    def waits_for_nobody(self, gone: Collection[int]) -> bool:
        """Whether the open window may close early: everyone who still sits here has answered."""
        awaited = [seat for seat in self._seats if seat not in gone]
        if self.stage == "hashes":
            return all(self.hash_of(seat) is not None for seat in awaited)
        return all(seat in self._revealed for seat in awaited if self.hash_of(seat) is not None)

    def take_hash(self, seat: int, contribution_hash: bytes) -> bool:
        """Step A. False for a repeat of what stands. Raises Refused."""
        try:
            return self._round.submit_hash(seat, contribution_hash)
        except ContributionRefused as refusal:
            raise _refused(refusal, self.allowed(seat)) from None

    def take_reveal(self, seat: int, nonce: bytes, text: bytes) -> bool:
        """Step B. False for a repeat of what stands. Raises Refused."""
        try:
            is_news = self._round.reveal(seat, nonce, text)
        except ContributionRefused as refusal:
            raise _refused(refusal, self.allowed(seat)) from None
        self._revealed.add(seat)
        return is_news

    def close_hashes(self) -> None:
        self._round.close_hashes()

    def close(self) -> Roster:
        return self._round.close()

    def close_unfinished(self) -> Roster:
        """The roster of a hand that is voided before its deal."""
        return self._round.close_unfinished()

    def allowed(self, seat: int) -> tuple[str, ...]:
        """What a seat may contribute now, by command name."""
        if self.stage == "hashes":
            return () if self.hash_of(seat) is not None else ("contribute",)
        return ("reveal",) if self.hash_of(seat) is not None and seat not in self._revealed else ()

    def word_for(self, seat: int) -> ContributionWord:
        """How a seat takes part, as far as it is known now."""
        if self.hash_of(seat) is None:
            return "waiting" if self.stage == "hashes" else "none"
        return "given" if seat in self._revealed else "hashed"


def text_bytes(text: str) -> bytes:
    """The text of a reveal as bytes. Raises Refused."""
    try:
        return text_from_str(text)
    except ContributionRefused as refusal:
        raise _refused(refusal, ("reveal",)) from None


def _refused(refusal: ContributionRefused, allowed: tuple[str, ...]) -> Refused:
    return Refused(ErrorCode.CONTRIBUTION_REFUSED, refusal.words, allowed)
