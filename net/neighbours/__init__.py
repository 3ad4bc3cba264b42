"""Neighbours on the network, and the owners of their links. No socket. See docs/protocols/discovery.md."""
