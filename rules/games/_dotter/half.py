"""Half-made moves of Dotter: two cards are a peek, a third makes it a score, a guess may follow; or a draw.

A person picks cards in any order, and need not name the action first.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from quadrille.rules.core.half import Half, verdict
from quadrille.rules.games._dotter.moves import GUESS_NAMES, Slot, spelled

VERBS: Final = ("draw", "peek", "score")

_SLOT: Final = re.compile(r"[1-9][0-9]?[abc]")
_LINE: Final = re.compile(r"(?:peek|score) (p[1-9][0-9]?)((?: [1-9][0-9]?[abc])*)(?: ([a-z]+))?")


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
