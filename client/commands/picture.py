"""`quadrille picture FILE` or `quadrille picture GAME`: a position as an SVG picture."""

import argparse
from typing import Final

from quadrille.client.files import STANDARD_INPUT
from quadrille.client.picture.film import FilmedMatch, through
from quadrille.client.picture.records import entries_at, keep, told
from quadrille.client.picture.svg import picture
from quadrille.client.table_setup import add_setup, set_up, whole
from quadrille.rules.errors import RulesError, UnknownGame
from quadrille.rules.registry import game, keys

DESCRIPTION: Final = """Draw a position as an SVG picture: of a recorded game, or of a new game after some moves.

  quadrille picture game.txt --at 20 -o game.svg
  quadrille picture barons --set width=6 --moves a1,b2 -o opening.svg"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE|GAME", help="a record or a log; - for standard input; or a game's name")
    parser.add_argument("--at", type=whole, metavar="N", help="the position after N moves; 0 for the start")
    parser.add_argument("--seat", type=whole, metavar="N", help="as player N sees it (default: as the record shows it)")
    parser.add_argument("--moves", metavar="M,M", help="moves of a new game; put ; between them if a move has a comma")
    add_setup(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write; an existing one is overwritten")


def run(settings: argparse.Namespace) -> int:
    is_new = settings.game in keys()
    one = _new(settings) if is_new else _kept(settings)
    record = STANDARD_INPUT if is_new else settings.game
    keep(picture(one, entries_at(one.match, settings.at)), settings.output, record)
    return 0


def _new(settings: argparse.Namespace) -> FilmedMatch:
    match = set_up(settings)
    moves = settings.moves or ""
    for move in filter(str.strip, moves.split(";" if ";" in moves else ",")):
        match.play(move)
    return FilmedMatch(match, through(match, settings.seat))


def _kept(settings: argparse.Namespace) -> FilmedMatch:
    of_new = (settings.moves, settings.seats, settings.preset, settings.seed)
    if settings.set or any(value is not None for value in of_new):
        raise RulesError(
            f"{settings.game} is no game (there are {', '.join(keys())}), and a game that was kept has its moves, "
            "seats, options and seed: give it without them"
        )
    try:
        return told(settings.game, settings.seat)
    except FileNotFoundError as error:
        try:
            game(settings.game)
        except UnknownGame as unknown:
            raise UnknownGame(f"{error.filename}: {error.strerror}, and {unknown}") from None
        raise
