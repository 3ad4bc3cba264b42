"""The setup of a table on a command line: game, seats, options, preset and seed, and the seats of bots."""

import argparse
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quadrille.client.bots.names import bot_names
from quadrille.rules.errors import BadSeats, RulesError

if TYPE_CHECKING:
    from quadrille.rules.match import Match


def add_setup(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that `set_up` reads, except the game itself."""
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
    """Return a match at its start."""
    from quadrille.rules.match import Deal, Match
    from quadrille.rules.options import read_settings
    from quadrille.rules.registry import game

    chosen = game(settings.game)
    options = dict(chosen.preset(settings.preset)) if settings.preset is not None else {}
    options |= read_settings(chosen.Options, settings.set)
    seed = secrets.token_hex(4) if settings.seed is None else settings.seed
    return Match(chosen, options, settings.seats, deal=Deal(seed))


def whole(text: str) -> int:
    """Read a whole number."""
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def named_bots(text: str) -> tuple[str, ...]:
    """Read bots that a person typed at a table, separated by commas."""
    try:
        return tuple(bot_names(text))
    except argparse.ArgumentTypeError as error:
        raise RulesError(str(error)) from None


def one_bot(text: str) -> str:
    """Read the bot that a person typed to stand in for another."""
    names = named_bots(text)
    if len(names) != 1:
        raise RulesError("write stand-in and a bot, such as stand-in 2")
    return names[0]


def seated(bots: Sequence[str], seats: int, own: int = 0) -> tuple[str, ...]:
    """Return the bot of each seat, "" for a person. One bot takes all seats but `own`; several take one each, in order.

    Without bots, people have all seats.
    """
    if not bots:
        return ("",) * seats
    if not 0 <= own < seats:
        raise BadSeats(f"you can't be player {own + 1}: the players here are 1 to {seats}")
    others = seats - 1
    row = [*bots] * others if len(bots) == 1 else [*bots]
    if len(row) != others:
        why = "have no room" if len(row) > others else "are too few"
        left = f"{others} seats are" if others > 1 else "one seat is"
        raise BadSeats(f"{len(row)} bots {why}: {left} left beside yours. Name one bot for each, or one for all")
    return (*row[:own], "", *row[own:])
