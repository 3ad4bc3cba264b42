"""Barons, naively: everything is counted anew after each move."""

from collections.abc import Mapping
from typing import Any

from tests.naive.table import Table, name, place, sheet


class Barons(Table):
    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        super().__init__(options, seats)
        self.squares = sheet(options["width"], options["height"])
        self.owner: dict[str, int] = {}

    def moves(self) -> list[str]:
        return [] if self.over else [square for square in self.squares if square not in self.owner]

    def play(self, text: str) -> None:
        self.owner[text] = self.turn
        if self.turn == self.staying[-1]:
            self.end_of_round()
        self.over = self.over or len(self.owner) == len(self.squares)
        self.turn = self.after(self.turn)

    def end_of_round(self) -> None:
        left = len(self.squares) - len(self.owner)
        if self.options["end"] == "equal-turns" and left < len(self.staying):
            self.over = True

    def skip(self) -> None:
        """The seat to move has left: if it was the last one's turn, all others have had theirs."""
        if self.turn > self.staying[-1]:
            self.end_of_round()
        super().skip()

    def lines(self, seat: int, step: tuple[int, int]) -> int:
        """Pairs of the seat's squares, the second one step from the first."""
        own = [place(square) for square, owner in self.owner.items() if owner == seat]
        return sum((column + step[0], row + step[1]) in own for column, row in own)

    def whole(self, seat: int, lines: list[list[str]]) -> int:
        return sum(all(self.owner.get(square) == seat for square in line) for line in lines)

    def figures(self) -> dict[str, Any]:
        width, height, options, seats = self.options["width"], self.options["height"], self.options, range(self.seats)
        rows = [[name(column, row) for column in range(width)] for row in range(height)]
        columns = [[name(column, row) for row in range(height)] for column in range(width)]
        across, up = [self.lines(seat, (1, 0)) for seat in seats], [self.lines(seat, (0, 1)) for seat in seats]
        found = {
            "connections": [a + b for a, b in zip(across, up, strict=True)],
            "rows": [self.whole(seat, rows) for seat in seats],
            "columns": [self.whole(seat, columns) for seat in seats],
        }
        found["points"] = [
            options["horizontal"] * a + options["vertical"] * b + options["row_bonus"] * r + options["column_bonus"] * c
            for a, b, r, c in zip(across, up, found["rows"], found["columns"], strict=True)
        ]
        return found

    def rank(self, seat: int) -> Any:
        return self.figures()["points"][seat]
