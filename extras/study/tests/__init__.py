"""The tests of this extra."""
