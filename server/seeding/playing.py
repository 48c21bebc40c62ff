"""One hand, really played by the rules from a seed of its own, as the journal wants it. Runs in worker processes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, Final

from fairness.commitment import commitment
from fairness.contributions import ContributionRound, contribution_hash
from fairness.deck import hand_key
from fairness.encoding import H, Hash, Id, lp, u32
from fairness.event_codec import encode_event
from fairness.events import Event, RosterClosed, SeedRevealed, Settled, Voided
from fairness.receipts import HashesReceipt
from fairness.replay import hand_setup, rules_map, to_record
from fairness.signing import SigningKeys
from fairness.terms import Terms
from fairness.transcript import first_head
from rummy.actions import Action, Declare, Discard, DrawFromStock, Timeout
from rummy.events import Event as GameEvent
from rummy.hand import apply, start
from rummy.random_play import Temper, random_action
from rummy.refusals import legal_discards
from rummy.rules import TableRules
from rummy.solver import best_discard
from rummy.state import HandState, Phase

SEEDS_MS: Final = 4_000
"""From the opening of a hand to its deal."""
THINK_MS: Final = (900, 9_000)
TURN_MS: Final = 30_000
CONTRIBUTES: Final = 0.93


class Style(StrEnum):
    """How the players of a hand play: most hands of a history are short, some go to a declaration."""

    BRISK = "brisk"
    THRIFTY = "thrifty"


_BRISK: Final = Temper(
    drop=0.3, leave=0.006, time_out=0.02, void=0.0006, take_from_pile=0.3, look_for_declare=0.0, rash_declare=0.015
)


@dataclass(frozen=True, slots=True)
class HandPlan:
    """Who plays a hand, where, when and for what. players: (seat, player id), ascending. Ids are 16 bytes."""

    seed: int
    hand_id: bytes
    table_id: bytes
    hand_no: int
    seat_count: int
    dealer: int
    rate: int
    commission_bp: int
    opened_ms: int
    players: tuple[tuple[int, bytes], ...]
    asset: str
    style: Style

    def terms(self) -> Terms:
        rules = TableRules(self.seat_count)
        return Terms(
            hand_id=Id(self.hand_id),
            table_id=Id(self.table_id),
            hand_no=self.hand_no,
            seats=rules.seat_count,
            decks=rules.decks,
            dealer=self.dealer,
            rate=self.rate,
            commission_bp=self.commission_bp,
            rules=rules_map(rules),
            opened_ms=self.opened_ms,
            players=tuple((seat, Id(player_id)) for seat, player_id in self.players),
        )


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """contributions: seat, hash, nonce, text. events: k, bytes, head. closed_ms: of its last event."""

    plan: HandPlan
    commitment: bytes
    server_seed: bytes = field(repr=False)
    hashes_receipt: Mapping[str, Any]
    contributions: tuple[tuple[int, bytes, bytes, bytes], ...] = field(repr=False)
    events: tuple[tuple[int, bytes, bytes], ...] = field(repr=False)
    settled: Settled
    void_reason: str | None
    closed_ms: int


Choose = Callable[[HandState, Sequence[GameEvent]], Action]
"""What the seat on turn does. It is given the hand, and what has happened since it was asked last."""


def play(plan: HandPlan, keys: SigningKeys, choose: Choose | None = None) -> PlayedHand:
    """The same plan gives the same cards, and the same moves if `choose` does; without one the plan's style decides."""
    rng = Random(plan.seed)  # noqa: S311 - nobody is dealt these cards
    terms = plan.terms()
    th = terms.hash()
    server_seed = rng.randbytes(32)
    promised = commitment(th, server_seed)
    contributions = ContributionRound(th, terms.occupied)
    given: dict[int, tuple[bytes, bytes, bytes]] = {}
    for seat in terms.occupied:
        if rng.random() < CONTRIBUTES:
            nonce, text = rng.randbytes(32), b""
            given[seat] = contribution_hash(th, seat, nonce, text), nonce, text
            contributions.submit_hash(seat, given[seat][0])
    now_ms = plan.opened_ms + SEEDS_MS
    receipt = HashesReceipt.sign(keys.at(now_ms), th, contributions.close_hashes(), now_ms)
    for seat, (_, nonce, text) in given.items():
        contributions.reveal(seat, nonce, text)
    roster = contributions.close()
    record = _Record(terms, promised)
    record.add(RosterClosed(now_ms, roster))
    state, events = start(hand_setup(terms, hand_key(server_seed, th, roster.hash())))
    record.add(*(to_record(event, now_ms, terms) for event in events))
    choose = choose or _by_style(plan.style, rng)
    while not state.is_over:
        action = choose(state, events)
        now_ms += TURN_MS if isinstance(action, Timeout) else rng.randint(*THINK_MS)
        state, events = apply(state, action)
        record.add(*(to_record(event, now_ms, terms) for event in events))
    record.add(SeedRevealed(now_ms, server_seed))
    settled = record.events[-2]
    assert isinstance(settled, Settled), "a hand settles before it reveals"
    return PlayedHand(
        plan,
        promised,
        server_seed,
        dict(receipt.to_json()),
        tuple((seat, *contribution) for seat, contribution in given.items()),
        tuple(record.rows),
        settled,
        next((event.reason.word for event in record.events if isinstance(event, Voided)), None),
        now_ms,
    )


class _Record:
    """The transcript as it grows, with its rows; each event is encoded once for both."""

    def __init__(self, terms: Terms, promised: Hash) -> None:
        self._head = first_head(terms.hash(), promised)
        self.rows: list[tuple[int, bytes, bytes]] = []
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        for event in events:
            data, k = encode_event(event), len(self.rows)
            self._head = H("event", self._head, u32(k), lp(data))
            self.rows.append((k, data, self._head))
            self.events.append(event)


def _by_style(style: Style, rng: Random) -> Choose:
    def choose(state: HandState, events: Sequence[GameEvent]) -> Action:
        return _thrifty(state, rng) if style is Style.THRIFTY else random_action(state, _BRISK, rng)

    return choose


def _thrifty(state: HandState, rng: Random) -> Action:
    """Draws from the stock, throws what leaves the fewest points, declares as soon as it can."""
    seat = state.turn_seat
    assert seat is not None, "the hand is not over"
    if state.phase is Phase.DRAW:
        return DrawFromStock(seat)
    option = best_discard(state.seat(seat).cards, state.wild_rank)
    if option.declares:
        return Declare(seat, option.card)
    legal = legal_discards(state, seat)
    return Discard(seat, option.card if option.card in legal else rng.choice(legal))
