"""The moves of Dotter as values, as text, and as its board's numbers.

The notation: `draw`, `peek p2 1a 3c`, `score p1 1a 1b 2c double`. The board decides whether a move is legal.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from quadrille.rules.boards._dotter.moves import (
    DRAW,
    ROWS,
    SCORES,
    SEATS,
    SLOTS,
    guess_of,
    peek_code,
    player_of,
    score_code,
    slots_of,
)
from quadrille.rules.core import Move
from quadrille.rules.errors import BadNotation
from quadrille.rules.squares import clean, quoted

#: A guess by its number (rules/boards/_dotter/hands.py); the first is none.
GUESS_NAMES: Final = ("", "double", "triple", "difference", "quotient", "nothing")
_LETTERS: Final = "abc"
_PLAYER: Final = re.compile(r"p?([0-9]{1,4})")
_SLOT: Final = re.compile(r"([1-9][0-9]?)([abc])")
#: Blanks inside a player or a slot are ignored: `p 2`, `3 c`.
_INNER_BLANKS: Final = re.compile(r"(?<=\bp) +(?=[0-9])|(?<=[0-9]) +(?=[abc]\b)")
_EXAMPLES: Final = {"peek": "peek p2 1a 3c", "score": "score p1 1a 1b 2c double"}
_COUNTS: Final = {"peek": 2, "score": 3}


class Slot(NamedTuple):
    """A card's place before a player: the row in the order drawn, and the card in it, both counted from 0."""

    row: int
    card: int

    def __str__(self) -> str:
        return f"{self.row + 1}{_LETTERS[self.card]}"


@dataclass(frozen=True, slots=True)
class DrawRow(Move):
    """The mover gets a new row of three cards, face down: `draw`."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Peek(Move):
    """The mover looks at two cards of one player: `peek p2 1a 3c`. Slots are ascending."""

    player: int
    slots: tuple[Slot, ...]

    def __str__(self) -> str:
        return f"peek p{self.player + 1} " + " ".join(map(str, self.slots))


@dataclass(frozen=True, slots=True)
class Score(Move):
    """Three cards of one player are turned up and scored: `score p1 1a 1b 2c double`; the guess is "" for none."""

    player: int
    slots: tuple[Slot, ...]
    guess: str = ""

    def __str__(self) -> str:
        named = f" {self.guess}" if self.guess else ""
        return f"score p{self.player + 1} " + " ".join(map(str, self.slots)) + named


DotterMove: TypeAlias = DrawRow | Peek | Score
_DRAW: Final = DrawRow()
_ALL_SLOTS: Final = tuple(Slot(row, card) for row in range(ROWS) for card in range(3))


@lru_cache(maxsize=1 << 16)
def move_of(code: int) -> DotterMove:
    """The move of a board's number."""
    if code == DRAW:
        return _DRAW
    slots = tuple(_ALL_SLOTS[slot] for slot in slots_of(code))
    if code < SCORES:
        return Peek(player_of(code), slots)
    return Score(player_of(code), slots, GUESS_NAMES[guess_of(code)])


def number_of(move: DotterMove) -> int | None:
    """The board's number of a move; None if there is no such player, slot or guess."""
    if isinstance(move, DrawRow):
        return DRAW
    slots = [3 * row + card for row, card in move.slots]
    ascending = all(one < two for one, two in pairwise([-1, *slots, SLOTS]))
    if not (ascending and 0 <= move.player < SEATS):
        return None
    match move, slots:
        case Peek(), [one, two]:
            return peek_code(move.player, one, two)
        case Score(), [one, two, three] if move.guess in GUESS_NAMES:
            return score_code(move.player, one, two, three, GUESS_NAMES.index(move.guess))
    return None


def spelled(line: str) -> str:
    """The line with single blanks, and with neither commas nor blanks inside a player or a slot."""
    return _INNER_BLANKS.sub("", " ".join(line.replace(",", " ").split()))


def read_move(text: object, seats: int) -> DotterMove:
    """The move of a text at a table of `seats`."""
    verb, *words = spelled(clean(text)).split() or [""]
    if verb == "draw":
        if words:
            raise BadNotation(f"{quoted(' '.join(words))} is too much: draw is a move by itself")
        return _DRAW
    if verb not in _COUNTS:
        known = ", ".join(["draw", *_EXAMPLES.values()])
        raise BadNotation(f"{quoted(verb)} is no move of Dotter: its moves are such as {known}")
    if not words or not _PLAYER.fullmatch(words[0]):
        raise BadNotation(f"after {verb} comes the player whose cards are meant: {_EXAMPLES[verb]}")
    player = _read_player(words[0], seats)
    guess = words.pop() if len(words) > 1 and words[-1].isalpha() else ""
    slots = tuple(sorted(map(_read_slot, words[1:])))
    if len(slots) != _COUNTS[verb]:
        raise BadNotation(f"a {verb} takes {_COUNTS[verb]} slots, not {len(slots)}: {_EXAMPLES[verb]}")
    if twice := [slot for slot in slots if slots.count(slot) > 1]:
        raise BadNotation(f"{twice[0]} is named twice: a {verb} takes {_COUNTS[verb]} different cards")
    if verb == "peek":
        if guess:
            raise BadNotation(f"{quoted(guess)} is too much: only a score has a guess")
        return Peek(player, slots)
    return Score(player, slots, _read_guess(guess))


def _read_player(word: str, seats: int) -> int:
    found = _PLAYER.fullmatch(word)
    assert found is not None
    player = int(found[1])
    if not 1 <= player <= seats:
        raise BadNotation(f"there is no player {player}: the players here are p1 to p{seats}")
    return player - 1


def _read_slot(word: str) -> Slot:
    found = _SLOT.fullmatch(word)
    if found is None:
        raise BadNotation(f"{quoted(word)} is no slot: a slot is a row and a card of it, such as 1a, 1b or 1c")
    if int(found[1]) > ROWS:
        raise BadNotation(f"{word} is no slot: nobody gets more than {ROWS} rows in a round")
    return Slot(int(found[1]) - 1, _LETTERS.index(found[2]))


def _read_guess(word: str) -> str:
    if word not in GUESS_NAMES:
        known = "double, triple, difference and quotient are, and nothing where the option guess_nothing is on"
        raise BadNotation(f"{quoted(word)} is no guess: {known}")
    return word
