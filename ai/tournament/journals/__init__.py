"""Journals of tournaments, their books of openings, and the proof of their deals."""
