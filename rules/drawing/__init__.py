"""Scenes and labyrinths for people, in plain text and as data."""
