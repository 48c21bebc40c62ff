"""Durable order of everything that happens at the tables, the log of all hands, and what is read back from both."""
