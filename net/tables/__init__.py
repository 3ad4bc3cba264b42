"""A table at play: log exchange, motions, duties of cards. See docs/protocols/play.md."""
