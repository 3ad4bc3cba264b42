"""The games of this person in the store of the home: those at one keyboard, unfinished and finished, and their locks.

The store keeps only the newest games at one keyboard. The games on the network are beside them
(client/network/unfinished_games.py).
"""

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, Final

from quadrille.client.table.glance import Glance
from quadrille.client.table.players import Players
from quadrille.client.words.kept import of_kept
from quadrille.client.words.terms import number
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock, folder_in, home, is_free
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import STORE_FILE, KeptTable, Store
from quadrille.rules.registry import keys
from quadrille.value import value

#: The role of this person at a table that has no other peer, in the store.
OWN: Final = "own"
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
    """A stored game: its table, its last change (seconds since 1970), a line about it, and by what words it is meant.
    `about` is the summary of one at this keyboard.
    """

    table: bytes
    changed: float
    line: str
    called: frozenset[str]
    about: Glance | None = None

    def fits(self, wanted: str) -> bool:
        """Tell whether a text means the game: the beginning of its number, a name, or at this keyboard its game."""
        plain = wanted.strip().casefold()
        return not plain or plain in self.called or self.table.hex().startswith(plain)


@contextmanager
def store_at(at_home: str | None) -> Iterator[Store | None]:
    """Open the store of a home, which other programs may have open too; None if there is none yet."""
    folder = home(at_home)
    if not (folder / STORE_FILE).exists():
        yield None
        return
    with closing(Store(folder, Identity.open(folder).key, alone=False)) as store:
        yield store


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


def summary_of(told: dict[str, Any], game: str) -> Glance:
    """Read the summary of a game in the store."""
    seats = len(told.get("bots") or told.get("names") or ()) or int(told.get("seats", 0))
    return Glance(
        game, seats, Players.read(told, seats), int(told.get("entries", 0)), tuple(told.get("places", ())),
        frozenset(told.get("out", ())),
    )  # fmt: skip


def local_games(at_home: str | None) -> list[tuple[KeptGame, Glance]]:
    """Return all games at this keyboard with their summaries, the last changed first."""
    with store_at(at_home) as store:
        return [] if store is None else [_kept(store, one) for one in _own(store)]


def _own(store: Store) -> list[KeptTable]:
    known = keys()
    return [kept for kept in store.tables("playing", "over") if kept.role == OWN and kept.game in known]


def _kept(store: Store, kept: KeptTable) -> tuple[KeptGame, Glance]:
    about, changed = summary_of(told_of(store, kept.id), kept.game), kept.changed / 1000
    called = frozenset((about.game, *(name.casefold() for name in about.players.names if name)))
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(changed))
    return KeptGame(kept.id, changed, f"{number(kept.id)}  {of_kept(about)}; {when}", called, about), about


def unfinished_local_games(at_home: str | None) -> list[tuple[KeptGame, Glance]]:
    """Return the games in which a person has yet to play, and that no other program plays."""
    folder = home(at_home) / FOLDER
    found = local_games(at_home)
    return [row for row in found if row[1].awaits_person and is_free(folder, _lock_name(row[0].table))]


def left_games(at_home: str | None) -> list[KeptGame]:
    """Return the unfinished games at this keyboard and on the network, the last changed first."""
    # imported here: a table at one keyboard needs no network
    from quadrille.client.network.unfinished_games import left_at, listed, names_in

    own, logs = left_at(at_home)
    rows = [KeptGame(log.table, changed / 1000, listed(own, log), names_in(log)) for log, changed in logs]
    rows += [game for game, _ in unfinished_local_games(at_home)]
    return sorted(rows, key=lambda row: -row.changed)


def check_meant(at_home: str | None, wanted: str) -> None:
    """Raise LocalError if the number is that of a stored game that can't go on now."""
    for game, about in local_games(at_home):
        if len(wanted) >= _LEAST_DIGITS and game.table.hex().startswith(wanted):
            if about.places:
                table = number(game.table)
                raise LocalError(f"game {table} is over: quadrille replay {table} shows it")
            locked(at_home, game.table).close()


def forgotten(at_home: str | None, table: bytes) -> None:
    """Delete a stored game that no program plays."""
    with store_at(at_home) as store:
        if store is not None:
            _forget(at_home, store, table)


def _forget(at_home: str | None, store: Store, table: bytes) -> None:
    lock = locked(at_home, table)
    try:
        store.drop_table(table)
    finally:
        lock.remove()


def prune(at_home: str | None, store: Store) -> None:
    """Delete the oldest games above the maximum."""
    own = _own(store)
    if len(own) <= MOST:
        return
    for state in ("over", "playing"):
        for kept in [one for one in own if one.state == state][MOST:]:
            with suppress(LocalError):
                _forget(at_home, store, kept.id)
