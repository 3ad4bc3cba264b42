"""A learned evaluation: the weights of a game's windows, the boards that use them, and its file as bytes.

An evaluation belongs to one game with its options and number of seats; training.py makes them. Its file, and that of an
unfinished training, is a sealed one (rules/core/sealed.py) whose body is the weights as they are in memory. A reader
refuses every other file than `written` would make. The caller keeps the bytes. Specification:
extras/lab/docs/learned.md, "Files". Nothing here knows a game.
"""

import hashlib
import struct
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from quadrille.extras.lab.engine.sums import POINT, Patterns
from quadrille.extras.lab.learned.windows import LearnedSheet, Windows, windows
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.core import State, is_stepped
from quadrille.rules.core.sealed import SealedKind, seal, unseal, unusable, whole_number
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.registry import game as game_of
from quadrille.rules.registry import keys
from quadrille.rules.search.views import view

#: Maximum number of contents of a window: 12 squares of 3 faces have half as many.
MOST_CONTENTS: Final = 1 << 20
#: Maximum bytes of a file.
MOST_BYTES: Final = 64 << 20
#: The unit of a kept weight is 1/64 point of the game; the greatest weight has 16 bits.
UNIT: Final = POINT // 64
MOST: Final = (1 << 15) - 1
_AGAIN: Final = "learn again with quadrille train"
WEIGHTS: Final = SealedKind("weights", 1, "weights", MOST_BYTES, _AGAIN)
TRAINING: Final = SealedKind("training", 1, "an unfinished training", MOST_BYTES, _AGAIN)
#: The letters of their weights in `struct`.
_LETTERS: Final = {WEIGHTS.name: "h", TRAINING.name: "q"}


@dataclass(frozen=True, slots=True)
class LearningTerms:
    """The table that weights are learned for, as its first position, and the seed of the training."""

    start: State[Any, Any]
    seed: int

    def __str__(self) -> str:
        start = self.start
        changed = [f"{name}={value}" for name, value in start.options.changed().items()]
        return ", ".join([start.game.key, f"{start.seats} seats", *changed, f"seed {self.seed}"])


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Weights, in units of a POINT, learned in `games` games."""

    terms: LearningTerms
    games: int
    weights: vec[i64]

    @property
    def digest(self) -> str:
        """The SHA-256 of its file, in hexadecimal."""
        return hashlib.sha256(written(self)).hexdigest()

    def board(self, state: State[Any, Any]) -> Board:
        """Return the board of a position, with these weights."""
        return patterned(state, self.weights)


def patterns_of(game: str) -> Patterns | None:
    """Make new patterns of a game, without windows; None if no package plugs any in for it (`learned.GAME`)."""
    kind = view("learned", game)
    return None if kind is None else kind()


def sheet_of(state: State[Any, Any]) -> LearnedSheet | None:
    """Return the sheet of a game at the table of a state, if it has one."""
    patterns = patterns_of(state.game.key)
    return None if patterns is None else LearnedSheet.of(patterns, state.board)


def windows_of(state: State[Any, Any]) -> Windows:
    """Return the windows of a game's sheet. Refuse a game without a sheet, or a sheet of another size."""
    sheet = sheet_of(state)
    if sheet is None or is_stepped(state) or state.sealed() or state.draws():
        raise RulesError(
            f"{state.game.title} can't be learned: that takes moves of one step, no chance, and a package that names "
            f"squares for the weights. Games that can be learned: {', '.join(learnable())}"
        )
    sides = [(min(shape), max(shape)) for shape in sheet.shapes]
    size = f"{sheet.columns} x {sheet.rows} squares"
    if not any(low <= min(sheet.columns, sheet.rows) and high <= max(sheet.columns, sheet.rows) for low, high in sides):
        raise RulesError(f"no window of {state.game.title} fits {size}: take a larger board")
    if any(sheet.faces ** (width * height) > MOST_CONTENTS for width, height in sheet.shapes):
        why = f"a whole line has more than {MOST_CONTENTS:,} contents. Take a smaller board"
        raise RulesError(f"{state.game.title} can't be learned on {size}: {why}")
    return windows(sheet)


@cache
def learnable() -> tuple[str, ...]:
    """Return the names of the games that can be learned."""
    return tuple(key for key in keys() if view("learned", key) is not None)


def weights_of(state: State[Any, Any]) -> int:
    """Count the weights of a game with these options and seats."""
    return windows_of(state).weights + state.seats * (state.longest + 1)


def patterned(state: State[Any, Any], weights: vec[i64]) -> Board:
    """Return the board of a position with patterns of these weights."""
    windows = windows_of(state)
    board: Board = state.board.copy()
    patterns = patterns_of(state.game.key)
    assert patterns is not None
    patterns.fit(board.seats, windows.span, windows.links, windows.starts, windows.slots, windows.weights, weights)
    board.judge = patterns
    for square in range(patterns.squares):
        if windows.links[windows.span * square] >= 0:
            patterns.renew(board, square)
    return board


def patterns_on(board: Board) -> Patterns:
    assert isinstance(board.judge, Patterns)
    return board.judge


# Files


def written(evaluation: Evaluation) -> bytes:
    """Write the file of an evaluation."""
    return pack(WEIGHTS, evaluation.terms, {"games": evaluation.games}, kept(evaluation.weights))


def read(data: bytes, name: str) -> Evaluation:
    """Read the evaluation in a file of that name; a `RulesError` says what is wrong with it."""
    terms, numbers, weights = unpack(WEIGHTS, data, name, ("games",))
    return Evaluation(terms, numbers["games"], restored(weights))


def kept(weights: vec[i64]) -> vec[i64]:
    """Round weights to what a file keeps of them."""
    return array([min(max((weight + UNIT // 2) // UNIT, -MOST), MOST) for weight in weights])


def restored(weights: vec[i64]) -> vec[i64]:
    """Return the weights that a file keeps, in units of a POINT."""
    return array([weight * UNIT for weight in weights])


def pack(kind: SealedKind, terms: LearningTerms, numbers: dict[str, int], weights: vec[i64]) -> bytes:
    """Write a file of that kind."""
    fields = _fields(terms, numbers, len(weights))
    return seal(kind, fields, struct.pack(f"<{len(weights)}{_LETTERS[kind.name]}", *weights))


def _fields(terms: LearningTerms, numbers: dict[str, int], weights: int) -> dict[str, Any]:
    """Return the fields of the second line."""
    start = terms.start
    game, options = start.game, start.options.plain()
    head = {"game": game.key, "rules": game.rules, "options": options, "seats": start.seats, "seed": terms.seed}
    return {**head, **numbers, "weights": weights}


def unpack(
    kind: SealedKind, data: bytes, name: str, names: tuple[str, ...]
) -> tuple[LearningTerms, dict[str, int], vec[i64]]:
    """Read the terms, the numbers of these names and the weights that `pack` was given."""
    told, body = unseal(kind, data, name)
    try:
        if told.get("rules") != game_of(told.get("game")).rules:
            raise RulesError("its second line does not describe a game that can be played by these rules")
        state = game_of(told["game"]).start(told.get("options"), told.get("seats"))
        count = weights_of(state)
        numbers = {word: whole_number(told, word) for word in names}
        terms = LearningTerms(state, whole_number(told, "seed"))
    except RulesError as error:
        raise unusable(kind, name, str(error)) from None
    layout = struct.Struct(f"<{count}{_LETTERS[kind.name]}")
    if len(body) != layout.size or seal(kind, _fields(terms, numbers, count), body) != data:
        raise unusable(kind, name, f"{terms} takes {count:,} weights, and it is not written for exactly these")
    return terms, numbers, array(layout.unpack(body))
