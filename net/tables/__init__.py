"""A table at play: keeping step, motions, duties of cards. See protocols.md, "Play"."""
