"""Machinery for compiled boards: whether there are any, and how their fields are read."""
