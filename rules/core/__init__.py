"""The interface of every game. Read this file first, then values.py.

A `Game` describes and starts; a `State` is an immutable position as one viewer knows it; a `Move` is a small value;
the debt of the next move is a value too (`pending`); chance is answered from outside.

The rules of a game are written once, on its board (rules/board.py); a State adds notation, reasons, views, pictures
and digests. Nothing here knows a clock, a socket or a random number.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import prod
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from quadrille.rules.board import CHANCE, Board
from quadrille.rules.chance import Dealer, Randomness
from quadrille.rules.core.half import Half, listed_half, stepped_half, verdict
from quadrille.rules.core.moves import Moves
from quadrille.rules.core.story import Consequence, Criterion
from quadrille.rules.core.values import (
    HIDDEN,
    RULES_VERSION,
    TO_MOVE,
    WHOLE,
    Face,
    Figure,
    Figures,
    Given,
    Lesson,
    Move,
    Over,
    Pending,
    Pile,
    Plain,
    Preset,
    Sealed,
    ToDraw,
    ToMove,
    Viewer,
)  # fmt: skip
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.errors import BadOptions, BadSeats, GameOver, IllegalMove, RulesError
from quadrille.rules.options import Options, Value, offered, shown
from quadrille.rules.scene import Panel, Scene

__all__ = [
    "HIDDEN", "RULES_VERSION", "TO_MOVE", "WHOLE", "Face", "Figure", "Figures", "Game", "Given", "Lesson",
    "Move", "Moves", "Over", "Pending", "Pile", "Plain", "Preset", "Sealed", "State", "ToDraw", "ToMove", "Viewer",
    "settle",
]  # fmt: skip

B = TypeVar("B", bound=Board)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
#: Maximum steps, and owed faces, in a game that defines no limit of its own.
MOST_STEPS: Final = 1 << 20


class State(ABC, Generic[B, M]):
    """An immutable position as one viewer knows it: a value that any number of threads may read at once.

    States share `board`, so nobody may write to it: call a method that writes, such as `legal`, on a copy.

    >>> from quadrille.rules.registry import game
    >>> state = game("barons").start({"width": 3, "height": 2}, seats=2)
    >>> [str(move) for move in state.legal_moves]
    ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']
    >>> after = state.play("b2")
    >>> after
    <Barons, 2 seats, ToMove(seat=1), 3d5ad2b5960a>
        a   b   c
     2  .  >A   .
     1  .   .   .
                   points  connections  rows  columns
      A  player 1       0            0     0        0
    > B  player 2       0            0     0        0
    >>> after.objection(after.game.parse("b2", after))
    'b2 belongs to player 1: nothing is ever taken over'

    Chance is answered from outside, by a `Face`; `settle` has a dealer do it. The views of other seats lack what only
    one seat may see. A move can be made of several steps, and `next_steps` tells what can follow:

    >>> from quadrille.rules.chance import SeedDealer
    >>> state = game("dotter").start(seats=2)
    >>> for text in ("draw", "draw", "peek p2 1a 1c"):
    ...     state = settle(state.play(text), SeedDealer("any text"))
    >>> [[mark.label for mark in state.view(seat).scene().rows[1].marks] for seat in (0, 1)]
    [['7S', '?', 'QS'], ['?', '?', '?']]
    >>> row = [1]
    >>> [state.word(row, step) for step in state.next_steps(row)]
    ['p1', 'p2']
    >>> str(state.move_of(state.steps(state.game.parse("score p1 1a 1b 1c", state))))
    'score p1 1a 1b 1c'
    """

    __slots__ = ("_codes", "_pending", "board", "game", "options", "seats", "viewer")

    #: Whether each listed move is one number of the board, in a game without chance.
    numbered: ClassVar[bool] = True
    #: Whether the board's own numbers are the steps; otherwise each move is one number of the board, whatever its
    #: steps are.
    board_steps: ClassVar[bool] = True

    game: "Game[Any, Any]"
    options: Any
    seats: int
    viewer: Viewer
    board: B

    def __init__(self, game: "Game[Any, Any]", options: Options, board: B, viewer: Viewer = WHOLE) -> None:
        self.game = game
        self.options = options
        self.seats = board.seats
        self.viewer = viewer
        self.board = board
        self._codes: tuple[int, ...] | None = None
        self._pending: Pending | None = None

    # To be defined by each game

    @abstractmethod
    def move(self, code: int) -> M:
        """The move of a board's number (the same object each time)."""

    @abstractmethod
    def code(self, move: M) -> int | None:
        """The board's number of a move of this game; None if no board of this size has it."""

    @abstractmethod
    def reason(self, move: M) -> str:
        """Why this move, which the board does not list, is illegal: a sentence in the game's own terms."""

    @abstractmethod
    def figures(self) -> Figures:
        """The present figures that decide the game."""

    @abstractmethod
    def ending(self) -> str:
        """Why the game ended; called after its end, if more than one seat is left."""

    @abstractmethod
    def plain(self) -> Plain:
        """The viewer's full knowledge of the position, for digests and comparison."""

    @abstractmethod
    def scene(self) -> Scene:
        """A picture of the position, as data."""

    def labyrinth(self) -> Labyrinth | None:
        """The maze of the game so far; None in a game without one."""
        return None

    def story(self, move: M, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """The effects of a move made here, and their reasons; `faces` were drawn for it, `after` is the result."""
        return ()

    def criteria(self, seat: int) -> tuple[Criterion, ...]:
        """The criteria for the place of a seat still in, most important first; empty if `ending` says more."""
        return ()

    @property
    def legend(self) -> str:
        """The values of things in the scene, if the scene does not show them."""
        return ""

    @property
    @abstractmethod
    def kinds(self) -> tuple[type[Move], ...]:
        """The classes of this game's moves."""

    # Derived from that

    @property
    def codes(self) -> tuple[int, ...]:
        """The board's numbers of the legal moves, in the board's own order; empty when the game is over."""
        if self._codes is None:
            self._codes = tuple(self.board.listed())
        return self._codes

    def lists(self, code: int) -> bool:
        """Whether the board lists this number now; a game of long lists answers without listing."""
        return code in self.codes

    @property
    def can_move(self) -> bool:
        """Whether there is any move; a game of long lists answers without listing."""
        return bool(self.codes)

    @property
    def pending(self) -> Pending:
        """Exactly one of `ToMove`, `ToDraw`, `Over`."""
        if self._pending is None:
            self._pending = self._find_pending()
        return self._pending

    def _find_pending(self) -> Pending:
        board = self.board
        if not board.ended:
            if board.turn == CHANCE:
                return self.draw()
            if self.can_move:
                return TO_MOVE[board.turn]
        places = tuple(board.place(seat) for seat in range(self.seats))
        why = self.ending() if board.seats_in > 1 else "everybody else has left"
        return Over(places, self.figures(), why)

    def draw(self) -> ToDraw:
        """The owed draw; defined by games that draw."""
        raise AssertionError(f"{self.game.key} draws nothing")

    def draws(self) -> tuple[ToDraw, ...]:
        """All draws owed before the next move, in order; all have the same owner."""
        pending = self.pending
        return (pending,) if isinstance(pending, ToDraw) else ()

    def sealed(self) -> Sealed | None:
        """The pile in play of a game with hidden faces."""
        return None

    @property
    def moves(self) -> "Moves[M]":
        """The legal moves: to be queried, not listed."""
        return Moves(self)

    @property
    def legal_moves(self) -> list[M]:
        """The legal moves in a list: at most 10,000 (`moves` has all in large turns of Coin Isolation and Dotter)."""
        return list(islice(self.moves, 10_000))

    def objection(self, move: Move) -> str | None:
        """Why the move is illegal now, in a sentence; None if it is legal."""
        if isinstance(move, self.kinds):
            code = self.code(move)  # type: ignore[arg-type]
            if code is not None and self.lists(code):
                return None
            if not isinstance(self.pending, Over):
                return self.reason(move)  # type: ignore[arg-type]
        return self._wrong_kind(move)

    def _wrong_kind(self, move: Move) -> str:
        if isinstance(self.pending, Over):
            return f"the game is over: {self.pending.reason}"
        return f"{shown(str(move))} is no move of {self.game.title}"

    def play(self, move: Move | str) -> Self:
        """The position after a move or its text, or after the owed face; refuses an illegal move."""
        if isinstance(move, self.kinds):
            code = self.code(move)  # type: ignore[arg-type]
            if code is not None and self.lists(code):
                return self._coded(code)
        if isinstance(move, str):
            return self.play(self.game.parse(move, self))
        raise self.refusal(move)

    def refusal(self, move: Move) -> RulesError:
        """The error with the objection to a move."""
        kind = GameOver if isinstance(self.pending, Over) else IllegalMove
        return kind(self.objection(move) or "")

    def _after(self, move: Move) -> Self:
        """The position after a move from `moves`, unchecked."""
        return self._coded(self.code(move))  # type: ignore[arg-type]

    def _coded(self, code: int) -> Self:
        board = self.board.copy()
        board.apply(code)
        return self.on(board)

    def on(self, board: B) -> Self:
        """The same table with another position."""
        state = type(self).__new__(type(self))
        state.game = self.game
        state.options = self.options
        state.seats = self.seats
        state.viewer = self.viewer
        state.board = board
        state._codes = None
        state._pending = None
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies, without cached answers."""
        return type(self), (self.game, self.options, self.board, self.viewer)

    def leave(self, seat: int) -> Self:
        """The position after a seat left the game (it resigned, or the table dropped it)."""
        self.check_seat(seat)
        if isinstance(self.pending, Over):
            raise GameOver(f"the game is over: {self.pending.reason}")
        if self.board.left[seat]:
            raise IllegalMove(f"player {seat + 1} has left already")
        board = self.board.copy()
        board.leave(seat)
        return self.on(board)

    def check_seat(self, seat: object) -> int:
        """The seat, if it exists."""
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.seats:
            raise BadSeats(f"there is no seat {shown(seat)}: the seats here are 0 to {self.seats - 1}")
        return seat

    # A move is made of steps. In most games it is one step, the board's number, and there is nothing to write. A game
    # with too many turns to list defines `steps`, `next_steps`, `move_of`, `word` and `step_numbers`: enough for user
    # interfaces and for learning programs. The prefixes of all legal moves are exactly what `next_steps` gives, which
    # is a law under test.

    def steps(self, move: M) -> list[int] | None:
        """The steps of a move; None if no position of this table has the move."""
        code = self.code(move)
        return None if code is None else [code]

    def next_steps(self, prefix: Sequence[int] = ()) -> list[int]:
        """The possible steps of a legal move after these, ascending; empty after a whole move or a wrong step."""
        if not prefix:
            return sorted(self.codes)
        board, wrong, done = self.trial(prefix)
        return [] if done or wrong is not None else sorted(board.listed())

    def trial(self, steps: Iterable[int]) -> tuple[Any, int | None, bool]:
        """A board on which the steps were made as far as they are legal: the first illegal step, and whether the move
        is complete.
        """
        board, done = self.board.copy(), False
        for step in steps:
            if done or step not in board.listed():
                return board, step, done
            done = self.board.turn == CHANCE  # a face is a move by itself
            board.apply(step)
            done = done or board.plies != self.board.plies
        return board, None, done

    def move_of(self, steps: Sequence[int]) -> M:
        """The move of these steps; a game of steps also returns the half-made move of a prefix."""
        return self.move(steps[0])

    def word(self, prefix: Sequence[int], step: int) -> str:
        """A step after these, in the words of the notation."""
        return str(self.move(step))

    def spot(self, prefix: Sequence[int], step: int) -> str | None:
        """The place of the scene for a step; None for a step that is chosen by its word."""
        word = self.word(prefix, step)
        return word if word in _places(self) else None

    def begun(self, steps: Sequence[int]) -> Self:
        """The position in the middle of a move, if the board shows it."""
        if not steps or not self.board_steps:
            return self
        board = self.board.copy()
        for step in steps:
            board.apply(step)
        return self.on(board)

    def half(self, line: str) -> Half:
        """The half-made move of a line at a prompt, for a user interface."""
        if self.board.turn == CHANCE or not self.can_move:
            return Half(*verdict(self, line))
        return self._half(line)

    def _half(self, line: str) -> Half:
        """The half-made move of a seat to move; a game with a notation of its own reads the line itself."""
        return stepped_half(self, line) if self.stepped else listed_half(self, line)

    @property
    def stepped(self) -> bool:
        """Whether a move can have more than one step."""
        return type(self).steps is not State.steps

    # Limits of a game at this table, queried on its first position for learning programs

    @property
    def step_numbers(self) -> Sequence[int]:
        """All numbers of steps, ascending."""
        return range(len(self.board.moves))

    @property
    def longest(self) -> int:
        """Maximum steps in a game."""
        return MOST_STEPS

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces of chance, each once, in the order of the pile."""
        pile = self._pile()
        return tuple(dict.fromkeys(pile.faces)) if pile else ()

    @property
    def most_draws(self) -> int:
        """Maximum owed faces in a game."""
        if self.sealed():
            return MOST_STEPS
        pile = self._pile()
        return len(pile.faces) if pile else 0

    def _pile(self) -> Pile | None:
        """The pile in play, or that of the first owed face."""
        sealed, owed = self.sealed(), self.draws()
        return sealed.pile if sealed else owed[0].pile if owed else None

    def weight(self, face: Face) -> int:
        """Number of cards with this face that may be the owed one, by public knowledge."""
        return 1

    @property
    def policy_shape(self) -> tuple[int, int, int]:
        """Planes, columns and rows in which every step number has a place of its own."""
        return (len(self.step_numbers), 1, 1)

    def policy_place(self, step: int) -> int:
        """The place of a step in `policy_shape`: plane by plane, column by column, from the lowest row up."""
        return self.step_numbers.index(step)

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """Maps of step numbers that are symmetries of the game, the identity first."""
        return ({step: step for step in self.step_numbers},)

    @property
    def square_symmetries(self) -> tuple[Sequence[int], ...]:
        """For the same symmetries, the image of each cell of an observation's plane."""
        cells = prod(self.board.shape()[1:])
        if len(self.symmetries) == 1:
            return (range(cells),)
        # a game with other symmetries and without a place for each square says more
        place = self.policy_place
        return tuple([place(image[step]) for step in sorted(image, key=place)] for image in self.symmetries)

    # Views. Games without hidden faces look the same to everybody.

    def view(self, seat: int | None) -> Self:
        """The position as that seat (None: a spectator) knows it: HIDDEN for faces it may not see."""
        if seat is not None:
            self.check_seat(seat)
        return self

    def told(self, seat: int, faces: Mapping[int, int]) -> Self:
        """A spectator's position as that seat knows it; `faces` are those it has seen, as numbers in the pile's list
        by position.
        """
        return self.view(seat)

    @property
    def recalls(self) -> bool:
        """Whether a seat is shown what it saw in earlier turns; otherwise the person has to remember it."""
        return True

    def recalled(self, look: Move | None = None) -> Self:
        """The part of this view that people see; `look` is the last move if it was the viewer's own."""
        return self

    def mask(self, move: Move, seat: int | None) -> Move:
        """The move as that seat (None: a spectator) sees it: HIDDEN for faces it may not see."""
        pending = self.pending
        if isinstance(pending, ToDraw) and pending.owner is not None and pending.owner != seat:
            return HIDDEN
        return move

    def guess(self, rng: Randomness) -> Self:
        """A random whole position that fits this view, all equally likely as far as the view tells."""
        return self

    def digest(self) -> bytes:
        """32 bytes over the spectator's view: the same at every peer after every move (docs/protocols/games.md,
        "Digest").
        """
        import msgpack  # imported here: commands without digests start without it

        public = self.view(None)
        options = tuple(sorted(self.options.plain().items()))
        facts = (self.game.key, self.game.rules, options, self.seats, tuple(public.board.left), public.plain())
        return hashlib.blake2b(msgpack.packb(facts), digest_size=32).digest()

    def facts(self) -> tuple[Any, ...]:
        """The values that decide whether two States are equal."""
        return (self.game.key, self.options, self.seats, self.viewer, tuple(self.board.left), self.plain())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.facts() == other.facts()

    def __hash__(self) -> int:
        return hash(self.facts())

    def __repr__(self) -> str:
        from quadrille.rules.drawing.plain_text import drawing  # imported here: nothing else in the rules draws

        lines = [line.rstrip() for line in drawing(self.scene()).splitlines() if line.strip()]
        head = f"<{self.game.title}, {self.seats} seats, {self.pending}, {self.digest().hex()[:12]}>"
        return "\n".join([head, *lines])

    def panels(self) -> tuple[Panel, ...]:
        """A panel for each seat, for scenes, with the figures that are one number per seat."""
        roles = self.game.roles
        numbers = [(name, figure) for name, figure in self.figures().items() if isinstance(figure, tuple)]
        pending = self.pending
        turn = pending.seat if isinstance(pending, ToMove) else pending.owner if isinstance(pending, ToDraw) else None
        panels = []
        for seat in range(self.seats):
            own = tuple((name, n) for name, row in numbers if isinstance(n := row[seat], int))
            panels.append(Panel(seat, roles[seat] if roles else "", own, turn == seat, bool(self.board.left[seat])))
        return tuple(panels)


@lru_cache(maxsize=2)
def _places(state: State[Any, Any]) -> frozenset[str]:
    """The pickable places of a position."""
    return state.scene().places


class Game(ABC, Generic[O, M]):
    """A game before anybody sits down. There is one object for each game, `GAME` in its module."""

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    usual_seats: ClassVar[int]
    #: The roles of seats, where they differ.
    roles: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[bool] = False
    #: Whether faces are drawn from piles, so that somebody has to deal.
    dealt: ClassVar[bool] = False
    credit: ClassVar[str]
    #: The version of its rules: raised if moves, outcomes, texts or digests change (protocols.md, "Versioning").
    rules: ClassVar[int] = RULES_VERSION
    Options: ClassVar[type[Any]]
    presets: ClassVar[Mapping[str, Preset]] = {}
    ties: ClassVar[bool] = True  # whether players can share the first place, so that a draw makes sense
    lesson: ClassVar[Lesson] = Lesson()
    #: The names of things that a seat earns (`Board.earned`), the dearest first, each with its points.
    worths: ClassVar[tuple[tuple[str, int], ...]] = (("point", 1),)
    puzzle_options: ClassVar[Mapping[str, object] | None] = None  # of two who see everything; None: no puzzles

    def __reduce__(self) -> str:
        """A pickle names the game, and a copy is the game itself."""
        return "GAME"

    @abstractmethod
    def _start(self, options: O, seats: int) -> State[Any, M]:
        """The first position; options and seats have been checked."""

    @abstractmethod
    def parse(self, text: object, state: Any) -> M:
        """The move of a text in a position; `objection` decides whether it is legal."""

    def check(self, options: O, seats: int) -> None:
        """Refuse impossible combinations of options; each option has been checked by itself."""

    def advice(self, options: O, seats: int) -> tuple[str, ...]:
        """Friendly sentences about this set-up; none is an error."""
        return ()

    def piles(self, deal: object, options: O) -> Mapping[str, tuple[str, ...]]:
        """The piles in the engine's `deal`, by name (docs/protocols/engine.md)."""
        raise RulesError(f"{self.title} takes no deal: nothing of it is dealt from piles that could be given outright")

    def start(self, options: Given = None, seats: int | None = None) -> State[Any, M]:
        """The first position of a game with these options (the others have their defaults)."""
        read = self.read_options(options)
        number = self.usual_seats if seats is None else seats
        self.check_seats(number)
        self.check(read, number)
        return self._start(read, number)

    def read_options(self, options: Given) -> O:
        """Options of this game from any form."""
        if isinstance(options, self.Options):
            return self.Options.read(options.plain())  # type: ignore[no-any-return]
        if isinstance(options, Options):
            raise BadOptions(f"these options are not those of {self.title}")
        return self.Options.read({} if options is None else options)  # type: ignore[no-any-return]

    def preset(self, name: object) -> Mapping[str, Value]:
        """The options of a preset."""
        if isinstance(name, str) and name in self.presets:
            return self.presets[name].options
        raise BadOptions(f"{self.title} has no preset {shown(name)}: {offered(name, 'preset', self.presets)}")

    def check_seats(self, seats: object) -> None:
        """Refuse an impossible number of seats."""
        if isinstance(seats, bool) or not isinstance(seats, int) or seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            takes = f"{least}" if least == most else f"{least} to {most}"
            raise BadSeats(f"{self.title} is for {takes} seats, not {shown(seats)}")


def settle(state: State[B, M], dealer: Dealer) -> State[B, M]:
    """The position after all owed draws were answered by a dealer who knows all faces."""
    while isinstance(owed := state.pending, ToDraw):
        state = state.play(Face(dealer.face(owed.pile.name, owed.pile.faces, owed.position)))
    return state
