"""The Python client: one signed-in player, any number of tables."""
