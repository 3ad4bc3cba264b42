"""Sentences about a table, made from notices, for all faces."""
