"""Games without a picture: positions to search and to learn on, for programs (protocols.md, "Search").

    from quadrille.rules.search import Position

    position = Position.start("barons", {"width": 4, "height": 4}, seats=3)
    position.apply(position.read("b2"))
    found = position.search(1000, seed=7)
    position.text(found.move)

A move is a number here, as on the board (rules/board.py). Rows of numbers are NumPy arrays where NumPy is installed,
else lists. Compiled or not, the same seed gives the same playouts and the same search.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from quadrille.rules.arrays import filled
from quadrille.rules.board import CHANCE, Board
from quadrille.rules.core import WHOLE, Game, State
from quadrille.rules.dice import Dice
from quadrille.rules.engine.alpha_beta import WON, AlphaBeta
from quadrille.rules.engine.playouts import play_out
from quadrille.rules.engine.tree import Tree
from quadrille.rules.errors import GameOver, IllegalMove, RulesError
from quadrille.rules.registry import game as game_of

MOST_PLAYOUTS: Final = 10_000_000
MOST_SIMULATIONS: Final = 4_000_000
TABLE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random games: how many moves they had together; their results, game after game, a number for each seat."""

    moves: int
    seats: int
    results: Any

    @property
    def payoffs(self) -> Any:
        """The results as `payoffs[game][seat]`."""
        return shaped(self.results, [len(self.results) // self.seats, self.seats])


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: the move that was tried most, and of all its moves how often, and what they came to.

    `values` are the averages of the searching seat's payoffs, in millionths.
    """

    move: int
    moves: list[int]
    visits: list[int]
    values: list[int]


@dataclass(frozen=True, slots=True)
class Solved:
    """What alpha-beta came to: a best move, and the value for the seat to move when `depth` moves are looked at.

    `value` is the payoff when `certain`; else by how much the seat is ahead, in the game's figures, at best play.
    """

    move: int
    value: int
    certain: bool
    depth: int
    positions: int


class Position:
    """A position that moves are made on and taken back from."""

    __slots__ = ("_made", "_origin", "board")

    def __init__(self, state: State[Any, Any]) -> None:
        """The position of a state: of a whole table, or as a seat or a spectator knows it."""
        self._origin = state
        self.board: Board = state.board.copy()
        self._made = 0

    @classmethod
    def start(
        cls,
        game: str | Game[Any, Any],
        options: Mapping[str, object] | None = None,
        seats: int | None = None,
        *,
        moves: Iterable[str] = (),
    ) -> Self:
        """The first position of a game, or the one after these moves and faces, in the game's notation."""
        state: Any = (game_of(game) if isinstance(game, str) else game).start(options, seats)
        for text in moves:
            state = state.play(state.game.parse(text, state))
        return cls(state)

    @property
    def state(self) -> State[Any, Any]:
        """The position with texts, reasons and pictures."""
        state: State[Any, Any] = self._origin.on(self.board.copy())
        return state

    @property
    def seats(self) -> int:
        """How many play."""
        return self.board.seats

    @property
    def seat(self) -> int | None:
        """The seat to move; None when a face is owed, or the game is over."""
        return None if self.board.turn == CHANCE or self.over else self.board.turn

    @property
    def chance(self) -> bool:
        """Whether a face is owed."""
        return self.board.turn == CHANCE and not self.board.ended

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self.board.ended or (self.board.turn != CHANCE and not self.state.can_move)

    def moves(self) -> list[int]:
        """The legal moves: numbers, in no order that means anything. In Coin Isolation they are steps of a turn."""
        count = self.board.legal()
        return list(self.board.moves[:count])

    def apply(self, move: int) -> None:
        """Make a move that `moves` lists."""
        if isinstance(move, bool) or not isinstance(move, int) or move not in self.moves():
            raise IllegalMove(f"{move!r} is no move of this position: `moves` lists {len(self.moves())}")
        self.apply_quickly(move)

    def apply_quickly(self, move: int) -> None:
        """As `apply`, for moves that are known to be legal: nothing is checked, and others break the position."""
        self.board.apply(move)
        self._made += 1

    def undo(self) -> None:
        """Take back the last move that was made here."""
        if self._made == 0:
            raise RulesError("nothing was played here that could be taken back")
        self._made -= 1
        self.board.undo()

    def copy(self) -> "Position":
        """The same position, with nothing to take back."""
        return Position(self.state)

    def random_move(self, dice: Dice) -> int:
        """A legal move at random, without a list where lists are long."""
        move = self.board.random_move(dice)
        if move < 0:
            raise GameOver("the game is over: there is no move to choose from")
        return move

    def read(self, text: str) -> int:
        """The number of a move in the game's notation."""
        state = self.state
        code = state.code(state.game.parse(text, state))
        if code is None or not state.lists(code):
            raise state.refusal(state.game.parse(text, state))
        return code

    def text(self, move: int) -> str:
        """A move in the game's notation. Steps of Coin Isolation have none."""
        return str(self.state.move(move))

    def payoffs(self) -> list[int]:
        """For each seat how many are behind it, less how many are ahead of it, as things stand; they add up to 0."""
        return [self.board.payoff(seat) for seat in range(self.seats)]

    def observation(self, seat: int) -> Any:
        """What a seat sees as numbers: planes, columns, rows; a NumPy array, or lists in lists."""
        self._origin.check_seat(seat)
        return shaped(self.board.observe(seat), list(self.board.shape()))

    def guess(self, seat: int | None, seed: int) -> "Position":
        """As `seat` knows it (None: as it is known here), with every hidden face given a value it can have."""
        state = self.state if seat is None else self.state.view(seat)
        whole = Position(state)
        whole.board.guess(Dice(seed))
        whole._origin = state.on(whole.board.copy())
        whole._origin.viewer = WHOLE
        return whole

    def playouts(self, count: int, seed: int) -> Playouts:
        """So many random games from here on."""
        check("playouts", count, MOST_PLAYOUTS)
        payoffs = filled(count * self.seats, 0)
        moves = play_out(self.board, Dice(seed), count, payoffs)
        return Playouts(moves, self.seats, payoffs)

    def search(self, simulations: int, seed: int, *, wander: int = 140) -> Found:
        """UCT for the seat to move, with what that seat knows. `wander`: how much it tries what was tried little, in
        hundredths: 140 is the root of two.
        """
        check("simulations", simulations, MOST_SIMULATIONS)
        seat = self.seat
        if seat is None:
            raise GameOver("only a seat that is to move can search: a face is owed, or the game is over")
        board = self.board if self._origin.viewer == seat else self._known(seat)
        tree = Tree(board, Dice(seed), seat, wander)
        tree.search(simulations)
        row = list(tree.result())
        moves, visits, totals = row[::3], row[1::3], row[2::3]
        values = [1_000_000 * total // max(count, 1) for total, count in zip(totals, visits, strict=True)]
        best = max(range(len(moves)), key=lambda at: (visits[at], values[at]))
        return Found(moves[best], moves, visits, values)

    def _known(self, seat: int) -> Board:
        state = self.state
        board: Board = (state.view(seat) if state.game.hidden and state.viewer == WHOLE else state).board.copy()
        return board

    def solve(self, depth: int, positions: int = 1_000_000) -> Solved:
        """Alpha-beta for two seats without chance: `depth` moves ahead, at no more than so many positions."""
        check("moves", depth, 1000)
        if self.seats != 2 or self._origin.game.hidden or self.chance:
            raise RulesError("alpha-beta is for two seats who see everything: use search")
        if self.seat is None:
            raise GameOver("the game is over: there is nothing to look for")
        search = AlphaBeta(self.board.copy(), TABLE)
        search.search(depth, positions)
        value = int(search.value)
        won = abs(value) >= WON
        return Solved(search.move, value // WON if won else value, won or not search.cut, search.depth, search.nodes)


def check(what: str, count: int, most: int) -> None:
    """Refuse numbers that nobody can mean."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
        raise RulesError(f"{what}: a number from 1 to {most}, not {count!r}")


def shaped(numbers: Any, shape: list[int]) -> Any:
    """Numbers in rows: a NumPy array where NumPy is installed, else lists in lists."""
    try:
        import numpy
    except ImportError:
        return nested(list(numbers), shape)
    return numpy.asarray(numbers, dtype=numpy.int64).reshape(shape)


def nested(row: list[int], shape: list[int]) -> list[Any]:
    """Lists in lists of that shape."""
    if len(shape) == 1:
        return row
    part = len(row) // shape[0] if shape[0] else 0
    return [nested(row[part * at : part * (at + 1)], shape[1:]) for at in range(shape[0])]
