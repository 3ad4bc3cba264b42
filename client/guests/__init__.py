"""Guests without an install: they come by telnet, and play in a program that their host has started for them."""
