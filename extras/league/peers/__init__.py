"""Bots on their owners' machines: what a run does to reach them, and what an owner's program does (docs/runners.md)."""
