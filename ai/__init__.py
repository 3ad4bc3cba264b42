"""Programs at the table, and the rules as a service for programs in any language."""

from quadrille.ai.bot import Bot, Clock

__all__ = ["Bot", "Clock"]
