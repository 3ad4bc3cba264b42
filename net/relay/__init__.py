"""Tickets, and relays that nobody has to trust. See docs/protocols/relay.md."""
