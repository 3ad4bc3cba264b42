"""Maze, naively."""

from collections.abc import Mapping
from typing import Any

from tests.naive.table import Table, name, near, sheet


class Maze(Table):
    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        super().__init__(options, seats)
        size = options["size"]
        self.squares = sheet(size, size)
        self.last = name(0, size - 1)
        self.taken = [self.last]
        self.crosses: list[str] = []

    def free(self, square: str) -> list[str]:
        """Untaken neighbours."""
        return [other for other in near(square, self.squares) if other not in self.taken]

    def moves(self) -> list[str]:
        if self.over:
            return []
        starts = [self.last] if self.free(self.last) else [square for square in self.squares if square in self.taken]
        return [f"{start}-{end}" for start in starts for end in self.free(start)]

    def play(self, text: str) -> None:
        self.last = text.split("-")[1]
        self.taken.append(self.last)
        if not self.free(self.last):
            self.crosses.append(self.last)
        self.over = len(self.taken) == len(self.squares)
        self.turn = 1 - self.turn

    def figures(self) -> dict[str, Any]:
        drawn = len(self.taken) - 1
        return {"crosses": len(self.crosses), "drawn": drawn, "left": len(self.squares) - 1 - drawn}

    def rank(self, seat: int) -> Any:
        return len(self.crosses) % 2 == (1 if seat == 0 else 0)
