"""Klaverjas: two pairs, 32 cards, eight tricks, with Amsterdam or Rotterdam rules.

Seats run clockwise from 0; seat % 2 is the pair. Source: the house's rules of Klaverjas.
"""
