"""`quadrille picture FILE` or `quadrille picture GAME`: a position as an SVG picture, or the maze of a game of Maze."""

import argparse
from typing import Final

from quadrille.client.picture.film import FilmedMatch, through
from quadrille.client.picture.page import picture
from quadrille.client.picture.records import check_output, entries_at, keep, told
from quadrille.client.settings import can_print
from quadrille.client.table_setup import add_setup, set_up, whole
from quadrille.rules.errors import RulesError, UnknownGame
from quadrille.rules.registry import game, keys

DESCRIPTION: Final = """Draw a position as an SVG picture: of your last game, a recorded one, or a new one.

  quadrille picture -o last.svg
  quadrille picture game.txt --at 20 -o game.svg
  quadrille picture barons --set width=6 --moves a1,b2 -o opening.svg
  quadrille picture game.txt --maze -o maze.svg         a maze to print and to solve"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game", metavar="FILE|GAME", nargs="?",
        help="a record or a log; - for standard input; or a game's name (default: your last game)",
    )  # fmt: skip
    parser.add_argument("--at", type=whole, metavar="N", help="the position after N moves; 0 for the start")
    parser.add_argument("--seat", type=whole, metavar="N", help="as player N sees it (default: as the record shows it)")
    parser.add_argument("--moves", metavar="M,M", help="moves of a new game; put ; between them if a move has a comma")
    add_setup(parser)
    parser.add_argument("--maze", action="store_true", help="the maze of a game of Maze, to print and to solve")
    parser.add_argument("--solution", action="store_true", help="the way through the maze, as far as it exists")
    parser.add_argument("--text", action="store_true", help="the maze in lines of text, with --maze, instead of SVG")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write; an existing one is overwritten")


def run(settings: argparse.Namespace) -> int:
    if (settings.solution or settings.text) and not settings.maze:
        raise RulesError("--solution and --text are for a maze: add --maze")
    is_new = settings.game in keys()
    check_output(settings.output, None if is_new else settings.game)
    filmed = _new(settings) if is_new else _kept(settings)
    entries = entries_at(filmed.match, settings.at)
    drawn = _maze(filmed, entries, settings) if settings.maze else picture(filmed, entries)
    keep(drawn, settings.output)
    return 0


def _maze(filmed: FilmedMatch, entries: int, settings: argparse.Namespace) -> str:
    from quadrille.client.picture.labyrinth import as_svg, as_text  # imported here: most pictures need neither

    match = filmed.match.before(entries)
    maze = match.state.labyrinth()
    if maze is None:
        raise RulesError(f"this is a game of {match.game.title}: only a game of Maze makes a maze")
    if not settings.text:
        return as_svg(maze, solution=settings.solution)
    plain = settings.output is None and not can_print("│─•")
    return as_text(maze, solution=settings.solution, ascii=plain) + "\n"


def _new(settings: argparse.Namespace) -> FilmedMatch:
    match = set_up(settings)
    moves = settings.moves or ""
    for move in filter(str.strip, moves.split(";" if ";" in moves else ",")):
        match.play(move)
    return FilmedMatch(match, through(match, settings.seat))


def _kept(settings: argparse.Namespace) -> FilmedMatch:
    of_new = (settings.moves, settings.seats, settings.preset, settings.seed)
    if settings.set or any(value is not None for value in of_new):
        kept = "your last game" if settings.game is None else settings.game
        raise RulesError(
            f"{kept} is no game (there are {', '.join(keys())}), and a game that was kept has its moves, "
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
