"""Moves of Dotter in the making: two cards are a peek, a third makes it a score, a guess may follow; or a draw.

So a turn is made by picking cards, and nobody has to name the action first. What is legal the State says.
"""

import re
from typing import Any, Final

from quadrille.client.screen.drafts.draft import Draft, Maker, foreseen, verdict
from quadrille.rules.core import State
from quadrille.rules.games._dotter_moves import GUESS_NAMES

_PLACE: Final = re.compile(r"p([1-9][0-9]*) ([1-9][0-9]?)([abc])")
_SLOT: Final = re.compile(r"[1-9][0-9]?[abc]")
_LINE: Final = re.compile(r"(?:peek|score) (p[1-9][0-9]?)((?: [1-9][0-9]?[abc])*)(?: ([a-z]+))?")
_VERBS: Final = ("draw", "peek", "score")
DRAW: Final = "draw"


def _read(text: str) -> tuple[str, list[str], str]:
    """The player, the slots and the guess that a line names."""
    found = _LINE.fullmatch(text)
    if found is None:
        return "", [], ""
    return found[1], _SLOT.findall(found[2]), found[3] or ""


def _written(player: str, slots: list[str], guess: str = "") -> str:
    ordered = sorted(slots, key=lambda slot: (int(slot[:-1]), slot[-1]))
    verb = "score" if len(slots) == 3 else "peek"
    return " ".join([verb, player, *ordered, *([guess] if guess and len(slots) == 3 else [])])


def slots_down(state: State[Any, Any], seat: int) -> list[str]:
    """The slots of a seat that hold a card face down."""
    return [f"{slot // 3 + 1}{'abc'[slot % 3]}" for slot in state.board.down(seat)]


def _guesses(state: State[Any, Any]) -> tuple[str, ...]:
    most = len(GUESS_NAMES) if state.options.guess_nothing else len(GUESS_NAMES) - 1
    return GUESS_NAMES[1:most]


def _draft(state: State[Any, Any], text: str) -> Draft:
    player, slots, guess = _read(text)
    path = tuple(f"{player} {slot}" for slot in slots)
    nexts, words, choices = _nexts(state, player, slots), _words(state, text), _choices(state, player, slots)
    if not text:
        return Draft("none", nexts=nexts, words=words, choices=choices)
    move, why = verdict(state, text)
    if not why and move is not None:
        return Draft("legal", "", path, nexts, words, choices, foreseen(state, move), shows_after=False)
    if move is not None and len(slots) == 2:
        return Draft("begun", f"{why}; a third card makes it a score", path, nexts, words, choices)
    if move is not None:
        return Draft("wrong", why, path, nexts, words, choices)
    begun = bool(words) or (bool(slots) and len(slots) < 3 and not guess)
    wanted = "a second card makes it a peek, a third one a score" if 0 < len(slots) < 3 else ""
    return Draft("begun" if begun else "foreign", wanted if begun else why, path, nexts, words, choices)


def _choices(state: State[Any, Any], player: str, slots: list[str]) -> tuple[tuple[str, str], ...]:
    """What is no card: to draw, or the guesses when three cards are picked."""
    if len(slots) == 3:
        plain = _written(player, slots)
        return (("no guess", plain), *((name, f"{plain} {name}") for name in _guesses(state)))
    return ((DRAW, DRAW),) if not slots and state.board.serves() else ()


def _nexts(state: State[Any, Any], player: str, slots: list[str]) -> frozenset[str]:
    """The cards that can be picked: of anybody, then of the same player."""
    found = {f"p{seat + 1} {slot}" for seat in range(state.seats) for slot in slots_down(state, seat)}
    if not slots:
        return frozenset(found)
    taken = {f"{player} {slot}" for slot in slots}
    return frozenset(place for place in found - taken if place.startswith(player + " ") and len(slots) < 3)


def _words(state: State[Any, Any], text: str) -> tuple[str, ...]:
    """Lines with the word that is begun made whole, or, if it is, with the next one."""
    before, blank, half = text.rpartition(" ")
    nexts = _next_words(state, before.split())
    if half in nexts:
        return tuple(f"{text} {word}" for word in _next_words(state, text.split()))
    return tuple(f"{before}{blank}{word}" for word in nexts if word.startswith(half))


def _next_words(state: State[Any, Any], words: list[str]) -> list[str]:
    """What can stand behind these words."""
    if not words:
        return [verb for verb in _VERBS if verb != "draw" or state.board.serves()]
    if words[0] not in ("peek", "score"):
        return []
    if len(words) == 1:
        return [f"p{seat + 1}" for seat in range(state.seats) if slots_down(state, seat)]
    wanted = 2 if words[0] == "peek" else 3
    seat = int(words[1][1:]) - 1 if re.fullmatch("p[1-9]", words[1]) else state.seats
    if seat >= state.seats:
        return []
    if len(words) < 2 + wanted:
        return [slot for slot in slots_down(state, seat) if slot not in words]
    return list(_guesses(state)) if words[0] == "score" and len(words) == 5 else []


def _pick(_: State[Any, Any], text: str, place: str) -> str:
    """A card is added or, picked again, put back; a card of another player begins anew."""
    found = _PLACE.fullmatch(place)
    if found is None:
        return text
    player, slots, guess = _read(text)
    own, slot = f"p{found[1]}", f"{found[2]}{found[3]}"
    if player != own or (len(slots) == 3 and slot not in slots):
        return _written(own, [slot])
    rest = [other for other in slots if other != slot] if slot in slots else [*slots, slot]
    return _written(player, rest, guess) if rest else ""


def _drop(_: State[Any, Any], text: str) -> str:
    """The guess goes, or the last card."""
    player, slots, guess = _read(text)
    if guess:
        return _written(player, slots)
    return _written(player, slots[:-1]) if len(slots) > 1 else ""


MAKER: Final = Maker(_draft, _pick, _drop)
