"""The canonical order of moves, written from their texts alone, so that it shares nothing with the games' own.

Squares are compared by column, then by row as a number. A sequence of squares is compared square by square, and comes
before all that begin with it. Slots are compared by row as a number, then by letter.
"""

import re
from typing import Any

from quadrille.laws.settings import GUIDE, plugged

KINDS = "pndq"
GUESSES = ("", "double", "triple", "difference", "quotient", "nothing")


def square(text: str) -> tuple[str, int]:
    return text[0], int(text[1:])


def squares(text: str) -> list[tuple[str, int]]:
    return [square(name) for name in re.split("[-,]", text)] if text else []


def slot(text: str) -> tuple[int, str]:
    return int(text[:-1]), text[-1]


def coin_move(text: str) -> tuple[Any, ...]:
    """Sides; moves along a path by path, type, take, give, places; `stand`; `renegade`; `pass`."""
    word, *words = text.split(" ")
    match word:
        case "side":
            return (0, ("south", "north", "west", "east").index(words[0]))
        case "stand":
            return (2, KINDS.index(words[0]) if words else 0)
        case "renegade":
            return (3, squares(words[0]))
        case "pass":
            return (4,)
    clauses = dict(zip(words[::2], words[1::2], strict=True))
    give = [kind for number, kind in re.findall(r"(\d+)([pndq])", clauses.get("give", "")) for _ in range(int(number))]
    kind, take = KINDS.find(clauses.get("type", "")), int(clauses.get("take", "0"))
    return (1, squares(word), kind, take, [KINDS.index(coin) for coin in give], squares(clauses.get("to", "")))


def dotter_move(text: str) -> tuple[Any, ...]:
    """`draw`; `peek` by player, then slots; `score` by player, slots, guess."""
    word, *words = text.split(" ")
    if word == "draw":
        return (0,)
    player, rest = words[0], words[1:]
    guess = rest.pop() if rest[-1] in GUESSES else ""
    return (("draw", "peek", "score").index(word), player, [slot(name) for name in rest], GUESSES.index(guess))


def order(key: str, text: str) -> Any:
    """What to compare instead of the text of a move."""
    if told := plugged(key):
        return told.order(text)
    match key:
        case "barons" | "chomp" | "dollar-draw":
            return square(text)
        case "maze":
            return squares(text)
        case "coin-isolation":
            return coin_move(text)
        case "dotter":
            return dotter_move(text)
    raise AssertionError(f"in which order are the moves of {key}? {GUIDE}: order in tests/laws/order.py")
