"""The table of an evening: points of games and bets (scores.py), their file (kept.py), a page to take home (page.py).

docs/protocols/phones.md, "The evening", says what counts.
"""
