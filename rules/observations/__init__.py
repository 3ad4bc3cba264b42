"""Observations of boards: the kinds of their planes, and the rows of numbers that boards paint them on."""
