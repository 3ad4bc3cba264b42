"""Sample bots of the ladders: what they do for a move is counted, and no clock cuts it short.

So they are as strong on a slow machine, or a busy one, as in the run that rated them. A ladder names them
`samples.py:NAME`. The kit runs this file as it runs any author's (ai/kit.py). Each rating holds the hash of this file:
after a change of it, `tools/ladder` has to rate all samples anew.
"""
# ruff: noqa: D101 - below `Counted` a class is a name for its counts

import random
import re
from dataclasses import replace
from typing import Any, ClassVar, Final

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents import opponent
from quadrille.rules.core import Move, State
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Entry, Played
from quadrille.rules.search import Position

#: More work than any built-in bot does for a move, and more milliseconds than it takes.
ENDLESS: Final = 1_000_000_000
#: A square in the text of a move.
_SQUARE: Final = re.compile(r"([a-z])(\d+)")
_SEEDS: Final = 1 << 31


class MirroredMoves(Bot):
    """Answers the opponent's move by the same one, turned by 180 degrees about the middle; else at random."""

    def __init__(self) -> None:
        self._last = ""
        self._seat = 0

    def starts(self, view: State[Any, Any], seat: int) -> None:
        self._last, self._seat = "", seat

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:
        if isinstance(entry, Played) and entry.seat != self._seat:
            self._last = entry.move.text

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        _, columns, rows = view.board.shape()
        text = _SQUARE.sub(lambda square: _turned(square[1], int(square[2]), columns, rows), self._last)
        move: Move = view.moves.sample(rng)
        try:
            answer: Move = view.game.parse(text, view)
        except RulesError:
            return move
        return move if view.objection(answer) else answer


def _turned(column: str, row: int, columns: int, rows: int) -> str:
    return f"{chr(ord('a') + columns - 1 - (ord(column) - ord('a')))}{rows + 1 - row}"


class Flat(Bot):
    """The move after which the average of a hundred random games is best; of many moves it tries twenty-four."""

    games_a_move: ClassVar[int] = 100
    most_moves: ClassVar[int] = 24

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        moves: list[Move] = list(view.moves) if view.moves.count(self.most_moves + 1) <= self.most_moves else []
        moves = moves or [view.moves.sample(rng) for _ in range(self.most_moves)]

        def worth(move: Move) -> int:
            after = Position(view.play(move))
            return sum(game[clock.seat] for game in after.playouts(self.games_a_move, rng.randrange(_SEEDS)).payoffs)

        return max(moves, key=worth)


class Counted(Bot):
    """A built-in bot with its own count of simulations or positions, or with that much `work`, however long it takes.

    One move in `careless` is a random one; 0: none.
    """

    player: ClassVar[str] = "random"
    work: ClassVar[int] = ENDLESS
    careless: ClassVar[int] = 0

    def __init__(self) -> None:
        self._player = opponent(self.player)

    def starts(self, view: State[Any, Any], seat: int) -> None:
        self._player.starts(view, seat)

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move | str:
        if self.careless and not rng.randrange(self.careless):
            move: Move = view.moves.sample(rng)
            return move
        return self._player.choose(view, replace(clock, left=None, budget=ENDLESS, work=self.work), rng)


class RandomMoves(Counted):
    player = "random"


class GreedyMoves(Counted):
    player = "greedy"


class Careless2(Counted):
    player, careless = "2", 2


class Careless3(Counted):
    player, careless = "3", 4


class Level1(Counted):
    player = "1"


class Level2(Counted):
    player = "2"


class Level3(Counted):
    player = "3"


class Level4(Counted):
    player = "4"


class Level5(Counted):
    """Level 5 with a fixed amount of work, in place of a clock."""

    player, work = "5", 4000


class Level5Long(Counted):
    player, work = "5", 20_000


class AlphaBeta1(Counted):
    player = "alphabeta:1"


class AlphaBeta2(Counted):
    player = "alphabeta:2"


class AlphaBeta3(Counted):
    player = "alphabeta:3"


class Solver3(Counted):
    player = "solver:3"


class Uct4(Counted):
    player, work = "mcts:5", 4


class Uct40(Counted):
    player, work = "mcts:5", 40


class Uct150(Counted):
    player, work = "mcts:5", 150


class Uct600(Counted):
    player, work = "mcts:5", 600
