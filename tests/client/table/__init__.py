"""Tests of tables as values, and of the faces that show them."""
