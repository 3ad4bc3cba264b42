"""Signed entries, their bodies, and the messages that carry them. See docs/protocols/tables.md, "Messages", and
docs/protocols/log.md, "The log".
"""
