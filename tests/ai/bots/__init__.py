"""Bots: what they are told, what they answer, what happens to those that break."""
