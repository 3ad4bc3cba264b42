"""Lessons as values: from own mistakes, and with the puzzle of a day. Pure: no file, no clock."""
