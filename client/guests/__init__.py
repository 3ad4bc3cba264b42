"""Guests who have installed nothing: they come by telnet, and play in a program that their host has started."""
