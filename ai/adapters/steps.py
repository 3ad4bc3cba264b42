"""Every game's turns in actions with small numbers, as learning programs and tree searches want them.

An action is a number from 0 up to, not including, `count`, which depends on the options and seats alone. Where a turn
can be too many things to number them all, it is made of several actions, *steps*; each that is legal can be completed,
and each turn has exactly one row of steps.

- Barons, Dollar Draw: the squares, column by column, each from the bottom. A turn is one action.
- Maze: the segments, by the square that they start from, then by the one that they go to. A turn is one action.
- Coin Isolation: the squares; end of the path, stand, renegade, pass; the sides south, north, west, east; the coins
  p, n, d, q; with take=semi-greedy also take 0, take 1, … A turn is a side; or pass; or stand, and where there is a
  choice the coin; or renegade perhaps, then the path square by square and its end, then, each only where there is a
  choice, the coin that is the path's type, the coins to take, the coins that go along one by one (p before n before d
  before q), the squares for a transplant one by one (ascending).
- Dotter: draw, peek, score; the players; the 54 slots 1a, 1b, 1c, 2a, …; no guess, double, triple, difference,
  quotient, nothing. A turn is draw; or peek, a player, two slots; or score, a player, three slots, a guess. Slots are
  ascending.

Chance has numbers of its own: in Coin Isolation the coins p, n, d, q as 0 to 3, in Dotter the cards in the order of
the pile (spades, hearts, diamonds, clubs, each from the ace to the king, then the jokers).

What is legal is asked of the board; no rule is written here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Final, Self, TypeAlias

from quadrille.rules.board import CHANCE
from quadrille.rules.boards.coin_terms import (
    COIN,
    END,
    GIVE_WANTED,
    KINDS,
    LAYOUT,
    PASS,
    PLACE_WANTED,
    RENEGADE,
    SEMI_GREEDY,
    SIDE,
    SIDES,
    STAGE,
    STAND,
    TAKE,
    TURN,
)
from quadrille.rules.boards.dotter_table import ROWS, SLOTS
from quadrille.rules.core import Game, Given, Move, State
from quadrille.rules.errors import RulesError
from quadrille.rules.games._coin_moves import LETTERS
from quadrille.rules.games._coin_moves import SIDES as SIDE_NAMES
from quadrille.rules.games._dotter_moves import GUESS_NAMES, DrawRow, Peek, Score, Slot
from quadrille.rules.games.barons import Claim
from quadrille.rules.games.dollar_draw import Stroke
from quadrille.rules.games.maze import Segment
from quadrille.rules.squares import grid

Made: TypeAlias = tuple[int, ...]


class Steps(ABC):
    """The actions of one game at one table, from its first position on.

    `count` actions and `faces` answers of chance there are; at most `longest` and `draws` of them in a game.
    `shape` has the planes, columns and rows of what a seat sees; `in_planes` tells whether what is made of a turn is
    among them.
    """

    in_planes = True

    def __init__(self, start: State[Any, Any]) -> None:
        self.start = start
        self.shape: tuple[int, ...] = tuple(start.board.shape())
        self.count = 0
        self.faces = 0
        self.longest = 0
        self.draws = 0

    def __deepcopy__(self, memo: object) -> Self:
        """Nothing of it ever changes."""
        return self

    @abstractmethod
    def legal(self, state: State[Any, Any], made: Made) -> list[int]:
        """The actions that are possible, ascending, when so much of the turn is made; at chance the faces."""

    @abstractmethod
    def text(self, state: State[Any, Any], made: Made, action: int) -> str:
        """A legal action in the words of the game's notation; at chance the face."""

    @abstractmethod
    def after(self, state: State[Any, Any], made: Made, action: int) -> tuple[State[Any, Any], Made]:
        """The position and what is made of the turn after a legal action; nothing is when it completes the turn."""

    def weight(self, state: State[Any, Any], face: int) -> int:
        """How likely chance is to answer this face, beside the others that `legal` lists."""
        return 1

    def objection(self, state: State[Any, Any], made: Made, action: int) -> str:
        """Why an action is not legal."""
        return f"action {action} is not possible now"


class Listed(Steps):
    """A game in which all moves that can ever be made are few: the action is a move's place among them."""

    def __init__(self, start: State[Any, Any], moves: Iterable[Move], longest: int) -> None:
        super().__init__(start)
        self.moves = tuple(moves)
        self.numbers = {move: number for number, move in enumerate(self.moves)}
        self.count = len(self.moves)
        self.longest = longest

    def legal(self, state: State[Any, Any], made: Made) -> list[int]:
        """The game's list."""
        return sorted(self.numbers[move] for move in state.moves)

    def text(self, state: State[Any, Any], made: Made, action: int) -> str:
        """The move."""
        return str(self.moves[action])

    def after(self, state: State[Any, Any], made: Made, action: int) -> tuple[State[Any, Any], Made]:
        """The move is made."""
        return state.play(self.moves[action]), ()

    def objection(self, state: State[Any, Any], made: Made, action: int) -> str:
        """In the game's own words."""
        return state.objection(self.moves[action]) or super().objection(state, made, action)


class CoinSteps(Steps):
    """Coin Isolation: the steps are the board's own, and the position is one in the middle of a turn."""

    def __init__(self, start: State[Any, Any]) -> None:
        super().__init__(start)
        board, options = start.board, start.options
        terms, seats = board.terms, board.seats
        coins = [sum(kind == laid for laid in terms.layout) for kind in range(KINDS)] if options.layout else terms.coins
        self.first = board.first
        self.names = grid(terms.width, terms.height).names
        self.count = self.first + TAKE + (max(coins) + 1 if terms.take == SEMI_GREEDY else 0)
        # the board tells how many turns there are; a turn: renegade, path, end, type, take, half the coins, transplants
        turns = (sum(coins) + 1) * terms.idle_rounds * seats
        self.longest = 2 + turns * (4 + 2 * terms.cells + sum(coins) // 2)
        self.faces, self.draws = (0, 0) if options.layout else (KINDS, terms.cells)

    def legal(self, state: State[Any, Any], made: Made) -> list[int]:
        """The board's list; at chance the kinds that are not all laid."""
        chance = self.first + COIN if state.board.turn == CHANCE else 0
        return sorted(step - chance for step in state.codes)

    def weight(self, state: State[Any, Any], face: int) -> int:
        """The coins of that kind that are still to be drawn."""
        return int(state.board.unlaid(face))

    def text(self, state: State[Any, Any], made: Made, action: int) -> str:
        """A square or the clause that the step is of."""
        board, step = state.board, action - self.first
        if board.turn == CHANCE:
            return LETTERS[action]
        if step < 0:
            return f"to {self.names[action]}" if board.at[STAGE] == PLACE_WANTED else self.names[action]
        if step >= TAKE:
            return f"take {step - TAKE}"
        if step >= COIN:
            return f"{'give' if board.at[STAGE] == GIVE_WANTED else 'type'} {LETTERS[step - COIN]}"
        if step >= SIDE:
            return f"side {SIDE_NAMES[step - SIDE]}"
        return {END: "end", STAND: "stand", RENEGADE: "renegade", PASS: "pass"}[step]

    def after(self, state: State[Any, Any], made: Made, action: int) -> tuple[State[Any, Any], Made]:
        """The board makes the step, and tells whether the turn is complete."""
        board = state.board.copy()
        board.apply(action + self.first + COIN if board.turn == CHANCE else action)
        complete = board.ended or board.at[STAGE] in (LAYOUT, SIDES, TURN)
        return state.on(board), () if complete else (*made, action)


#: The first actions of Dotter; from PLAYERS on come the players, then the slots, the guesses.
DRAW, PEEK, SCORE, PLAYERS = range(4)
_PEEK_STEPS: Final = 4
_SCORE_STEPS: Final = 6


class DotterSteps(Steps):
    """Dotter: what is done, with whose cards, with which, and what they are guessed to be.

    Its board knows whole moves only: what is made of one is told beside the planes.
    """

    in_planes = False

    def __init__(self, start: State[Any, Any]) -> None:
        super().__init__(start)
        board = start.board
        cards, seats = len(board.ranks), int(board.seats)
        self.slots = PLAYERS + seats
        self.guesses = self.slots + SLOTS
        self.count = self.guesses + len(GUESS_NAMES)
        self.faces = cards
        # the board tells how often each is possible in a round; each look and each card turned up is an answer
        rounds, looks, rows = int(board.max_rounds), cards * seats, cards // 3
        self.longest = rounds * (rows + looks * _PEEK_STEPS + rows * _SCORE_STEPS)
        self.draws = rounds * (looks + 3 * rows)

    def legal(self, state: State[Any, Any], made: Made) -> list[int]:
        """What the next step can be; at chance the faces that the card may have."""
        board = state.board
        if board.turn == CHANCE or board.ended:
            return sorted(state.codes)
        match made:
            case ():
                possible = (bool(board.serves()), bool(self._players(state, PEEK)), bool(self._players(state, SCORE)))
                return [step for step, there in enumerate(possible) if there]
            case (kind,):
                return [PLAYERS + player for player in self._players(state, kind)]
            case (kind, player, *slots):
                taken = [slot - self.slots for slot in slots]
                if len(taken) == (2 if kind == PEEK else 3):
                    return [self.guesses + guess for guess in range(board.guesses)]
                return [self.slots + slot for slot in self._next_slots(state, kind, player - PLAYERS, taken)]
        raise AssertionError("a turn begins with what is done")

    def _players(self, state: State[Any, Any], kind: int) -> list[int]:
        """Whose cards there are enough of."""
        return [player for player in range(state.seats) if self._next_slots(state, kind, player, [])]

    def _next_slots(self, state: State[Any, Any], kind: int, player: int, taken: list[int]) -> list[int]:
        """The next slot, behind the last one, while enough are left: for a peek two, one of them new to the mover."""
        board = state.board
        later = [slot for slot in board.down(player) if not taken or slot > taken[-1]]
        if kind == SCORE:
            return later[: max(0, len(later) - 2 + len(taken))]
        sealed = state.sealed()
        assert sealed is not None
        seen = sealed.looks[board.turn]
        fresh = {slot for slot in board.down(player) if board.position(player, slot) not in seen}
        if taken:
            return [slot for slot in later if taken[0] in fresh or slot in fresh]
        return [
            slot for place, slot in enumerate(later[:-1]) if slot in fresh or not fresh.isdisjoint(later[place + 1 :])
        ]

    def text(self, state: State[Any, Any], made: Made, action: int) -> str:
        """A word of the move; of a score without a guess the last one is `no guess`."""
        if state.board.turn == CHANCE:
            return str(state.move(action))
        if action < PLAYERS:
            return ("draw", "peek", "score")[action]
        if action < self.slots:
            return f"p{action - PLAYERS + 1}"
        if action < self.guesses:
            return str(self._slot(action))
        return GUESS_NAMES[action - self.guesses] or "no guess"

    def after(self, state: State[Any, Any], made: Made, action: int) -> tuple[State[Any, Any], Made]:
        """The move is made with its last step."""
        if state.board.turn == CHANCE:
            return state.play(state.move(action)), ()
        made = (*made, action)
        move = self._move(made)
        return (state, made) if move is None else (state.play(move), ())

    def _move(self, made: Made) -> Move | None:
        """The move that a whole turn is; None while it is not complete."""
        match made:
            case (kind,) if kind == DRAW:
                return DrawRow()
            case (kind, player, one, two) if kind == PEEK:
                return Peek(player - PLAYERS, (self._slot(one), self._slot(two)))
            case (_, player, one, two, three, guess):
                slots = (self._slot(one), self._slot(two), self._slot(three))
                return Score(player - PLAYERS, slots, GUESS_NAMES[guess - self.guesses])
        return None

    def _slot(self, action: int) -> Slot:
        return Slot(*divmod(action - self.slots, SLOTS // ROWS))


def steps_of(game: Game[Any, Any], options: Given = None, seats: int | None = None) -> Steps:
    """The actions of a game with these options; what the game refuses is refused in its own words."""
    start = game.start(options, seats)
    told = start.options
    match game.key:
        case "barons" | "dollar-draw":
            squares = grid(told.width, told.height).squares
            if game.key == "barons":
                return Listed(start, map(Claim, squares), len(squares))
            return Listed(start, map(Stroke, squares), 3 * len(squares) - 2)
        case "maze":
            sheet = grid(told.size, told.size)
            segments = (
                Segment(square, sheet.squares[near])
                for square, beside in zip(sheet.squares, sheet.beside, strict=True)
                for near in beside
            )
            return Listed(start, segments, len(sheet.squares) - 1)
        case "coin-isolation":
            return CoinSteps(start)
        case "dotter":
            return DotterSteps(start)
    raise RulesError(f"{game.title} has no actions for other frameworks yet: they are written in ai/adapters/steps.py")
