"""The steps of Dotter as moves and words: the action, the player, the cards, the guess. And its half-made moves: two
cards are a peek, a third makes it a score, a guess may follow; or a draw. rules/boards/_dotter/steps.py lists steps.

A turn is draw; or peek, a player, two slots; or score, a player, three slots, a guess. Slots are ascending in a row
of steps; a person picks cards in any order, and need not name the action first.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from quadrille.rules.arrays import array
from quadrille.rules.board import CHANCE
from quadrille.rules.boards._dotter.steps import DRAWS, PEEK_STEPS, PEEKS, PLAYERS, SCORE_STEPS, SCORES
from quadrille.rules.boards._dotter.table import SLOTS
from quadrille.rules.boards.dotter import DotterBoard
from quadrille.rules.core import Move, State
from quadrille.rules.core.half import Half, verdict
from quadrille.rules.games._dotter.moves import GUESS_NAMES, DrawRow, Peek, Score, Slot, spelled

VERBS: Final = ("draw", "peek", "score")

_SLOT: Final = re.compile(r"[1-9][0-9]?[abc]")
_LINE: Final = re.compile(r"(?:peek|score) (p[1-9][0-9]?)((?: [1-9][0-9]?[abc])*)(?: ([a-z]+))?")


class DotterSteps(State[DotterBoard, Move]):
    """The step interface of a State of Dotter."""

    __slots__ = ()

    board_steps = False

    def steps(self, move: Move) -> list[int] | None:
        """The action, the player, the cards and the guess; a face while a card is owed."""
        if self.code(move) is None or not isinstance(move, Peek | Score | DrawRow):
            return super().steps(move)
        if isinstance(move, DrawRow):
            return [DRAWS]
        first = PLAYERS + self.seats
        slots = [first + 3 * row + card for row, card in move.slots]
        if isinstance(move, Peek):
            return [PEEKS, PLAYERS + move.player, *slots]
        return [SCORES, PLAYERS + move.player, *slots, first + SLOTS + GUESS_NAMES.index(move.guess)]

    def next_steps(self, prefix: Sequence[int] = ()) -> list[int]:
        """The steps that can follow these; while a card is owed, faces."""
        board = self.board
        if board.ended or board.turn == CHANCE:
            return [] if prefix else sorted(self.codes)
        board, made = board.copy(), array(prefix)  # a list of steps is written to the board
        for count in range(len(prefix) + 1):
            found = list(board.moves[: board.next_steps(made, 0, count)])
            if count < len(prefix) and prefix[count] not in found:
                return []
        return found

    def move_of(self, steps: Sequence[int]) -> Move:
        """The move of these steps; a half-made one has fewer slots."""
        if self.board.turn == CHANCE:
            return self.move(steps[0])
        if steps[0] == DRAWS:
            return DrawRow()
        _, player, *rest = steps
        first = PLAYERS + self.seats
        slots = tuple(Slot(*divmod(step - first, 3)) for step in rest[: 2 if steps[0] == PEEKS else 3])
        if steps[0] == PEEKS:
            return Peek(player - PLAYERS, slots)
        return Score(player - PLAYERS, slots, GUESS_NAMES[rest[3] - first - SLOTS] if len(rest) > 3 else "")

    def word(self, prefix: Sequence[int], step: int) -> str:
        """A word of the move; of a score without a guess the last one is `no guess`."""
        if self.board.turn == CHANCE:
            return str(self.move(step))
        if step < PLAYERS:
            return VERBS[step]
        slot = step - PLAYERS - self.seats
        if slot < 0:
            return f"p{step - PLAYERS + 1}"
        return str(Slot(*divmod(slot, 3))) if slot < SLOTS else GUESS_NAMES[slot - SLOTS] or "no guess"

    def _half(self, line: str) -> Half:
        """Cards in any order, then perhaps a guess."""
        return half_made(self, line)

    @property
    def step_numbers(self) -> Sequence[int]:
        """Draw, peek, score; the players; the slots; the guesses."""
        return range(PLAYERS + self.seats + SLOTS + len(GUESS_NAMES))

    @property
    def longest(self) -> int:
        """The board's limits on moves in a round, added up."""
        rows, looks = len(self.board.ranks) // 3, len(self.board.ranks) * self.seats
        return int(self.board.max_rounds) * (rows + looks * PEEK_STEPS + rows * SCORE_STEPS)

    @property
    def most_draws(self) -> int:
        """Each look and each card turned up is a face."""
        cards = len(self.board.ranks)
        return int(self.board.max_rounds) * (cards * self.seats + cards // 3 * 3)


# Half-made moves


def half_made(state: Any, line: str) -> Half:
    """The meaning of a line, and its continuations."""
    line = spelled(line)
    move, why = verdict(state, line) if line else (None, "")
    found = _LINE.fullmatch(line)
    player, slots, guess = (found[1], _SLOT.findall(found[2]), found[3] or "") if found else ("", [], "")
    down = [(f"p{seat + 1}", _slots_down(state, seat)) for seat in range(state.seats)]
    picks = {f"{whose} {slot}": _picked(player, slots, guess, whose, slot) for whose, own in down for slot in own}
    path = tuple(f"{player} {slot}" for slot in slots)
    nexts = frozenset(picks)
    if slots:
        nexts = frozenset(at for at in picks if at.startswith(f"{player} ") and len(slots) < 3) - set(path)
    words, wants = _words(state, line), None
    there = bool(path) and set(path) <= set(picks)
    begins = not line or bool(words) or (there and len(slots) < 3 and not guess)
    if move is not None:
        begins = there and len(slots) == 2
        wants = f"{why}; pick a third card to score all three" if begins else None
    elif begins:
        wants = "pick a second card to peek at both, a third to score all three" if 0 < len(slots) < 3 else ""
    shorter = _written(player, slots if guess else slots[:-1])
    return Half(move, why, begins, wants, path, picks, nexts, _choices(state, player, slots), words, shorter)


def _written(player: str, slots: list[str], guess: str = "") -> str:
    if not slots:
        return ""
    ordered = sorted(slots, key=lambda slot: (int(slot[:-1]), slot[-1]))
    verb = "score" if len(slots) == 3 else "peek"
    return " ".join([verb, player, *ordered, *([guess] if guess and len(slots) == 3 else [])])


def _picked(player: str, slots: list[str], guess: str, whose: str, slot: str) -> str:
    """Add a card, or put it back if it is picked again; a card of another player starts again."""
    if player != whose or (len(slots) == 3 and slot not in slots):
        return _written(whose, [slot])
    return _written(player, [other for other in slots if other != slot] if slot in slots else [*slots, slot], guess)


def _slots_down(state: Any, seat: int) -> list[str]:
    """The slots of a seat that hold a card face down."""
    return [str(Slot(*divmod(slot, 3))) for slot in state.board.down(seat)]


def _guesses(state: Any) -> Sequence[str]:
    return GUESS_NAMES[1 : state.board.guesses]


def _choices(state: Any, player: str, slots: list[str]) -> tuple[tuple[str, str], ...]:
    """The choices other than cards: to draw, or the guesses when three cards are picked."""
    if len(slots) == 3:
        plain = _written(player, slots)
        return (("no guess", plain), *((name, f"{plain} {name}") for name in _guesses(state)))
    return (("draw", "draw"),) if not slots and state.board.serves() else ()


def _words(state: Any, line: str) -> tuple[str, ...]:
    """Lines with the last word completed or, if it is complete, with the next one."""
    before, blank, half = line.rpartition(" ")
    nexts = _next_words(state, before.split())
    if half in nexts:
        return tuple(f"{line} {word}" for word in _next_words(state, line.split()))
    return tuple(f"{before}{blank}{word}" for word in nexts if word.startswith(half))


def _next_words(state: Any, words: list[str]) -> Sequence[str]:
    """The possible words after these."""
    if not words:
        return VERBS[0 if state.board.serves() else 1 :]
    if words[0] not in VERBS[1:]:
        return []
    if len(words) == 1:
        return [f"p{seat + 1}" for seat in range(state.seats) if _slots_down(state, seat)]
    wanted = 2 if words[0] == "peek" else 3
    seat = int(words[1][1:]) - 1 if re.fullmatch("p[1-9]", words[1]) else state.seats
    if seat >= state.seats:
        return []
    if len(words) < 2 + wanted:
        return [slot for slot in _slots_down(state, seat) if slot not in words]
    return _guesses(state) if words[0] == "score" and len(words) == 5 else []
