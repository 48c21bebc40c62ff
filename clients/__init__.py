"""Programs that play at the house: they know the wire and what one seat may see."""
