"""Dealing a pack in packets, round and round from a first seat."""

from collections.abc import Sequence

from tricks.cards import Card


def deal_packets(deck: Sequence[Card], first: int, seat_count: int, packets: Sequence[int]) -> list[list[Card]]:
    """The cards of each seat. packets: how many cards each seat gets in each round; deck: in the order of dealing."""
    hands: list[list[Card]] = [[] for _ in range(seat_count)]
    at = 0
    for packet in packets:
        for turn in range(seat_count):
            hands[(first + turn) % seat_count].extend(deck[at : at + packet])
            at += packet
    return hands
