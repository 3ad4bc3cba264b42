"""Played games for a list, in a few words each: records here and in files, and finished tables of the network."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.client.claimed_names import chair_names
from quadrille.client.files import read_text
from quadrille.client.kept.games import file_of, folder_of, local_games
from quadrille.client.network.surroundings import own_store
from quadrille.client.words.kept import of_over, of_record, winners
from quadrille.client.words.story import YOU, few
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import home
from quadrille.net.game_log.log import Log

_RECORDS: Final = "*.txt"
_MOST: Final = 100


def played_records(at_home: str | None) -> list[tuple[str, str]]:
    """Return the file of each record, and a line about it: when, who played, the result; the newest first."""
    folder = folder_of(at_home)
    rows = [
        (one.changed, str(file_of(folder, one.number)), of_over(one.about))
        for one in local_games(at_home)
        if one.is_over
    ]
    files: dict[Path, float] = {}
    for place in (home(at_home), Path()):
        for path in place.glob(_RECORDS):
            with suppress(OSError), path.open("rb") as file:  # one that can't be read hides no others
                if file.read(10) == b"quadrille ":
                    files[path] = path.stat().st_mtime
    for path in sorted(files, key=lambda path: -files[path])[:_MOST]:
        with suppress(OSError):
            rows.append((files[path], str(path), f"{of_record(read_text(str(path))) or 'a log'}  {path}"))
    rows.sort(key=lambda row: -row[0])
    return [(path, f"{_when(changed)}  {words}") for changed, path, words in rows]


def _when(changed: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(changed))


def played_tables(at_home: str | None, most: int, patience: float) -> Iterator[tuple[str, str]]:
    """Yield the number and the words of finished tables: the last ones, as many as `patience` seconds allow."""
    end = time.monotonic() + patience
    with own_store(at_home) as own:
        for kept in own.store.tables("over")[:most]:
            if time.monotonic() > end:
                return
            words = ""
            with suppress(NetError):  # one that can't be read hides no others
                words = _of_log(log, own.identity.key) if (log := own.log(kept.id)) else ""
            if words:
                yield kept.id.hex(), words


def _of_log(log: Log, own: bytes) -> str:
    standing = log.now
    called = chair_names(standing.chairs)
    names = [YOU if chair.key == own else name for name, chair in zip(called, standing.chairs, strict=True)]
    over = standing.match.over
    return f"{few(names)}: {winners(names, over.places)}" if over else few(names)
