"""Guests without an installation: they connect by telnet, and play in a program that their host has started."""
