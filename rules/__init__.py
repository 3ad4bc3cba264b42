"""The rules of the games: pure and deterministic, without clock, socket or random numbers. Start at core/."""

from quadrille.rules.native.compiled import choose

choose()
