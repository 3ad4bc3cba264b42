"""The log of a game as a pure function of its entries. See protocols.md, "The log" to "Precedence"."""
