"""Coin Isolation: page.md has the rules for people, board.py decides them, game.py is the State and its texts."""
