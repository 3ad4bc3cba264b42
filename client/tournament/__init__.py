"""Tournaments as a person sees them: progress while they run, tables, and a report that is one page.

See quadrille.ai.tournament for plans, play and statistics.
"""
