"""Checks of a bot by games with it, and its games in files, to be played again."""
