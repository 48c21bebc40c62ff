"""The steps V2 to V12 that a well-formed hand file goes through, each trusting only those before it.

Source: FAIRNESS_SPEC section 11. What each step covers, and under which step a fault is named when two could name it,
is written out in docs/fairness.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from fairness import events as record
from fairness.commitment import commitment
from fairness.contributions import ContributionRefused, Roster, Status
from fairness.deck import Deal, deal, deal_order, derive_deck, hand_key
from fairness.encoding import Hash
from fairness.hand_file import HandFile, SeatPart
from fairness.leaves import CloseLeaf, OpenLeaf
from fairness.match_terms import UnknownRules
from fairness.merkle import includes, is_consistent, leaf_hash
from fairness.replay import (
    game_events,
    hand_setup,
    is_dealt,
    settled,
    settlement_of,
    showings,
    table_rules,
)
from fairness.signing import KeyRing, NotSigned
from fairness.transcript import SeatChain, Transcript
from rummy import events as game
from rummy.replay import UnlawfulEvent, replay

GameEvent = game.Event | None


class Step(StrEnum):
    """The steps of a verification; the value is what a person reads beside the number."""

    V1 = "the file is well-formed"
    V2 = "the terms"
    V3 = "the promise and the seed"
    V4 = "the contributions"
    V5 = "deck and deal"
    V6 = "every move"
    V7 = "every reshuffle"
    V8 = "declares, shows and drops"
    V9 = "tokens and commission"
    V10 = "chains and receipts"
    V11 = "signatures"
    V12 = "the log"


class Mismatch(Exception):
    """Something in the file is not what it must be; the message is for people."""


@dataclass(frozen=True)
class HandUnderCheck:
    """One hand and what follows from it, worked out once. Every check returns words, or raises Mismatch."""

    file: HandFile
    house_keys: KeyRing | None

    def checks(self) -> tuple[tuple[Step, Callable[[], str]], ...]:
        """The steps in order. A later one may only run when the earlier ones have passed."""
        return (
            (Step.V2, self.check_terms),
            (Step.V3, self.check_promise),
            (Step.V4, self.check_contributions),
            (Step.V5, self.check_deal),
            (Step.V6, self.check_moves),
            (Step.V7, self.check_reshuffles),
            (Step.V8, self.check_points),
            (Step.V9, self.check_settlement),
            (Step.V10, self.check_chains),
            (Step.V11, self.check_signatures),
            (Step.V12, self.check_log),
        )

    @cached_property
    def th(self) -> Hash:
        return self.file.terms.hash()

    @cached_property
    def commitment(self) -> Hash:
        return commitment(self.th, self.file.server_seed)

    @cached_property
    def hand_key(self) -> Hash:
        return hand_key(self.file.server_seed, self.th, self.file.roster.hash())

    @cached_property
    def dealt(self) -> Deal:
        terms = self.file.terms
        order = deal_order(terms.seats, terms.dealer, terms.occupied)
        return deal(derive_deck(self.hand_key, terms.decks), order)

    @cached_property
    def is_dealt(self) -> bool:
        return is_dealt(self.file.events)

    @cached_property
    def transcript(self) -> Transcript:
        return Transcript(self.th, self.commitment, self.file.events)

    @cached_property
    def fault(self) -> tuple[Step, str] | None:
        """The first event that the rules do not give, and the step that it belongs to."""
        if not self.is_dealt:
            return None
        events = game_events(self.file.events)
        try:
            end = replay(hand_setup(self.file.terms, self.hand_key), events)
        except UnlawfulEvent as unlawful:
            found = events[unlawful.index] if unlawful.index < len(events) else None
            # The roster, event 0, is no event of the game.
            return _step_of(found, unlawful.expected), f"event {unlawful.index + 1}: {unlawful.words}"
        return None if end.is_over else (Step.V6, "the hand does not come to its end")

    def check_terms(self) -> str:
        if self.th != self.file.claimed_th:
            raise Mismatch(f"the terms hash to {self.th.hex()}, the file says {self.file.claimed_th.hex()}")
        return f"terms hash {self.th.hex()}"

    def check_promise(self) -> str:
        file = self.file
        if self.commitment != file.claimed_commitment:
            raise Mismatch(f"terms and seed give {self.commitment.hex()}, promised was {file.claimed_commitment.hex()}")
        for k, event in enumerate(file.events):
            if isinstance(event, record.SeedRevealed) and event.server_seed != file.server_seed:
                raise Mismatch(f"event {k} reveals another seed than the file's input")
        return f"commitment {self.commitment.hex()}"

    def check_contributions(self) -> str:
        roster = self.file.roster
        try:
            roster.check(self.th)
        except ContributionRefused as refused:
            raise Mismatch(refused.words) from refused
        first = self.file.events[0] if self.file.events else None
        if not isinstance(first, record.RosterClosed):
            raise Mismatch("event 0 is not the roster")
        if first.roster != roster:
            raise Mismatch("the roster of event 0 differs from the contributions of the file's input")
        self._check_signed_list(roster)
        given = sum(one.status is Status.GIVEN for one in roster.contributions)
        return f"{given} of {len(roster.contributions)} players contributed"

    def _check_signed_list(self, roster: Roster) -> None:
        receipt = self.file.hashes_receipt
        if receipt is None:
            # Without a signed list nobody may reveal, and no hand goes on to its deal.
            if self.is_dealt or any(one.status is Status.GIVEN for one in roster.contributions):
                raise Mismatch("the signed list of hashes is missing")
        elif receipt.hashes != roster.hashes():
            raise Mismatch("the signed list of hashes is not that of the roster")

    def check_deal(self) -> str:
        if not self.is_dealt:
            return "the hand was voided before the deal"
        for k, event in enumerate(self.file.events):
            if isinstance(event, record.WildTurned) and event.card != self.dealt.wild:
                raise Mismatch(f"event {k} turns up card {event.card}, the deck gives {self.dealt.wild}")
            if isinstance(event, record.PileOpened) and event.card != self.dealt.open:
                raise Mismatch(f"event {k} opens the pile with card {event.card}, the deck gives {self.dealt.open}")
        return f"{len(self.dealt.hands)} hands of 13, wild card {self.dealt.wild}, opener {self.dealt.open}"

    def check_moves(self) -> str:
        try:
            table_rules(self.file.terms)
        except UnknownRules as unknown:
            raise Mismatch(str(unknown)) from unknown
        _check_frame(self.file.events)
        if not self.is_dealt:
            _check_undealt(self.file.events)
        self._raise_fault(Step.V6)
        return f"{len(self.file.events)} events, each legal in its turn"

    def check_reshuffles(self) -> str:
        self._raise_fault(Step.V7)
        return f"{sum(isinstance(event, record.Reshuffled) for event in self.file.events)} reshuffles"

    def check_points(self) -> str:
        self._raise_fault(Step.V8)
        return "as the best arrangements and the rules give them"

    def _raise_fault(self, step: Step) -> None:
        if self.fault is not None and self.fault[0] is step:
            raise Mismatch(self.fault[1])

    def check_settlement(self) -> str:
        self._raise_fault(Step.V9)
        terms, found = self.file.terms, self.file.events[-2]
        assert isinstance(found, record.Settled), "V6 has checked the frame"
        (ended,) = game_events((found,))
        assert isinstance(ended, game.HandEnded), "a settle event is the end of a game"
        if tuple(line.seat for line in found.lines) != terms.occupied:
            raise Mismatch("the settlement does not list every player once, in seat order")
        if not self.is_dealt and (found.outcome, found.winner) != (record.Outcome.VOID, None):
            raise Mismatch("the hand was never dealt, yet somebody has won it")
        right = settled(ended, settlement_of(terms, ended), found.at_ms)
        for line, expected in zip(found.lines, right.lines, strict=True):
            if line != expected:
                raise Mismatch(
                    f"seat {line.seat} has {line.points} points and {line.delta} units: "
                    f"{expected.points} and {expected.delta} are right"
                )
        if (found.winner, found.commission) != (right.winner, right.commission):
            raise Mismatch(f"the commission is {found.commission} units: {right.commission} is right")
        return f"commission {found.commission} units, sum zero"

    def check_chains(self) -> str:
        if len(self.file.heads) != len(self.transcript.heads):
            raise Mismatch(f"there are {len(self.file.heads)} heads: {len(self.transcript.heads)} are needed")
        for index, (found, right) in enumerate(zip(self.file.heads, self.transcript.heads, strict=True)):
            if found != right:
                raise Mismatch(f"h({index - 1}) is {right.hex()}, the file says {found.hex()}")
        shown = showings(self.file.terms, self.hand_key, self.file.events)
        for seat, player_id in self.file.terms.players:
            part = self.file.seats[seat]
            chain = SeatChain(self.th, seat, player_id, shown[seat])
            if part.showings != chain.showings:
                raise Mismatch(f"seat {seat} was shown other cards than the file says")
            if part.heads != chain.heads:
                raise Mismatch(f"the private chain of seat {seat} has other heads than the file says")
            self._check_contribution_receipts(seat, part)
            self._check_state_receipts(chain, seat, part)
        return f"last head {self.transcript.head.hex()}"

    def _check_contribution_receipts(self, seat: int, part: SeatPart) -> None:
        line = next(one for one in self.file.roster.contributions if one.seat == seat)
        for accepted in (part.contribution_receipt, part.reveal_receipt):
            if accepted is not None and (accepted.seat, accepted.hash) != (seat, line.hash):
                raise Mismatch(f"seat {seat} holds a receipt for a hash that the roster does not have")
        # A hand voided before its roster was closed counts nobody as given, whatever was accepted by then.
        if part.reveal_receipt is not None and self.is_dealt and line.status is not Status.GIVEN:
            raise Mismatch(f"seat {seat} holds a receipt for a reveal that the roster calls {line.status.word}")

    def _check_state_receipts(self, chain: SeatChain, seat: int, part: SeatPart) -> None:
        for receipt in part.state_receipts:
            if receipt.k >= len(self.file.events):
                raise Mismatch(f"seat {seat} holds a receipt for event {receipt.k}, which the file does not have")
            right = (seat, self.transcript.heads[receipt.k + 1], chain.head_at(receipt.k))
            if (receipt.seat, receipt.head, receipt.seat_head) != right:
                raise Mismatch(f"seat {seat} holds a receipt for another history at event {receipt.k}")

    def check_signatures(self) -> str:
        self._check_key_list()
        signatures = self._signatures(self.house_keys or self.file.keys)
        for name, check in signatures:
            try:
                check()
            except NotSigned as wrong:
                raise Mismatch(f"{name}: {wrong}") from wrong
        whose = "the keys in the file: compare them with those that the house published"
        return f"{len(signatures)} signatures by {'published keys' if self.house_keys else whose}"

    def _check_key_list(self) -> None:
        for key in self.file.keys.keys:
            if not key.states_itself():
                raise Mismatch(f"the key {key.key_id.hex()} has not signed its days of validity")
            if self.house_keys is not None and key not in self.house_keys.keys:
                raise Mismatch(f"the key {key.key_id.hex()} is not as the house published it")

    def _signatures(self, ring: KeyRing) -> list[tuple[str, Callable[[], None]]]:
        file, th = self.file, self.th
        checks: list[tuple[str, Callable[[], None]]] = [
            ("commit receipt", lambda: file.commit_receipt.check(ring, th, self.commitment)),
            ("tree head", lambda: file.log.head.check(ring)),
        ]
        if file.hashes_receipt is not None:
            hashes_receipt = file.hashes_receipt
            checks.append(("hashes receipt", lambda: hashes_receipt.check(ring, th)))
        for seat, part in sorted(file.seats.items()):
            for receipt in part.receipts():
                name = f"{receipt.KIND} receipt of seat {seat}"
                checks.append((name, lambda receipt=receipt: receipt.check(ring, th)))  # type: ignore[misc]
        return checks

    def check_log(self) -> str:
        terms, receipt, log = self.file.terms, self.file.commit_receipt, self.file.log
        opened = OpenLeaf(terms.hand_id, terms.table_id, terms.hand_no, self.th, self.commitment)
        if not includes(
            leaf_hash(opened.encode()), receipt.leaf_index, receipt.tree_size, receipt.inclusion, receipt.root
        ):
            raise Mismatch("the open leaf is not in the tree of the commit receipt")
        if log.consistency_from != receipt.tree_size:
            raise Mismatch(f"the consistency proof starts from {log.consistency_from}, not {receipt.tree_size} leaves")
        if not is_consistent(receipt.tree_size, receipt.root, log.head.tree_size, log.head.root, log.consistency):
            raise Mismatch("the tree of the commit receipt is not the beginning of the later one")
        if log.close_index <= receipt.leaf_index:
            raise Mismatch("the close leaf stands before the open leaf")
        closed = leaf_hash(self._close_leaf().encode())
        if not includes(closed, log.close_index, log.head.tree_size, log.inclusion_close, log.head.root):
            raise Mismatch("the close leaf is not in the tree of the signed head")
        return f"leaves {receipt.leaf_index} and {log.close_index} of {log.head.tree_size}"

    def _close_leaf(self) -> CloseLeaf:
        end = self.file.events[-2]
        assert isinstance(end, record.Settled), "V6 has checked the frame"
        reason = next((event.reason for event in self.file.events if isinstance(event, record.Voided)), None)
        return CloseLeaf(self.file.terms.hand_id, end.outcome, reason, self.file.server_seed, self.transcript.head)


def _check_frame(events: Sequence[record.Event]) -> None:
    """Roster first, settle and reveal last, each once; time never runs backwards."""
    for kind, place in ((record.RosterClosed, 0), (record.Settled, len(events) - 2), (record.SeedRevealed, -1)):
        places = [k for k, event in enumerate(events) if isinstance(event, kind)]
        if places != [place % len(events)]:
            raise Mismatch(f"the event {kind.NAME} stands at {places}: once, at {place % len(events)}, is right")
    for k in range(1, len(events)):
        if events[k].at_ms < events[k - 1].at_ms:
            raise Mismatch(f"event {k} is earlier than the one before it")


def _check_undealt(events: Sequence[record.Event]) -> None:
    """A hand voided before the deal: roster, void, settle, reveal."""
    if len(events) != 4 or not isinstance(events[1], record.Voided):
        raise Mismatch("the hand was never dealt, yet it has more events than its void")
    if events[1].reason is record.VoidReason.STOCK_EXHAUSTED:
        raise Mismatch("the hand was never dealt, so its stock cannot have run out")


def _step_of(found: GameEvent, expected: GameEvent) -> Step:
    """The step that a fault belongs to. found: None when the record ends; expected: None when nothing legal fits."""
    if isinstance(found, game.StockReshuffled) or isinstance(expected, game.StockReshuffled):
        return Step.V7
    if isinstance(expected, game.Declared | game.Shown) or isinstance(found, game.Shown):
        return Step.V8
    if isinstance(expected, game.WentOut) and isinstance(found, game.WentOut):
        return Step.V8
    if isinstance(expected, game.HandEnded) and isinstance(found, game.HandEnded):
        return Step.V9
    return Step.V6
