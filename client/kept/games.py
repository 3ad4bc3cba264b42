"""The games of this person in the store of the home: those at one keyboard, with their locks, and the unfinished ones
on the network. The store keeps only the newest games at one keyboard.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, Final

from quadrille.client.claimed_names import chair_names
from quadrille.client.reports import many
from quadrille.client.table.players import Glance
from quadrille.client.words.kept import none_left, of_kept, others, several_left
from quadrille.client.words.story import few
from quadrille.client.words.terms import game_words, number, terms_text
from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.home import STORE_FILE, Lock, folder_in, home, is_free
from quadrille.net.entries.terms import GUEST
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables, tables_at
from quadrille.net.trust.names import plain_name
from quadrille.net.trust.store import KeptTable, Store
from quadrille.rules.registry import game, keys
from quadrille.value import value

#: The label of what is written beside the log of such a table: its players, and a summary for lists.
ABOUT: Final = "about"
#: The folder of the locks.
FOLDER: Final = "games"
#: Maximum stored games at one keyboard, of unfinished ones and of finished ones.
MOST: Final = 100
#: Minimum digits of a number; fewer are taken for a name.
_LEAST_DIGITS: Final = 4
_TAKEN: Final = "game {} is open in another program: close it there first"


@value
class KeptGame:
    """A stored game: its table, its last change (seconds since 1970), a line about it, by what words it is meant, its
    game, who else plays there, and its summary. `is_own`: at this keyboard. `keys` are those of the others on the
    network, "" for guests of this person.
    """

    table: bytes
    changed: float
    line: str
    called: frozenset[str]
    title: str
    others: str
    about: Glance
    is_own: bool = True
    keys: tuple[str, ...] = ()

    def fits(self, wanted: str) -> bool:
        """Tell whether a text means the game: the beginning of its number, the name of a player, or its game."""
        plain = wanted.strip().casefold()
        return not plain or plain in self.called or self.table.hex().startswith(plain)


def is_kept(at_home: str | None) -> bool:
    """Tell whether there is a store. To look makes none."""
    return (home(at_home) / STORE_FILE).exists()


@contextmanager
def kept_at(at_home: str | None) -> Iterator[StoredTables]:
    """Open the tables of a home, which other programs may have open too; a LocalError says that nothing is kept."""
    if not is_kept(at_home):
        raise LocalError(f"nothing is kept in {home(at_home)} yet")
    with tables_at(at_home) as tables:
        yield tables


def locked(at_home: str | None, table: bytes) -> Lock:
    """Take a game for this program, or raise LocalError."""
    return Lock(folder_in(home(at_home), FOLDER), _lock_name(table), _TAKEN.format(number(table)))


def _lock_name(table: bytes) -> str:
    return f"{table.hex()}.lock"


def told_of(store: Store, table: bytes) -> dict[str, Any]:
    """Return what is written beside a log: who plays, as a record says it, and the summary."""
    with suppress(ValueError, RecursionError):
        told = json.loads(store.secret(table, ABOUT) or b"{}")
        if isinstance(told, dict):
            return told
    return {}


def when(changed: float) -> str:
    """Format the time at which a game was played last, in seconds since 1970."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(changed))


def local_games(at_home: str | None) -> list[KeptGame]:
    """Return all games at this keyboard, the last changed first."""
    if not is_kept(at_home):
        return []
    with kept_at(at_home) as tables:
        return [_kept(tables.store, kept) for kept in _own(tables.store)]


def _own(store: Store) -> list[KeptTable]:
    known = keys()
    return [kept for kept in store.tables("playing", "over") if kept.role == "own" and kept.game in known]


def _kept(store: Store, kept: KeptTable) -> KeptGame:
    about, changed = Glance.read(kept.game, told_of(store, kept.id)), kept.changed / 1000
    called = frozenset((about.game, *(name.casefold() for name in about.players.names if name)))
    line = f"{number(kept.id)}  {of_kept(about)}; {when(changed)}"
    return KeptGame(kept.id, changed, line, called, game(about.game).title, others(about), about)


def left_games(at_home: str | None) -> list[KeptGame]:
    """Return the unfinished games, the last changed first: on the network, and at this keyboard those in which a person
    has yet to play, and that no other program plays.
    """
    if not is_kept(at_home):
        return []
    with kept_at(at_home) as tables:
        rows = network_games(tables)
    own, folder = local_games(at_home), home(at_home) / FOLDER
    rows += [kept for kept in own if kept.about.awaits_person and is_free(folder, _lock_name(kept.table))]
    return sorted(rows, key=lambda row: -row.changed)


def network_games(tables: StoredTables) -> list[KeptGame]:
    """Return the unfinished games on the network, the last changed first."""
    own, rows = tables.identity.key, []
    for log, changed in unfinished(tables):
        terms, about = log.now.terms, Glance.of(log.now.match, {})
        chairs = tuple(chair for chair in log.now.chairs if chair.key != own or chair.at)
        title, names = " ".join(game_words(terms)).strip(), chair_names(chairs)
        at = when(changed / 1000)
        line = f"{number(log.table)}  {terms_text(terms)}; {many(log.now.match.ply, 'move')}; with {few(names)}; {at}"
        called = (about.game, *chair_names(log.now.chairs), *(chair.name for chair in log.now.chairs))
        keys = tuple("" if chair.key == own else chair.key.hex() for chair in chairs)
        rows.append(KeptGame(
            log.table, changed / 1000, line, frozenset(map(str.casefold, called)), title, few(names), about, False, keys
        ))  # fmt: skip
    return rows


def unfinished(tables: StoredTables) -> list[tuple[Log, int]]:
    """Return the logs of the games on the network that go on, the last changed first, and when that was (milliseconds
    since 1970).
    """
    matching = []
    for kept in tables.unfinished():
        with suppress(PeerError):  # its game is not here any more
            log = tables.log(kept.id)
            if log is not None and not log.now.over and plays(log, tables.identity.key):
                matching.append((log, kept.changed))
    return matching


def plays(log: Log, key: bytes) -> bool:
    """Return whether a seat of that key, or one where another plays for it, is still in the game."""
    chairs = log.now.chairs
    return any(key in (log.now.keys[seat], chairs[seat].key) for seat in log.now.seats_in())


def one_of(there: Sequence[KeptGame], wanted: str, at_home: str | None) -> KeptGame:
    """Return the game that is meant; raise LocalError with the list of games if the text fits none or several."""
    meant = [kept for kept in there if kept.fits(wanted)]
    if len(meant) == 1:
        return meant[0]
    lines = [kept.line for kept in meant or there]
    raise LocalError(several_left(lines, at_home) if meant else none_left(wanted, lines, at_home))


def mention(number: int) -> str:
    """Return a line about unfinished games; "" if there are none."""
    return f"{many(number, 'unfinished table')}: quadrille resume" if number else ""


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


def check_meant(at_home: str | None, wanted: str) -> None:
    """Raise LocalError if a text means a stored game that can't go on now; one that is over has only a number."""
    for kept in local_games(at_home):
        table, is_over = number(kept.table), bool(kept.about.places)
        if is_over and len(wanted) >= _LEAST_DIGITS and kept.table.hex().startswith(wanted):
            raise LocalError(f"game {table} is over: quadrille replay {table} shows it")
        if not is_over and kept.fits(wanted) and not is_free(home(at_home) / FOLDER, _lock_name(kept.table)):
            raise LocalError(_TAKEN.format(table))


def forgotten(at_home: str | None, table: bytes, *, online: bool = False) -> str:
    """Delete a game at this keyboard that no program plays, or give up one on the network, which a program that is
    `online` does for itself; return a sentence about it.
    """
    with kept_at(at_home) as tables:
        store = tables.store
        if (kept := store.table(table)) is None:
            raise LocalError(f"game {number(table)} is not here any more")
        if kept.role == "own":
            _forget(at_home, store, table)
            return f"Game {number(table)} is deleted."
        with nullcontext() if online else Lock(home(at_home)):
            store.mark_table(table, state="forgotten")  # its signed entries stay
            store.forget_secrets(table)
    return f"Table {number(table)} is forgotten."


def _forget(at_home: str | None, store: Store, table: bytes) -> None:
    lock = locked(at_home, table)
    try:
        store.drop_table(table)
    finally:
        lock.remove()


def prune(at_home: str | None, store: Store) -> None:
    """Delete the oldest games above the maximum."""
    for state in ("over", "playing"):
        for kept in [own for own in _own(store) if own.state == state][MOST:]:
            with suppress(LocalError):
                _forget(at_home, store, kept.id)
