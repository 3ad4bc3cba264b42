"""Sentences about network tables and the places before them, made from notices, for all faces."""
