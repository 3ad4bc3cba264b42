"""Neighbours on the network, and the owners of their links. No socket. See protocols.md, "Discovery"."""
