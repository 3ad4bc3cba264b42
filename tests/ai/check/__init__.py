"""Tests of the check of bots, of what is kept of their games, and of bundles."""
