"""Questions whether this person plays on for a seat that is gone: which are open, and what a yes does.

A seat repeats its question every second, until it is answered or void. A person reads it once, and says yes by
`play-on`, which needs an arbiter that this person accepts. Specification: protocols.md, "Motions".
"""

from typing import TYPE_CHECKING, Final

from quadrille.client import arbiters
from quadrille.client.table_words import terms_text
from quadrille.net.lobby import Called
from quadrille.net.terms import Chair
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.client.conversation import Parlour

#: Number of digits of a table's number that are shown.
_DIGITS: Final = 8
#: Maximum questions that are remembered, and milliseconds after which one that nobody repeats is void.
MOST_CALLS: Final = 8
LASTING: Final = 10_000


class Calls:
    """The questions to one person, in all its conversations."""

    __slots__ = ("_agreed", "_open")

    def __init__(self) -> None:
        self._open: dict[tuple[bytes, bytes], tuple[Called, int]] = {}  # by asker and table; when it was heard last
        self._agreed: dict[bytes, Called] = {}

    def hear(self, called: Called, now: int) -> bool:
        """Remember a question; whether it is a new one."""
        place = called.key, called.table
        known = self._open.pop(place, None)
        self._open[place] = called, now
        while len(self._open) > MOST_CALLS:
            del self._open[next(iter(self._open))]
        return known is None or known[0] != called

    def open(self, digits: str, now: int, by: bytes | None = None) -> list[Called]:
        """The open question about the table whose number begins so, once for each seat that asks it, or of the one
        peer that is meant; a RulesError says why there is none.
        """
        found = [one for one, at in self._open.values() if now - at <= LASTING and by in (None, one.key)]
        if not digits:
            raise BadNotation("write play-on and the number of a table")
        meant = [one for one in found if one.table.hex().startswith(digits.lower())]
        if not meant:
            tables = sorted({one.table.hex()[:_DIGITS] for one in found})
            there = f": you are asked at {', '.join(tables)}" if tables else ", or at any other"
            raise RulesError(f"nobody asks you to play on at table {quoted(digits)}{there}")
        if len({(one.table, one.before, one.seat, one.terms) for one in meant}) > 1:
            raise RulesError(f"several ask about table {quoted(digits)}, and not the same: play-on {digits} NAME")
        return meant

    def agree(self, called: Called) -> None:
        """Remember the yes to a question."""
        self._agreed[called.table] = called

    def has_agreed(self, called: Called) -> bool:
        """Whether this very question was answered with a yes, to whichever seat asked it."""
        given = self._agreed.get(called.table)
        asked = called.before, called.seat, called.terms
        return given is not None and (given.before, given.seat, given.terms) == asked

    def awaits(self, table: bytes) -> bool:
        """Whether this person has said yes to a table, and has not sat down there yet."""
        return table in self._agreed

    def sat_down(self, table: bytes) -> None:
        """Forget the yes: the person is at that table now."""
        self._agreed.pop(table, None)

    @property
    def agreed(self) -> list[bytes]:
        """The tables that this person has said yes to."""
        return list(self._agreed)


def question(called: Called, who: str) -> str:
    """The question as a person reads it."""
    table = called.table.hex()[:_DIGITS]
    return (
        f"{who} asks you to play on for player {called.seat + 1} at a table of {terms_text(called.terms)} "
        f"(table {table}): type play-on {table}"
    )


def play_on(parlour: "Parlour", text: str) -> None:
    """Say yes to all seats that ask the same; `text` is a table's number, and a name where several ask otherwise."""
    calls = parlour.calls
    digits, _, name = text.strip().partition(" ")
    asked = calls.open(digits, parlour.now(), parlour.peer(name).key if name else None)
    first = asked[0]
    if why := first.terms.objection():
        raise RulesError(f"that table can't be played here: {why}")
    peer = parlour.lobby.peers.get(first.key)
    asker = Chair(first.key, peer.name if peer else "", peer.kind if peer else "person")
    arbiters.check(parlour, first.terms, b"", (asker,))
    calls.agree(first)
    for called in asked:
        parlour.lobby.play_on(called)
    parlour.lobby.flush(parlour.now())
    table = first.table.hex()[:_DIGITS]
    parlour.say(f"You play on for player {first.seat + 1} at table {table}, once its seats have decided it.")
