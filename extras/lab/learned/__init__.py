"""Weights that are learned from games: windows, evaluations, training and files (extras/lab/docs/learned.md)."""
