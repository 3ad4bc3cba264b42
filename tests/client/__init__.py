"""Tests of the floor that people see."""
