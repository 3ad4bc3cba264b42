"""The interface of every game. Read this file first: its values, then State, Moves and Game.

A `Game` describes and starts; a `State` is an immutable position as one viewer knows it; a `Move` is a small value;
what is owed next is a value too (`pending`); chance is answered from outside.

The rules of a game are written once, on its board (rules/board.py); a State adds notation, reasons, views, pictures
and digests. Nothing here knows a clock, a socket or a random number. Texts of games and bots are beside this file, in
talk.py and thoughts.py.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, Final, Generic, Literal, Self, TypeAlias, TypeVar

from quadrille.rules.board import CHANCE, Board
from quadrille.rules.chance import Dealer, Randomness
from quadrille.rules.core.talk import Consequence, Criterion, Half
from quadrille.rules.dice import Dice
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.errors import BadOptions, BadSeats, GameOver, IllegalMove, RulesError
from quadrille.rules.options import Options, Value, offered, shown
from quadrille.rules.scene import Panel, Scene
from quadrille.value import value

__all__ = [
    "HIDDEN", "RULES_VERSION", "TO_MOVE", "WHOLE", "Face", "Figure", "Figures", "Game", "Given", "Lesson",
    "Move", "Moves", "Over", "Pending", "Pile", "Plain", "Preset", "Sealed", "State", "ToDraw", "ToMove", "Viewer",
    "check_seat", "is_stepped", "panels", "refusal", "settle", "wrong_kind",
]  # fmt: skip

#: The rules version of a game until it defines its own (`Game.rules`); bots are greeted with it.
RULES_VERSION: Final = 1

#: The viewer: a seat, a spectator (None), or the whole that only a single machine's table has.
Viewer: TypeAlias = int | Literal["whole"] | None
WHOLE: Final = "whole"

Figure: TypeAlias = int | tuple[int, ...] | tuple[dict[str, int], ...]
Figures: TypeAlias = dict[str, Figure]
#: The input of a digest: nested tuples of whole numbers, texts and None.
Plain: TypeAlias = Any


class Move:
    """A small immutable value; `str` gives its one canonical text. Each game has its own kinds."""

    __slots__ = ("_text",)

    _text: str

    def __init_subclass__(cls, **more: Any) -> None:
        """Let a prompt show each kind by its notation, which a dataclass would replace by its fields."""
        super().__init_subclass__(**more)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Move.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @property
    def text(self) -> str:
        """The same text, cached in the object: lists of moves are written again and again."""
        try:
            return self._text
        except AttributeError:
            object.__setattr__(self, "_text", str(self))
            return self._text

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@value
class Face(Move):
    """The answer to `ToDraw`: the face of a card or a coin, or HIDDEN."""

    name: str

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> str | tuple[Any, ...]:
        return "HIDDEN" if self is HIDDEN else (Face, (self.name,))


HIDDEN: Final = Face("?")
_face = lru_cache(maxsize=256)(Face)


@value
class Pile:
    """A shuffled row of faces; `faces` lists them unshuffled, `name` identifies it among the game's piles."""

    name: str
    faces: tuple[str, ...] = field(repr=False)


@value
class ToMove:
    """A seat owes a move."""

    seat: int


@value
class ToDraw:
    """A face is owed: the one at `position` (0 is the top) of the pile; only `owner` may look, None for everybody."""

    pile: Pile
    position: int
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """The public knowledge about a pile of hidden cards.

    `up` has, by position, the faces that have been turned up, as numbers in the pile's list; `looks`, by seat, the
    positions still face down that it has looked at.
    """

    pile: Pile
    up: Mapping[int, int]
    looks: tuple[tuple[int, ...], ...]


@value
class Over:
    """The game has ended: each seat's place, the figures that decided it, and the reason."""

    places: tuple[int, ...]
    figures: Figures
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


Pending: TypeAlias = ToMove | ToDraw | Over
TO_MOVE: Final = tuple(ToMove(seat) for seat in range(26))


@value
class Preset:
    """A name for some options; it is replaced by them, and is no part of the game's identity.

    `starter` is the short first game of each game, `inventor` has the inventor's sizes where the usual ones are others.
    """

    options: Mapping[str, Value]
    help: str


@value
class Lesson:
    """How people come to a game: its aim in a line, tips for the first moves, the options of a short first game.

    `minutes` are those of a usual game with 10 to 20 seconds for each choice, which `quadrille playtest` counts; `age`
    is the least one in years; 0 stands for unknown.
    """

    goal: str = ""
    tips: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    minutes: tuple[int, int] = (0, 0)
    age: int = 0


#: Given options: already read, by name, or none.
Given: TypeAlias = Options | Mapping[str, object] | None

B = TypeVar("B", bound=Board)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
#: Maximum steps in a game that defines no limit of its own.
MOST_STEPS: Final = 1 << 20


@dataclass(slots=True)
class Tried:
    """The latest steps that were tried in a position, and what can follow them: programs make a turn step by step."""

    board: Any
    following: Sequence[int]
    made: tuple[int, ...] = ()
    done: bool = False


class State(ABC, Generic[B, M]):
    """An immutable position as one viewer knows it: a value that any number of threads may read at once.

    States share `board`, so nobody may write to it: call a method that writes, such as `legal`, on a copy.

    >>> from quadrille.rules.registry import game
    >>> state = game("barons").start({"width": 3, "height": 2}, seats=2)
    >>> state.legal_moves
    [<Claim a1>, <Claim a2>, <Claim b1>, <Claim b2>, <Claim c1>, <Claim c2>]
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
    >>> for text in "c2", "b1", "a1", "a2", "c1":
    ...     after = after.play(text)
    >>> after.over.winners, after.over.places, after.over.figures["points"], after.over.reason
    ((0,), (1, 2), (14, 12), 'every square is claimed')

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

    __slots__ = ("_codes", "_pending", "_tried", "board", "game", "options", "seats", "viewer")

    #: Whether the board's own numbers are the steps; otherwise each move is one number of the board, whatever its
    #: steps are.
    board_steps: ClassVar[bool] = True
    #: The classes of this game's moves.
    kinds: ClassVar[tuple[type[Move], ...]]
    #: Reads the half-made moves of a game that has more to say of them than its steps.
    reads: ClassVar[Callable[[Any, str], Half] | None] = None

    game: "Game[Any, Any]"
    options: Any
    seats: int
    viewer: Viewer
    board: B
    _tried: list[Tried]

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
        """Return the move of a board's number (the same object each time)."""

    @abstractmethod
    def code(self, move: M) -> int | None:
        """Return the board's number of a move of this game; None if no board of this size has it."""

    @abstractmethod
    def reason(self, move: M) -> str:
        """Explain why this move, which the board does not list, is illegal: a sentence in the game's own terms."""

    @abstractmethod
    def figures(self) -> Figures:
        """Return the present figures that decide the game."""

    @abstractmethod
    def ending(self) -> str:
        """Explain why the game ended; called after its end, if more than one seat is left."""

    @abstractmethod
    def plain(self) -> Plain:
        """Return the viewer's full knowledge of the position, for digests and comparison."""

    @abstractmethod
    def scene(self) -> Scene:
        """Return a picture of the position, as data."""

    def labyrinth(self) -> Labyrinth | None:
        """Return the maze of the game so far; None in a game without one."""
        return None

    def story(self, move: M, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """Return the effects of a move made here, with reasons; `faces` were drawn for it, `after` is the result."""
        return ()

    def criteria(self, seat: int) -> tuple[Criterion, ...]:
        """Return the criteria for the place of a seat still in, most important first; empty if `ending` says more."""
        return ()

    # Derived from that

    @property
    def codes(self) -> tuple[int, ...]:
        """The board's numbers of the legal moves, in the board's own order; empty when the game is over."""
        if self._codes is None:
            self._codes = tuple(self.board.listed())
        return self._codes

    def lists(self, code: int) -> bool:
        """Return whether the board lists this number now; a game of long lists answers without listing."""
        return code in self.codes

    @property
    def pending(self) -> Pending:
        """Exactly one of `ToMove`, `ToDraw`, `Over`."""
        if self._pending is None:
            board = self.board
            if not board.ended and board.turn == CHANCE:
                self._pending = self.draw()
            elif not board.ended and self.moves:
                self._pending = TO_MOVE[board.turn]
            else:
                places = tuple(board.place(seat) for seat in range(self.seats))
                reason = self.ending() if board.seats_in > 1 else "everybody else has left"
                self._pending = Over(places, self.figures(), reason)
        return self._pending

    @property
    def turn(self) -> int | None:
        """The seat that owes a move; None while a face is owed, and at the end."""
        return self.pending.seat if isinstance(self.pending, ToMove) else None

    @property
    def over(self) -> Over | None:
        """The result: places, figures and the reason; None while the game goes on."""
        return self.pending if isinstance(self.pending, Over) else None

    def draw(self) -> ToDraw:
        """Return the owed draw; defined by games that draw."""
        raise AssertionError(f"{self.game.key} draws nothing")

    def draws(self) -> tuple[ToDraw, ...]:
        """Return all draws owed before the next move, in order; all have the same owner."""
        pending = self.pending
        return (pending,) if isinstance(pending, ToDraw) else ()

    def sealed(self) -> Sealed | None:
        """Return the pile in play of a game with hidden faces; its board has their numbers by position, as `faces`."""
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
        """Explain in a sentence why the move is illegal now; None if it is legal."""
        if isinstance(move, self.kinds):
            code = self.code(move)  # type: ignore[arg-type]
            if code is not None and self.lists(code):
                return None
            if not isinstance(self.pending, Over):
                return self.reason(move)  # type: ignore[arg-type]
        return wrong_kind(self, move)

    def play(self, move: Move | str) -> Self:
        """Return the position after a move or its text, or after the owed face; refuse an illegal move."""
        if isinstance(move, str):
            return self.play(self.game.parse(move, self))
        after = self._after(move) if isinstance(move, self.kinds) else None  # type: ignore[arg-type]
        if after is None:
            raise refusal(self, move)
        return after

    def _after(self, move: M) -> Self | None:
        """Return the position after a move of this game; None if it is illegal."""
        code = self.code(move)
        return self.on(self.board.after(code)) if code is not None and self.lists(code) else None

    def on(self, board: B) -> Self:
        """Return the same table with another position."""
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
        """Return the parts for pickles and copies, without cached answers."""
        return type(self), (self.game, self.options, self.board, self.viewer)

    def leave(self, seat: int) -> Self:
        """Return the position after a seat left the game (it resigned, or the table dropped it)."""
        check_seat(self, seat)
        if isinstance(self.pending, Over):
            raise GameOver(f"the game is over: {self.pending.reason}")
        if self.board.left[seat]:
            raise IllegalMove(f"player {seat + 1} has left already")
        board = self.board.copy()
        board.leave(seat)
        return self.on(board)

    # A move is made of steps. In most games it is one step, the board's number, and there is nothing to write. A game
    # with too many turns to list defines `steps`, `next_steps`, `move_of`, `word` and `step_numbers`, and `phrase` if
    # its notation is more than these words: enough for user interfaces and for learning programs. The prefixes of all
    # legal moves are exactly what `next_steps` gives, which is a law under test.

    def steps(self, move: M) -> list[int] | None:
        """Return the steps of a move; None if no position of this table has the move."""
        code = self.code(move)
        return None if code is None else [code]

    def next_steps(self, prefix: Sequence[int] = ()) -> list[int]:
        """Return the possible steps of a legal move after these, ascending; none after a whole move or wrong step."""
        if not prefix:
            return sorted(self.codes)
        if not is_stepped(self):
            return []
        tried, wrong = self.trial(prefix)
        steps_on = [] if tried.done or wrong is not None else sorted(tried.following)
        self._tried = [tried]
        return steps_on

    def trial(self, steps: Iterable[int]) -> "tuple[Tried, int | None]":
        """Make these steps as far as they are legal, behind those of the latest trial if they begin with them.

        Return them with the first illegal step. The trial is the caller's alone until it is put back to `_tried`.
        """
        wanted = tuple(steps)
        try:
            tried = self._tried.pop()
        except (AttributeError, IndexError):
            tried = None
        if tried is None or wanted[: len(tried.made)] != tried.made:
            tried = Tried(self.board.copy(), self.codes)
        board = tried.board
        for step in wanted[len(tried.made) :]:
            if tried.done or step not in tried.following:
                return tried, step
            tried.done = board.turn == CHANCE  # a face is a move by itself
            board.make(step)
            tried.done = tried.done or board.plies != self.board.plies
            tried.made += (step,)
            tried.following = list(board.moves[: board.legal()])
        return tried, None

    def move_of(self, steps: Sequence[int]) -> M:
        """Return the move of these steps; a game of steps may refuse a prefix, or return the half-made move."""
        if not steps:
            raise IllegalMove("there is no move without a step: `next_steps` has those that a move begins with")
        return self.move(steps[0])

    def word(self, prefix: Sequence[int], step: int) -> str:
        """Return a step after these, in the words of the notation."""
        return str(self.move(step))

    def phrase(self, steps: Sequence[int]) -> str:
        """Return the text of a whole or half-made move."""
        return " ".join(self.word(steps[:at], step) for at, step in enumerate(steps))

    # Of a whole game at this table, queried on its first position

    @property
    def step_numbers(self) -> Sequence[int]:
        """All numbers of steps, ascending."""
        return range(len(self.board.moves))

    @property
    def longest(self) -> int:
        """Maximum steps in a game."""
        return MOST_STEPS

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """Maps of step numbers that are symmetries of the game, the identity first."""
        return ({step: step for step in self.step_numbers},)

    # Views. Games without hidden faces look the same to everybody.

    def view(self, seat: int | None) -> Self:
        """Return the position as that seat (None: a spectator) knows it: HIDDEN for faces it may not see."""
        if seat is not None:
            check_seat(self, seat)
        return self

    def told(self, seat: int, faces: Mapping[int, int]) -> Self:
        """Return a spectator's position as that seat knows it; `faces` are those it has seen, as numbers in the pile's
        list by position.
        """
        return self.view(seat)

    @property
    def recalls(self) -> bool:
        """Return whether a seat is shown what it saw in earlier turns; otherwise the person has to remember it."""
        return True

    def recalled(self, look: Move | None = None) -> Self:
        """Return the part of this view that people see; `look` is the last move if it was the viewer's own."""
        return self

    def guess(self, rng: Randomness) -> Self:
        """Return a random whole position that fits this view, all equally likely as far as the view tells."""
        if not self.game.hidden:
            return self
        whole = self.on(self.board.copy())
        whole.board.guess(Dice(rng.randrange(1 << 31)))
        whole.viewer = WHOLE
        return whole

    def digest(self) -> bytes:
        """Return 32 bytes over the spectator's view: the same at every peer after every move (docs/protocols/games.md,
        "Digest").
        """
        import msgpack  # imported here: commands without digests start without it

        public = self.view(None)
        options = tuple(sorted(self.options.kept().items()))
        facts = (self.game.key, self.game.rules, options, self.seats, tuple(public.board.left), public.plain())
        return hashlib.blake2b(msgpack.packb(facts), digest_size=32).digest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        own, others = (
            (state.game.key, state.options, state.seats, state.viewer, tuple(state.board.left), state.plain())
            for state in (self, other)
        )
        return own == others

    def __hash__(self) -> int:
        return hash((self.game.key, self.viewer, tuple(self.board.left), self.plain()))

    def __repr__(self) -> str:
        from quadrille.rules.drawing.plain_text import drawing  # imported here: nothing else in the rules draws

        lines = [line.rstrip() for line in drawing(self.scene()).splitlines() if line.strip()]
        head = f"<{self.game.title}, {self.seats} seats, {self.pending}, {self.digest().hex()[:12]}>"
        return "\n".join([head, *lines])


def is_stepped(state: State[Any, Any]) -> bool:
    """Return whether a move of this game can have more than one step."""
    return type(state).steps is not State.steps


def refusal(state: State[Any, Any], move: Move) -> RulesError:
    """Return the error with the objection to a move."""
    kind = GameOver if isinstance(state.pending, Over) else IllegalMove
    return kind(state.objection(move) or "")


def wrong_kind(state: State[Any, Any], move: Move) -> str:
    """Return the objection to a move of another game, or after the end."""
    if isinstance(state.pending, Over):
        return f"the game is over: {state.pending.reason}"
    given = str(move) if isinstance(move, Move) else move
    return f"{shown(given)} is no move of {state.game.title}: one of `legal_moves` is {next(iter(state.moves))}"


def check_seat(state: State[Any, Any], seat: object) -> int:
    """Return the seat, if it exists."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < state.seats:
        raise BadSeats(f"there is no seat {shown(seat)}: the seats here are 0 to {state.seats - 1}")
    return seat


def panels(state: State[Any, Any]) -> tuple[Panel, ...]:
    """Return a panel for each seat, for scenes, with the figures that are one number per seat."""
    roles, pending = state.game.roles, state.pending
    numbers = [(name, figure) for name, figure in state.figures().items() if isinstance(figure, tuple)]
    turn = pending.seat if isinstance(pending, ToMove) else pending.owner if isinstance(pending, ToDraw) else None
    seat_panels = []
    for seat in range(state.seats):
        own = tuple((name, n) for name, row in numbers if isinstance(n := row[seat], int))
        seat_panels.append(Panel(seat, roles[seat] if roles else "", own, turn == seat, bool(state.board.left[seat])))
    return tuple(seat_panels)


class Moves(Generic[M]):
    """The legal moves of a State, in canonical order when iterated."""

    __slots__ = ("_state",)

    def __init__(self, state: Any) -> None:
        self._state = state

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._state.objection(move) is None

    def __repr__(self) -> str:
        first = [str(move) for move in islice(self, 6)]
        return f"<legal moves: {', '.join(first[:5])}{', ...' if len(first) > 5 else ''}>"

    def __iter__(self) -> Iterator[M]:
        state = self._state
        return map(state.move, sorted(state.codes))

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, number: int) -> M:
        """Return the move of that number, from 0; the list is walked as far as that."""
        return next(islice(self, number, None)) if 0 <= number < self.count(number + 1) else list(self)[number]

    def __bool__(self) -> bool:
        return bool(self._state.codes)

    def count(self, at_most: int | None = None) -> int:
        """Return the number of moves; counting may stop at `at_most`."""
        total = len(self._state.codes)
        return total if at_most is None else min(total, at_most)

    def sample(self, rng: Randomness) -> M:
        """Choose one of the listed moves at random."""
        codes = self._state.codes
        if not codes:
            raise GameOver("the game is over: there is no move to choose from")
        move: M = self._state.move(codes[rng.randrange(len(codes))])
        return move


class Game(ABC, Generic[O, M]):
    """A game before anybody sits down. There is one object for each game, `GAME` in its module."""

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    usual_seats: ClassVar[int]
    #: The values of things in the scene, if the scene does not show them.
    legend: ClassVar[str] = ""
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
    #: The simulations of the house's levels 1 to 4 for a move; None: the usual ones fit (ai/opponents/kinds.py).
    simulations: ClassVar[tuple[int, int, int, int] | None] = None

    def __reduce__(self) -> str:
        """Return the name of the game for a pickle; a copy is the game itself."""
        return "GAME"

    def __repr__(self) -> str:
        seats = f"{self.seats[0]} to {self.seats[-1]}" if len(self.seats) > 1 else f"{self.seats[0]}"
        return f"<{self.title}, for {seats} seats: {', '.join(f'{k}={v}' for k, v in self.Options().plain().items())}>"

    @abstractmethod
    def _start(self, options: O, seats: int) -> State[Any, M]:
        """Return the first position; options and seats have been checked."""

    @abstractmethod
    def parse(self, text: object, state: Any) -> M:
        """Return the move of a text in a position; `objection` decides whether it is legal."""

    def check(self, options: O, seats: int) -> None:
        """Refuse impossible combinations of options; each option has been checked by itself."""

    def advice(self, options: O, seats: int) -> tuple[str, ...]:
        """Return friendly sentences about this set-up; none is an error."""
        return ()

    def piles(self, deal: object, options: O) -> Mapping[str, tuple[str, ...]]:
        """Return the piles in the engine's `deal`, by name (docs/protocols/engine.md)."""
        raise RulesError(f"{self.title} takes no deal: nothing of it is dealt from piles that could be given outright")

    def start(self, options: Given = None, seats: int | None = None, **more: object) -> State[Any, M]:
        """Return the first position with these options, given together or by name; the others have their defaults."""
        number = self.usual_seats if seats is None else seats
        return self._start(self.playable(self.read_options(options).plain() | more, number), number)

    def playable(self, options: Given, seats: int) -> O:
        """Read options for that many seats; refuse what can't be played."""
        read = self.read_options(options)
        self.check_seats(seats)
        self.check(read, seats)
        return read

    def read_options(self, options: Given) -> O:
        """Read options of this game from any form."""
        if isinstance(options, self.Options):
            return self.Options.read(options.plain())  # type: ignore[no-any-return]
        if isinstance(options, Options):
            raise BadOptions(f"these options are not those of {self.title}")
        return self.Options.read({} if options is None else options)  # type: ignore[no-any-return]

    def preset(self, name: object) -> Mapping[str, Value]:
        """Return the options of a preset."""
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
    """Return the position after all owed draws were answered by a dealer who knows all faces."""
    if state.board.turn != CHANCE or state.board.ended:
        return state
    state = state.on(state.board.copy())  # nobody sees it between two draws, so all are answered on one board
    board = state.board
    while board.turn == CHANCE and not board.ended:
        owed = state.draw()
        face: Any = _face(dealer.face(owed.pile.name, owed.pile.faces, owed.position))
        code = state.code(face)
        if code is None or not state.lists(code):
            raise refusal(state, face)
        board.make(code)
        state._codes = state._pending = None
    return state
