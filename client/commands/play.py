"""`quadrille play GAME`: a game in the terminal, in plain lines."""

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Final

from quadrille.ai.players import Player, RandomPlayer
from quadrille.client.console import Console
from quadrille.client.plain_table import PlainTable, load
from quadrille.client.seating import add_setup, set_up, whole
from quadrille.rules.chance import Stream
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.match import Match

DESCRIPTION: Final = "Play a game in the terminal: several people at one keyboard, or one against the program."
RANDOM: Final = "random"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a name from quadrille games")
    add_setup(parser)
    parser.add_argument("--against", choices=(RANDOM,), help="who plays the other seats; people if absent")
    parser.add_argument("--seat", type=whole, metavar="N", help="which player you are against the program; usually 1")
    parser.add_argument("--load", metavar="FILE", help="go on with a game that was kept, in place of GAME and the like")


def run(settings: argparse.Namespace) -> int:
    """Play."""
    if settings.seat is not None and settings.against is None:
        raise RulesError("--seat says who you are against the program: add --against random")
    match = _match(settings)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdout is not None:
        PlainTable(match, _seated(settings), Console(sys.stdin, sys.stdout)).run()
    return 0


def _match(settings: argparse.Namespace) -> Match:
    if settings.load is None:
        if settings.game is None:
            raise RulesError("which game? quadrille games lists them")
        return set_up(settings)
    if settings.seats is not None or settings.set or settings.preset is not None or settings.seed is not None:
        raise RulesError("a game that was kept has its seats, options and seed: give --load without them")
    match = load(settings.load)
    if settings.game not in (None, match.game.key):
        raise RulesError(f"{settings.load} is a game of {match.game.title}, not of {settings.game}")
    return match


def _seated(settings: argparse.Namespace) -> Callable[[Match], Mapping[int, Player]]:
    """Who has which seat, for any match that may be loaded later."""

    def seated(match: Match) -> Mapping[int, Player]:
        if settings.against is None:
            return {}
        person = 1 if settings.seat is None else settings.seat
        seats = match.state.seats
        if not 1 <= person <= seats:
            raise BadSeats(f"you can't be player {person}: the players here are 1 to {seats}")
        seed = match.deal.seed if match.deal else ""
        others = (seat for seat in range(seats) if seat != person - 1)
        return {seat: RandomPlayer(Stream(seed, f"player {seat + 1}")) for seat in others}

    return seated
