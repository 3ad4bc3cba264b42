"""Sockets of members and of relays."""
