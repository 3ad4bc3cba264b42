"""Bots on their owners' machines, for a run and for an owner's program (docs/runners.md)."""
