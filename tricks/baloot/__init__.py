"""Baloot: two pairs, 32 cards, eight tricks, Hokum (a trump suit) or Sun (none, and everything counts double).

Seats run anticlockwise from 0; seat % 2 is the pair. Source: the house's rules of Baloot.
"""
