"""Schedules, drawn block by block, and the secret that deals their games."""
