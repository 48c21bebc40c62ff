"""What the journal raises besides the refusals of its port."""


class JournalConflict(Exception):
    """What was asked contradicts what is stored: a broken invariant of that table, and nothing was stored."""
