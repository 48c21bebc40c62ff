"""Formats over hands: what a hand's points mean. The hand does not know them (docs/formats.md)."""
