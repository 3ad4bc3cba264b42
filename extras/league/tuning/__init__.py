"""Tuning: finds better values for the numbers that a bot declares, by games of the bot against itself.

`spsa.py` decides what to try, `tuning.py` plays each step as a small tournament, `lessons.py` is what survives kill -9.
"""
