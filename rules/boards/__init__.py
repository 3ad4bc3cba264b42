"""The boards of the games: flat arrays of small integers (rules/board.py)."""
