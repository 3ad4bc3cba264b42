"""Logs of all kinds of tables, played to some point by honest seats: made once, and taken up by every world."""

from functools import cache
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DropMotion, StandInMotion, all_of
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from tests.net.by_hand import agreed
from tests.net.cards.by_hand import honest, left
from tests.net.tables import beginning, identity, terms

#: The peer that is fuzzed; those who sit with it; those who have no seat.
ME: Final = identity(1)
SEATS: Final = tuple(identity(number) for number in range(2, 6))
STRANGERS: Final = tuple(identity(number) for number in (7, 8))
ALL: Final = {one.key: one for one in (ME, *SEATS, *STRANGERS)}
GRACE: Final = 1000
_SMALL: Final = {"width": 3, "height": 3}
_LAP: Final = {"laps": 1, "lap_points": 21}
#: A small table of each kind.
KINDS: Final[dict[str, Terms]] = {
    "barons": terms("barons", 2, {"width": 4, "height": 3}, grace=GRACE),
    "barons-clock": terms("barons", 3, _SMALL, grace=GRACE, clock=TimeControl(60_000, 500)),
    "barons-four": terms("barons", 4, {"width": 3, "height": 4}, grace=GRACE, watchers="invited"),
    "maze": terms("maze", 2, {"size": 3}, grace=GRACE),
    "maze-clock": terms("maze", 2, {"size": 3}, grace=GRACE, clock=TimeControl(5_000, 0), watchers="nobody"),
    "dollar": terms("dollar-draw", 2, _SMALL, grace=GRACE),
    "coin": terms("coin-isolation", 3, grace=GRACE),
    "dotter": terms("dotter", 3, _LAP, takebacks=False, grace=GRACE),
    "dotter-two": terms("dotter", 2, _LAP, takebacks=False, grace=GRACE),
    "barons-several": terms("barons", 5, {"width": 3, "height": 4}, grace=GRACE, held=3),
    "dotter-several": terms("dotter", 5, _LAP, takebacks=False, grace=GRACE),
}
#: Tables where this peer has no seat.
WATCHED: Final[dict[str, Terms]] = {
    "watched": terms("barons", 3, _SMALL, grace=GRACE),
    "watched-cards": terms("dotter", 2, _LAP, takebacks=False, grace=GRACE),
    "watched-own": terms("barons", 3, {"width": 4, "height": 3}, grace=GRACE),
    "watched-own-cards": terms("dotter", 2, _LAP, grace=GRACE),
}
#: Who holds the seats where a peer holds several, as they stand among those who sit at such a table.
HOLDERS: Final = {
    "barons-several": (0, 1, 0, 2, 0),
    "dotter-several": (1, 0, 0, 2, 1),
    "watched-own": (0, 0, 0),
    "watched-own-cards": (0, 0),
}
#: How far a log has come, or what has been decided in it.
WAYS: Final = ("begun", "early", "middle", "late", "paused", "back", "drop", "lent", "deputy", "resigned", "drawn")


@cache
def played(kind: str, way: str) -> tuple[Entry, ...]:
    """The log of a table of that kind. Its name, and so who sits where, are made from both words."""
    table, dice = short("fuzz", f"{kind}/{way}".encode())[:16], Stream(kind, way)
    terms = KINDS.get(kind) or WATCHED[kind]
    sitting: list[Identity] = [*((ME,) if kind in KINDS else ()), *SEATS]
    sitting = [sitting[place] for place in HOLDERS.get(kind, range(terms.seats))]
    log = Log(table)
    log.take(log.write(beginning(terms, table, sitting=sitting), None))
    moves = {"begun": 0, "early": 2, "late": 30}.get(way, 6) * (3 if log.now.deck else 1)
    for _ in range(moves):
        if log.now.over is None:
            log.take(honest(log, dice, ALL))
    for step in _steps(log, way):
        log.take(step)
    return tuple(log.entries)


def _steps(log: Log, way: str) -> list[Entry]:
    """What is decided at the end, where the game has room for it."""
    turn = log.now.turn
    try:
        match way:
            case _ if turn is None:
                return []
            case "paused" | "drawn":
                return [agreed(log, all_of("pause" if way == "paused" else "draw"))]
            case "back":
                return [agreed(log, all_of("takeback", 2))]
            case "drop":
                return [agreed(log, DropMotion(turn))]
            case "lent" | "deputy":
                others = [key for key in log.now.keys if key != log.now.keys[turn]]
                others = [key for key in others if (key == ME.key) is (way == "deputy")]
                return [agreed(log, StandInMotion(turn, others[-1], "deputy"))] if others else []
            case "resigned":
                return [left(log, log.now.seats_in()[-1], keys=ALL)]
    except PeerError:  # two seats decide nothing
        return []
    return []
