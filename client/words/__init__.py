"""Sentences about tables, made from notices, for all faces."""
