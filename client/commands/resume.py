"""`quadrille resume`: resume an unfinished game, a local one or one on the network."""

import argparse
import sys
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.commands.shared import add_plain, go_on, spend
from quadrille.client.foreign import shown
from quadrille.client.network.options import add_network
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.client.kept.games import KeptGame

DESCRIPTION: Final = """Continue an unfinished game, after quit, a crash or a power cut.

All games are saved after each move. A game at this keyboard goes on with the same players, bots and clocks. At a table
on the network your bots and your guests by phone come back too; the others find you when they resume. After a game
with guests the lobby opens, and the evening goes on.

The newest 100 unfinished games at this keyboard are kept, and the newest 100 finished ones (F5 in the lobby lists
them). --forget deletes one."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", metavar="TABLE", nargs="?", default="",
        help="the first digits of its number, a player's name, or the game's name",
    )  # fmt: skip
    parser.add_argument("--forget", action="store_true", help="give it up: it is not mentioned any more, or is deleted")
    parser.add_argument(
        "--open", action="store_true",
        help="open a game at this keyboard to the room: others may take the seats of its bots, or of all but the first "
        "player",
    )  # fmt: skip
    add_plain(parser)
    add_isolate(parser)
    add_network(parser, returns=True)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.kept.games import forgotten, known_at
    from quadrille.client.table.wishes import Return
    from quadrille.net.core.errors import LocalError

    game = _chosen(settings)
    if game is None:
        return 0
    if settings.forget:
        print(forgotten(settings.home, game.table))
        return 0
    if settings.open:
        if not game.is_own:
            raise LocalError("only a game at this keyboard can be opened to the room: quadrille resume lists them")
        return spend(settings, Return(game.table.hex(), opens=True))
    if game.is_own:
        from quadrille.client.kept.own_tables import OwnTables

        tables = OwnTables(settings.home)
        return go_on(settings, tables.take(game.table), tables)
    # with guests, the lobby follows the game
    name, ticket, settings.evening = known_at(settings.home, game.table)
    settings.name = settings.name or name  # the others know this person by the name in that game
    if getattr(settings, "ticket", None) is None and settings.room is None:
        settings.kept_ticket = ticket
    return spend(settings, Return(game.table.hex()))


def _chosen(settings: argparse.Namespace) -> "KeptGame | None":
    """Return the game that is meant. On a terminal the person chooses if there are several, or leaves (None); elsewhere
    a list has the command for each.
    """
    from quadrille.client.kept.games import check_meant, left_games, one_of
    from quadrille.net.core.home import home, own_folder

    left = left_games(settings.home)
    fitting = [game for game in left if game.fits(settings.table)]
    if not fitting:
        own_folder(home(settings.home))  # one that can't be used is no home without games
        check_meant(settings.home, settings.table)
    is_terminal = sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()
    if len(fitting) < 2 or not is_terminal:
        return one_of(left, settings.table, settings.home)
    from quadrille.client.plain.console import Console

    print(f"Which game do you want to {'forget' if settings.forget else 'continue'}?")
    place = choose([shown(game.line) for game in fitting], Console(sys.stdin, sys.stdout).ask, print)
    return None if place is None else fitting[place]


def choose(rows: Sequence[str], ask: Callable[[str], str | None], say: Callable[[str], None]) -> int | None:
    """Return the index of the row whose number is typed; None if the person leaves the list."""
    from quadrille.rules.drawing.plain_text import WIDTH

    for number, row in enumerate(rows, 1):
        say("\n".join(wrap(row, WIDTH, initial_indent=f"{number:3}  ", subsequent_indent=" " * 5)))
    while (line := ask(f"A number from 1 to {len(rows)}, Enter for 1, q to leave: ")) is not None:
        word = line.strip().lower() or "1"
        if word in ("q", "quit", "n", "no") or word.startswith("\x1b"):
            return None
        if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= len(rows):
            return int(word[:4]) - 1
        say(f"There is no {quoted(line)} in this list.")
    return None
