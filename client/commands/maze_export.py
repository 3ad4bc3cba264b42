"""`quadrille maze-export RECORD`: the maze of a game of Maze, to print and to solve."""

import argparse
import sys
from typing import Final

from quadrille.client.files import STANDARD_INPUT, path_of, read_match, write_text
from quadrille.client.picture.labyrinth import as_svg, as_text
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = "Draw the maze of a game of Maze so far: walls everywhere except where a segment crosses."
FORMATS: Final = ("text", "svg")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record of Maze; - for standard input")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="the format (default: text)")
    parser.add_argument("--solution", action="store_true", help="with the way through, as far as it exists")
    parser.add_argument("--ascii", action="store_true", help="text without box characters")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write; an existing one is overwritten")


def run(settings: argparse.Namespace) -> int:
    match = read_match(settings.record)
    maze = match.state.labyrinth()
    if maze is None:
        raise RulesError(f"{settings.record} is a game of {match.game.title}: only a game of Maze makes a maze")
    if settings.format == "svg":
        picture = as_svg(maze, solution=settings.solution)
    else:
        plain = settings.ascii or (settings.output is None and not _draws_boxes(sys.stdout.encoding))
        picture = as_text(maze, solution=settings.solution, ascii=plain) + "\n"
    if settings.output is None:
        print(picture, end="")
        return 0
    if settings.record != STANDARD_INPUT and path_of(settings.output) == path_of(settings.record):
        raise RulesError(f"{settings.output} is the record: name another file for the picture")
    write_text(settings.output, picture, over=True)
    return 0


def _draws_boxes(encoding: str) -> bool:
    try:
        "│─•".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
