"""Checks of a bot by games with it, and recorded games to be replayed."""
