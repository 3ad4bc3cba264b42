"""A table at play: log exchange, motions, duties of cards. See protocols.md, "Play"."""
