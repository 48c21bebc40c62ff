"""What each player of one hand could know and when, worked out from the hand's file after its reveal."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from fairness.deck import hand_key
from fairness.events import RosterClosed
from fairness.hand_file import HandFile
from fairness.replay import showings
from tests.server.tables.test_no_leaks import numbers_that_may_be_cards, public_cards

TOKENS_ONLY = frozenset({"welcome", "balances"})
"""Who somebody is and what they have: no table is in it, and its numbers are tokens."""


class HandKnowledge:
    """Holds what was sent while the hand ran against the deck that is known by now."""

    def __init__(self, file: dict[str, Any]) -> None:
        hand = HandFile.from_json(file)
        first = hand.events[0]
        assert isinstance(first, RosterClosed)
        hk = hand_key(hand.server_seed, hand.terms.hash(), first.roster.hash())
        shown = showings(hand.terms, hk, hand.events)
        self._public = [(k, set(public_cards(event))) for k, event in enumerate(hand.events)]
        self._own = {
            str(UUID(bytes=player)): [(showing.k, set(showing.cards)) for showing in shown[seat]]
            for seat, player in hand.terms.players
        }
        self._seed = hand.server_seed.hex()

    def check_frames(self, player_id: str, texts: Iterable[str]) -> None:
        """No frame names a card before the event that showed it to this player or to all."""
        newest = -1
        for text in texts:
            assert self._seed not in text
            message = json.loads(text)
            if message["type"] in TOKENS_ONLY:
                continue
            newest = max([newest, *(event["k"] for event in message.get("events", ()))])
            known = set().union(*(cards for k, cards in [*self._public, *self._own[player_id]] if k <= newest), set())
            leaked = set(numbers_that_may_be_cards(message)) - known
            assert not leaked, f"{sorted(leaked)} in {text[:1500]}"

    def check_body(self, body: str) -> None:
        """A body over HTTP names no card and no seed of a hand that runs."""
        assert self._seed not in body
        assert '"cards"' not in body
