"""Bots at a table: a program and the dialogue with it, a game between bots, notes of games."""
