"""A history for a house that has none: hands really played and stored as the house stores them, to measure with."""
