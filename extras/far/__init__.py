"""Friends in another town: tickets in words, and relays that nobody has to trust. See README.md."""
