"""Offered, gathering and open tables: the lobby. See protocols.md, "Gathering" and "Lobby"."""
