"""`quadrille play GAME`: a game in the terminal, on the full screen if the terminal has one, else in plain lines."""

import argparse
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.boxes import add_bots, bots_of
from quadrille.client.bots.names import USUAL_LEVEL
from quadrille.client.commands import WHICH_GAME
from quadrille.client.commands.shared import add_home, add_plain, go_on
from quadrille.client.files import load
from quadrille.client.network.options import add_clock
from quadrille.client.table_setup import BEGINNER, add_game, add_setup, people_names, seated, set_up, whole
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match

if TYPE_CHECKING:
    from quadrille.client.table.players import Players

DESCRIPTION: Final = """Play a game in the terminal. Bots fill the other seats, unless an option says who sits there.
A game without options is a short first one. It is kept after each move: quadrille resume continues it.

  quadrille play barons                           a short first game
  quadrille play barons --bots 2 --level 3        against two bots of level 3
  quadrille play barons --against 2,greedy:3      against two different bots
  quadrille play maze --against "node bot.js"     a program in any language
  quadrille play dollar-draw --clock 5m+10s       with clocks
  quadrille play maze --two-people                two people at this keyboard
  quadrille play barons --seats 4 --bots 1 --names Ann,Ben   three and a bot"""
#: The options of the first page of its help.
FIRST: Final = ("--two-people", "--names", "--seats", "--bots", "--level", "--against", "--clock", "--set", "--preset")

#: The settings that say who plays. Without any of them bots sit opposite.
_PLAYERS: Final = ("seats", "bots", "level", "against", "names", "load", "two_people")
#: The settings of a table. A game without any of them is a first game.
_CHOICES: Final = (*_PLAYERS, "set", "preset", "seat", "clock")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser, "?")
    add_setup(parser)
    add_bots(parser, ", one for all other seats, or one for each")
    parser.add_argument("--seat", type=whole, metavar="N", help="your seat against bots (default 1)")
    add_clock(parser)
    parser.add_argument("--two-people", action="store_true", help="two people at this keyboard, and no bot")
    parser.add_argument("--names", metavar="ANN,BEN", help="names of the people, in the order of their seats")
    parser.add_argument(
        "--load", metavar="FILE", help="resume a saved game with its players, instead of GAME and its options"
    )
    add_home(parser)
    add_plain(parser)


def run(settings: argparse.Namespace) -> int:
    if settings.two_people:
        if settings.seats is not None or settings.bots is not None or settings.level is not None or settings.against:
            raise RulesError("--two-people fills both seats: leave it out where --seats or bots say who plays")
        settings.seats = 2
    is_first = _lacks(settings, _CHOICES)
    bots = (BEGINNER,) if is_first else (USUAL_LEVEL,) if _lacks(settings, _PLAYERS) else _bots(settings)
    if settings.seat is not None and not bots:
        raise RulesError("--seat says who you are against bots: add --bots 1")
    fills = settings.bots is None
    if settings.seats is None and settings.load is None and bots and (len(bots) > 1 or not fills):
        settings.seats = len(bots) + 1
    match, players = _match(settings, is_first=is_first)
    own = 0 if settings.seat is None else settings.seat - 1
    terms = TimeControl(*settings.clock) if settings.clock else None
    from quadrille.client.table.game_setup import GameSetup  # imported here: `--help` needs no table

    if players is not None and not (bots or terms or settings.names):
        return go_on(settings, GameSetup.loaded(match, players))
    row = seated(bots, match.state.seats, own, fills=fills)  # too many bots are refused before anything is shown
    return go_on(settings, GameSetup.of(match, row, terms, people_names(settings.names or "", row)))


def _lacks(settings: argparse.Namespace, names: tuple[str, ...]) -> bool:
    return all(getattr(settings, name) in (None, False, []) for name in names)


def _bots(settings: argparse.Namespace) -> tuple[str, ...]:
    """Return the bots of a command line; a level without a number stands for a bot in each other seat."""
    if settings.level is not None and settings.bots is None and not settings.against:
        return (settings.level,)
    return bots_of(settings)


def _match(settings: argparse.Namespace, *, is_first: bool) -> "tuple[Match, Players | None]":
    """Return the game to play, and its players if it was saved."""
    if settings.load is None:
        if settings.game is None:
            raise RulesError(WHICH_GAME)
        return set_up(settings, is_first=is_first), None
    if settings.seats is not None or settings.set or settings.preset is not None or settings.seed is not None:
        raise RulesError("a game that was kept has its seats, options and seed: give --load without them")
    match, players = load(settings.load)
    if settings.game not in (None, match.game.key):
        raise RulesError(f"{settings.load} is a game of {match.game.title}, not of {settings.game}")
    return match, players
