"""The turns of Coin Isolation: their notation (docs/protocols/games.md, "Notation"), their steps, and their list.

The board knows which steps can follow and in which order the parts of a turn come; a turn is written in the same order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, pairwise
from typing import Any, Final, TypeAlias, TypeVar

from quadrille.rules.chance import Randomness
from quadrille.rules.core import Face, Move
from quadrille.rules.errors import BadNotation
from quadrille.rules.games.coin_isolation import board as rules
from quadrille.rules.games.coin_isolation.board import CoinBoard, only
from quadrille.rules.games.coin_isolation.paths import KINDS, first_alike
from quadrille.rules.squares import Grid, Square, grid, quoted

T = TypeVar("T")
LETTERS: Final = "pndq"
#: The name of one coin of each kind, and of several.
COIN_NAMES: Final = (("penny", "pennies"), ("nickel", "nickels"), ("dime", "dimes"), ("quarter", "quarters"))
SIDE_NAMES: Final = ("south", "north", "west", "east")
#: The words that a turn can begin with, and their steps.
WORDS: Final = {"stand": rules.STAND, "renegade": rules.RENEGADE, "pass": rules.PASS} | {
    f"side {name}": rules.SIDE + side for side, name in enumerate(SIDE_NAMES)
}
_WORD_OF: Final = {rules.END: "end"} | {step: word for word, step in WORDS.items()}
_TYPES: Final = {name: kind for kind, names in enumerate(COIN_NAMES) for name in (LETTERS[kind], names[0])}
_CLAUSE: Final = re.compile(r"(type|take|give|to) ((?:(?!type|take|give|to)[^ ]+ ?)*)")
_COINS: Final = re.compile(r"([1-9][0-9]?)([pndq])")
#: Maximum turns that begin with the steps made from which a random one is chosen.
_SAMPLED: Final = 1000


@dataclass(frozen=True, slots=True)
class CoinTurn(Move):
    """A turn as it is written: `side south`, `pass`, `stand n`, `a1-a2 type n take 2 give 2p1n to a4,b6`, `renegade
    a1-b1`. `word` is the first word unless the turn is a path; an absent clause is None.
    """

    word: str = ""
    path: tuple[Square, ...] = ()
    kind: int | None = None
    take: int | None = None
    give: tuple[int, ...] | None = None
    to: tuple[Square, ...] | None = None

    def __str__(self) -> str:
        parts = [self.word] if self.word else []
        if self.path:
            parts.append("-".join(map(str, self.path)))
        if self.kind is not None:
            parts.append(f"type {LETTERS[self.kind]}" if self.path else LETTERS[self.kind])
        if self.take is not None:
            parts.append(f"take {self.take}")
        if self.give is not None:
            parts.append("give " + "".join(f"{n}{LETTERS[kind]}" for kind, n in enumerate(self.give) if n))
        if self.to is not None:
            parts.append("to " + ",".join(map(str, self.to)))
        return " ".join(parts)


CoinMove: TypeAlias = CoinTurn | Face


def read(text: str, sheet: Grid) -> CoinTurn:
    """Read the turn of a clean text, as far as no position is needed: clauses in any order but each once."""
    word, _, rest = text.partition(" ")
    if word == "pass" and not rest:
        return CoinTurn(word)
    if word == "side":
        if rest not in SIDE_NAMES:
            raise BadNotation(f"{quoted(rest)} is no side: pick {', '.join(SIDE_NAMES[:-1])} or {SIDE_NAMES[-1]}")
        return CoinTurn(text)
    if word == "stand":
        return CoinTurn(word, kind=_kind(rest) if rest else None)
    if word != "renegade":
        word, rest = "", text
    line, _, rest = re.sub(" ?([-,]) ?", r"\1", rest).partition(" ")
    path = tuple(sheet.read(name) for name in line.split("-"))
    clauses: dict[str, str] = {}
    while rest:
        clause = _CLAUSE.match(rest)
        if clause is None:
            raise BadNotation(f"{quoted(rest)} is not understood: after a path come type, take, give or to")
        if clause[1] in clauses:
            raise BadNotation(f"{clause[1]} is there twice")
        clauses[clause[1]] = clause[2].strip()
        rest = rest[clause.end() :]
    readers: tuple[tuple[str, str, Any], ...] = (
        ("type", "kind", _kind), ("take", "take", _count), ("give", "give", _coins),
        ("to", "to", partial(_squares, sheet)),
    )  # fmt: skip
    return CoinTurn(word, path, **{field: reader(clauses[name]) for name, field, reader in readers if name in clauses})


def _kind(text: str) -> int:
    if text not in _TYPES:
        raise BadNotation(f"{quoted(text)} is no type of coin: write p, n, d or q")
    return _TYPES[text]


def _count(text: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,2}", text):
        raise BadNotation(f"{quoted(text)} is no number of coins to take: write take 0, take 1, …")
    return int(text)


def _coins(text: str) -> tuple[int, ...]:
    """Read coins in any order, each type once."""
    counts = [0] * KINDS
    bare = text.replace(" ", "")
    if not re.fullmatch(f"({_COINS.pattern})+", bare):
        raise BadNotation(f"{quoted(text)} are no coins: write give 2p1n for two pennies and a nickel")
    for number, letter in _COINS.findall(bare):
        if counts[_TYPES[letter]]:
            raise BadNotation(f"{quoted(text)} names {letter} twice")
        counts[_TYPES[letter]] = int(number)
    return tuple(counts)


def _squares(sheet: Grid, text: str) -> tuple[Square, ...]:
    """Read squares in any order, each once."""
    squares = tuple(sorted(sheet.read(name) for name in text.split(",")))
    for square, other in pairwise(squares):
        if square == other:
            raise BadNotation(f"{square} is named twice: each square takes one coin")
    return squares


# Steps


def sheet_of(board: CoinBoard) -> Grid:
    return grid(board.terms.width, board.terms.height)


def steps_of(board: CoinBoard, move: CoinTurn) -> list[int] | None:
    """Return the steps of a move that are still to be made; None if a square of it is off the board."""
    first = board.first
    numbers = list(map(sheet_of(board).number, (*move.path, *(move.to or ()))))
    if None in numbers:
        return None
    steps: list[Any] = [first + WORDS[move.word]] if move.word else []
    if move.path:
        steps += [*numbers[: len(move.path)], first + rules.END]
    if move.kind is not None:
        steps.append(first + rules.COIN + move.kind)
    if move.take is not None:
        steps.append(first + rules.TAKE + move.take)
    if move.give is not None:
        steps += [first + rules.COIN + kind for kind, coins in enumerate(move.give) for _ in range(coins)]
    steps += numbers[len(move.path) :]
    before = made(board)
    return steps[len(before) :] if steps[: len(before)] == before else steps


def made(board: CoinBoard) -> list[int]:
    at, first, stage = board.at, board.first, board.at[rules.STAGE]
    if stage <= rules.TURN:
        return []
    steps = [first + rules.RENEGADE] if at[rules.WILD] else [first + rules.STAND] if stage == rules.STAND_WANTED else []
    steps += at[board.path : board.path + at[rules.LENGTH]]
    if rules.KIND_WANTED <= stage <= rules.PLACE_WANTED:
        steps.append(first + rules.END)
        if stage > rules.KIND_WANTED and only(at[rules.MASK]) < 0:
            steps.append(first + rules.COIN + at[rules.KIND])
        if stage > rules.TAKE_WANTED and board.terms.take == rules.SEMI_GREEDY:
            steps.append(first + rules.TAKE + at[rules.TAKEN])
        if board.gives():
            steps += [first + rules.COIN + kind for kind in range(KINDS) for _ in range(at[rules.GIVEN + kind])]
    return [*steps, *at[board.placed : board.placed + at[rules.PLACED]]]


def beginning(board: CoinBoard) -> CoinBoard:
    """Return the board before the steps of an unfinished turn."""
    if board.at[rules.STAGE] <= rules.TURN:
        return board
    begin = board.copy()
    begin.free_path()
    begin.clear_steps()
    return begin


def common_types(board: CoinBoard, path: Iterable[int]) -> int:
    """Return the kinds of coin that lie on every square of a path that is not begun yet, as bits."""
    types = rules.COINS
    for q in path:
        types &= board.at[board.ways + q]
    return types


def turn_of(board: CoinBoard, steps: Sequence[int]) -> CoinMove:
    """Return the move of these legal steps, behind those that are made; half-made before its end."""
    first, squares = board.first, sheet_of(board).squares
    if steps[0] >= first + rules.COIN and board.at[rules.STAGE] == rules.LAYOUT:
        return Face(LETTERS[steps[0] - first - rules.COIN])
    if board.at[rules.STAGE] > rules.TURN:
        board, steps = beginning(board), [*made(board), *steps]
    if steps[0] < first and steps[-1] == first + rules.END:  # a path without clauses
        return CoinTurn("", tuple([squares[q] for q in steps[:-1]]))
    word, kind, take, given = "", None, None, [0] * KINDS
    path: list[int] = []
    places: list[int] = []
    ended = False
    for step in steps:
        clause = step - first
        if clause < 0:
            (places if ended else path).append(step)
        elif clause == rules.END:
            ended = True
        elif clause >= rules.TAKE:
            take = clause - rules.TAKE
        elif rules.END < clause < rules.COIN:
            word = _WORD_OF[clause]
        elif word or (kind is None and take is None and only(common_types(board, path)) < 0):
            kind = clause - rules.COIN
        else:
            given[clause - rules.COIN] += 1
    give = tuple(given) if any(given) else None
    return CoinTurn(
        word, tuple([squares[q] for q in path]), kind, take, give, tuple([squares[q] for q in places]) or None
    )


def word_of(board: CoinBoard, step: int) -> str:
    """Write a square, or the clause of a step, on a board with the steps before it."""
    clause, stage = step - board.first, board.at[rules.STAGE]
    if clause < 0:
        name = sheet_of(board).names[step]
        return f"to {name}" if stage == rules.PLACE_WANTED else name
    if clause >= rules.TAKE:
        return f"take {clause - rules.TAKE}"
    if clause >= rules.COIN:
        return {rules.LAYOUT: "", rules.GIVE_WANTED: "give "}.get(stage, "type ") + LETTERS[clause - rules.COIN]
    return _WORD_OF[clause]


def spelled(board: CoinBoard, turn: CoinTurn) -> CoinTurn:
    """Return a right turn without clauses that have only one possibility; leave a wrong clause to be refused."""
    source, kind, take, give = board.source(), turn.kind, turn.take, turn.give
    if not turn.path:
        types = board.types(source) if kind is not None and board.can_stand() else 0
        return CoinTurn(turn.word) if types and kind == only(types) else turn
    numbers = [q for square in turn.path if (q := sheet_of(board).number(square)) is not None]
    types = common_types(board, numbers)
    played = (
        kind if kind is not None and types >> kind & 1 else next(face for face in range(KINDS) if types >> face & 1)
    )
    if take == board.kept(numbers[-1], played) and board.terms.take != rules.SEMI_GREEDY:
        take = None
    if give is not None and sum(give) == board.half() == give[only(board.types(source))] and not board.gives():
        give = None
    return CoinTurn(turn.word, turn.path, None if kind == only(types) else kind, take, give, turn.to)


# The list


def written(board: CoinBoard, count: int) -> list[int]:
    """Return the first numbers of `moves`, which a method of the board has just written."""
    return list(board.moves[:count])


def rows(board: CoinBoard, steps: Sequence[int]) -> Iterator[list[int]]:
    """Yield the steps that complete the turn, from these on, which are legal now: all listed turns, in canonical order.

    That order is paths, then `stand`, then `renegade` and a path, last `pass`: the order of the steps, but for the end
    of a path, which comes before its continuations.
    """
    end, stage = board.first + rules.END, board.at[rules.STAGE]
    trial = board.copy()
    if stage == rules.LAYOUT or not steps:
        yield from ([step] for step in steps)
        return
    if stage == rules.WALK:
        yield from _rest(trial, [end])
    elif stage == rules.PLACE_WANTED:
        at, last = board.at, board.at[board.placed + board.at[rules.PLACED] - 1] if board.at[rules.PLACED] else -1
        rooms = [q for q in written(trial, trial.rooms()) if q > last]
        yield from map(list, combinations(rooms, board.wanted(at[rules.LENGTH]) - at[rules.PLACED]))
        return
    if stage <= rules.WALK and steps[0] < board.first:
        simple = not board.asks()
        for path in board.paths():
            path.append(end)
            if simple:
                yield path
            else:
                yield from _rest(trial, path)
    for step in steps:
        if step > end or stage > rules.WALK:
            yield from _rest(trial, [step])


def _rest(trial: CoinBoard, steps: list[int]) -> Iterator[list[int]]:
    """Yield the `rows` that begin with `steps`; the board is again as it was when they are all there."""
    plies = trial.plies
    for step in steps:
        trial.apply(step)
    if trial.plies != plies:
        yield steps
    else:
        for row in rows(trial, written(trial, trial.legal())):
            yield [*steps, *row]
    for _ in steps:
        trial.undo()


def sampled(state: Any, rng: Randomness) -> list[int]:
    """Choose the steps of a random listed turn: every one is possible, not all equally likely."""

    def one(row: Sequence[T]) -> T:
        return row[rng.randrange(len(row))]

    board, end = state.board, state.board.first + rules.END
    if board.at[rules.STAGE] > rules.TURN:
        return one(tuple(islice(rows(board, state.codes), _SAMPLED)))
    step = one(state.codes)
    if step >= board.first or board.is_wild():
        return one(tuple(rows(board, [step])))
    path: list[int] = []
    while step != end:
        path.append(step)
        step = one(state.next_steps(path))
    steps = [*first_alike(board.terms.near, board.starts(board.turn), path), end]
    # each clause takes a random number, also one with a single possibility
    if not board.asks():
        for _ in ("type", "take", "give"):
            rng.randrange(1)
        return steps
    trial = state.trial(steps)[0].board
    for stage in (rules.KIND_WANTED, rules.TAKE_WANTED):
        choice = one(written(trial, trial.legal()) if trial.at[rules.STAGE] == stage else (None,))
        if choice is not None:
            steps.append(choice)
            trial.apply(choice)
    pool = written(trial, trial.rooms()) if trial.at[rules.STAGE] == rules.PLACE_WANTED else []
    places = sorted(pool.pop(rng.randrange(len(pool))) for _ in range(board.wanted(len(path)) if pool else 0))
    gives = tuple(rows(trial, written(trial, trial.legal()))) if trial.at[rules.STAGE] == rules.GIVE_WANTED else ([],)
    return [*steps, *one(gives), *places]
