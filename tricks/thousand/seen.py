"""What one seat knows of a deal of Thousand, and of the game it belongs to: all that a player there may think with."""

from collections.abc import Sequence
from dataclasses import dataclass

from tricks.cards import PACK_24, Card, Rank, Suit, card_of, rank_of, suit_of
from tricks.duties import Choice
from tricks.knowledge import Played, SeenPlay, excluded, history, seen_by
from tricks.moves import PlayCard
from tricks.thousand.bookkeeping import PlayerScore
from tricks.thousand.deal import Action, Phase, State, auction_calls, gifts
from tricks.thousand.following import choice, ranking
from tricks.thousand.match import Match
from tricks.thousand.scoring import SEATS, Declaration
from tricks.tricks import Ranking


@dataclass(frozen=True, slots=True)
class OwnGifts:
    """The gifts that a seat knows of. got: what an opponent got. gave: the declarer's two, the next seat's first."""

    got: Card | None = None
    gave: tuple[Card, Card] | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """phase, caller, bid, bids, passed, declarer, declared: as in State. players: the scores before this deal.

    play: during the auction nobody holds the prikup, and all of its cards are unseen. prikup: shown to all once there
    is a declarer; nothing before that.
    """

    dealer: int
    phase: Phase
    play: SeenPlay
    caller: int
    bid: int | None
    bids: tuple[int | None, ...]
    passed: frozenset[int]
    declarer: int | None
    prikup: tuple[Card, ...]
    gifts: OwnGifts
    declared: tuple[Declaration, ...]
    players: tuple[PlayerScore, ...]

    @property
    def seat(self) -> int:
        return self.play.seat

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.play.hand

    @property
    def is_declarer(self) -> bool:
        return self.seat == self.declarer

    @property
    def trump(self) -> Suit | None:
        """In force when the next card is played; a lead may yet declare another."""
        return self.declared[-1].suit if self.declared else None

    @property
    def ranking(self) -> Ranking:
        return ranking(self.trump)

    @property
    def playable(self) -> Choice:
        """What the seat may play when it is on turn, once the gifts are made."""
        return choice(self.trump, self.hand, self.play.trick)

    @property
    def options(self) -> tuple[Action, ...]:
        """What the seat may do when it is on turn. Of the gifts only the auction's bid is listed; it may be raised."""
        match self.phase:
            case Phase.BIDDING:
                return auction_calls(self.hand, self.bid)
            case Phase.GIVING:
                assert self.bid is not None, "a declarer has bid"
                return gifts(self.hand, self.bid)
            case Phase.PLAYING:
                return tuple(PlayCard(card) for card in self.playable.cards)
            case Phase.OVER:
                return ()

    @property
    def unseen(self) -> tuple[Card, ...]:
        return self.play.unseen(PACK_24)

    def trump_of(self, trick_index: int) -> Suit | None:
        """What was trump in the trick of this index, from 0."""
        before = [declared.suit for declared in self.declared if declared.trick <= trick_index + 1]
        return before[-1] if before else None

    def excluded(self) -> tuple[frozenset[Card], ...]:
        """By seat, which of the unseen cards it is known not to hold: duties, marriages declared or not, own gifts.

        Meaningful once the gifts are made.
        """
        unseen = self.unseen
        shown = [set(cards) for cards in excluded(self.play, unseen, self._could_play)]
        for card, holder in self._known_holders():
            for seat in range(SEATS):
                if seat != holder and card in unseen:
                    shown[seat].add(card)
        for card, seat in self._known_missing():
            shown[seat].add(card)
        return tuple(map(frozenset, shown))

    def _could_play(self, hand: tuple[Card, ...], at: Played) -> Choice:
        return choice(self.trump_of(at.trick_index), hand, at.upon)

    def _known_holders(self) -> Sequence[tuple[Card, int]]:
        """Cards that a seat was seen to have: the gifts that the own seat made, and the other half of a marriage."""
        known: list[tuple[Card, int]] = []
        if self.gifts.gave is not None:
            known += [(card, (self.seat + 1 + place) % SEATS) for place, card in enumerate(self.gifts.gave)]
        for declared in self.declared:
            known += [(card_of(rank, declared.suit), declared.seat) for rank in (Rank.KING, Rank.QUEEN)]
        return known

    def _known_missing(self) -> Sequence[tuple[Card, int]]:
        """Who led a king or queen after a trick won and declared nothing did not hold the other one."""
        declared_in = {declared.trick for declared in self.declared}
        missing: list[tuple[Card, int]] = []
        for played in history(self.play):
            is_silent = not played.upon and played.trick_index > 0 and played.trick_index + 1 not in declared_in
            if is_silent and rank_of(played.card) in (Rank.KING, Rank.QUEEN):
                other = Rank.QUEEN if rank_of(played.card) is Rank.KING else Rank.KING
                missing.append((card_of(other, suit_of(played.card)), played.seat))
        return missing


def seen_from(match: Match, state: State, seat: int) -> Seen:
    """What the seat knows of a deal of that game."""
    return Seen(
        dealer=state.setup.dealer,
        phase=state.phase,
        play=seen_by(state.play, seat),
        caller=state.caller,
        bid=state.bid,
        bids=state.bids,
        passed=state.passed,
        declarer=state.declarer,
        prikup=() if state.declarer is None else tuple(sorted(state.setup.prikup)),
        gifts=_own_gifts(state, seat),
        declared=state.declared,
        players=match.players,
    )


def _own_gifts(state: State, seat: int) -> OwnGifts:
    if state.given is None:
        return OwnGifts()
    if seat == state.given.seat:
        return OwnGifts(gave=(state.given.to_next, state.given.to_last))
    return OwnGifts(got=state.given.to_next if seat == (state.given.seat + 1) % SEATS else state.given.to_last)
