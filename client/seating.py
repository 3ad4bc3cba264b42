"""What commands take to set a table up: the game, seats, options, preset and seed."""

import argparse
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quadrille.rules.match import Match


def add_setup(parser: argparse.ArgumentParser) -> None:
    """The arguments that `set_up` reads, beside the game itself."""
    parser.add_argument("--seats", type=whole, metavar="N", help="how many play")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="set an option of the game, as often as you like; quadrille rules GAME tells which there are",
    )
    parser.add_argument("--preset", metavar="P", help="a name for some options of the game; --set goes before it")
    parser.add_argument("--seed", metavar="TEXT", help="decides what the rules leave to chance; a fresh one if absent")


def set_up(settings: argparse.Namespace) -> "Match":
    """A match at its start."""
    from quadrille.rules.match import Deal, Match
    from quadrille.rules.options import read_settings
    from quadrille.rules.registry import game

    chosen = game(settings.game)
    options = dict(chosen.preset(settings.preset)) if settings.preset is not None else {}
    options |= read_settings(chosen.Options, settings.set)
    seed = secrets.token_hex(4) if settings.seed is None else settings.seed
    return Match(chosen, options, settings.seats, deal=Deal(seed))


def whole(text: str) -> int:
    """A whole number from a command line."""
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)
