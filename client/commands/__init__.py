"""All commands of `quadrille`, and one module for each of ours, of the same name.

A package plugs in more of them by entry points of the group `quadrille.commands`: each names a `Subcommand`, or an
`Addition` to a command of ours.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple

from quadrille.client.lobby_rows import CommandRow
from quadrille.plugs import COMMANDS, beside, loaded

#: The groups of the first screen, by what one wants. A command with no group is in the whole list alone.
PLAY, NETWORK, RECORDS, PROGRAMS, MORE, NONE = range(6)
#: The refusal of a command that names no game.
WHICH_GAME: Final = "which game? quadrille rules lists them"


class Subcommand(NamedTuple):
    """A command of one word or two, and its line of help; `module` has DESCRIPTION, `arguments` and `run`.

    On the first screen it stands in a `group`, with `takes` after its name. A plugged command may also stand in the
    `lobby`, and name a module that brings `tickets` to the commands on the network (client/network/tickets.py).
    """

    help: str
    module: str = ""
    group: int = NONE
    takes: str = ""
    lobby: CommandRow | None = None
    tickets: str = ""

    def load(self, name: str) -> ModuleType:
        """Import its module; one of ours is named after the command."""
        return import_module(self.module or f"{__name__}.{name.replace('-', '_').replace(' ', '_')}")


class Addition(NamedTuple):
    """An addition of a package to a command of ours. `where` names it, as an entry point does; only that command loads
    it: `tournament` a `TournamentWay` (client/tournament/ways.py), `bot --serve` an `Engaging` (bot_seat.py).
    """

    command: str
    where: str


OURS: Final[Mapping[str, Subcommand]] = {
    "lobby": Subcommand("choose a game, find people, all on one screen"),
    "play": Subcommand("play against bots, or several at one keyboard", "", PLAY, "GAME"),
    "host": Subcommand("open a table on this network; --guests for phones", "", NETWORK, "GAME"),
    "evening": Subcommand("let guests come by phone, one game after another", "", NETWORK),
    "join": Subcommand("sit down at a table on the network", "", NETWORK, "[TABLE]"),
    "watch": Subcommand("look on at a game on the network, without a seat", "", NETWORK, "[TABLE]"),
    "who": Subcommand("list who is here, and which tables there are", "", NETWORK),
    "resume": Subcommand("continue a game that was left", "", NETWORK),
    "rules": Subcommand("list the games, or say how one goes", "", RECORDS, "[GAME]"),
    "replay": Subcommand("show your last game again, or a recorded one", "", RECORDS, "[FILE]"),
    "analyse": Subcommand("find the moves that lost a game", "", RECORDS, "[FILE]"),
    "picture": Subcommand("draw a position of a game, or its maze"),
    "verify": Subcommand("check the log or the record of a game"),
    "bot": Subcommand("write a bot, check it, bring it to a table", "", PROGRAMS, "..."),
    "bot new": Subcommand("write a bot to begin with"),
    "bot check": Subcommand("find the faults of a bot"),
    "bot bundle": Subcommand("put a game of a bot into one file"),
    "bot replay": Subcommand("run a bot on a bundled game again"),
    "tournament": Subcommand("let bots play for a ranking", "", PROGRAMS, "..."),
    "engine": Subcommand("serve the rules to programs, in lines of JSON"),
    "perft": Subcommand("count the sequences of moves of a game"),
    "doctor": Subcommand("find out why you can't see each other", "", NETWORK),
    "docs": Subcommand("show a guide, or a chapter of the protocols"),
    "completion": Subcommand("complete commands in your shell"),
    "help": Subcommand("show all about one command", "", MORE, "COMMAND"),
}


#: Words that people try, as other programs have them or as ours had them, and what does the same.
INSTEAD: Final[Mapping[str, str]] = {
    "new": "host", "replays": "replay", "tables": "who", "peers": "who", "games": "rules", "load": "play --load FILE",
    "--private": "--room NAME", "--watch": "quadrille watch",
}  # fmt: skip


@cache
def subcommands() -> Mapping[str, Subcommand]:
    """Return our commands, and those that are plugged in; these take no name of ours."""
    plugged = {name: subcommand for name, subcommand in loaded(COMMANDS).items() if isinstance(subcommand, Subcommand)}
    return {**OURS, **{name: subcommand for name, subcommand in plugged.items() if name not in OURS}}


@cache
def additions(command: str) -> tuple[Any, ...]:
    """Return what packages add to a command of ours."""
    return beside(COMMANDS, lambda row: row.where if isinstance(row, Addition) and row.command == command else "")


def command(words: list[str]) -> tuple[str, Subcommand] | None:
    """Return the command that the words begin with, by its name; None if there is none."""
    names = (" ".join(words[:2]), *words[:1])
    known = OURS if any(name in OURS for name in names) else subcommands()
    return next(((name, known[name]) for name in names if name in known), None)


def first_screen() -> str:
    """Return the most wanted commands, in groups of a line each."""
    rows: list[list[tuple[str, str]]] = [[("", "choose a game, find people            <- start here")], [], [], [], []]
    for name, subcommand in subcommands().items():
        if subcommand.group != NONE:
            rows[subcommand.group].append((f"{name} {subcommand.takes}".strip(), subcommand.help))
    rows[MORE].append(("help --all", "everything else"))
    return "\n\n".join("\n".join(map(line, group)) for group in rows)


def line(row: tuple[str, str]) -> str:
    """Return a row of help."""
    name, help = row
    return f"quadrille {name:17} {help}"
