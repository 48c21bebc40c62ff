"""What players add to a hand's randomness, in two steps so that nobody chooses last (FAIRNESS_SPEC section 5).

Texts are bytes as sent: clients normalise to NFC, nobody here does.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from fairness.encoding import NO_HASH, ByteReader, Coded, H, Hash, Malformed, exactly, lp, u8
from fairness.json_form import Fields, JsonObject

NONCE_BYTES: Final = 32
MAX_TEXT_BYTES: Final = 256
MAX_PLAYERS: Final = 8


class RefusalCode(StrEnum):
    NOT_A_PLAYER = "not_a_player"
    TOO_EARLY = "too_early"
    TOO_LATE = "too_late"
    ALREADY_GIVEN = "already_given"
    NO_HASH_GIVEN = "no_hash_given"
    HASH_LENGTH = "hash_length"
    NONCE_LENGTH = "nonce_length"
    TEXT_TOO_LONG = "text_too_long"
    TEXT_NOT_UTF8 = "text_not_utf8"
    TEXT_CONTROL_CHARACTERS = "text_control_characters"
    DOES_NOT_MATCH_HASH = "does_not_match_hash"


class ContributionRefused(Exception):
    """An answer to the player; nothing changed, and the seat may send again until the window closes."""

    def __init__(self, code: RefusalCode, words: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = words


class Status(Coded):
    """How a seat took part."""

    NONE = 0
    GIVEN = 1
    WITHHELD = 2


def text_from_str(text: str) -> bytes:
    """A text as bytes, checked; a lone surrogate is refused as not UTF-8. Raises ContributionRefused."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ContributionRefused(
            RefusalCode.TEXT_NOT_UTF8, "the text holds a lone surrogate, which is no character: send well-formed text"
        ) from error
    check_text(data)
    return data


def check_text(text: bytes) -> None:
    """Raises ContributionRefused unless `text` is what a player may contribute."""
    if len(text) > MAX_TEXT_BYTES:
        raise ContributionRefused(
            RefusalCode.TEXT_TOO_LONG, f"the text has {len(text)} bytes of UTF-8: at most {MAX_TEXT_BYTES} are allowed"
        )
    try:
        characters = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ContributionRefused(
            RefusalCode.TEXT_NOT_UTF8, f"the text is not well-formed UTF-8 at byte {error.start}"
        ) from error
    if any(_is_control(ord(character)) for character in characters):
        raise ContributionRefused(
            RefusalCode.TEXT_CONTROL_CHARACTERS,
            "the text holds a control character (U+0000-001F, U+007F-009F): send it without",
        )


def contribution_hash(th: bytes, seat: int, nonce: bytes, text: bytes) -> Hash:
    """K = H("contribution", th || u8(seat) || nonce || lp(text))."""
    return H("contribution", th, u8(seat), exactly(nonce, NONCE_BYTES, "the nonce"), lp(text))


@dataclass(frozen=True, slots=True)
class Contribution:
    """One seat's line of the roster.

    hash: present unless status is none; nonce and text: present only when given. Raises Malformed otherwise.
    """

    seat: int
    status: Status
    hash: Hash | None = None
    nonce: bytes | None = field(default=None, repr=False)
    text: bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        given = self.status is Status.GIVEN
        if (self.hash is None) != (self.status is Status.NONE):
            raise Malformed(f"seat {self.seat} is {self.status.word}: its hash must be there unless it is none")
        if (self.nonce is None) == given or (self.text is None) == given:
            raise Malformed(f"seat {self.seat} is {self.status.word}: nonce and text belong to given, and only to it")
        if self.hash is not None:
            exactly(self.hash, 32, f"the hash of seat {self.seat}")
        if self.nonce is not None:
            exactly(self.nonce, NONCE_BYTES, f"the nonce of seat {self.seat}")
        if self.text is not None and len(self.text) > MAX_TEXT_BYTES:
            raise Malformed(f"the text of seat {self.seat} has {len(self.text)} bytes: at most {MAX_TEXT_BYTES}")

    def encode(self) -> bytes:
        return b"".join(
            (u8(self.seat), u8(self.status.value), self.hash or NO_HASH, self.nonce or NO_HASH, lp(self.text or b""))
        )

    def to_json(self) -> JsonObject:
        result: JsonObject = {"seat": self.seat, "status": self.status.word}
        if self.hash is not None:
            result["hash"] = self.hash.hex()
        if self.nonce is not None and self.text is not None:
            result |= {"nonce": self.nonce.hex(), "text_hex": self.text.hex()}
        return result

    @classmethod
    def read(cls, fields: Fields) -> "Contribution":
        status = fields.word("status", Status)
        given = status is Status.GIVEN
        contribution = cls(
            seat=fields.integer("seat", 0, MAX_PLAYERS - 1),
            status=status,
            hash=None if status is Status.NONE else fields.hash("hash"),
            nonce=fields.hex("nonce", NONCE_BYTES) if given else None,
            text=fields.any_hex("text_hex") if given else None,
        )
        fields.nothing_else()
        return contribution


@dataclass(frozen=True, slots=True)
class Roster:
    """Every player's contribution in ascending seat order. Raises Malformed when the order is another."""

    contributions: tuple[Contribution, ...]

    def __post_init__(self) -> None:
        _check_ascending([contribution.seat for contribution in self.contributions], "the roster")

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(contribution.seat for contribution in self.contributions)

    def encode(self) -> bytes:
        return u8(len(self.contributions)) + b"".join(one.encode() for one in self.contributions)

    def hash(self) -> Hash:
        """rh, which the hand key mixes in."""
        return H("roster", self.encode())

    def hashes(self) -> bytes:
        """The list that was signed between the steps, as this roster has it."""
        return encode_hashes((one.seat, one.hash) for one in self.contributions)

    def check(self, th: bytes) -> None:
        """Raises ContributionRefused naming the first seat whose text or hash is not right."""
        for one in self.contributions:
            if one.nonce is None or one.text is None:
                continue
            try:
                check_text(one.text)
            except ContributionRefused as refused:
                raise ContributionRefused(refused.code, f"seat {one.seat}: {refused.words}") from refused
            if contribution_hash(th, one.seat, one.nonce, one.text) != one.hash:
                raise ContributionRefused(
                    RefusalCode.DOES_NOT_MATCH_HASH, f"seat {one.seat}: nonce and text do not give the seat's hash"
                )

    @classmethod
    def decode(cls, data: bytes) -> "Roster":
        reader = ByteReader(data, "the roster")
        contributions = tuple(_decode_contribution(reader) for _ in range(_player_count(reader, "the roster")))
        reader.end()
        return cls(contributions)

    def to_json(self) -> list[JsonObject]:
        return [contribution.to_json() for contribution in self.contributions]

    @classmethod
    def read(cls, fields: Fields, name: str = "contributions") -> "Roster":
        return cls(fields.objects(name, MAX_PLAYERS, Contribution.read))


def encode_hashes(entries: Iterable[tuple[int, Hash | None]]) -> bytes:
    """`hashes`: every player's K, or that there is none, in ascending seat order."""
    listed = tuple(entries)
    return u8(len(listed)) + b"".join(u8(seat) + u8(K is not None) + (K or NO_HASH) for seat, K in listed)


def decode_hashes(data: bytes) -> tuple[tuple[int, Hash | None], ...]:
    reader = ByteReader(data, "hashes")
    entries = tuple(_decode_hash_entry(reader) for _ in range(_player_count(reader, "hashes")))
    reader.end()
    _check_ascending([seat for seat, _ in entries], "hashes")
    return entries


class Step(StrEnum):
    """Which of the two windows is open."""

    HASHES = "hashes"
    REVEALS = "reveals"
    CLOSED = "closed"


class ContributionRound:
    """One hand's two steps. It has no clock: whoever owns one closes each step.

    Everything in it rebuilds from `to_json`, so a round survives a restart as far as it was stored.
    """

    def __init__(self, th: Hash, seats: Iterable[int]) -> None:
        self._th = th
        self._seats = tuple(sorted(set(seats)))
        self._step = Step.HASHES
        self._hashes: dict[int, Hash] = {}
        self._reveals: dict[int, tuple[bytes, bytes]] = {}

    @property
    def step(self) -> Step:
        return self._step

    @property
    def everyone_answered(self) -> bool:
        """Whether the open step has nothing left to wait for."""
        awaited = self._seats if self._step is Step.HASHES else tuple(self._hashes)
        answered = self._hashes if self._step is Step.HASHES else self._reveals
        return all(seat in answered for seat in awaited)

    def submit_hash(self, seat: int, K: bytes) -> bool:
        """Step A. True when K is news, False for a repeat of the same (answer it the same).

        Raises ContributionRefused for another K, a late one or one that is no hash.
        """
        self._check_player(seat)
        if len(K) != len(NO_HASH):
            raise ContributionRefused(RefusalCode.HASH_LENGTH, f"the hash has {len(K)} bytes: 32 are needed")
        standing = self._hashes.get(seat)
        if standing == K:
            return False
        if standing is not None:
            raise ContributionRefused(RefusalCode.ALREADY_GIVEN, "another hash of this seat stands: the first counts")
        if self._step is not Step.HASHES:
            raise ContributionRefused(RefusalCode.TOO_LATE, "the list of hashes is closed: this hand goes on without")
        self._hashes[seat] = Hash(K)
        return True

    def close_hashes(self) -> bytes:
        """End step A; returns the list to sign and send. Closing again gives the same list."""
        if self._step is Step.HASHES:
            self._step = Step.REVEALS
        return self.hashes

    @property
    def hashes(self) -> bytes:
        """The list as it stands; final once step A is closed."""
        return encode_hashes((seat, self._hashes.get(seat)) for seat in self._seats)

    def hash_of(self, seat: int) -> Hash | None:
        return self._hashes.get(seat)

    def reveal(self, seat: int, nonce: bytes, text: bytes) -> bool:
        """Step B. True when the reveal is news, False for a repeat of the same (answer it the same).

        Raises ContributionRefused when it is early, late, not allowed as text, or does not open the seat's hash.
        """
        self._check_player(seat)
        if self._step is Step.HASHES:
            raise ContributionRefused(
                RefusalCode.TOO_EARLY, "the list of hashes is still open: reveal after you hold it signed"
            )
        if self._reveals.get(seat) == (nonce, text):
            return False
        if seat in self._reveals:
            raise ContributionRefused(RefusalCode.ALREADY_GIVEN, "this seat has revealed already")
        if self._step is Step.CLOSED:
            raise ContributionRefused(RefusalCode.TOO_LATE, "the roster is closed: this contribution is withheld")
        standing = self._hashes.get(seat)
        if standing is None:
            raise ContributionRefused(RefusalCode.NO_HASH_GIVEN, "this seat gave no hash in time: nothing to reveal")
        if len(nonce) != NONCE_BYTES:
            raise ContributionRefused(
                RefusalCode.NONCE_LENGTH, f"the nonce has {len(nonce)} bytes: {NONCE_BYTES} are needed"
            )
        check_text(text)
        if contribution_hash(self._th, seat, nonce, text) != standing:
            raise ContributionRefused(
                RefusalCode.DOES_NOT_MATCH_HASH, "nonce and text do not give the hash that this seat sent"
            )
        self._reveals[seat] = (nonce, text)
        return True

    def close(self) -> Roster:
        """End step B, and step A if it is still open; returns the roster. Closing again gives the same."""
        self._step = Step.CLOSED
        return Roster(tuple(self._contribution(seat) for seat in self._seats))

    def close_unfinished(self) -> Roster:
        """The roster of a hand voided before its roster was closed: nobody counts as given (section 8)."""
        self._reveals.clear()
        return self.close()

    def to_json(self) -> JsonObject:
        """For storage beside the hand. It holds contributions not yet public: store, never log."""
        return {
            "terms_hash": self._th.hex(),
            "seats": list(self._seats),
            "step": self._step.value,
            "hashes": [{"seat": seat, "hash": K.hex()} for seat, K in sorted(self._hashes.items())],
            "reveals": [
                {"seat": seat, "nonce": nonce.hex(), "text_hex": text.hex()}
                for seat, (nonce, text) in sorted(self._reveals.items())
            ],
        }

    @classmethod
    def from_json(cls, value: object) -> "ContributionRound":
        """Rebuild a stored round through its own rules. Raises Malformed or ContributionRefused if it breaks them."""
        fields = Fields(value, "round")
        rebuilt = cls(fields.hash("terms_hash"), fields.integers("seats", MAX_PLAYERS, 0, MAX_PLAYERS - 1))
        for seat, K in fields.objects("hashes", MAX_PLAYERS, lambda f: (f.integer("seat", 0, 7), f.hash("hash"))):
            rebuilt.submit_hash(seat, K)
        step = _read_step(fields)
        if step is Step.HASHES:
            return rebuilt
        rebuilt.close_hashes()
        for seat, nonce, text in fields.objects("reveals", MAX_PLAYERS, _read_reveal):
            rebuilt.reveal(seat, nonce, text)
        if step is Step.CLOSED:
            rebuilt.close()
        return rebuilt

    def _check_player(self, seat: int) -> None:
        if seat not in self._seats:
            raise ContributionRefused(RefusalCode.NOT_A_PLAYER, f"seat {seat} plays no part in this hand")

    def _contribution(self, seat: int) -> Contribution:
        K = self._hashes.get(seat)
        if K is None:
            return Contribution(seat, Status.NONE)
        if seat not in self._reveals:
            return Contribution(seat, Status.WITHHELD, K)
        nonce, text = self._reveals[seat]
        return Contribution(seat, Status.GIVEN, K, nonce, text)


def _read_reveal(fields: Fields) -> tuple[int, bytes, bytes]:
    return fields.integer("seat", 0, MAX_PLAYERS - 1), fields.hex("nonce", NONCE_BYTES), fields.any_hex("text_hex")


def _read_step(fields: Fields) -> Step:
    word = fields.text("step")
    if word not in list(Step):
        raise fields.wrong("step", f"is {word[:40]!r}: allowed are {', '.join(Step)}")
    return Step(word)


def _is_control(code_point: int) -> bool:
    return code_point <= 0x1F or 0x7F <= code_point <= 0x9F


def _player_count(reader: ByteReader, what: str) -> int:
    count = reader.u8()
    if count > MAX_PLAYERS:
        raise Malformed(f"{what} lists {count} seats: at most {MAX_PLAYERS} play")
    return count


def _decode_contribution(reader: ByteReader) -> Contribution:
    seat, number = reader.u8(), reader.u8()
    K, nonce, text = reader.hash(), reader.take(NONCE_BYTES), reader.lp(MAX_TEXT_BYTES)
    status = Status.from_code(number)
    if status is Status.GIVEN:
        return Contribution(seat, status, K, nonce, text)
    if nonce != NO_HASH or text or (status is Status.NONE and K != NO_HASH):
        raise Malformed(f"the roster fills fields of seat {seat} that its status leaves empty")
    return Contribution(seat, status, None if status is Status.NONE else K)


def _decode_hash_entry(reader: ByteReader) -> tuple[int, Hash | None]:
    seat, has, K = reader.u8(), reader.u8(), reader.hash()
    if has > 1 or (not has and K != NO_HASH):
        raise Malformed(f"hashes has a malformed entry for seat {seat}")
    return seat, K if has else None


def _check_ascending(seats: list[int], what: str) -> None:
    if seats != sorted(set(seats)):
        raise Malformed(f"{what} does not list each seat once in ascending order")
