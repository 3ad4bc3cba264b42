"""The moves of Dotter in words, whole and half-made: `draw`, `peek p2 1a 3c`, `score p1 1a 1b 2c double`.

A `DotterMove` is the board's number as a value; the board decides whether it is legal. At a prompt two cards are a
peek, a third makes it a score, a guess may follow: a person picks cards in any order, and need not name the action.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from quadrille.rules.core import Move
from quadrille.rules.core.talk import Half, read_steps
from quadrille.rules.errors import BadNotation
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter.board import cards_of, digits_of, guess_of, player_of, turn_code
from quadrille.rules.squares import clean, quoted

#: The words of steps: an action, a slot, a guess by its number (hands.py); the first guess is none.
VERBS: Final = ("draw", "peek", "score")
SLOT_NAMES: Final = tuple(f"{row + 1}{card}" for row in range(rules.ROWS) for card in "abc")
GUESS_NAMES: Final = ("", "double", "triple", "difference", "quotient", "nothing")
_SLOTS: Final = {name: slot for slot, name in enumerate(SLOT_NAMES)}
_PLAYER: Final = re.compile(r"p?([0-9]{1,4})")
_SLOT: Final = re.compile(r"[1-9][0-9]?[abc]")
#: Blanks inside a player or a slot are ignored: `p 2`, `3 c`.
_INNER_BLANKS: Final = re.compile(r"(?<=\bp) +(?=[0-9])|(?<=[0-9]) +(?=[abc]\b)")
_LINE: Final = re.compile(r"(?:peek|score) (p[1-9][0-9]?)((?: [1-9][0-9]?[abc])*)(?: ([a-z]+))?")
_EXAMPLES: Final = {"peek": "peek p2 1a 3c", "score": "score p1 1a 1b 2c double"}
_COUNTS: Final = {"peek": 2, "score": 3}


@dataclass(frozen=True, slots=True)
class DotterMove(Move):
    """A turn by the board's number: a draw; a peek at two cards of a player; or a score of three, with a guess."""

    code: int

    def __str__(self) -> str:
        if self.code == rules.DRAW:
            return "draw"
        guess = GUESS_NAMES[guess_of(self.code)] if self.scores else ""
        return written(f"p{self.player + 1}", [SLOT_NAMES[slot] for slot in self.slots], guess)

    @property
    def scores(self) -> bool:
        """Return whether cards are turned up."""
        return self.code >= rules.SCORES

    @property
    def player(self) -> int:
        """The seat whose cards these are."""
        return player_of(self.code)

    @property
    def slots(self) -> list[int]:
        """The slots of the cards, ascending."""
        digits = digits_of(self.code)
        return [digits // rules.SLOTS**later % rules.SLOTS for later in range(cards_of(self.code) - 1, -1, -1)]


def written(player: str, slots: Sequence[str], guess: str = "") -> str:
    """Write a peek or a score, or the beginning of one, whose slots may come in any order."""
    if not slots:
        return ""
    ordered = sorted(slots, key=lambda slot: (int(slot[:-1]), slot[-1]))
    words = ["score", player, *ordered, guess] if len(slots) == 3 else ["peek", player, *ordered]
    return " ".join(words).rstrip()


def spelled(line: str) -> str:
    """Return the line with single blanks, and with neither commas nor blanks inside a player or a slot."""
    return _INNER_BLANKS.sub("", " ".join(line.replace(",", " ").split()))


def read_move(text: object, seats: int) -> DotterMove:
    """Read the turn of a text at a table of `seats`."""
    verb, *words = spelled(clean(text)).split() or [""]
    if verb == "draw":
        if words:
            raise BadNotation(f"{quoted(' '.join(words))} is too much: draw is a move by itself")
        return DotterMove(rules.DRAW)
    if verb not in _COUNTS:
        known = ", ".join(["draw", *_EXAMPLES.values()])
        raise BadNotation(f"{quoted(verb)} is no move of Dotter: its moves are such as {known}")
    player_word = _PLAYER.fullmatch(words[0]) if words else None
    if player_word is None:
        raise BadNotation(f"after {verb} comes the player whose cards are meant: {_EXAMPLES[verb]}")
    player = int(player_word[1])
    if not 1 <= player <= seats:
        raise BadNotation(f"there is no player {player}: the players here are p1 to p{seats}")
    guess = words.pop() if len(words) > 1 and words[-1].isalpha() else ""
    slots = sorted(map(_read_slot, words[1:]))
    if len(slots) != _COUNTS[verb]:
        raise BadNotation(f"a {verb} takes {_COUNTS[verb]} slots, not {len(slots)}: {_EXAMPLES[verb]}")
    if twice := [slot for slot in slots if slots.count(slot) > 1]:
        raise BadNotation(f"{SLOT_NAMES[twice[0]]} is named twice: a {verb} takes {_COUNTS[verb]} different cards")
    if verb == "peek":
        if guess:
            raise BadNotation(f"{quoted(guess)} is too much: only a score has a guess")
    elif guess not in GUESS_NAMES:
        known = "double, triple, difference and quotient are, and nothing where the option guess_nothing is on"
        raise BadNotation(f"{quoted(guess)} is no guess: {known}")
    code = player - 1
    for slot in slots:
        code = code * rules.SLOTS + slot
    return DotterMove(turn_code(code, len(slots), GUESS_NAMES.index(guess)))


def _read_slot(word: str) -> int:
    if _SLOT.fullmatch(word) is None:
        raise BadNotation(f"{quoted(word)} is no slot: a slot is a row and a card of it, such as 1a, 1b or 1c")
    if word not in _SLOTS:
        raise BadNotation(f"{word} is no slot: nobody gets more than {rules.ROWS} rows in a round")
    return _SLOTS[word]


# Half-made turns


def half_made(state: Any, line: str) -> Half:
    """Return the meaning of a line, and its continuations: cards are picked in any order, and count as a peek or score.

    Typed words are read as steps.
    """
    half = read_steps(state, spelled(line))
    parts = _LINE.fullmatch(spelled(line))
    player, slots, guess = (parts[1], _SLOT.findall(parts[2]), parts[3] or "") if parts else ("", [], "")
    down = [(f"p{seat + 1}", SLOT_NAMES[slot]) for seat in range(state.seats) for slot in state.board.slots(seat)]
    picks = {f"{whose} {slot}": _picked(player, slots, guess, whose, slot) for whose, slot in down}
    fits = [f"{player} {slot}" for whose, slot in down if whose == player and _fit(state, player, *slots, slot)]
    path = tuple(f"{player} {slot}" for slot in slots)
    more = 0 < len(slots) < 3 and {*path} <= {*picks} and not guess
    wants = "pick a second card to peek at both, a third to score all three" if more else half.wants
    if half.move is not None:
        wants = f"{half.why}; pick a third card to score all three" if more and half.why else None
    choices = [("draw", "draw")] if not slots and state.board.serves() else []
    if len(slots) == 3 and _fit(state, player, *slots):
        guesses = GUESS_NAMES[: state.board.terms.guesses]
        choices = [(name or "no guess", written(player, slots, name)) for name in guesses]
    return replace(
        half,
        begins=more or (half.begins and half.move is None),
        wants=wants,
        path=path,
        picks=picks,
        nexts=frozenset(fits if slots else picks),
        choices=tuple(choices),
        words=tuple(word for word in half.words if not word.endswith("no guess")),
        shorter=written(player, slots if guess else slots[:-1]),
    )


def _picked(player: str, slots: list[str], guess: str, whose: str, slot: str) -> str:
    """Add a card, or put it back if it is picked again; a card of another player starts again."""
    if player != whose or (len(slots) == 3 and slot not in slots):
        return written(whose, [slot])
    return written(player, [other for other in slots if other != slot] if slot in slots else [*slots, slot], guess)


def _fit(state: Any, player: str, *slots: str) -> bool:
    """Return whether these cards of a player fit into a peek or a score, perhaps with others."""
    board, seat, taken = state.board, int(player[1:]) - 1, 0
    if seat >= state.seats or not {*slots} <= {SLOT_NAMES[slot] for slot in board.slots(seat)}:
        return False
    for slot in slots:
        taken |= 1 << board.position(seat, _SLOTS[slot])
    sizes = [size for size in (2, 3) if size >= len({*slots}) == len(slots)]
    return any(board.turns(seat, size, taken, board.at[rules.DOWN + seat] & ~taken) > 0 for size in sizes)
