"""A whole house in memory that opens, plays and closes hands by the protocol: for tests, benchmarks and samples.

It takes every step that a real house takes, with randomness that a seed decides: the same seed gives the same hands,
byte for byte. That is why nothing here may ever deal to people.
"""

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from fairness import events as record
from fairness.commitment import commitment, new_server_seed
from fairness.contributions import ContributionRound, Roster, contribution_hash, text_from_str
from fairness.deck import hand_key
from fairness.encoding import Hash, Id
from fairness.hand_file import LogProof, SeatReceipt, hand_file
from fairness.json_form import JsonObject
from fairness.leaves import CloseLeaf, OpenLeaf
from fairness.merkle import Frontier, NodeName, StoredNodes, consistency_proof, inclusion_proof, leaf_hash
from fairness.receipts import CommitReceipt, ContributionReceipt, HashesReceipt, RevealReceipt, StateReceipt, TreeHead
from fairness.rehearsed_players import Mover
from fairness.replay import hand_setup, rules_map, showings, to_record
from fairness.signing import KeyRing, SigningKey
from fairness.terms import Terms
from fairness.transcript import SeatChain, Transcript
from rummy.actions import VoidReason
from rummy.events import Event, HandEnded, HandVoided, Outcome
from rummy.hand import apply, start
from rummy.rules import SEAT_COUNTS, TableRules

TEXTS: Final = ("", "kolkata", "আমার ভাগ্য", "🃏", "éé", " lead and trail ")
OPENED_MS: Final = 1_790_000_000_000
FIRST_DAY: Final = date(2026, 9, 1)


@dataclass(frozen=True, slots=True)
class RehearsedHand:
    """A finished hand. own: per seat, that player's own file, with every receipt."""

    terms: Terms
    events: tuple[record.Event, ...]
    public: JsonObject
    own: dict[int, JsonObject]


class RehearsedHouse:
    """One signing key, one log, and a clock that moves when something happens."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)  # noqa: S311 - rehearsals are to be repeatable
        self.key = SigningKey.generate(self.rng.randbytes, FIRST_DAY)
        self.leaves: list[bytes] = []
        self._frontier = Frontier()
        self._nodes: dict[NodeName, Hash] = {}
        self._now_ms = OPENED_MS

    @property
    def keys(self) -> KeyRing:
        return KeyRing((self.key.published,))

    @property
    def nodes(self) -> StoredNodes:
        return StoredNodes(self._nodes)

    def play(self, mover: Mover, rules: TableRules | None = None, players: int | None = None) -> RehearsedHand:
        """One hand to its end. rules: of a table of any size by default. players: how many sit; by default, some."""
        return self.play_by(self._terms(rules, players), mover)

    def play_by(self, terms: Terms, mover: Mover) -> RehearsedHand:
        """One hand to its end, by terms of the caller's."""
        hand = _OpenHand(self, terms)
        hand.close_roster()
        hand.play(mover)
        return hand.close()

    def void_before_deal(self, *, hashes_closed: bool) -> RehearsedHand:
        """A hand that ends while its players contribute: in the first step, or in the second."""
        hand = _OpenHand(self, self._terms(None, None))
        hand.stop_contributions(hashes_closed=hashes_closed)
        return hand.close()

    def tick(self) -> int:
        """A little later, in Unix milliseconds."""
        self._now_ms += self.rng.randint(1, 1_500)
        return self._now_ms

    def head(self) -> TreeHead:
        """The log as it is, signed now."""
        return TreeHead.sign(self.key, self._frontier.size, self._frontier.root(), self.tick())

    def append(self, leaf: OpenLeaf | CloseLeaf) -> int:
        """Add a leaf to the log; returns its index."""
        data = leaf.encode()
        self.leaves.append(data)
        for node in self._frontier.append(leaf_hash(data)):
            self._nodes[node.level, node.index] = node.hash
        return len(self.leaves) - 1

    def others_come_and_go(self) -> None:
        """Up to three hands of other tables, into the log and to their end."""
        for _ in range(self.rng.randrange(4)):
            hand_id, th = self.new_id(), Hash(self.rng.randbytes(32))
            server_seed = new_server_seed(self.rng.randbytes)
            self.append(OpenLeaf(hand_id, self.new_id(), 1, th, commitment(th, server_seed)))
            last_head = Hash(self.rng.randbytes(32))
            self.append(CloseLeaf(hand_id, record.Outcome.VOID, record.VoidReason.OPERATOR, server_seed, last_head))

    def _terms(self, rules: TableRules | None, players: int | None) -> Terms:
        rules = rules or TableRules(self.rng.choice(SEAT_COUNTS), reshuffles_allowed=self.rng.randint(0, 10))
        seats = self.rng.sample(range(rules.seat_count), players or self.rng.randint(2, rules.seat_count))
        return Terms(
            hand_id=self.new_id(),
            table_id=self.new_id(),
            hand_no=1,
            seats=rules.seat_count,
            decks=rules.decks,
            dealer=self.rng.randrange(rules.seat_count),
            rate=self.rng.choice((1, 25, 100, 999)),
            commission_bp=self.rng.choice((0, 333, 500, 1000)),
            rules=rules_map(rules),
            opened_ms=self.tick(),
            players=tuple((seat, self.new_id()) for seat in sorted(seats)),
        )

    def new_id(self) -> Id:
        return Id(self.rng.randbytes(16))


class _OpenHand:
    """A hand from its commitment to its close leaf."""

    def __init__(self, house: RehearsedHouse, terms: Terms) -> None:
        self._house = house
        self._terms = terms
        self._seed = new_server_seed(house.rng.randbytes)
        self._th = terms.hash()
        self._commitment = commitment(self._th, self._seed)
        self._commit_receipt = self._sign_commitment()
        self._hashes_receipt: HashesReceipt | None = None
        self._receipts: list[SeatReceipt] = []
        self._transcript = Transcript(self._th, self._commitment)

    def close_roster(self) -> None:
        """Both steps of the contributions; most players give theirs, some withhold it, some say nothing."""
        self._record_roster(self._contribute(hashes_closed=True).close())

    def stop_contributions(self, *, hashes_closed: bool) -> None:
        """A void in the middle of the contributions."""
        self._record_roster(self._contribute(hashes_closed=hashes_closed).close_unfinished())
        reason = HandVoided(VoidReason.NOT_ENOUGH_PLAYERS)
        self._record((reason, HandEnded(Outcome.VOID, None, tuple((seat, 0) for seat in self._terms.occupied))))

    def play(self, mover: Mover) -> None:
        roster_hash = self._roster.hash()
        state, events = start(hand_setup(self._terms, hand_key(self._seed, self._th, roster_hash)))
        self._record(events)
        while not state.is_over:
            state, events = apply(state, mover(state, self._house.rng))
            self._record(events)

    def close(self) -> RehearsedHand:
        house, terms = self._house, self._terms
        self._transcript.append(record.SeedRevealed(house.tick(), self._seed))
        proof = self._close_in_log()
        self._sign_states()

        def file(receipts: list[SeatReceipt]) -> JsonObject:
            return hand_file(
                terms=terms,
                events=self._transcript.events,
                commit_receipt=self._commit_receipt,
                hashes_receipt=self._hashes_receipt,
                log=proof,
                keys=house.keys,
                receipts=receipts,
            )

        own = {seat: file([one for one in self._receipts if one.seat == seat]) for seat in terms.occupied}
        return RehearsedHand(terms, self._transcript.events, file([]), own)

    @property
    def _roster(self) -> Roster:
        first = self._transcript.events[0]
        assert isinstance(first, record.RosterClosed), "the roster is always event 0"
        return first.roster

    def _sign_commitment(self) -> CommitReceipt:
        terms, house = self._terms, self._house
        house.others_come_and_go()
        index = house.append(OpenLeaf(terms.hand_id, terms.table_id, terms.hand_no, self._th, self._commitment))
        head = house.head()
        return CommitReceipt.sign(
            house.key,
            self._th,
            self._commitment,
            leaf_index=index,
            tree_size=head.tree_size,
            root=head.root,
            inclusion=inclusion_proof(index, head.tree_size, house.nodes),
            at_ms=house.tick(),
        )

    def _contribute(self, *, hashes_closed: bool) -> ContributionRound:
        house, rng, th = self._house, self._house.rng, self._th
        contributions = ContributionRound(th, self._terms.occupied)
        opened: dict[int, tuple[bytes, bytes]] = {}
        for seat in self._terms.occupied:
            if rng.random() < 0.8:
                nonce, text = rng.randbytes(32), text_from_str(rng.choice(TEXTS))
                hashed = contribution_hash(th, seat, nonce, text)
                contributions.submit_hash(seat, hashed)
                opened[seat] = nonce, text
                self._receipts.append(ContributionReceipt.sign(house.key, th, seat, hashed, house.tick()))
        if not hashes_closed:
            return contributions
        self._hashes_receipt = HashesReceipt.sign(house.key, th, contributions.close_hashes(), house.tick())
        for seat, (nonce, text) in opened.items():
            if rng.random() < 0.8:
                contributions.reveal(seat, nonce, text)
                hashed = contribution_hash(th, seat, nonce, text)
                self._receipts.append(RevealReceipt.sign(house.key, th, seat, hashed, house.tick()))
        return contributions

    def _record_roster(self, roster: Roster) -> None:
        self._transcript.append(record.RosterClosed(self._house.tick(), roster))

    def _record(self, events: tuple[Event, ...]) -> None:
        """Events of one action happen at one time."""
        at_ms = self._house.tick()
        for event in events:
            self._transcript.append(to_record(event, at_ms, self._terms))

    def _close_in_log(self) -> LogProof:
        house, receipt = self._house, self._commit_receipt
        settle = self._transcript.events[-2]
        assert isinstance(settle, record.Settled), "a hand settles before it reveals"
        reasons = [event.reason for event in self._transcript.events if isinstance(event, record.Voided)]
        reason = reasons[0] if reasons else None
        house.others_come_and_go()
        index = house.append(CloseLeaf(self._terms.hand_id, settle.outcome, reason, self._seed, self._transcript.head))
        house.others_come_and_go()
        head = house.head()
        return LogProof(
            index,
            head,
            receipt.tree_size,
            consistency_proof(receipt.tree_size, head.tree_size, house.nodes),
            inclusion_proof(index, head.tree_size, house.nodes),
        )

    def _sign_states(self) -> None:
        """To each seat: after the deal, after each of its own actions, at the end."""
        events = self._transcript.events
        shown = showings(self._terms, hand_key(self._seed, self._th, self._roster.hash()), events)
        for seat, player_id in self._terms.players:
            chain = SeatChain(self._th, seat, player_id, shown[seat])
            for k, event in enumerate(events):
                if isinstance(event, record.Dealt | record.SeedRevealed) or record.event_seat(event) == seat:
                    self._receipts.append(
                        StateReceipt.sign(
                            self._house.key,
                            self._th,
                            k=k,
                            head=self._transcript.heads[k + 1],
                            seat=seat,
                            seat_head=chain.head_at(k),
                            at_ms=event.at_ms,
                        )
                    )
