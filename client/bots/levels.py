"""The sentences that begin a table with strong bots: what a plugged bot says of itself, and who thinks by the clock."""

from collections.abc import Iterable
from typing import Any

from quadrille.ai.house import LEVELS, BrokenPlug, kind_at, plug_of
from quadrille.client.bots.names import bot_of
from quadrille.rules.core import State
from quadrille.rules.native.compiled import advice


def level_text(bots: Iterable[str], state: State[Any, Any]) -> str:
    """Return what the plugged bots of a table say of themselves; "" if there are none. A table on the network knows
    them by their kinds: `level 6 of Ann`.
    """
    return " ".join(filter(None, (_told(bot, state) for bot in dict.fromkeys(map(bot_of, bots)))))


def pace_text(bots: Iterable[str]) -> str:
    """Return that strong bots think by the clock, and how to make them faster if they can be; "" if none is here."""
    timed = any(bot.isdigit() and bot >= LEVELS[-1] for bot in bots)
    return f"From level {LEVELS[-1]} on, bots think by the clock. {advice()}".strip() if timed else ""


def _told(bot: str, state: State[Any, Any]) -> str:
    """Return what a bot says of itself, or why it can't; other bots say nothing."""
    if (plug := plug_of(bot)) is None:
        return ""
    try:
        return kind_at(plug).about(state)
    except BrokenPlug as error:
        return f"{error}."
    except Exception as error:  # noqa: BLE001 - a stranger's class may do anything
        return f"{plug.broken(f'{type(error).__name__}: {error}')}."
