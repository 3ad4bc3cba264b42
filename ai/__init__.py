"""Programs at the table, and the rules as a service for programs in any language."""

from quadrille.ai.bot import Bot, Clock, Number

__all__ = ["Bot", "Clock", "Number"]
