"""The public chain of a hand, and each seat's chain of what it alone was shown (FAIRNESS_SPEC section 8)."""

from collections.abc import Iterable
from dataclasses import dataclass

from fairness.encoding import H, Hash, lp, u8, u32
from fairness.event_codec import encode_event
from fairness.events import CARDS_DEALT, MAX_CARD, MAX_EVENTS, Event, RosterClosed, SeedRevealed, encode_cards
from fairness.json_form import Fields, JsonObject


def first_head(th: bytes, commitment: bytes) -> Hash:
    """h(-1), before any event."""
    return H("chain", th, commitment)


def chained(head: Hash, k: int, event: Event) -> Hash:
    """h(k), when h(k-1) is `head`."""
    return H("event", head, u32(k), lp(encode_event(event)))


class Transcript:
    """The events of one hand and the head after each; only grows."""

    def __init__(self, th: bytes, commitment: bytes, events: Iterable[Event] = ()) -> None:
        self._events: list[Event] = []
        self._heads = [first_head(th, commitment)]
        for event in events:
            self.append(event)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self._events)

    @property
    def heads(self) -> tuple[Hash, ...]:
        """h(-1), h(0), ...: one more than there are events."""
        return tuple(self._heads)

    @property
    def head(self) -> Hash:
        return self._heads[-1]

    @property
    def next_index(self) -> int:
        """k of the next event."""
        return len(self._events)

    @property
    def last_ms(self) -> int:
        """The newest event's time: no later one may be earlier. 0 before the first."""
        return self._events[-1].at_ms if self._events else 0

    def append(self, event: Event) -> Hash:
        """Add an event; returns its head h(k).

        Raises ValueError when the roster is not first, something follows the reveal, or time runs backwards.
        """
        if isinstance(event, RosterClosed) != (not self._events):
            raise ValueError("the roster is always event 0, and nothing else is")
        if self._events and isinstance(self._events[-1], SeedRevealed):
            raise ValueError("the reveal is always the last event")
        if event.at_ms < self.last_ms:
            raise ValueError(f"event {self.next_index} is at {event.at_ms}, before the one in front of it")
        head = chained(self.head, self.next_index, event)
        self._events.append(event)
        self._heads.append(head)
        return head


@dataclass(frozen=True, slots=True)
class Showing:
    """Cards that one seat alone was shown; k is the index of the public event that goes with it."""

    k: int
    cards: tuple[int, ...]

    def to_json(self) -> JsonObject:
        return {"k": self.k, "cards": list(self.cards)}

    @classmethod
    def read(cls, fields: Fields) -> "Showing":
        showing = cls(fields.integer("k", 0, MAX_EVENTS), fields.integers("cards", CARDS_DEALT, 0, MAX_CARD))
        fields.nothing_else()
        return showing


class SeatChain:
    """One seat's chain: at `dealt` the 13 cards as dealt, at each own `draw_stock` the one card."""

    def __init__(self, th: bytes, seat: int, player_id: bytes, showings: Iterable[Showing] = ()) -> None:
        self._showings: list[Showing] = []
        self._heads = [H("seat-chain", th, u8(seat), player_id)]
        for showing in showings:
            self.append(showing)

    @property
    def showings(self) -> tuple[Showing, ...]:
        return tuple(self._showings)

    @property
    def heads(self) -> tuple[Hash, ...]:
        """s(-1), s(0), ...: one more than there are showings."""
        return tuple(self._heads)

    @property
    def head(self) -> Hash:
        return self._heads[-1]

    def head_at(self, k: int) -> Hash:
        """The newest s when public event k had happened."""
        return self._heads[sum(showing.k <= k for showing in self._showings)]

    def append(self, showing: Showing) -> Hash:
        head = H("seat-event", self.head, u32(showing.k), encode_cards(showing.cards))
        self._showings.append(showing)
        self._heads.append(head)
        return head
