"""Trick-taking games as pure cores: what they share once, each game in a file that says only what differs."""
