"""Unfinished games on the network: their number, and the one that a person means."""

from collections.abc import Sequence
from contextlib import suppress

from quadrille.client.claimed_names import chair_names
from quadrille.client.reports import many
from quadrille.client.words.kept import none_left, several_left
from quadrille.client.words.story import few
from quadrille.client.words.terms import DIGITS, terms_text
from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.game_log.log import Log
from quadrille.net.program.station import Station
from quadrille.net.program.stored_tables import StoredTables, tables_at
from quadrille.net.seating.offers import is_named
from quadrille.net.trust.names import plain_name
from quadrille.net.trust.store import Store


def left_in_the_middle(mine: Station) -> list[Log]:
    """Return the logs of unfinished games, the last changed first."""
    return [log for log, _ in unfinished(mine.shelf)]


def unfinished(tables: StoredTables) -> list[tuple[Log, int]]:
    """Return the stored games that go on, the last changed first, and when that was (milliseconds since 1970). Peers
    may know of more games.
    """
    found = []
    for kept in tables.unfinished():
        with suppress(PeerError):  # its game is not here any more
            log = tables.log(kept.id)
            if log is not None and not log.now.over and plays(log, tables.identity.key):
                found.append((log, kept.changed))
    return found


def one_left(mine: Station, wanted: str) -> Log:
    """Return the game that is meant; raise LocalError with the list of games if the text fits none or several."""
    logs = left_in_the_middle(mine)
    meant = _meant(logs, wanted)
    if len(meant) == 1:
        return meant[0]
    lines = [listed(mine.identity.key, log) for log in meant or logs]
    raise LocalError(several_left(lines, "") if meant else none_left(wanted, lines, ""))


def known_at(at_home: str | None, table: bytes) -> tuple[str | None, str | None, bool]:
    """Return the name under which this person sat down at a stored table, the text of its ticket, and whether guests of
    this person play there. None stands for what is not there.
    """
    with tables_at(at_home) as tables:
        log = tables.log(table)
        ours = [chair for chair in log.now.chairs if chair.key == tables.identity.key] if log is not None else []
        name = next((chair.at or chair.name for chair in ours), "")
        known = name if name and plain_name(name) == name else None
        return known, tables.far(table), any(chair.kind == GUEST for chair in ours)


def plays(log: Log, key: bytes) -> bool:
    """Return whether a seat of that key, or one where another plays for it, is still in the game."""
    chairs = log.now.chairs
    return any(key in (log.now.keys[seat], chairs[seat].key) for seat in log.now.seats_in())


def _meant(logs: Sequence[Log], wanted: str) -> list[Log]:
    """Return the logs of a game or with somebody of that name (of a bot without level and owner), or whose number
    begins with it.
    """
    name = wanted.strip().casefold()
    return [log for log in logs if not name or is_named(log, name) or name in names_in(log)]


def names_in(log: Log) -> frozenset[str]:
    """Return the names by which a table is meant: of its game, and of its players."""
    chairs, key = log.now.chairs, log.now.terms.game
    return frozenset(name.casefold() for name in (key, *chair_names(chairs), *(chair.name for chair in chairs)))


def listed(own: bytes, log: Log) -> str:
    standing, who = log.now, few(chair_names(others_in(own, log)))
    return f"{log.table.hex()[:DIGITS]}  {terms_text(standing.terms)}; {many(standing.match.ply, 'move')}; with {who}"


def others_in(own: bytes, log: Log) -> tuple[Chair, ...]:
    """Return the chairs of all but the holder of that key."""
    return tuple(chair for chair in log.now.chairs if chair.key != own or chair.at)


def give_up(store: Store, table: bytes) -> None:
    """Give up for good a table that is stored. The store keeps its signed entries, and drops the secrets of the seat's
    cards.
    """
    store.mark_table(table, state="forgotten")
    store.forget_secrets(table)


def is_forgotten(mine: Station, table: bytes) -> bool:
    kept = mine.store.table(table)
    return kept is not None and kept.state == "forgotten"


def mention(number: int) -> str:
    """Return a line about unfinished games; "" if there are none."""
    return f"{many(number, 'unfinished table')}: quadrille resume" if number else ""
