"""Signed entries, their bodies, and the messages that carry them. See protocols.md, "Messages" and "The log"."""
