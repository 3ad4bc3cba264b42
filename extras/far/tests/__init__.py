"""Tests of tickets and relays."""
