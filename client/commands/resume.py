"""`quadrille resume`: resume an unfinished game, a local one or one on the network."""

import argparse
import sys
import time
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
        help="the first digits of its number, or a player's name; for a game at this keyboard also the game's name",
    )  # fmt: skip
    parser.add_argument("--forget", action="store_true", help="give it up: it is not mentioned any more, or is deleted")
    add_plain(parser)
    add_isolate(parser)
    add_network(parser, returns=True)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.kept.games import check_meant, forgotten, meant, unfinished_local_games

    there = unfinished_local_games(settings.home)
    own = meant(there, settings.table)
    if settings.table and not own:
        check_meant(settings.home, settings.table)
        _check_network(settings, there)
    number = _chosen(settings, own) if own or not settings.forget else settings.table
    if number is None:
        return 0
    if (game := next((game for game in own if game.table.hex() == number), None)) is not None:
        if not settings.forget:
            from quadrille.client.kept.own_tables import OwnTables

            tables = OwnTables(settings.home)
            return go_on(settings, tables.take(game.table), tables)
        forgotten(settings.home, game.table)
        print(f"Game {game.number} is deleted.")
        return 0
    if settings.forget:
        from quadrille.client.plain.network_evening import forget

        return forget(settings)
    from quadrille.client.network.unfinished_games import known_at
    from quadrille.client.table.wishes import Return

    # with guests, the lobby follows the game
    name, ticket, settings.evening = known_at(settings.home, number)
    settings.name = settings.name or name  # the others know this person by the name in that game
    if getattr(settings, "ticket", None) is None and settings.room is None:
        settings.kept_ticket = ticket
    return spend(settings, Return(number))


def _chosen(settings: argparse.Namespace, own: "list[KeptGame]") -> str | None:
    """Return the game that is meant, by its number; the text that was given where peers may know which game it is.

    On a terminal the person chooses if there are several, or leaves (None); elsewhere a list has the command for each.
    """
    wanted: str = settings.table
    at_terminal = bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())
    found = [_row(game) for game in own]
    if at_terminal or own:
        found = sorted([*found, *_network_tables(settings, wanted)], key=lambda row: -row[1])
    if not found or (len(found) == 1 and not own):
        return wanted
    if len(found) == 1:
        return found[0][0]
    if not at_terminal:
        from quadrille.client.words.kept import in_home, several_left
        from quadrille.net.core.errors import LocalError

        raise LocalError(several_left([line for _, _, line in found], in_home(settings.home)))
    from quadrille.client.plain.choice import choose

    if has_screen(plain=settings.plain):
        from quadrille.client.screen.key_line import ask
    else:
        from quadrille.client.plain.console import Console

        ask = Console(sys.stdin, sys.stdout).ask
    print("Which game do you want to continue?")
    place = choose([shown(line) for _, _, line in found], ask, print)
    return None if place is None else found[place][0]


def _check_network(settings: argparse.Namespace, there: "Sequence[KeptGame]") -> None:
    """Refuse a text that fits no game, where local games were left; peers may know a table by its number."""
    from quadrille.client.words.kept import in_home, none_left
    from quadrille.net.core.errors import LocalError

    wanted: str = settings.table
    if there and not set(wanted) <= set(hexdigits) and not _network_tables(settings, wanted):
        rows = [*map(_row, there), *_network_tables(settings, "")]
        raise LocalError(none_left(wanted, [line for _, _, line in rows], in_home(settings.home)))


def _network_tables(settings: argparse.Namespace, wanted: str) -> list[tuple[str, float, str]]:
    """Return the unfinished tables on the network that are stored here, as `_chosen` lists games."""
    from quadrille.client.network.unfinished_games import choices

    return [(table.hex(), changed / 1000, line) for table, changed, line in choices(settings.home, wanted)]


def _row(game: "KeptGame") -> tuple[str, float, str]:
    from quadrille.client.words.kept import of_kept

    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.changed))
    return game.table.hex(), game.changed, f"{game.number}  {of_kept(game.about)}; {when}"
