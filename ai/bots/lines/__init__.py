"""The lines between a table and a bot: machines and values without processes. Three are compiled (build_engine.py)."""

from quadrille.rules.native import compiled  # noqa: F401 - before the first of them is imported
