"""The finished games of this person, at this keyboard and on the network, and the seats that were the person's.

A record of a kept game says which seats bots had. One person alone is this person. Of several it is the one by the
name that this person has.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from heapq import merge
from typing import Final

from quadrille.client.files import read_text
from quadrille.client.kept.games import file_of, folder_of, local_games
from quadrille.client.network.own_name import own_name
from quadrille.client.table.players import Players, thoughts_in
from quadrille.net.core.errors import LocalError, NetError
from quadrille.net.core.home import home
from quadrille.rules.core import WHOLE
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Match
from quadrille.rules.record import read_with_table
from quadrille.value import value

#: The store of an identity, which is not made by a look.
_STORE: Final = "store.sqlite"


@value
class OpenedGame:
    """A finished game with its players, and the seats that were this person's; none if nobody can know."""

    match: Match
    players: Players
    seats: tuple[int, ...]
    thoughts: Thoughts = Thoughts()


@value
class OwnGame:
    """A finished game: its number, when it was played (seconds since 1970), and how it is opened.

    `seats` are this person's, if that is known before.
    """

    number: str
    changed: float
    opened: Callable[[], OpenedGame]
    seats: tuple[int, ...] = ()


def own_seats(players: Players, seats: int, name: str) -> tuple[int, ...]:
    """Return the seats of the person with that name; none if nobody can know."""
    bots = players.bots or ("",) * seats
    people = [seat for seat in range(seats) if not bots[seat]]
    if named := [seat for seat in people if players.names and players.names[seat] == name]:
        return tuple(named)
    return tuple(people) if len(people) == 1 and any(bots) else ()


def record_number(record: str) -> str:
    """Hash a record into the number of its game, without the line about the players and without the check sums."""
    lines = [line.rpartition(" #")[0] or line for line in record.splitlines()]
    told = "\n".join(line for line in lines if not line.startswith("table "))
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def own_games(at_home: str | None) -> Iterator[OwnGame]:
    """Yield all finished games, the last played first; a record is read when its turn comes."""
    return merge(_local_games(at_home), _network_games(at_home), key=lambda game: -game.changed)


def opened_record(record: str, name: str) -> OpenedGame:
    """Read the game of a record; a RulesError says why it can't be read."""
    match, told = read_with_table(record)
    players = Players.read(told, match.state.seats)
    return OpenedGame(match, players, own_seats(players, match.state.seats, name), thoughts_in(told))


def _local_games(at_home: str | None) -> Iterator[OwnGame]:
    folder, name = folder_of(at_home), own_name(None)
    for game in local_games(at_home):
        if game.is_over:
            with suppress(OSError):
                record = read_text(str(file_of(folder, game.number)))
                yield OwnGame(record_number(record), game.changed, partial(opened_record, record, name))


def _network_games(at_home: str | None) -> list[OwnGame]:
    """List the games whose logs are stored here. A store that can't be read is reported where it is needed."""
    if not (home(at_home) / _STORE).exists():
        return []
    from quadrille.client.network.surroundings import own_store  # imported here: most homes have no store

    try:
        with own_store(at_home) as own:
            return [
                OwnGame(kept.id.hex(), kept.changed / 1000, partial(_opened_table, at_home, kept.id))
                for kept in own.store.tables("over")
                if kept.role == "seat"
            ]
    except (NetError, OSError, sqlite3.Error):
        return []


def _opened_table(at_home: str | None, table: bytes) -> OpenedGame:
    """Read the game of a stored log. Where cards are hidden, a log alone does not tell what its own seat has seen."""
    from quadrille.client.claimed_names import chair_names
    from quadrille.client.network.surroundings import own_store

    with own_store(at_home) as own:
        log = own.log(table)
    if log is None:
        raise LocalError(f"table {table.hex()} has no entry any more")
    standing, match = log.now, log.now.match
    seats = tuple(seat for seat, chair in enumerate(standing.chairs) if chair.key == own.identity.key)
    known = match.viewer == WHOLE or not match.game.hidden
    return OpenedGame(match, Players(chair_names(standing.chairs)), seats if known else ())
