"""`quadrille resume`: go on with an unfinished game."""

import argparse
import sys
from typing import Final

from quadrille.client.foreign import shown
from quadrille.client.network.options import add_arbiter, add_network
from quadrille.client.settings import has_screen

DESCRIPTION: Final = """Go on with a game that was left in the middle: by quit, a crash or a power cut.
The bots that you brought along come back too; the others find you when they resume."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", metavar="TABLE", nargs="?", default="", help="how its number begins, or a player's name"
    )
    parser.add_argument("--forget", action="store_true", help="do not go on with it: it is not mentioned any more")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")
    add_arbiter(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    if settings.forget:
        from quadrille.client.plain.network_evening import forget

        return forget(settings)
    from quadrille.client.evening import spend
    from quadrille.client.table.network.wishes import Return

    wanted = _chosen(settings)
    return 0 if wanted is None else spend(settings, Return(wanted))


def _chosen(settings: argparse.Namespace) -> str | None:
    """Return the table that is meant; on a terminal the person chooses if there are several, or leaves (None)."""
    wanted: str = settings.table
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return wanted
    from quadrille.client.network.unfinished_games import choices
    from quadrille.client.plain.choice import choose

    found = choices(settings.home, wanted)
    if len(found) < 2:
        return wanted
    if has_screen(plain=settings.plain):
        from quadrille.client.screen.key_line import ask
    else:
        from quadrille.client.plain.console import Console

        ask = Console(sys.stdin, sys.stdout).ask
    print("Several games were left. Which one do you go on with?")
    place = choose([shown(line) for _, line in found], ask, print)
    return None if place is None else found[place][0].hex()
