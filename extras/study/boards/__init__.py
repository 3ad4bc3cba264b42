"""Boards as a prover sees them: a class for each game with a theorem of its own."""
