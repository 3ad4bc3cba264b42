"""The setup of a table on a command line: game, seats, options, preset and seed, and the seats of bots."""

import argparse
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from quadrille.client.bots.names import WordRefused
from quadrille.plugs import game_name
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.rules.core import Game
    from quadrille.rules.match import Match
    from quadrille.rules.options import Value

#: The bot of a first game.
BEGINNER: Final = "1"


def add_game(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    about = "a name from quadrille rules, or a FILE.py"
    parser.add_argument("game", metavar="GAME", type=game_name, nargs=nargs, help=about)


def add_table(parser: "argparse._ActionsContainer") -> None:
    """Add what the seats agree on."""
    parser.add_argument("--seats", type=whole, metavar="N", help="number of players, bots included")
    add_options(parser)


def add_options(parser: "argparse._ActionsContainer") -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="set an option of the game; repeatable; quadrille rules GAME lists them",
    )
    parser.add_argument("--preset", metavar="P", help="a named set of options of the game; --set overrides it")


def add_setup(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument(
        "--seed", metavar="TEXT", help="decides everything that the rules leave to chance (default: a fresh one)"
    )


def set_up(settings: argparse.Namespace, *, is_first: bool = False) -> "Match":
    """Make the match of a command line; a first game has the options of the game's lesson."""
    from quadrille.rules.match import Deal, Match
    from quadrille.rules.registry import game

    chosen = game(settings.game)
    seed = secrets.token_hex(4) if settings.seed is None else settings.seed
    options = dict(chosen.lesson.options) if is_first else options_of(settings, chosen)
    return Match(chosen, options, settings.seats, deal=Deal(seed))


def options_of(settings: argparse.Namespace, chosen: "Game[Any, Any]") -> "dict[str, Value]":
    """Return a game's options from `--preset` and `--set`."""
    from quadrille.rules.options import read_settings

    options = dict(chosen.preset(settings.preset)) if settings.preset is not None else {}
    return options | read_settings(chosen.Options, settings.set)


def whole(text: str, digits: int = 9) -> int:
    number = text.removeprefix("-")
    if not (text.isascii() and number.isdigit()):
        raise WordRefused(f"{quoted(text)} is no whole number")
    if len(number) > digits:
        raise WordRefused(f"{quoted(text)} is too large: a number here has at most {digits} digits")
    return int(number) * (-1 if number != text else 1)


def within(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number from `least` on, up to `most`."""

    def read(text: str) -> int:
        number = whole(text, max(9, len(str(most))))
        if number < least or (most is not None and number > most):
            raise WordRefused(f"it takes a number from {least} {'on' if most is None else f'to {most}'}, not {number}")
        return number

    return read


def seated(bots: Sequence[str], seats: int, own: int = 0, *, fills: bool = True) -> tuple[str, ...]:
    """Return the bot of each seat, "" for a person: one person at `own`, or several in the first seats.

    If it `fills` the table, a bot without others takes every seat but one. Without bots, people have all seats.
    """
    if not bots:
        return ("",) * seats
    if not 0 <= own < seats:
        raise BadSeats(f"you can't be player {own + 1}: the players here are 1 to {seats}")
    others = seats - 1
    row = [*bots] * others if len(bots) == 1 and fills else [*bots]
    if len(row) > others:
        left = f"{others} seats are" if others > 1 else "one seat is"
        raise BadSeats(f"{len(row)} bots have no room: {left} left beside yours")
    if len(row) == others:
        return (*row[:own], "", *row[own:])
    if own:
        raise BadSeats(
            f"{seats - len(row)} people take the first seats: be player 1, or name a bot for each other seat"
        )
    return (*[""] * (seats - len(row)), *row)


def people_names(given: str, row: Sequence[str]) -> tuple[str, ...]:
    """Return the names of people by seat, "" for those without one; they are given in the order of their seats."""
    if not given:
        return ("",) * len(row)
    from quadrille.client.settings import own_name  # imported here: most games start without names

    names = [name.strip() for name in given.split(",")]
    people = [seat for seat, bot in enumerate(row) if not bot]
    if len(names) > len(people):
        raise RulesError(f"there are {len(names)} names, and {len(people)} of the players are people")
    for name in filter(None, names):
        own_name(name)  # refuses an invalid name
        if [other.casefold() for other in names].count(name.casefold()) > 1:
            raise RulesError(f"{quoted(name)} is there twice: give each player another name")
    return tuple(dict(zip(people, names, strict=False)).get(seat, "") for seat in range(len(row)))
