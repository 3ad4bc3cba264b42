"""Tournaments as a person sees them: progress while they run, tables, and a report that is one page.

What a tournament is, how it is played and what its results say stands in quadrille.ai.tournament.
"""
