"""Played games for a list, in a few words each: finished games of the store, and records in files."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.client.claimed_names import chair_names
from quadrille.client.files import read_text
from quadrille.client.kept.games import FOLDER, OWN, store_at, summary_of, told_of
from quadrille.client.words.kept import of_over, of_record, winners
from quadrille.client.words.story import YOU, few
from quadrille.client.words.terms import number
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import home
from quadrille.net.game_log.archive import FIRST_LINE
from quadrille.net.game_log.log import Log
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import KeptTable, Store
from quadrille.rules.registry import game, keys

_RECORDS: Final = "*.txt"
_MOST: Final = 100


def played_games(at_home: str | None, most: int, patience: float) -> list[tuple[str, str]]:
    """Return what `quadrille replay` takes for each finished game and each record, and a line about it; the newest
    first. A log is read for its result as long as `patience` seconds allow; then the table is called by its number.
    """
    rows = [*_records(at_home), *_tables(at_home, most, patience)]
    rows.sort(key=lambda row: -row[0])
    return [(name, f"{_when(changed)}  {words}") for changed, name, words in rows]


def _records(at_home: str | None) -> list[tuple[float, str, str]]:
    files: dict[Path, float] = {}
    for place in (home(at_home), home(at_home) / FOLDER, Path()):  # FOLDER had the games of earlier versions
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
    with suppress(NetError, OSError), store_at(at_home) as store:
        if store is None:
            return []
        own = Identity.open(home(at_home)).key
        for kept in [one for one in store.tables("over") if one.game in known][:most]:
            words = ""
            with suppress(NetError):  # one that can't be read hides no others
                words = _of_table(store, kept, own) if kept.role == OWN or time.monotonic() < end else ""
            words = words or f"{game(kept.game).title}, table {number(kept.id)}"
            rows.append((kept.changed / 1000, kept.id.hex(), words))
    return rows


def _when(changed: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(changed))


def _of_table(store: Store, kept: KeptTable, own: bytes) -> str:
    if kept.role == OWN:
        return of_over(summary_of(told_of(store, kept.id), kept.game))
    entries = store.entries(kept.id)
    return f"{game(kept.game).title}, {_of_log(kept_log(entries, ProofChecker()), own)}" if entries else ""


def _of_log(log: Log, own: bytes) -> str:
    standing = log.now
    called = chair_names(standing.chairs)
    names = [YOU if chair.key == own else name for name, chair in zip(called, standing.chairs, strict=True)]
    over = standing.match.over
    return f"{few(names)}: {winners(names, over.places)}" if over else few(names)
