"""What a hand is bound to before anything random happens: game, money, people (FAIRNESS_SPEC section 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from fairness.encoding import JSON_INTEGER_LIMIT, ByteReader, H, Hash, Id, Malformed, as_id, lp, u8, u16, u64
from fairness.json_form import Fields, JsonObject

VERSION: Final = 1
DECKS_BY_SEATS: Final = MappingProxyType({4: 2, 6: 2, 8: 3})
MAX_COMMISSION_BP: Final = 10_000
MAX_RULES: Final = 64
MAX_RULE_BYTES: Final = 256


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one hand. Raises Malformed when a value is out of the protocol's range.

    hand_no: counts the hands of one table from 1 without gaps. rate: smallest token units per point.
    opened_ms: Unix milliseconds. players: (seat, player id) in ascending seat order, two or more.
    rules: the table's rule map with `format`; printable ASCII. It is bound by hash, so bytes alone do not carry it.
    """

    hand_id: Id
    table_id: Id
    hand_no: int
    seats: int
    decks: int
    dealer: int
    rate: int
    commission_bp: int
    rules: Mapping[str, str]
    opened_ms: int
    players: tuple[tuple[int, Id], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", MappingProxyType(dict(sorted(self.rules.items()))))
        as_id(self.hand_id, "hand_id")
        as_id(self.table_id, "table_id")
        _between("hand_no", self.hand_no, 1, JSON_INTEGER_LIMIT - 1)
        if self.seats not in DECKS_BY_SEATS:
            raise Malformed(f"seats is {self.seats}: a table has 4, 6 or 8")
        if self.decks != DECKS_BY_SEATS[self.seats]:
            raise Malformed(f"decks is {self.decks}: {self.seats} seats play with {DECKS_BY_SEATS[self.seats]}")
        _between("dealer", self.dealer, 0, self.seats - 1)
        _between("rate", self.rate, 0, JSON_INTEGER_LIMIT - 1)
        _between("commission_bp", self.commission_bp, 0, MAX_COMMISSION_BP)
        _between("opened_ms", self.opened_ms, 0, JSON_INTEGER_LIMIT - 1)
        _check_players(self.players, self.seats)
        _check_rules(self.rules)

    @property
    def occupied(self) -> tuple[int, ...]:
        """The players' seats, ascending."""
        return tuple(seat for seat, _ in self.players)

    def player_at(self, seat: int) -> Id:
        """Raises KeyError for a seat without a player."""
        return dict(self.players)[seat]

    def encode(self) -> bytes:
        return b"".join(
            (
                u8(VERSION),
                self.hand_id,
                self.table_id,
                u64(self.hand_no),
                u8(self.seats),
                u8(self.decks),
                u8(self.dealer),
                u64(self.rate),
                u16(self.commission_bp),
                rules_hash(self.rules),
                u64(self.opened_ms),
                u8(len(self.players)),
                *(u8(seat) + player_id for seat, player_id in self.players),
            )
        )

    def hash(self) -> Hash:
        """th, what commitment, contributions, chains and receipts are bound to."""
        return H("terms", self.encode())

    @classmethod
    def decode(cls, data: bytes, rules: Mapping[str, str]) -> "Terms":
        """Read encoded terms back; `rules` must be the map whose hash they carry."""
        reader = ByteReader(data, "terms")
        version = reader.u8()
        if version != VERSION:
            raise Malformed(f"terms have version {version}: this reads {VERSION}")
        hand_id, table_id, hand_no = reader.id(), reader.id(), reader.u64()
        seats, decks, dealer = reader.u8(), reader.u8(), reader.u8()
        rate, commission_bp = reader.u64(), reader.u16()
        bound_rules, opened_ms = reader.hash(), reader.u64()
        players = tuple((reader.u8(), reader.id()) for _ in range(reader.u8()))
        reader.end()
        terms = cls(hand_id, table_id, hand_no, seats, decks, dealer, rate, commission_bp, rules, opened_ms, players)
        if rules_hash(rules) != bound_rules:
            raise Malformed("terms are bound to other rules than the given ones")
        return terms

    def to_json(self) -> JsonObject:
        return {
            "hand_id": self.hand_id.hex(),
            "table_id": self.table_id.hex(),
            "hand_no": self.hand_no,
            "seats": self.seats,
            "decks": self.decks,
            "dealer": self.dealer,
            "rate": self.rate,
            "commission_bp": self.commission_bp,
            "rules": dict(self.rules),
            "opened_ms": self.opened_ms,
            "players": [{"seat": seat, "player_id": player_id.hex()} for seat, player_id in self.players],
        }

    @classmethod
    def from_json(cls, value: object, where: str = "terms") -> "Terms":
        return cls.read(Fields(value, where))

    @classmethod
    def read(cls, fields: Fields) -> "Terms":
        rules = fields.nested("rules")
        terms = cls(
            hand_id=fields.id("hand_id"),
            table_id=fields.id("table_id"),
            hand_no=fields.u64("hand_no"),
            seats=fields.integer("seats", 0, 255),
            decks=fields.integer("decks", 0, 255),
            dealer=fields.integer("dealer", 0, 255),
            rate=fields.u64("rate"),
            commission_bp=fields.integer("commission_bp", 0, MAX_COMMISSION_BP),
            rules={name: rules.text(name) for name in rules.names()},
            opened_ms=fields.u64("opened_ms"),
            players=fields.objects("players", 255, _read_player),
        )
        fields.nothing_else()
        return terms


def rules_bytes(rules: Mapping[str, str]) -> bytes:
    pairs = sorted((key.encode("ascii"), value.encode("ascii")) for key, value in rules.items())
    return u16(len(pairs)) + b"".join(lp(key) + lp(value) for key, value in pairs)


def rules_hash(rules: Mapping[str, str]) -> Hash:
    return H("rules", rules_bytes(rules))


def _read_player(fields: Fields) -> tuple[int, Id]:
    player = (fields.integer("seat", 0, 255), fields.id("player_id"))
    fields.nothing_else()
    return player


def _check_players(players: tuple[tuple[int, Id], ...], seats: int) -> None:
    numbers = [seat for seat, _ in players]
    if len(players) < 2:
        raise Malformed(f"players are {len(players)}: a hand needs at least 2")
    if numbers != sorted(set(numbers)):
        raise Malformed("players are not in ascending seat order, each seat once")
    if not all(0 <= seat < seats for seat in numbers):
        raise Malformed(f"players sit on seats {numbers}: this table has seats 0 to {seats - 1}")
    for seat, player_id in players:
        as_id(player_id, f"the player id of seat {seat}")


def _check_rules(rules: Mapping[str, str]) -> None:
    if len(rules) > MAX_RULES:
        raise Malformed(f"rules has {len(rules)} entries: at most {MAX_RULES} are allowed")
    for key, value in rules.items():
        for text in (key, value):
            if not all(" " <= character <= "~" for character in text):
                raise Malformed(f"rules: {text[:40]!r} is not printable ASCII")
            if len(text) > MAX_RULE_BYTES:
                raise Malformed(f"rules: {text[:40]!r}... has {len(text)} characters: at most {MAX_RULE_BYTES}")


def _between(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise Malformed(f"{name} is {value}: allowed are {low} to {high}")
