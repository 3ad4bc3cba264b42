"""Signed entries, what is in them, and the messages that carry them. See protocols.md, "Messages" and "The log"."""
