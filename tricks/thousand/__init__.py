"""Thousand: three players, each for themselves, 24 cards, eight tricks after an auction for the prikup.

Seats run clockwise from 0. Source: the house's rules of Thousand.
"""
