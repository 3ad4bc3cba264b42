"""Scenes and labyrinths as people see them, in plain text and as data."""
