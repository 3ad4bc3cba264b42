"""Tables that are offered, gather, and are open: the lobby. See protocols.md, "Gathering" and "Lobby"."""
