"""Sentences and tables about a match, for a person."""

from collections.abc import Sequence
from itertools import islice
from textwrap import wrap
from typing import Any

from quadrille.client.foreign import shown
from quadrille.client.words.rules import options_text
from quadrille.client.words.story import YOU, by_name, verdict
from quadrille.rules.core import Game, ToMove
from quadrille.rules.drawing.plain_text import WIDTH, aligned
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.options import Options
from quadrille.rules.squares import quoted


def player(seat: int, names: Sequence[str] = ()) -> str:
    return f"player {seat + 1} ({names[seat]})" if names and names[seat] else f"player {seat + 1}"


def folded(note: str) -> list[str]:
    """Wrap a sentence to the width of a screen; no line ends between a number and its unit."""
    whole = note.replace(" %", "\xa0%")
    lines = wrap(whole, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def many(number: int, what: str) -> str:
    """Count things: `1 game`, `12 games`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def heading(match: Match) -> str:
    """Describe the game in short: `Barons, 2 players, 5 x 5`."""
    options = options_text(match.game, match.state.options)
    return f"{match.game.title}, {match.state.seats} players" + (f", {options}" if options else "")


def advice_text(game: Game[Any, Any], options: Options, seats: int) -> str:
    """Return a game's advice about such a table, in lines; "" for none."""
    return "\n".join("\n".join(wrap(f"Note: {sentence}.", WIDTH)) for sentence in game.advice(options, seats))


def result(match: Match, people: Sequence[int] = (), names: Sequence[str] = (), known: Sequence[str] = ()) -> str:
    """Describe the end of a match: the reason, the winners, the places with their figures. `people` sit here; a
    single one is addressed as you. Players are called as they are `known`; else by their numbers, with their names.
    """
    if (over := match.over) is None:
        return "The game is not finished."
    known = known or [player(seat, names) for seat in range(match.state.seats)]

    def called(seat: int) -> str:
        return YOU if (*people,) == (seat,) else known[seat]

    order = sorted(range(len(over.places)), key=lambda seat: (over.places[seat], seat))
    rows = [["", "", *(name.replace("_", " ") for name, row in over.figures.items() if isinstance(row, tuple))]]
    for seat in order:
        you = " (you)" if seat in people else ""
        role = f", {match.game.roles[seat]}" if match.game.roles else ""
        name = f"{known[seat]}{role}{you}"
        figures = [_figure(row[seat]) for row in over.figures.values() if isinstance(row, tuple)]
        rows.append([f"{over.places[seat]}.", name, *figures])
    table = rows if len(rows[0]) > 2 else rows[1:]
    reason = by_name(shown(over.reason), called)
    return "\n".join([f"The game is over: {reason}.", verdict(match, over, called), "", *aligned(table, 2)])


def _figure(figure: int | dict[str, int]) -> str:
    return str(figure) if isinstance(figure, int) else " ".join(f"{number}{kind}" for kind, number in figure.items())


def moves_text(match: Match, start: str, *, most_lines: int = 20, most_looked_at: int = 100_000) -> str:
    """List the legal moves that begin with `start`, or some of them if there are very many."""
    start = " ".join(start.lower().split())
    moves = match.state.moves if isinstance(match.pending, ToMove) else ()
    looked = list(map(str, islice(moves, most_looked_at)))
    matching = [text for text in looked if text.startswith(start)]
    if not matching:
        return f"no legal move begins with {quoted(start)}" if start else "there is no legal move"
    text, shown = in_columns(matching, most_lines)
    if more := len(matching) - shown:
        number = f"more than {more}" if len(looked) == most_looked_at else str(more)
        text += f"\nand {number} more; moves START lists those that begin so, as in moves {matching[-1]}"
    return text


def is_move(match: Match, line: str) -> bool:
    if match.over:
        return False
    try:
        match.game.parse(line, match.state)
    except RulesError:
        return False
    return True


def in_columns(words: Sequence[str], most_lines: int) -> tuple[str, int]:
    """Lay words out in as many columns as fit, row by row; return also how many were shown."""
    pitch = max(map(len, words)) + 2
    across = max(1, (WIDTH - 2) // pitch)
    shown = words[: most_lines * across]
    lines = (shown[at : at + across] for at in range(0, len(shown), across))
    return "\n".join("  " + "".join(word.ljust(pitch) for word in line).rstrip() for line in lines), len(shown)
