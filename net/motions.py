"""Motions: what seats decide that is no move, as values. Who has to sign one is net/standing.py's affair.

Specification: protocols.md, "Motions".
"""

from typing import Any, Final

from quadrille.net.entry import NOBODY
from quadrille.net.shapes import pack

#: Motions that all seats still in agree on, carried by the one whose turn it is.
BY_ALL: Final = ("draw", "abort", "takeback", "pause", "adjourn")
#: Motions about a seat that is gone, carried by all the others together.
BY_OTHERS: Final = ("drop", "stand-in", "flag")


def all_of(kind: str, number: int = 0) -> tuple[Any, ...]:
    """A motion that all seats have to sign."""
    assert kind in BY_ALL
    return (kind, number, NOBODY, "")


def gone(seat: int) -> tuple[Any, ...]:
    """The motion that a seat is gone."""
    return ("drop", seat, NOBODY, "")


def stand_in(seat: int, key: bytes, name: str) -> tuple[Any, ...]:
    """The motion that somebody else plays on for a seat."""
    return ("stand-in", seat, key, name)


def flag(seat: int) -> tuple[Any, ...]:
    """The motion that a seat's time is up, by the clocks of all the others."""
    return ("flag", seat, NOBODY, "")


def rank(motion: tuple[Any, ...]) -> tuple[bool, bytes]:
    """The order of decisions about a seat in one place: a seat that signed one may only go over to a lower one."""
    return (motion[0] != "stand-in", pack(motion))


def back(seat: int) -> tuple[Any, ...]:
    """The motion that the owner of a seat plays again."""
    return ("back", seat, NOBODY, "")
