"""The log of a game as a pure function of its entries. See docs/protocols/log.md."""
