"""Guests who have a phone's browser: they scan a code, sit down, and touch the board."""
