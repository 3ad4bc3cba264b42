"""Lessons and puzzles on the screen."""
