"""A summary of a record from its first and last lines, without replaying its moves."""

import json
import re
from contextlib import suppress
from typing import Any, Final

from quadrille.client.table.players import Players
from quadrille.rules.match import WAYS_OUT
from quadrille.rules.registry import keys
from quadrille.value import value

_HEAD: Final = re.compile(r"^game (\S+) .*?^seats ([1-9][0-9]?) ", re.MULTILINE | re.DOTALL)
_TABLE: Final = re.compile(r"^table (\{.*\}) #", re.MULTILINE)
_MOVES: Final = re.compile(r"^([1-9][0-9]*) p", re.MULTILINE)
_LEFT: Final = re.compile(rf"^[1-9][0-9]* p([1-9][0-9]?) (?:{'|'.join(WAYS_OUT)})\b", re.MULTILINE)
_PLACES: Final = re.compile(r"^end: places ((?:[1-9][0-9]? )+)", re.MULTILINE)
_FIRST: Final = 10_000
#: Lines in which that about the players is, if there is one.
_HEADING: Final = 6


@value
class Glance:
    """A record's game, seats, players and those who left. `places` are empty while the game goes on."""

    game: str
    seats: int
    players: Players
    entries: int
    places: tuple[int, ...]
    left: frozenset[int] = frozenset()

    @property
    def awaits_person(self) -> bool:
        """Tell whether a person still plays in this game."""
        bots = self.players.bots or ("",) * self.seats
        return not self.places and any(not bot and seat not in self.left for seat, bot in enumerate(bots))


def glance(text: str) -> Glance | None:
    """Summarise a text; None if it is not a record."""
    head = _HEAD.search(text[:_FIRST])
    if head is None or head[1] not in keys():
        return None
    lines = "\n".join(text.split("\n", _HEADING)[:_HEADING])
    seats, ended, told = (
        int(head[2]),
        _PLACES.search(text),
        _TABLE.search(lines),
    )
    table: Any = {}
    if told:
        with suppress(ValueError, RecursionError):
            table = json.loads(told[1])
    places = tuple(map(int, ended[1].split())) if ended else ()
    entries = max((int(number) for number in _MOVES.findall(text)), default=0)
    return Glance(
        head[1], seats, Players.read(table if isinstance(table, dict) else {}, seats), entries,
        places if len(places) == seats else (), frozenset(int(seat) - 1 for seat in _LEFT.findall(text)),
    )  # fmt: skip
