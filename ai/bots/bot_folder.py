"""A bot as its author hands it in: a folder, a Git working copy among them, an archive of one, or a single file.

The first of these that is there starts it: the command of `bot.toml`, an executable `run` or `bot`, `bot.py`,
the only executable, the only `.py`. Specification: docs/protocols/bots.md, "A bot's folder".
"""

import hashlib
import os
import shutil
import tarfile
import tomllib
from collections.abc import Iterable, Iterator
from gzip import GzipFile
from pathlib import Path
from typing import Final
from unicodedata import normalize
from zipfile import ZipFile

from quadrille.ai.bots.command_files import whole_command, whole_word
from quadrille.ai.bots.process.executable import meant_command, no_file, quoted_path, script_line, split_words, why_not
from quadrille.ai.bots.process.isolation import is_everybodys, makes_a_box
from quadrille.ai.house import ARCHIVE, split_file
from quadrille.rules.squares import quoted

#: A bot of the kit or of the house, or else the words of a command; with whole paths.
Start = tuple[str, tuple[str, ...]]
FILE: Final = "bot.toml"
_NAMES: Final = ("run", "bot")
_KIT: Final = "bot.py"
#: The size of a `bot.toml` that somebody wrote by hand.
_LONGEST: Final = 10_000
#: Maximum bytes and files that are unpacked of an archive, and bytes of a file's header.
_MOST_BYTES, _MOST_FILES, _HEADER = 512 << 20, 20_000, 1 << 20
UNPACKED: Final = ".unpacked"  # beside it


class NoStart(Exception):
    """Nothing of a folder can be started; the reason in a sentence without its end."""


def start_of(path: Path) -> Start:
    """Return what starts the bot of a folder or a file. Its author wrote the words and made the links, and a box shows
    what a command names: so none may lead out of the folder, to a rival's files or to those of its host.
    """
    place = unpacked(path)
    _is_inside(str(place / FILE), place)
    bot, words = _found(place)
    is_inside = [_is_inside(word, place) for word in (bot, *words)]
    if not any(is_inside):
        raise NoStart("no file of its own starts it, and its box would show no other")
    return bot, words


def _is_inside(word: str, place: Path) -> bool:
    """Return whether a word names a file of the bot's own; refuse a place that is neither its own nor everybody's."""
    real, own = os.path.realpath(split_file(word)[0] or word), os.path.realpath(place)
    is_inside = os.path.isabs(word) and f"{real}/".startswith(f"{own}/")
    if os.path.isabs(word) and not is_inside and not is_everybodys(real):
        raise NoStart(f"{quoted_path(real)} lies outside its folder")
    return is_inside and os.path.isfile(real)


def _found(path: Path) -> Start:
    if not path.is_dir():
        return _start(path)
    if (written := path / FILE).is_file():
        return _written(written)
    files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    for name in (*_NAMES, _KIT):
        if (named := path / name) in files:
            return _start(named)
    kit = [file for file in files if file.suffix == ".py"]
    programs = [file for file in files if os.access(file, os.X_OK) and not why_not([str(file)])]
    for likely in ([file for file in programs if file not in kit or _is_script(file)], kit):
        if len(likely) == 1:
            return _start(likely[0])
    raise NoStart(_nothing(path, files))


def called(path: Path) -> str:
    """Return the name of a bot that was handed in so."""
    archive = None if path.is_dir() else ARCHIVE.fullmatch(path.name)
    # some systems write a letter and its accents apart
    return normalize("NFC", archive[1] if archive else path.name if path.is_dir() else path.stem)


def unpacked(path: Path) -> Path:
    """Return the folder of an archive's files, which are unpacked beside it once; any other path as it is."""
    if not path.is_file() or not ARCHIVE.fullmatch(path.name):
        return path
    place = path.parent / UNPACKED / f"{called(path)}-{tree_digest(path)}"
    if not place.is_dir():
        fresh = place.with_name(f"{place.name}.{os.getpid()}")
        try:
            (_unzip if path.suffix.lower() == ".zip" else _untar)(path, fresh)
            fresh.rename(place)
        except Exception as error:  # noqa: BLE001 - bytes of a stranger make those libraries raise nearly anything
            shutil.rmtree(fresh, ignore_errors=True)
            raise NoStart(f"{path.name} can't be unpacked: {error}") from None
    inner = [entry for entry in place.iterdir() if not entry.name.startswith(("__MACOSX", "."))]
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else place


def _unzip(path: Path, place: Path) -> None:
    with ZipFile(path) as file:
        members = file.infolist()
        _check_size(len(members), sum(row.file_size for row in members))
        for row in members:
            there = file.extract(row, place)  # which leaves neither the folder, nor a link
            if row.external_attr >> 16 & 0o100 and not row.is_dir():
                os.chmod(there, 0o755)  # noqa: S103 - a bot may have a user of its own


def _untar(path: Path, place: Path) -> None:
    if not hasattr(tarfile, "data_filter"):  # before 3.11.4 nothing keeps a file from leaving the folder
        raise ValueError("this version of Python unpacks .zip alone")
    with path.open("rb") as raw:
        is_zipped = raw.peek()[:2] == b"\x1f\x8b"
        with tarfile.open(fileobj=_Unzipped(fileobj=raw) if is_zipped else raw, mode="r:") as file:
            size = 0
            for files, row in enumerate(file, 1):  # one by one: a few bytes may unpack to more than a disk holds
                size += row.size
                _check_size(files, max(size, row.offset_data))
                row.mode = 0o755 if row.isdir() or row.mode & 0o100 else 0o644  # a bot may have a user of its own
            file.extractall(place, filter="data")


class _Unzipped(GzipFile):
    """Refuses a header that a few bytes unpack to more than the memory holds: tarfile reads it as a whole."""

    def read(self, size: int | None = -1) -> bytes:
        if size and size > _HEADER:
            raise ValueError(f"a header in it has more than {_HEADER >> 20} MiB")
        return super().read(size)


def _check_size(files: int, size: int) -> None:
    if files > _MOST_FILES or size > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_FILES} files, or {_MOST_BYTES >> 20} MiB")


def tree_digest(path: Path) -> str:
    """Return a digest of all files of a bot, but those that begin with a dot and Python's caches. Any change of one
    makes another version of the bot.
    """
    digest = hashlib.sha256()
    for file_path in sorted(_files(path)):
        name, mode = os.fsencode(file_path.relative_to(path)), os.access(file_path, os.X_OK)
        if file_path.is_symlink() and file_path != path:  # what it leads to is in this digest too, or not the bot's
            content = os.fsencode(os.readlink(file_path))
        else:
            with file_path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
        digest.update(b"%d %d %s %s" % (len(name), mode, name, content))
    return digest.hexdigest()[:16]


def _files(path: Path) -> Iterator[Path]:
    """Yield the files and links of a bot, without recursion: a stranger says how deep they lie."""
    left = [path]
    while left:
        entry = left.pop()
        if entry.is_dir() and (entry == path or not entry.is_symlink()):
            names = [name for name in os.listdir(entry) if not name.startswith(".") and name != "__pycache__"]
            left += [entry / name for name in names]
        elif entry.is_file() or entry.is_symlink():  # a pipe or a device would be read without end
            yield entry


def _is_script(path: Path) -> bool:
    """Return whether a file of Python is a program by itself, rather than one of the kit."""
    return bool(os.access(path, os.X_OK) and script_line(str(path)))


def _start(path: Path) -> Start:
    if path.suffix == ".py" and not _is_script(path):
        return str(path), ()
    if obstacle := why_not([str(path)]):
        raise NoStart(obstacle)
    return "", (str(path),)


def _written(path: Path) -> Start:
    """Return the start that an author wrote down: `exec`, a command, or `bot`, a file of the kit with its class."""
    try:
        with path.open("rb") as file:
            row = tomllib.loads(file.read(_LONGEST).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise NoStart(f"{FILE} can't be read: {error}") from None
    folder = path.parent
    match row:
        case {"exec": str(text), **more} if not more and text.strip() and "\0" not in text:
            try:
                words = whole_command(split_words(text), folder)
            except ValueError as error:
                raise NoStart(f"{FILE}: {quoted(text)} is no command: {error}") from None
            if makes_a_box(words):
                raise NoStart(f"{FILE}: {words[0]} would take the place of its host's box: leave it out")
            if obstacle := why_not(words, folder):
                raise NoStart(f"{FILE}: {obstacle}")
            return "", tuple(words)
        case {"bot": str(text), **more} if not more and split_file(text)[0] and "\0" not in text:
            if not (folder / split_file(text)[0]).is_file():
                raise NoStart(f"{FILE}: {no_file(split_file(text)[0], folder)}")
            return whole_word(text, folder), ()
    raise NoStart(f'{FILE} takes one line: exec = "COMMAND", or bot = "FILE.py:CLASS"')


def _nothing(path: Path, files: Iterable[Path]) -> str:
    """Say why nothing starts, with what is perhaps meant."""
    words = (meant_command(file.name, path) for file in files if file.suffix != ".py")
    near = next((word for word in words if word.startswith('"')), "")
    hint = f" (perhaps {FILE} is to hold exec = {near})" if near else ""
    return f"there is no {FILE}, no executable run or bot, no {_KIT}, and no single other program{hint}"
