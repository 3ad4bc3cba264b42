"""Programs at the table, and the rules as a service for programs in any language."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quadrille.ai.bot import Bot, Clock, Number

__all__ = ["Bot", "Clock", "Number"]


def __getattr__(name: str) -> object:
    """Import the rules only for a program that writes a bot: help and completion need only our names."""
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no {name}")
    from quadrille.ai import bot

    return getattr(bot, name)
