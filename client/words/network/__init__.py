"""Sentences about tables on the network, and about what comes before one, made from notices, for all faces."""
