"""The rules of the games: pure, deterministic, no clock, no socket, no randomness of their own. Start at core.py."""

from quadrille.rules.compiled import choose

choose()
