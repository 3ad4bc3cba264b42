"""Records of played games, for a list: finished local games, and files that people saved."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.client.files import read_text
from quadrille.client.kept.games import file_of, folder_of, local_games
from quadrille.client.words.kept import of_over, of_record
from quadrille.net.core.home import home

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
