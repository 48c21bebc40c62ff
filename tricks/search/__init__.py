"""What every card is worth when all cards lie open: `solver` asks, `search` answers."""
