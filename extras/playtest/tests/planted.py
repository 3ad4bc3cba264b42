"""Games with a planted fault, each as the text of a file that a designer could have written today.

All are Chomp with a change.
"""

from pathlib import Path
from typing import Final

from quadrille.rules.games import _template

_HEAD: Final = """
from dataclasses import dataclass
from quadrille.rules import options as option
from quadrille.rules.board import Board
from quadrille.rules.core import WHOLE, Move
from quadrille.rules.core.talk import Criterion
from quadrille.rules.games._template import Bite, Chomp, ChompBoard, ChompOptions, ChompState


class Table(Chomp):
    key = "{key}@file"
    title = "Planted"

    def _start(self, options, seats):
        return STATE(self, options, BOARD(options.width, options.height), WHOLE)


STATE = ChompState

class BOARD(ChompBoard):
    __slots__ = ()
"""
#: By name: what stands between the head and the last line, first of all more of the board.
FAULTS: Final = {
    "plain": "",
    # rules that never apply: an option that nobody reads, a kind of move that is never legal, an idle criterion
    "dead": """
@dataclass(frozen=True, slots=True)
class Wave(Move):
    def __str__(self):
        return "wave"

@dataclass(frozen=True, slots=True)
class Options(ChompOptions):
    moonlight: bool = option.flag("play by moonlight")

class STATE(ChompState):
    __slots__ = ()
    kinds = (Bite, Wave)

    def code(self, move):
        return super().code(move) if isinstance(move, Bite) else None

    def criteria(self, seat):
        return Criterion(0, "beauty"), Criterion(int(self.board.compare(seat, 1 - seat) > 0), "the poison", False)

Table.Options = Options
""",
    # whoever sits first wins, whatever anybody does
    "rigged": """
    def compare(self, one, other):
        return (1 if one == 0 else -1) if self.eaten[0] else 0
""",
    "draws": """
    def compare(self, one, other):
        return 0
""",
    # every bite grows again at once, so that nothing ever ends
    "endless": """
    def apply(self, move):
        self.plies += 1
        self.turn = 1 - self.turn

    def undo(self):
        self.plies -= 1
        self.turn = 1 - self.turn
""",
    # it breaks on larger bars
    "broken": """
    def apply(self, move):
        if self.squares == 16 and self.plies == 3:
            raise Ouch("ow")
        super().apply(move)

class Ouch(Exception):
    pass
""",
    # there it ends its process
    "deadly": """
    def apply(self, move):
        if self.squares == 16 and self.plies == 3:
            __import__("os")._exit(7)
        super().apply(move)
""",
    "solo": """
    def __init__(self, width, height):
        Board.__init__(self, 1, width * height)
        self.height, self.squares = height, width * height
        self.reset()

    def apply(self, move):
        super().apply(move)
        self.turn = 0

    def undo(self):
        super().undo()
        self.turn = 0

    def compare(self, one, other):
        return 0

class STATE(ChompState):
    __slots__ = ()

    def ending(self):
        return "the bar is eaten"

Table.seats, Table.usual_seats = range(1, 2), 1
""",
}


def written(name: str, folder: Path) -> Path:
    """Write the file of a game: with that fault, or the `bar` that the guide to plug-ins makes of the template."""
    path, text = folder / f"{name}.py", Path(_template.__file__).read_text("utf-8").replace('"chomp"', '"bar@file"')
    path.write_text(text if name == "bar" else _HEAD.format(key=name) + FAULTS[name] + "\n\nGAME = Table()\n", "utf-8")
    return path
