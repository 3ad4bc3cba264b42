"""Weights that are learned from games: windows, evaluations, training and files (docs/protocols/learned.md)."""
