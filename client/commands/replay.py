"""`quadrille replay FILE`: a recorded game, move by move, on the whole screen, in text, as data or as a page."""

import argparse
import json
from typing import Any, Final

from quadrille.client.commands.shared import add_forms, add_plain, check_forms
from quadrille.client.foreign import shown
from quadrille.client.picture.film import FilmedMatch, position
from quadrille.client.picture.labyrinth import finished_text
from quadrille.client.picture.records import entries_at, keep, told
from quadrille.client.reports import heading, player, result
from quadrille.client.settings import has_screen
from quadrille.client.table_setup import whole
from quadrille.client.words.table import move_lines
from quadrille.client.words.thoughts import opening_text, remark_texts
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """Show a recorded game, move by move: your last one, or that of a file.

On a terminal you step through it with the arrows, and can play on from any position; in a pipe, and with --plain, every
move is printed with the position after it, then how it ended."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?",
        help="a record, the log of a table, or a game that a bot keeps; - for standard input (default: your last game)",
    )  # fmt: skip
    parser.add_argument("--ply", type=whole, metavar="N", help="only the position after N moves; 0 for the start")
    parser.add_argument("--seat", type=whole, metavar="N", help="as player N saw it (default: as the record shows it)")
    add_forms(parser, ": all entries, with the figures after each move", "to step through with the keyboard")
    add_plain(parser)


def run(settings: argparse.Namespace) -> int:
    filmed = told(settings.file, settings.seat)
    check_forms(settings, settings.file)
    if settings.html:
        if settings.ply is not None:
            raise RulesError("the page has every position: give --html without --ply")
        from quadrille.client.picture.page import page

        keep(page([filmed]), settings.output)
        return 0
    numbers = list(range(len(filmed.match.entries) + 1))
    if settings.ply is not None:
        numbers = [entries_at(filmed.match, settings.ply)]
    if settings.json:
        if settings.seat is not None:
            raise RulesError("the data has the whole record: give --json without --seat")
        print(json.dumps(_data(filmed, numbers), indent=2))
    elif settings.ply is None and has_screen(plain=settings.plain):
        from quadrille.client.screen.start import look_at

        return look_at(filmed)
    else:
        _print(filmed, numbers)
    return 0


def _print(filmed: FilmedMatch, numbers: list[int]) -> None:
    match, names = filmed.match, filmed.safe_names
    print(heading(match) + (f", seed {shown(match.deal.seed)}" if match.deal else ""))
    if filmed.opening:
        print(opening_text(filmed.opening))
    for number in numbers:
        if number:
            print(f"\n{move_lines(match, number - 1, filmed.viewer, names, filmed.thoughts)}")
        print(f"\n{drawing(position(filmed, number).scene())}")
    if numbers[-1] == len(match.entries):
        maze = finished_text(match.state.labyrinth()) if match.over else ""
        print(f"\n{maze}{result(match, names=names)}")
        for remark in remark_texts(filmed.thoughts, [player(seat, names) for seat in range(match.state.seats)], match):
            print(f"\n{remark}")


def _data(filmed: FilmedMatch, numbers: list[int]) -> dict[str, Any]:
    from quadrille.ai.data import entry_data, summary

    match, positions = filmed.match, []
    for number in numbers:
        earlier = match.before(number)
        what = entry_data(match.entries[number - 1]) if number else None
        thought = filmed.thoughts.by_entry.get(number - 1)
        thinks = {} if thought is None else {"thought": thought.data()}
        positions.append({"entry": what} | thinks | summary(earlier) | {"figures": earlier.state.figures()})
    head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
    return head | {"opening": list(map(str, match.opening)), "positions": positions}
