"""Looking for players who play for each other: counted over history in the background, told in words with evidence."""
