"""Automatically saved local games, in the home folder: unfinished ones, and the last finished ones."""
