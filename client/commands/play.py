"""`quadrille play GAME`: a game in the terminal, on the whole screen where it can be drawn on, else in plain lines."""

import argparse
import random
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents import opponent
from quadrille.client.console import Console
from quadrille.client.plain_table import PlainTable, load
from quadrille.client.seating import add_setup, set_up, whole
from quadrille.client.settings import has_screen
from quadrille.rules.core import Move, State
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.match import Match

DESCRIPTION: Final = "Play a game in the terminal: several people at one keyboard, or one against the program."
#: Milliseconds that a program may think about a move.
BUDGET: Final = 1500


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a name from quadrille games")
    add_setup(parser)
    parser.add_argument(
        "--against",
        metavar="OPPONENT",
        help="who plays the other seats: a level, 1 to 5, or random, greedy, alphabeta, mcts, ismcts, solver, each with"
        " :LEVEL if you like; people if absent",
    )
    parser.add_argument("--seat", type=whole, metavar="N", help="which player you are against the program; usually 1")
    parser.add_argument("--load", metavar="FILE", help="go on with a game that was kept, in place of GAME and the like")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")


def run(settings: argparse.Namespace) -> int:
    """Play."""
    if settings.seat is not None and settings.against is None:
        raise RulesError("--seat says who you are against the program: add --against random")
    match = _match(settings)
    if has_screen(plain=settings.plain):
        from quadrille.client.screen.stage import play

        people = set(range(match.state.seats)) - set(_seated(settings)(match))
        return play(match, ["" if seat in people else settings.against for seat in range(match.state.seats)])
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdout is not None:
        PlainTable(match, _seated(settings), Console(sys.stdin, sys.stdout)).run()
    return 0


class Program:
    """An opponent in a seat at this keyboard, with dice of its own that the table's seed decides."""

    def __init__(self, bot: Bot, seed: str) -> None:
        self._bot = bot
        self._dice = random.Random(seed)  # noqa: S311, it deals no cards

    def choose(self, view: State[Any, Any]) -> Move:
        """A move within a second or two."""
        clock = Clock(view.board.turn, None, 0, BUDGET)
        chosen = self._bot.choose(view, clock, self._dice)
        assert isinstance(chosen, Move)
        return chosen


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


def _seated(settings: argparse.Namespace) -> Callable[[Match], Mapping[int, Program]]:
    """Who has which seat, for any match that may be loaded later."""
    if settings.against is not None:
        opponent(settings.against)  # a wrong name is refused before anything is shown

    def seated(match: Match) -> Mapping[int, Program]:
        if settings.against is None:
            return {}
        person = 1 if settings.seat is None else settings.seat
        seats = match.state.seats
        if not 1 <= person <= seats:
            raise BadSeats(f"you can't be player {person}: the players here are 1 to {seats}")
        seed = match.deal.seed if match.deal else ""
        others = (seat for seat in range(seats) if seat != person - 1)
        return {seat: Program(opponent(settings.against), f"{seed} player {seat + 1}") for seat in others}

    return seated
