"""Tests of tournaments: of their schedules and of what is made of results."""
