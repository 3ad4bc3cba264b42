"""Tests of the floor that plays."""
