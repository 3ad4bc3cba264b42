"""Seats on phones: what the host hands out and shows, and the program that serves them."""
