"""The table of an evening: points of games and bets (scores.py), which the store keeps (kept.py), and a page (page.py).

docs/protocols/phones.md, "The evening", says what counts.
"""
