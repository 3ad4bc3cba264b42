"""The puzzle of a day as a page that is played by touch, without a server: the page has the answer to each move.

`quadrille puzzle --html` writes it as one file. The site for guests offers it while they wait (client/phones/site.py):
there its style and its script are files. puzzle.js plays it; its data are packed, so that nobody reads the solution by
the way.
"""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.glyphs import definitions, sheet
from quadrille.client.picture.page import document, frame, packed, parts, style, template
from quadrille.extras.study import puzzles
from quadrille.extras.study.kept import puzzle_home
from quadrille.extras.study.lessons.puzzle import PuzzleLesson, left_moves
from quadrille.extras.study.puzzles import refutation
from quadrille.rules.core.talk import half_made
from quadrille.rules.scene import letter

_STYLE, _SCRIPT = ("puzzle.css", __package__), ("puzzle.js", __package__)
#: The name of the page on the site (entry_points.txt).
_NAME: Final = "puzzle-of-the-day"


def puzzle_page(lesson: PuzzleLesson, linked: str = "") -> str:
    """Return the page as one file, or with its style and its script in files that are called so."""
    puzzle, day, start = lesson.puzzle, lesson.day, lesson.puzzle.match.length
    lines = {puzzle.solution: puzzle.line} | {move: (move, *refutation(puzzle, move)) for move in puzzle.refuted}
    film = Film(FilmedMatch(puzzle.after(lines[move])) for move in sorted(lines))
    data, layout = film.data(), film.layouts()[0]
    told = {
        "patches": data["patches"],
        "plan": data["plans"][0] | {"squares": layout.squares},
        "right": puzzle.solution,
        "before": data["games"][0]["frames"][: start + 1],
        "left": left_moves(sorted(lines), puzzle.solution, day),
        "moves": {
            move: [half_made(puzzle.state, move).path, game["moves"][start:], game["frames"][start + 1 :]]
            for move, game in zip(sorted(lines), data["games"], strict=True)
        },
    }
    body = template("puzzle.html", __package__).render(
        title=(title := f"{puzzle.match.game.title}: the puzzle of {day.day} {day:%B %Y}"),
        about=data["games"][0]["title"],
        called=f"Player {lesson.seat + 1} ({letter(lesson.seat)})",
        asks=lesson.question,
        frame=frame(layout),
        symbols=parts().symbols(definitions(film.drawn())),
        data=parts().data(packed(told)),
    )
    return document(title, body, style(*_STYLE), plays=False, own=sheet(*_SCRIPT), linked=linked)


# Beside the door for guests


def beside(path: str, _: Path) -> tuple[str, bytes] | None:
    """Return a file of the site, a page of `quadrille.pages`; the puzzle's page is made when it is asked for first."""
    match path.split(f"/{_NAME}"):
        case ["", ".css"]:
            return "css", style(*_STYLE).encode()
        case ["", ".js"]:
            return "js", sheet(*_SCRIPT).encode()
        case ["", ""]:
            return "html", _of_today(puzzle_home.local_day())
    return None


@cache
def _of_today(today: date) -> bytes:
    """Make the page once a day: in plain Python that takes less than half a second."""
    day, puzzle = puzzles.of_day(max(today, puzzles.FIRST))  # a clock that is far behind closes no door
    return puzzle_page(PuzzleLesson.of(puzzle, day, today, {}), _NAME).encode()
