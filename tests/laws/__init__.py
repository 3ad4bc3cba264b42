"""The laws that every game keeps. They are installed, so that they judge games that packages plug in, too:

    python -m quadrille.laws nim@acme

A game tells them what they can't find out by themselves: `LAWS = Laws(…)` in the module of its class.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


def _as_listed(text: str) -> Any:
    return 0


@dataclass(frozen=True, slots=True)
class Laws:
    """What a plugged game says of itself; each field may be left out."""

    #: Tables, as options and seats, that are small enough to try everything: by default all numbers at their least.
    small: tuple[tuple[Mapping[str, Any], int], ...] = ()
    #: Some values of each option that takes a text.
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: A number of moves that no game with these options and seats exceeds: by default `State.longest`.
    most_moves: Callable[[Any, int], int] | None = None
    #: What to compare instead of the text of a move, so that sorting gives the order in which moves are listed.
    order: Callable[[str], Any] = _as_listed
    #: All texts that could be a move with these options, in that order: what is legal among them has to be listed.
    written: Callable[[Any], Iterable[str]] | None = None
