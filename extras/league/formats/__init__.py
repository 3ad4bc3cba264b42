"""Rarer formats of tournaments (ai/tournament/schedules/formats.py)."""
