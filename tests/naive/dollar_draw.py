"""Dollar Draw, naively: a square holds a text of Bar's mark `|`, S's mark `S`, and the seat that captured it."""

from collections.abc import Mapping
from typing import Any

from tests.naive.table import Table, name, near, sheet

MARKS = "|S"


class DollarDraw(Table):
    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        super().__init__(options, seats)
        self.squares = sheet(options["width"], options["height"])
        self.tokens = ["a1", name(options["width"] - 1, options["height"] - 1)]
        self.holds = dict.fromkeys(self.squares, "")
        for seat in (0, 1):
            self.holds[self.tokens[seat]] = MARKS[seat]
        self.last_mover = 1

    def tally(self) -> bool:
        """ "strictly more of them carry the opponent's mark than the player's" """
        around = near(self.tokens[self.turn], self.squares, corners=True)
        own, other = (
            sum(MARKS[seat] in self.holds[square] for square in around) for seat in (self.turn, 1 - self.turn)
        )
        return other > own

    def allowed(self, square: str) -> bool:
        match self.holds[square]:
            case "" | "|S":
                return True
            case mark if mark == MARKS[1 - self.turn]:
                return self.tally()
        return False

    def moves(self) -> list[str]:
        if self.over:
            return []
        squares = near(self.tokens[self.turn], self.squares)
        return [square for square in squares if square not in self.tokens and self.allowed(square)]

    def play(self, text: str) -> None:
        holds = self.holds[text]
        self.holds[text] = {"": MARKS[self.turn], "|S": f"|S{self.turn}"}.get(holds, "|S")
        self.tokens[self.turn] = text
        self.last_mover = self.turn
        self.turn = 1 - self.turn
        self.over = not self.moves()

    def count(self, holds: str) -> int:
        return list(self.holds.values()).count(holds)

    def figures(self) -> dict[str, Any]:
        return {
            "captured": [self.count("|S0"), self.count("|S1")],
            "claimed": [self.count("|"), self.count("S")],
            "last_mover": self.last_mover,
        }

    def rank(self, seat: int) -> Any:
        figures = self.figures()
        return figures["captured"][seat], figures["claimed"][seat], self.last_mover == seat
