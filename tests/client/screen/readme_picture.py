"""The picture that the README opens with, from a real session: python -m tests.client.screen.readme_picture.

The program plays on a pseudo-terminal, against a bot and by its own hints; what is on the screen then becomes an SVG.
"""

import tempfile
from pathlib import Path
from typing import Any

from quadrille.client.palette import DARK
from tests.client.screen.pseudo_terminal import Program
from tests.look.svg import Cell, drawn

FILE = Path(__file__).parents[3] / "docs" / "screen.svg"
ROWS, COLUMNS = 26, 84
MOVES = 14
PAPER, INK = DARK["paper"], DARK["ink"]


def session() -> list[list[Cell]]:
    """The screen of a game of Barons against a bot of level 2, some moves on."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("barons", "--seats", "3", "--against", "3", "--seed", "readme")
        with Program(*words, home=Path(folder), rows=ROWS, columns=COLUMNS, COLORTERM="truecolor") as program:
            for number in range(MOVES):
                program.sees("YOUR TURN")
                before = program.screen.display[0]
                program.press("f2")
                program.sees("would play")
                if number < MOVES - 1:
                    program.press("enter")
                    program.until(lambda told=before: told != program.screen.display[0], "the next move")
            buffer = program.screen.buffer
            return [[_cell(buffer[row][column]) for column in range(COLUMNS)] for row in range(ROWS)]


def _cell(cell: Any) -> Cell:
    ink = INK if cell.fg == "default" else f"#{cell.fg}"
    paper = PAPER if cell.bg == "default" else f"#{cell.bg}"
    ink, paper = (paper, ink) if cell.reverse else (ink, paper)
    return Cell(cell.data, ink, paper, cell.bold, cell.underscore, cell.italics)


def main() -> None:
    """Play, and keep the picture."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(drawn(session(), "A game of Barons in the terminal", PAPER), "utf-8")


if __name__ == "__main__":
    main()
