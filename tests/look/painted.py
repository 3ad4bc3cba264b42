"""The cells of a terminal's screen in colours, and a picture of the client on a terminal of so many colours."""

from typing import Any

import pyte

from quadrille.client.screen import start
from quadrille.client.screen.draw.canvas import Picture, columns
from tests.look.svg import Cell

#: What a terminal shows where a theme names no colour: dark on light paper, light on dark.
USUAL = ("#d0d0d0", "#1c1c1c")
#: The 16 colours by their names in pyte, in which one is misspelt.
SIXTEEN = {
    "black": "#000000", "red": "#aa0000", "green": "#00aa00", "brown": "#aa5500", "blue": "#0000aa",
    "magenta": "#aa00aa", "cyan": "#00aaaa", "white": "#aaaaaa", "brightblack": "#555555", "brightred": "#ff5555",
    "brightgreen": "#55ff55", "brightbrown": "#ffff55", "brightblue": "#5555ff", "brightmagenta": "#ff55ff",
    "bfightmagenta": "#ff55ff", "brightcyan": "#55ffff", "brightwhite": "#ffffff",
}  # fmt: skip


def painted(picture: Picture, theme: str, number: int) -> list[list[Cell]]:
    """Its cells, as a terminal of that number of colours shows them."""
    screen = pyte.Screen(sum(columns(text) for _, text in picture.rows[0]), len(picture.rows))
    pyte.Stream(screen).feed(start.painted(picture, theme, number).after(start.PaintedPicture()))
    return cells(screen)


def cells(screen: pyte.Screen, usual: tuple[str, str] = USUAL) -> list[list[Cell]]:
    """The second half of a wide sign is a cell without a sign."""
    return [[_cell(screen.buffer[row][at], *usual) for at in range(screen.columns)] for row in range(screen.lines)]


def _cell(cell: Any, ink: str, paper: str) -> Cell:
    if cell.fg != "default":
        ink = SIXTEEN.get(cell.fg) or f"#{cell.fg}"
    if cell.bg != "default":
        paper = SIXTEEN.get(cell.bg) or f"#{cell.bg}"
    ink, paper = (paper, ink) if cell.reverse else (ink, paper)
    return Cell(cell.data, ink, paper, cell.bold, cell.underscore, cell.italics)
