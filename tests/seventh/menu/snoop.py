"""A game that no program of the house knows: of steps and of hidden cards, in one file. Only tests put it on the menu.

Snoop: cards from 1 up lie face down on squares. Who is to move looks at two of them in secret, one at least new to that
seat, or takes one, which is turned up and counts for its taker. The game is over when all are taken: each look shows
something new, so that it ends. A move is `look a1 b2` or `take c3`, in steps of a word each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from quadrille.rules import options as option
from quadrille.rules.arrays import array, filled
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.core import HIDDEN, WHOLE, Face, Figures, Game, Move, Pile, Plain, Sealed, State, ToDraw, panels
from quadrille.rules.dice import Dice
from quadrille.rules.errors import BadNotation
from quadrille.rules.ints import i64, vec
from quadrille.rules.options import Options
from quadrille.rules.patterns.keys import mixed, mixed_all
from quadrille.rules.scene import Scene, Sheet, cell, mark
from quadrille.rules.squares import Square, clean, grid

PUBLIC = -1
WIDTH = 3
#: Steps: to look, to take, then the squares.
LOOK, TAKE, SQUARES = range(3)


class SnoopBoard(Board):
    """`faces` and `seen` are by square: seats that have looked as bits, or PUBLIC; `doing` the move in hand.

    A move is the number of the square that is taken, or `cards` + one * `cards` + other for a look at both.
    """

    __slots__ = ("cards", "doing", "faces", "mover", "past", "points", "seen")

    def __init__(self, seats: i64, cards: i64) -> None:
        super().__init__(seats, cards + cards * cards)
        self.cards = cards
        self.reset()

    def reset(self) -> None:
        self.start_over()
        faces, seen, points = filled(self.cards, UNKNOWN), filled(self.cards, 0), filled(self.seats, 0)
        self.put((0, 0, UNKNOWN, False, faces, seen, points))

    def fields(self):
        return (self.turn, self.mover, self.doing, self.ended, self.faces[:], self.seen[:], self.points[:])

    def put(self, fields, past=()) -> None:
        self.turn, self.mover, self.doing, self.ended, self.faces, self.seen, self.points = fields
        self.past = list(past)

    def copy(self) -> Self:
        twin = self.twin()
        twin.cards, twin.moves = self.cards, filled(len(self.moves), 0)
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        self.stand_as(other)
        self.put(other.fields())

    def asked(self) -> list[int]:
        """The squares whose cards the move in hand is about."""
        if self.doing < self.cards:
            return [self.doing]
        return list(divmod(self.doing - self.cards, self.cards))

    def owed(self) -> i64:
        """The square of the next card to be seen."""
        takes, bit = self.doing < self.cards, 1 << self.mover
        return next((q for q in self.asked() if (self.seen[q] != PUBLIC if takes else not self.seen[q] & bit)), UNKNOWN)

    def legal(self) -> i64:
        """Takes, then looks; at CHANCE the faces that the card may have."""
        found: list[int] = []
        if not self.ended and self.turn == CHANCE:
            known = self.faces[self.owed()]
            found = [known] if known != UNKNOWN else [f for f in range(self.cards) if f not in self.faces]
        elif not self.ended:
            down, bit = [q for q, mask in enumerate(self.seen) if mask != PUBLIC], 1 << self.mover
            pairs = [(one, two) for one in down for two in down if one < two]
            found = down + [
                self.cards + one * self.cards + two for one, two in pairs if not self.seen[one] & self.seen[two] & bit
            ]
        for at, move in enumerate(found):
            self.moves[at] = move
        return len(found)

    def apply(self, move: i64) -> None:
        self.past.append(self.fields())
        self.plies += 1
        if self.turn != CHANCE:
            self.doing, self.turn = move, CHANCE
            return
        q = self.owed()
        if move != UNKNOWN:
            self.faces[q] = move
        self.seen[q] = PUBLIC if self.doing < self.cards else self.seen[q] | 1 << self.mover
        if self.owed() == UNKNOWN:
            if self.doing < self.cards:
                self.points[self.mover] += self.faces[q] + 1
            self.doing, self.turn = UNKNOWN, self.mover
            self.ended = all(mask == PUBLIC for mask in self.seen)
            self.mover = self.turn = self.next_seat(self.mover)

    def undo(self) -> None:
        self.plies -= 1
        self.put(self.past[-1], self.past[:-1])

    def after_leaving(self, seat: i64) -> None:
        if self.mover == seat and self.turn != CHANCE and not self.ended:
            self.mover = self.turn = self.next_seat(seat)

    def compare(self, one: i64, other: i64) -> i64:
        return self.points[one] - self.points[other]

    def hides(self, seat: i64) -> bool:
        return self.doing >= self.cards and self.mover != seat

    def guess(self, dice: Dice) -> None:
        rest = [face for face in range(self.cards) if face not in self.faces]
        for q in range(self.cards):
            if self.faces[q] == UNKNOWN:
                self.faces[q] = rest.pop(dice.below(len(rest)))

    def key(self) -> i64:
        key = mixed(mixed(mixed(0, self.turn), self.mover), self.doing)
        return mixed_all(mixed_all(mixed_all(mixed_all(key, self.left), self.faces), self.seen), self.points)

    def shape(self) -> vec[i64]:
        return array((3 + self.seats, WIDTH, self.cards // WIDTH))

    def observe(self, seat: i64) -> vec[i64]:
        """0 faces that it knows, from 1 on; 1 taken; 2 number of the mover; then a plane a seat: its points."""
        known = [
            f + 1 if f != UNKNOWN and (m == PUBLIC or m >> seat & 1) else 0
            for f, m in zip(self.faces, self.seen, strict=True)
        ]
        taken = [int(mask == PUBLIC) for mask in self.seen]
        points = [self.points[(seat + at) % self.seats] for at in range(self.seats) for _ in taken]
        return array([*known, *taken, *filled(self.cards, self.mover), *points])


@dataclass(frozen=True, slots=True)
class Act(Move):
    """`look a1 b2` or `take c3`."""

    verb: str
    squares: tuple[Square, ...]

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.squares)])


@dataclass(frozen=True, slots=True)
class SnoopOptions(Options):
    rows: int = option.number(3, 1, 6, "rows of three cards")


@lru_cache
def _pile(cards: int) -> Pile:
    return Pile("cards", tuple(map(str, range(1, cards + 1))))


class SnoopState(State[SnoopBoard, Move]):
    """A position as a seat, a spectator or the whole table knows it."""

    __slots__ = ()

    kinds = (Act, Face)
    board_steps = False

    @property
    def sheet(self):
        return grid(WIDTH, self.options.rows)

    # Moves and steps

    def move(self, code: int) -> Move:
        if self.board.turn == CHANCE:
            return HIDDEN if code == UNKNOWN else Face(str(code + 1))
        cards = self.board.cards
        numbers = [code] if code < cards else divmod(code - cards, cards)
        return Act("take" if code < cards else "look", tuple(self.sheet.squares[q] for q in numbers))

    def code(self, move: Move) -> int | None:
        if isinstance(move, Face):
            names = _pile(self.board.cards).faces
            known = UNKNOWN if move == HIDDEN else names.index(move.name) if move.name in names else None
            return known if self.board.turn == CHANCE else None
        numbers = [self.sheet.number(square) for square in move.squares]
        if self.board.turn == CHANCE or None in numbers:
            return None
        return numbers[0] if move.verb == "take" else self.board.cards * (1 + numbers[0]) + numbers[1]

    @property
    def codes(self) -> tuple[int, ...]:
        board = self.board
        hidden = board.turn == CHANCE and self.viewer not in (WHOLE, board.mover) and board.doing >= board.cards
        return (UNKNOWN,) if hidden and not board.ended else super().codes

    def steps(self, move: Move) -> list[int] | None:
        if not isinstance(move, Act):
            return super().steps(move)
        numbers = [self.sheet.number(square) for square in move.squares]
        return [TAKE if move.verb == "take" else LOOK, *(SQUARES + q for q in numbers if q is not None)]

    def next_steps(self, prefix: Sequence[int] = ()) -> list[int]:
        if self.board.turn == CHANCE:
            return [] if prefix else sorted(self.codes)
        rows = [self.steps(move) or [] for move in self.moves]
        at = len(prefix)
        return sorted({row[at] for row in rows if row[:at] == list(prefix) and len(row) > at})

    def move_of(self, steps: Sequence[int]) -> Move:
        if self.board.turn == CHANCE:
            return self.move(steps[0])
        return Act(("look", "take")[steps[0]], tuple(self.sheet.squares[step - SQUARES] for step in steps[1:]))

    def word(self, prefix: Sequence[int], step: int) -> str:
        if self.board.turn == CHANCE:
            return str(self.move(step))
        return ("look", "take")[step] if step < SQUARES else self.sheet.names[step - SQUARES]

    @property
    def step_numbers(self) -> Sequence[int]:
        return range(SQUARES + self.board.cards)

    # Cards

    def draw(self) -> ToDraw:
        board = self.board
        return ToDraw(_pile(board.cards), board.owed(), None if board.doing < board.cards else board.mover)

    def draws(self) -> tuple[ToDraw, ...]:
        board = self.board
        if board.ended or board.turn != CHANCE:
            return ()
        first, bit = self.draw(), 1 << board.mover
        owed = board.asked() if first.owner is None else [q for q in board.asked() if not board.seen[q] & bit]
        return tuple(ToDraw(first.pile, q, first.owner) for q in owed)

    def sealed(self) -> Sealed:
        board = self.board
        up = {q: board.faces[q] for q, mask in enumerate(board.seen) if mask == PUBLIC}
        down = [(q, mask) for q, mask in enumerate(board.seen) if mask != PUBLIC]
        looks = tuple(tuple(q for q, mask in down if mask >> seat & 1) for seat in range(self.seats))
        return Sealed(_pile(board.cards), up, looks)

    def _with(self, faces: Sequence[int], viewer) -> Self:
        board = self.board.copy()
        board.faces = array(faces)
        state = self.on(board)
        state.viewer = viewer
        return state

    def view(self, seat: int | None) -> Self:
        if seat == self.viewer:
            return self
        known = [mask == PUBLIC or (seat is not None and mask >> seat & 1) for mask in self.board.seen]
        return self._with([f if k else UNKNOWN for f, k in zip(self.board.faces, known, strict=True)], seat)

    def told(self, seat: int, faces: Mapping[int, int]) -> Self:
        return self._with([faces.get(at, face) for at, face in enumerate(self.board.faces)], seat)

    # What people see

    def reason(self, move: Move) -> str:
        if self.board.turn == CHANCE or isinstance(move, Face):
            return "that is not what is owed now"
        return f"{move} shows nothing new, or a card of it is taken already"

    def figures(self) -> Figures:
        return {"points": tuple(self.board.points)}

    def ending(self) -> str:
        return "every card is taken"

    def plain(self) -> Plain:
        board = self.board
        return (board.turn, board.mover, board.doing, tuple(board.faces), tuple(board.seen), tuple(board.points))

    def scene(self) -> Scene:
        board = self.board
        labels = ["?" if face == UNKNOWN else str(face + 1) for face in board.faces]
        marks = [() if mask == PUBLIC else (mark("card", text),) for text, mask in zip(labels, board.seen, strict=True)]
        cells = tuple(cell(name, here) for name, here in zip(self.sheet.names, marks, strict=True))
        return Scene(self.game.key, panels(self), Sheet(WIDTH, self.options.rows, cells))


class Snoop(Game[SnoopOptions, Move]):
    key, title, seats, usual_seats = "snoop", "Snoop", range(2, 5), 2
    hidden = dealt = True
    credit = "made for these tests"
    Options = SnoopOptions

    def _start(self, options: SnoopOptions, seats: int) -> SnoopState:
        return SnoopState(self, options, SnoopBoard(seats, WIDTH * options.rows))

    def parse(self, text: object, state: SnoopState) -> Move:
        verb, *names = clean(text).split()
        if verb not in ("look", "take") or len(names) != (2 if verb == "look" else 1):
            raise BadNotation("write look a1 b2, or take c3")
        return Act(verb, tuple(sorted(map(state.sheet.read, names))))


GAME = Snoop()
