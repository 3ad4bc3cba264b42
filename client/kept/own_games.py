"""The finished games of this person, at this keyboard and on the network, and the seats that were the person's.

A record of a kept game says which seats bots had. One person alone is this person. Of several it is the one by the
name that this person has. A list tells each game in a few words, and records in files beside them.
"""

import hashlib
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from quadrille.client.claimed_names import chair_names, is_own
from quadrille.client.files import OpenedGame, read_text
from quadrille.client.kept.games import kept_at, told_of, when
from quadrille.client.table.players import Glance, Players
from quadrille.client.words.kept import of_over, of_record
from quadrille.client.words.story import YOU
from quadrille.client.words.terms import number
from quadrille.net.core.errors import LocalError, NetError
from quadrille.net.core.home import home
from quadrille.net.game_log.archive import FIRST_LINE
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.trust.store import KeptTable
from quadrille.rules.core import WHOLE
from quadrille.rules.registry import game, keys
from quadrille.value import value

_NUMBER: Final = re.compile("[0-9a-f]{4,32}")


@value
class OwnGame:
    """A finished game: its number, when it was played (seconds since 1970), and how it is opened.

    `seats` are this person's, if that is known before.
    """

    number: str
    changed: float
    opened: Callable[[], OpenedGame]
    seats: tuple[int, ...] = ()


def record_number(record: str) -> str:
    """Hash a record into the number of its game, without the line about the players and without the check sums."""
    lines = [line.rpartition(" #")[0] or line for line in record.splitlines()]
    text = "\n".join(line for line in lines if not line.startswith("table "))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def own_games(at_home: str | None) -> list[OwnGame]:
    """List all finished games, the last played first; a log is read when its turn comes. A store that can't be read is
    reported where it is needed.
    """
    with suppress(NetError, OSError), kept_at(at_home) as tables:
        return [
            OwnGame(kept.id.hex(), kept.changed / 1000, partial(opened_table, at_home, kept.id))
            for kept in tables.store.tables("over")
            if kept.role != "watch"
        ]
    return []


def opened_table(at_home: str | None, table: bytes) -> OpenedGame:
    """Read the game of a stored log. Where cards are hidden, a log alone does not tell what its own seat has seen."""
    with kept_at(at_home) as tables:
        log, about, key = tables.log(table), told_of(tables.store, table), tables.identity.key
    if log is None:
        raise LocalError(f"table {table.hex()} has no entry any more")
    match, chairs = log.now.match, log.now.chairs
    if about:
        return OpenedGame.of(match, about)
    known = match.viewer == WHOLE or not match.game.hidden
    seats = tuple(seat for seat, chair in enumerate(chairs) if is_own(chair, key)) if known else ()
    return replace(OpenedGame.of(match, {}, chair_names(chairs)), seats=seats)


def found_table(at_home: str | None, text: str) -> bytes | None:
    """Return the stored table whose number begins with a text; None if there is not just one."""
    if not _NUMBER.fullmatch(text):
        return None
    with suppress(NetError, OSError), kept_at(at_home) as tables:
        ids = [kept.id for kept in tables.store.tables() if kept.id.hex().startswith(text)]
        return ids[0] if len(ids) == 1 else None
    return None


_RECORDS: Final = "*.txt"
_MOST: Final = 100


def played_games(at_home: str | None, most: int, patience: float) -> list[tuple[str, str]]:
    """Return what `quadrille replay` takes for each finished game and each record, and a line about it; the newest
    first. A log is read for its result as long as `patience` seconds allow; then the table is called by its number.
    """
    rows = [*_records(at_home), *_tables(at_home, most, patience)]
    rows.sort(key=lambda row: -row[0])
    return [(name, f"{when(changed)}  {words}") for changed, name, words in rows]


def _records(at_home: str | None) -> list[tuple[float, str, str]]:
    files: dict[Path, float] = {}
    for place in (home(at_home), Path()):
        for path in place.glob(_RECORDS):
            with suppress(OSError), path.open("rb") as file:  # one that can't be read hides no others
                if file.read(10) == b"quadrille ":
                    files[path] = path.stat().st_mtime
    rows = []
    for path in sorted(files, key=lambda path: -files[path])[:_MOST]:
        with suppress(OSError):
            text = read_text(str(path))
            other = "a log" if text.startswith(FIRST_LINE) else "a record that can't be read"
            rows.append((files[path], str(path), f"{of_record(text) or other}  {path}"))
    return rows


def _tables(at_home: str | None, most: int, patience: float) -> list[tuple[float, str, str]]:
    end, rows, known = time.monotonic() + patience, [], keys()
    with suppress(NetError, OSError), kept_at(at_home) as tables:
        for kept in [kept_table for kept_table in tables.store.tables("over") if kept_table.game in known][:most]:
            title = ""
            with suppress(NetError):  # one that can't be read hides no others
                title = _of_table(tables, kept) if kept.role == "own" or time.monotonic() < end else ""
            title = title or f"{game(kept.game).title}, table {number(kept.id)}"
            rows.append((kept.changed / 1000, kept.id.hex(), title))
    return rows


def _of_table(tables: StoredTables, kept: KeptTable) -> str:
    if kept.role == "own":
        return of_over(Glance.read(kept.game, told_of(tables.store, kept.id)))
    if (log := tables.log(kept.id)) is None:
        return ""
    chairs, own = log.now.chairs, tables.identity.key
    called = zip(chairs, chair_names(chairs), strict=True)
    names = tuple(YOU if is_own(chair, own) else name for chair, name in called)
    return of_over(replace(Glance.of(log.now.match, {}), players=Players(names)))
