"""Exact knowledge, and what players make of it: puzzles, lessons, openings, proofs and certificates (README.md)."""
