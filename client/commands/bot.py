"""`quadrille bot BOT`: a bot that sits down at tables of the network, as a program of its own."""

import argparse
from functools import partial
from typing import Final

from quadrille.client.bots.boxes import USUAL, add_isolate
from quadrille.client.bots.names import WordRefused, add_ways, bot_name
from quadrille.client.commands import OURS, additions
from quadrille.client.network.options import add_network, span
from quadrille.client.table_setup import whole, within
from quadrille.net.core.errors import LocalError
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

DESCRIPTION: Final = """Let a bot ask for a seat, play, and leave when the game is over. It has an identity of its own.

  quadrille bot mybot.py --join Ann               at Ann's table
  quadrille bot 4 --any barons                    at any open table of Barons
  quadrille bot --exec "./mybot --fast" --serve   wherever it is invited

quadrille docs first-bot: how to write one, in Python and in any language.

A bot written with the kit is a Python file with a class that is a Bot (from quadrille.ai import Bot). Any other program
speaks JSON lines (quadrille docs bots). A bot gets only what its seat may see. A built-in one plays in this program.
Any other is a program of its own, on Linux in a box: it sees its own files, no network and no other program. On other
systems, and with --isolate none, it runs with your rights: let no stranger's bot play there (quadrille docs isolation).

A bot that was killed in the middle of a game resumes it, if that is the table it should sit at. With --serve it plays
in the tournaments of everybody who names its key, and reports them. `quadrille bot check` finds a bot's faults."""
#: The options of the first page of its help.
FIRST: Final = (
    "--join", "--any", "--serve", "--stay", "--exec", "--limit", "--isolate", "--patience", "--games", "--opponents",
    "--name", "--room",
)  # fmt: skip
#: Names of the limits of a program.
LIMITS: Final = ("memory", "cpu", "processes")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_bot(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--join", metavar="TABLE", help="the first digits of the table's number, or the name of its host"
    )
    where.add_argument("--any", metavar="GAME", help="any open table of that game")
    where.add_argument("--serve", action="store_true", help="stay, and accept every invitation")
    parser.add_argument("--stay", action="store_true", help="stay for the next game")
    _add_policy(parser)
    parser.add_argument("--identity", metavar="ID", help="the identity to use (default: the one of its name)")
    parser.add_argument("--until-eof", action="store_true", help="leave when standard input ends, as a host's bots do")
    add_network(parser)


def add_bot(parser: argparse.ArgumentParser, what: str = "a move", seconds: int = 60, isolate: str = USUAL) -> None:
    """Add the options of a bot: its name, the limits of its program, and the timeout of its answers without a clock."""
    name = partial(bot_name, commands=[f"quadrille {command}" for command in OURS if command.startswith("bot ")])
    add_ways(parser.add_argument("bot", metavar="BOT", nargs="?", type=name), "which bot: %(ways)s")
    parser.add_argument("--exec", metavar="COMMAND", help="instead of BOT: a program that speaks JSON lines")
    parser.add_argument(
        "--limit",
        action="append",
        type=limit,
        default=[],
        metavar="WHAT=N",
        help="limit for all its processes together (Linux): memory=MiB, cpu=seconds, processes=N; repeatable",
    )
    add_isolate(parser, isolate)
    parser.add_argument(
        "--patience",
        type=span,
        default=1000 * seconds,
        metavar="T",
        help=f"timeout for {what} without a clock (default {seconds}s)",
    )


def _add_policy(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("tables that the bot accepts, with --serve and --any")
    group.add_argument("--games", metavar="GAME,GAME", help="only at these games")
    group.add_argument("--tables", type=whole, default=1, metavar="N", help="maximum tables at once (default 1)")
    group.add_argument(
        "--clock-from", type=span, default=0, metavar="T", help="only if each player has at least this time"
    )
    group.add_argument("--clock-to", type=span, metavar="T", help="only if each player has at most this time")
    group.add_argument("--timed", action="store_true", help="only with a clock")
    group.add_argument(
        "--opponents",
        default="anyone",
        metavar="WHO,WHO",
        help="people, bots, anyone (default), or keys (their digits, or your nicknames for them)",
    )
    group.add_argument(
        "--runners",
        default="anyone",
        metavar="WHO,WHO",
        help="runners of tournaments, by key or nickname, or anyone (default), or nobody: a runner sees all cards",
    )
    group.add_argument(
        "--keep-seats", type=within(0), default=0, metavar="N", help="leave this many seats of a table to people"
    )


def limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if name not in LIMITS or not (number.isascii() and number.isdigit() and int(number[:9]) > 0 and len(number) < 10):
        raise WordRefused(f"{quoted(text)} is not a limit: write {', '.join(LIMITS)}, such as memory=512")
    return name, int(number)


def run(settings: argparse.Namespace) -> int:
    if not (settings.join or settings.any or settings.serve):
        raise RulesError(
            "where is the bot to sit? At Ann's table: quadrille bot 2 --join Ann; or add --any GAME, --serve"
        )
    from quadrille.ai.faults import BotFault
    from quadrille.client.bots.program import Starter, name_of
    from quadrille.client.foreign import shown

    try:
        with Starter(settings) as starter:
            from quadrille.client.network.bot_seat import (
                play,  # imported here: it takes a while, and meanwhile the bot starts
            )

            engaging = next(iter(additions("bot")), None) if settings.serve else None
            return play(settings, starter, engaging)
    except BotFault as fault:
        raise LocalError(f"the bot {settings.name or name_of(settings)} {shown(fault.why)}") from None
