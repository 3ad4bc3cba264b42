"""Tickets, and relays that nobody has to trust. See extras/far/docs/relay.md."""
