"""`quadrille resume`: go on with an unfinished game."""

import argparse
from typing import Final

from quadrille.client.network.options import add_arbiter, add_network
from quadrille.client.settings import has_screen

DESCRIPTION: Final = """Go on with a game that was left in the middle: by quit, a crash or a power cut.
The bots that you brought along come back too; the others find you when they resume."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "table", metavar="TABLE", nargs="?", default="", help="how its number begins, or a player's name"
    )
    parser.add_argument("--forget", action="store_true", help="do not go on with it: it is not mentioned any more")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")
    add_arbiter(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    """Sit down again, or give the game up for good."""
    if has_screen(plain=settings.plain or settings.forget):
        from quadrille.client.screen.evening_stage import spend
        from quadrille.client.screen.network.news import Return

        return spend(settings, Return(settings.table))
    from quadrille.client.plain.network_evening import forget, resume

    return forget(settings) if settings.forget else resume(settings)
