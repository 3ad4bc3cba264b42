"""The rules of the games: pure, deterministic, no clock, no socket, no randomness of their own. Start at core/."""

from quadrille.rules.native.compiled import choose

choose()
