"""`quadrille resume`: resume an unfinished game, a local one or one on the network."""

import argparse
import sys
from collections.abc import Sequence
from string import hexdigits
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.commands.shared import add_plain, go_on, spend
from quadrille.client.foreign import shown
from quadrille.client.network.options import add_network
from quadrille.client.settings import has_screen

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
    from quadrille.client.kept.games import check_meant, forgotten, left_games
    from quadrille.client.words.kept import in_home, none_left
    from quadrille.net.core.errors import LocalError

    wanted: str = settings.table
    there = left_games(settings.home)
    fitting = [game for game in there if game.fits(wanted)]
    if not fitting:
        check_meant(settings.home, wanted)
        # peers may know a table by its number
        is_unknown = wanted and any(game.is_own for game in there) and not set(wanted) <= set(hexdigits)
        if settings.forget or is_unknown:
            raise LocalError(none_left(wanted, [game.line for game in there], in_home(settings.home)))
    game = _chosen(settings, fitting) if fitting else None
    if fitting and game is None:
        return 0
    if game is not None and settings.forget:
        print(forgotten(settings.home, game.table))
        return 0
    if settings.open:
        from quadrille.client.table.wishes import Return

        if game is None or not game.is_own:
            raise LocalError("only a game at this keyboard can be opened to the room: quadrille resume lists them")
        return spend(settings, Return(game.table.hex(), opens=True))
    if game is not None and game.is_own:
        from quadrille.client.kept.own_tables import OwnTables

        tables = OwnTables(settings.home)
        return go_on(settings, tables.take(game.table), tables)
    from quadrille.client.network.unfinished_games import known_at
    from quadrille.client.table.wishes import Return

    if game is None:
        return spend(settings, Return(wanted))
    # with guests, the lobby follows the game
    name, ticket, settings.evening = known_at(settings.home, game.table)
    settings.name = settings.name or name  # the others know this person by the name in that game
    if getattr(settings, "ticket", None) is None and settings.room is None:
        settings.kept_ticket = ticket
    return spend(settings, Return(game.table.hex()))


def _chosen(settings: argparse.Namespace, fitting: "Sequence[KeptGame]") -> "KeptGame | None":
    """Return the game that is meant. On a terminal the person chooses if there are several, or leaves (None); elsewhere
    a list has the command for each.
    """
    if len(fitting) == 1:
        return fitting[0]
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        from quadrille.client.words.kept import in_home, several_left
        from quadrille.net.core.errors import LocalError

        raise LocalError(several_left([game.line for game in fitting], in_home(settings.home)))
    from quadrille.client.plain.choice import choose

    if has_screen(plain=settings.plain):
        from quadrille.client.plain.choice import ask
    else:
        from quadrille.client.plain.console import Console

        ask = Console(sys.stdin, sys.stdout).ask
    print(f"Which game do you want to {'forget' if settings.forget else 'continue'}?")
    place = choose([shown(game.line) for game in fitting], ask, print)
    return None if place is None else fitting[place]
