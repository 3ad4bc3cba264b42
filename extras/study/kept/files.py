"""JSON files of the home: each has a version and the hash of its contents, and what has its hash was written here.

What nothing can make again is put aside when it is damaged.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from quadrille.client.files import read_bytes, write_file
from quadrille.net.core.errors import LocalError
from quadrille.rules.errors import RulesError

MOST_BYTES: Final = 16 << 20
#: The version of files that nothing can make again.
_VERSION: Final = 1
_HEAD: Final = ("quadrille", "version", "hash")
#: All that the contents of a damaged file can raise.
DAMAGE: Final = (ValueError, TypeError, LookupError, RecursionError, RulesError)


class HomeFolder:
    """A folder of the home. A result that can't be written there lasts as long as the program; `not_kept` says so.

    `remark` tells why everything begins again. Both are "" if there is nothing to say.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.not_kept = self.remark = ""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Note that a file can't be used, with the reason, and go on."""
        try:
            yield
        except (LocalError, OSError) as error:
            reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            self.not_kept = f"Your results can't be kept: {reason}."


def read_kept(path: Path, version: object) -> dict[str, Any]:
    """Read the contents of a file of that version. One of `DAMAGE` says that it is damaged or of another version."""
    data = read_bytes(str(path), MOST_BYTES)
    head = json.loads(data if len(data) <= MOST_BYTES else b"")
    content = {name: head[name] for name in head if name not in _HEAD}
    if head["version"] != version or head["hash"] != _hash(content):
        raise ValueError
    return content


def write_kept(path: Path, what: str, version: object, content: dict[str, Any]) -> None:
    head = {"quadrille": what, "version": version, "hash": _hash(content)}
    write_file(str(path), json.dumps({**head, **content}, indent=1), over=True)


def _hash(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def read_rows(path: Path, begins: str) -> tuple[dict[str, Any], str]:
    """Read the rows of a file, none if there is no file; and what `begins` again if it is damaged ("" if it is not).

    A damaged file gets another name, and nothing is written over.
    """
    try:
        return dict(read_kept(path, _VERSION)["rows"]), ""
    except (FileNotFoundError, NotADirectoryError):
        return {}, ""
    except DAMAGE:
        aside = _unused(path)
        path.replace(aside)
        return {}, f"{path} is damaged: it is {aside.name} now, and {begins}"


def write_rows(path: Path, rows: dict[str, Any]) -> None:
    write_kept(path, path.stem, _VERSION, {"rows": rows})


def _unused(path: Path) -> Path:
    """Find a name for a damaged file that no earlier one has."""
    aside, number = path.with_name(f"{path.name}.damaged"), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    return aside
