"""A seventh game, and what is done with it."""
