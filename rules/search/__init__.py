"""Games without a picture: positions to search and to learn on, for programs (docs/protocols/search.md).

    from quadrille.rules.search import Position

    position = Position.start("barons", {"width": 4, "height": 4}, seats=3)
    position.apply(position.read("b2"))
    found = position.search(1000, seed=7)
    position.text(found.move)

A move is a number here, as on the board (rules/board.py). Rows of numbers are NumPy arrays if NumPy is installed,
else lists. Compiled or not, the same seed gives the same playouts and the same search.
"""

import copy
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, Self

from quadrille.rules.arrays import filled
from quadrille.rules.board import CHANCE, OVER, PART, Board
from quadrille.rules.core import WHOLE, Game, Move, State, refusal
from quadrille.rules.dice import Dice
from quadrille.rules.engine import alpha_beta
from quadrille.rules.engine.alpha_beta import AlphaBetaSearch
from quadrille.rules.engine.playouts import play_out
from quadrille.rules.engine.tree import LOST, WON, Tree
from quadrille.rules.errors import GameOver, IllegalMove, RulesError
from quadrille.rules.options import shown
from quadrille.rules.registry import game as game_of
from quadrille.rules.search.proof import FRAMES, PROOF_TABLE, REST, Proof
from quadrille.rules.search.results import Found, HalfTurn, Playouts, Solved, check, found_in, whole_turn

__all__ = [
    "TABLE", "WANDER", "Found", "HalfTurn", "Lookahead", "Playouts", "Position", "Proof", "Solved", "TreeSearch",
]  # fmt: skip

#: Maximum work of one call: above it, somebody has mistyped.
MOST_PLAYOUTS: Final = 10_000_000
MOST_SIMULATIONS: Final = 4_000_000
MOST_POSITIONS: Final = 1_000_000_000
#: Entries of the transposition table of a search some moves ahead.
TABLE: Final = 1 << 16
#: UCT's exploration constant, times 100: the root of two, as UCB1 has it.
WANDER: Final = 140


class Position:
    """A position on which moves are made and taken back. It belongs to one thread; copies are independent.

    >>> position = Position.start("dollar-draw", {"width": 3, "height": 3}, moves=["a2", "c2"])
    >>> position
    Position of <Dollar Draw, 2 seats, ToMove(seat=0), 04bcf61ab34d>
        a     b     c
     3  .     .     S
     2  A:||  .    >B:S
     1  ||    .     .
                   captured  claimed
    > A  player 1         0        2
      B  player 2         0        2
    Tally of player 1: 1 own, 0 of the other: no reclaiming
    >>> [position.text(move) for move in position.moves()]
    ['a3', 'b2']
    >>> position.apply(position.read("b2"))
    >>> position.undo()
    >>> found = position.search(400, seed=7)
    >>> position.text(found.move), found.certain
    ('b2', 1)
    >>> position.prove().value, sum(position.playouts(100, seed=1).results)
    (1, 0)
    """

    __slots__ = ("_made", "_origin", "board")

    def __init__(self, state: State[Any, Any]) -> None:
        """Take the position of a state: of a whole table, or as a seat or a spectator knows it."""
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
        """Return the first position of a game, or the one after these moves and faces, in the game's notation."""
        state: Any = (game_of(game) if isinstance(game, str) else game).start(options, seats)
        for text in moves:
            state = state.play(state.game.parse(text, state))
        return cls(state)

    def __repr__(self) -> str:
        return "Position of " + repr(self.state)

    @property
    def state(self) -> State[Any, Any]:
        """The position with texts, reasons and pictures."""
        state: State[Any, Any] = self._origin.on(self.board.copy())
        return state

    @property
    def seats(self) -> int:
        return self.board.seats

    @property
    def seat(self) -> int | None:
        """The seat to move; None if a face is owed, or the game is over."""
        return None if self.board.turn == CHANCE or self.over else self.board.turn

    @property
    def chance(self) -> bool:
        """Return whether a face is owed."""
        return self.board.turn == CHANCE and not self.board.ended

    @property
    def terms(self) -> tuple[str, Any, int]:
        """Game, options and seats: one search can continue on positions with the same terms."""
        return self._origin.game.key, self._origin.options, self.seats

    @property
    def hidden(self) -> bool:
        """Return whether there are hidden faces."""
        return self._origin.game.hidden

    @property
    def over(self) -> bool:
        """Return whether the game is over."""
        return self.board.ended or (self.board.turn != CHANCE and not self.state.moves)

    def moves(self) -> list[int]:
        """Return the legal moves as numbers, in no particular order. In a game of steps they are steps."""
        count = self.board.legal()
        return list(self.board.moves[:count])

    def apply(self, move: int) -> None:
        """Make a listed move."""
        if isinstance(move, bool) or not isinstance(move, int) or move not in self.moves():
            raise IllegalMove(f"{shown(move)} is no move of this position: `moves` lists {len(self.moves())}")
        self.apply_quickly(move)

    def apply_quickly(self, move: int) -> None:
        """Make a move unchecked: an illegal one breaks the position."""
        self.board.apply(move)
        self._made += 1

    def undo(self) -> None:
        """Take back the last move that was made here."""
        if self._made == 0:
            raise RulesError("nothing was played here that could be taken back")
        self._made -= 1
        self.board.undo()

    def copy(self) -> "Position":
        """Return the same position, without its undo stack."""
        return Position(self.state)

    def __copy__(self) -> Self:
        """Return the same position, with its undo stack."""
        return copy.deepcopy(self)

    def random_move(self, dice: Dice) -> int:
        """Choose a legal move at random, without a list where lists are long."""
        move = self.board.random_move(dice)
        if move < 0:
            raise GameOver("the game is over: there is no move to choose from")
        return move

    def read(self, text: str) -> int:
        """Return the number of a move in the game's notation."""
        state = self.state
        move = state.game.parse(text, state)
        if state.objection(move) is not None:
            raise refusal(state, move)
        [number, *more] = self.steps(move)
        if more:
            raise RulesError(f"{move} is {1 + len(more)} numbers, its steps: `steps` gives them")
        return number

    def text(self, move: int) -> str:
        """Write a move, or a step of one, in the game's notation."""
        state = self.state
        return state.word((), move) if state.board_steps else str(state.move(move))

    def payoffs(self) -> list[int]:
        """Return for each seat the number of seats behind it, less those ahead of it, at present; they add up to 0."""
        return [self.board.payoff(seat) for seat in range(self.seats)]

    def guess(self, seat: int | None, seed: int) -> "Position":
        """Return the position as `seat` knows it (None: as here), with a possible value for every hidden face."""
        state = self.state if seat is None else self.state.view(seat)
        whole = state.on(state.board.copy())
        whole.board.guess(Dice(seed))
        whole.viewer = WHOLE
        return Position(whole)

    def half_turn(self) -> HalfTurn | None:
        """Return the opponent's last move turned by 180 degrees, if the result of such answers is proven.

        In Dollar Draw it is for S on an even number of squares. In Barons for two it is for the second seat on an even
        number, and for the first on an odd one, if the last square is played. Everywhere else it is None.
        """
        move = self.board.half_turn()
        return None if move < 0 else HalfTurn(move, self.board.half_turn_worth())

    def playouts(self, count: int, seed: int) -> Playouts:
        """Play random games from here on."""
        check("playouts", count, MOST_PLAYOUTS)
        payoffs = filled(count * self.seats, 0)
        moves = play_out(self.board, Dice(seed), count, payoffs)
        return Playouts(moves, self.seats, payoffs)

    def move(self, numbers: Sequence[int]) -> Move:
        """Return the move of these numbers: one, or the steps of a whole turn."""
        state = self.state
        move: Move = state.move_of(numbers) if state.board_steps else state.move(numbers[0])
        return move

    def steps(self, move: Move) -> list[int]:
        """Return the numbers of a legal move: one, or the steps of a whole turn."""
        state = self.state
        numbers = state.steps(move) if state.board_steps else [state.code(move)]
        assert numbers is not None and numbers != [None], "a legal move has numbers"
        return numbers  # type: ignore[return-value]

    def search(self, simulations: int, seed: int, *, wander: int = WANDER) -> Found:
        """Search by UCT for the seat to move, with that seat's knowledge. `wander` is the exploration constant, times
        100: 140 is the root of two.
        """
        check("simulations", simulations, MOST_SIMULATIONS)
        search = TreeSearch(self, seed, wander=wander)
        search.go_on(simulations)
        return search.found

    def known(self, seat: int) -> Board:
        """Return the board as that seat knows it."""
        if self._origin.viewer == seat:
            return self.board
        state = self.state
        board: Board = (state.view(seat) if state.game.hidden and state.viewer == WHOLE else state).board.copy()
        return board

    def solve(self, depth: int, positions: int = 1_000_000) -> Solved:
        """Search by alpha-beta for two seats without chance: `depth` turns ahead, over at most `positions`."""
        check("moves", depth, 1000)
        check("positions", positions, MOST_POSITIONS)
        search = Lookahead(self)
        search.go_on(positions, depth)
        return search.found

    def prove(self, positions: int = 1_000_000) -> Solved:
        """Prove the payoff of the seat to move, whatever all others do, without chance; if the proof takes at most
        `positions`.
        """
        check("positions", positions, MOST_POSITIONS)
        search = Proof(self, min(PROOF_TABLE, 1 << positions.bit_length()))
        search.go_on(positions)
        return search.found


def turner(start: State[Any, Any]) -> tuple[int, int] | None:
    """Return the seat of two that can answer each move by its half turn from the first position on, and its payoff at
    least; None if none can.
    """
    board = start.board.copy()
    for seat in range(2):
        if board.half_turn() >= 0:
            return seat, board.half_turn_worth()
        board.legal()
        board.apply(board.moves[0])
    return None


class TreeSearch:
    """UCT that can be continued: a tree for the seat to move, with that seat's knowledge."""

    __slots__ = ("_root", "tree")

    def __init__(self, position: Position, seed: int, *, wander: int = WANDER) -> None:
        seat = position.seat
        if seat is None:
            raise GameOver("only a seat that is to move can search: a face is owed, or the game is over")
        self._root = position.known(seat)
        self.tree = Tree(self._root, Dice(seed), seat, wander, not position.hidden)

    def follow(self, position: Position) -> bool:
        """Continue from a later position of the same game, if the tree contains it, with its results."""
        seat = position.seat
        if seat is None or seat != self.tree.seat or position.hidden:
            return False
        root = position.known(seat)
        if not self.tree.follow(root):
            return False
        self._root = root
        return True

    def compare(self, one: Sequence[int], other: Sequence[int]) -> None:
        """Spend all simulations on these two legal turns, given as steps; call it before the first simulation."""
        parting = next(at for at, (a, b) in enumerate(zip_longest(one, other)) if a != b)
        for steps, others in ((one, other), (other, one)):
            for at, step in enumerate(steps):
                place = self._place(steps[:at])
                if not self._places(place):
                    self.tree.keep(place, step, others[at] if at == parting < len(others) else step)

    def go_on(self, simulations: int) -> bool:
        """Add simulations; return whether more of them could change anything."""
        self.tree.search(simulations)
        return not self.tree.proved[self.tree.top]

    @property
    def found(self) -> Found:
        """The result so far."""
        return found_in(self.tree)

    def add(self, result: Found) -> None:
        """Count the trials of another search from the same position as well."""
        tree, known = self.tree, dict(zip(result.moves, zip(result.visits, result.values, strict=True), strict=True))
        for place in self._places(tree.top):
            visits, value = known.get(tree.move[place], (0, 0))
            tree.visits[place] += visits
            tree.total[place] += visits * value * PART // 1_000_000

    def turn(self) -> list[int]:
        """Return the best turn: one number, or all its steps."""
        tree = self.tree

        def following(steps: list[int]) -> int:
            places = self._places(self._place(steps))
            if not places:
                return OVER
            return tree.move[max(places, key=lambda p: (tree.proved[p] == WON, tree.proved[p] != LOST, tree.visits[p]))]

        return whole_turn(self._root.copy(), self.found.move, following)

    def seen(self, steps: Sequence[int]) -> tuple[int, int]:
        """Return the number of trials of a turn, and its average result for the searching seat, in millionths."""
        place = self._place(steps)
        visits = int(self.tree.visits[place]) if place >= 0 else 0
        return visits, 1_000_000 * int(self.tree.total[place]) // (PART * visits) if visits else 0

    def replies(self, steps: Sequence[int]) -> list[tuple[int, int]]:
        """Return the moves after a turn with their proven results (engine/tree.py); none unless all were tried."""
        tree, place = self.tree, self._place(steps)
        places = self._places(place)
        if place < 0 or len(places) >= tree.width or tree.tried[place] < len(places):
            return []
        return [(tree.move[reply], tree.proved[reply]) for reply in places]

    def _places(self, place: int) -> range:
        """Return the places in the tree of the moves after the one at a place."""
        first = self.tree.block[place] if place >= 0 else 0
        return range(first, first + self.tree.size[place]) if first > 0 else range(0)

    def _place(self, steps: Sequence[int]) -> int:
        """Return the place in the tree of these steps; -1 if they are not in it."""
        place = self.tree.top
        for step in steps:
            place = next((p for p in self._places(place) if self.tree.move[p] == step), -1)
        return place


class Lookahead:
    """Alpha-beta that can be continued, turn by turn deeper."""

    __slots__ = ("engine",)

    def __init__(self, position: Position, places: int = TABLE) -> None:
        """`places`: entries of the transposition table, a power of two."""
        if position.seats != 2 or position.hidden or position.chance:
            raise RulesError("alpha-beta is for two seats who see everything: use search")
        if position.seat is None:
            raise GameOver("the game is over: there is nothing to look for")
        # it recurses for each turn and each step of one: on the largest boards beyond Python's limit
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        self.engine = AlphaBetaSearch(position.board.copy(), places)

    def go_on(self, positions: int, depth: int = 1000) -> bool:
        """Search that many more positions, at most `depth` turns ahead; return whether there is more to search."""
        return not self.engine.search(depth, positions) or not (self.engine.certain or self.engine.depth >= depth)

    @property
    def found(self) -> Solved:
        """The result so far."""
        engine = self.engine
        value, certain = int(engine.value), bool(engine.certain)
        value = value // alpha_beta.WON if certain else 1000 * value // PART
        return Solved(engine.move, value, certain, engine.depth, engine.nodes)

    def turn(self) -> list[int]:
        """Return the best turn: one number, or all its steps. The search can't continue after it."""
        engine = self.engine

        def following(_: list[int]) -> int:
            """Search the next step, as deep as those before it."""
            depth = max(engine.depth, 1)
            engine.move, engine.depth, engine.certain = OVER, depth - 1, False
            engine.search(depth, REST)
            return engine.move

        return whole_turn(engine.board, engine.move, following)
