"""The sentences of lessons and puzzles."""
