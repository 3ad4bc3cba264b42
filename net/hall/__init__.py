"""Peers that are there and tables that they offer, known without a link to each. See docs/protocols/hall.md."""
