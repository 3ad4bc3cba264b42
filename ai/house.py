"""The names of bots: a built-in kind, with a level or without (`mcts:3`), a level alone, `1` to `5`, or a name that a
package plugs in.

An entry point of `quadrille.bots` names a `Bot` class (ai/bot.py), such as a level above 5, or `clever@acme`. Nothing
heavy is imported here, because help and completion need the names. The built-in bots are in ai/opponents.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Final

from quadrille.plugs import OURS, Plug, plugs, tell_broken
from quadrille.plugs import BrokenPlug as BrokenPlug

if TYPE_CHECKING:
    from quadrille.ai.bot import Bot

#: The kinds, weakest first, and the levels.
KINDS: Final = ("random", "greedy", "alphabeta", "mcts", "ismcts", "solver")
LEVELS: Final = ("1", "2", "3", "4", "5")
#: Minimum similarity (0 to 1) at which another name counts as the one that was meant.
NEAR: Final = 0.7
#: An archive of a bot's folder: the bot's name, and the suffix.
ARCHIVE: Final = re.compile(r"(.+?)(?:\.zip|\.tar|\.tar\.gz|\.tgz)", re.IGNORECASE)
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
_ENDED: Final = re.compile(rf"{_NAME.pattern}(@[a-z0-9-]+)?")


def split_file(bot: str) -> tuple[str, str]:
    """Return the file of a kit's bot and the optional name of its class; empty for a built-in bot."""
    if bot.endswith(".py"):
        return bot, ""
    path, _, name = bot.rpartition(".py:")
    return (f"{path}.py", name) if path else ("", "")


def is_of_house(bot: str) -> bool:
    """Return whether a name is that of a built-in or plugged bot."""
    return is_built_in(bot) or plug_of(bot) is not None


def is_built_in(bot: str) -> bool:
    """Return whether a name is that of one of our bots, in any installation."""
    kind, colon, level = bot.partition(":")
    return (kind in KINDS and (level in LEVELS or not colon)) or (kind in LEVELS and not colon)


def plug_of(bot: str) -> Plug | None:
    """Return where a plugged bot is. Entry points are read only for a name that could be one."""
    return plugged().get(bot) if not is_built_in(bot) and _ENDED.fullmatch(bot) else None


@cache
def plugged() -> Mapping[str, Plug]:
    """Return the plugged bots by name, ours first, without those of strange names."""
    plugs_by_name = {}
    for name, plug in sorted(plugs("quadrille.bots").items(), key=lambda row: (row[1].package != OURS, row[0])):
        if _NAME.fullmatch(plug.name) and not is_built_in(name):
            plugs_by_name[name] = plug
        else:
            tell_broken(plug.broken("the name of a bot is in small letters, digits and dashes"))
    return plugs_by_name


def levels() -> tuple[str, ...]:
    """Return all levels, those above ours as well."""
    return (*LEVELS, *(name for name in plugged() if name.isdigit()))


def listed() -> tuple[str, ...]:
    """Return all names for a list: levels, kinds, and what is plugged in."""
    return (*levels(), *KINDS, *(name for name in plugged() if not name.isdigit()))


def kind_at(plug: Plug) -> "type[Bot]":
    """Load the class of a plugged bot; a `BrokenPlug` says why there is none."""
    from quadrille.ai.bot import Bot

    kind = plug.load()
    if not isinstance(kind, type) or not issubclass(kind, Bot):
        raise plug.broken("its entry point is no class that is a Bot")
    if kind.__abstractmethods__:
        raise plug.broken("its class has no method choose(self, view, clock, rng)")
    return kind


def meant(bot: str) -> str:
    """Return the built-in bot that was perhaps meant, with its level if that exists; "" if no name is similar."""
    kind, _, level = bot.strip().lower().partition(":")
    near = get_close_matches(kind, KINDS, 1, NEAR)
    return f"{near[0]}:{level}" if near and level in LEVELS else near[0] if near else ""
