"""Computer players: each knows what its seat may know, and answers with an action."""
