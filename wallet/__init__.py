"""Where tokens are: a double-entry ledger in PostgreSQL. Knows amounts, players and hands by id; knows no cards."""
