"""Offered, gathering and open tables: the lobby. See docs/protocols/gathering.md, "Lobby"."""
