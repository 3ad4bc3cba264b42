"""The folder of local games in the home: each is a record of its own, HOME/games/NUMBER.txt, with a lock beside it.

The folder keeps only the newest games, both unfinished and finished.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.client.files import read_text
from quadrille.client.network.own_name import own_name
from quadrille.client.table.glance import Glance, glance
from quadrille.client.table.local import LocalTable
from quadrille.client.table.players import Players, thoughts_in
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock, folder_in, home, is_free
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.record import read_with_table
from quadrille.value import value

FOLDER: Final = "games"
#: Maximum saved games, of unfinished ones and of finished ones.
MOST: Final = 100
#: Minimum digits of a game's number; fewer are taken for a name.
_DIGITS: Final = 4
_NUMBER: Final = re.compile(r"[0-9a-f]{8}")
_TAKEN: Final = "game {} is open in another program: close it there first"


@value
class KeptGame:
    """A saved game: its number, its last change (seconds since 1970), and its record's summary."""

    number: str
    changed: float
    about: Glance

    @property
    def is_over(self) -> bool:
        return bool(self.about.places)


def folder_of(at_home: str | None) -> Path:
    """Return the folder without making it."""
    return home(at_home) / FOLDER


def made_folder(at_home: str | None) -> Path:
    """Return the folder, made if need be."""
    return folder_in(home(at_home), FOLDER)


def file_of(folder: Path, number: str) -> Path:
    return folder / f"{number}.txt"


def locked(folder: Path, number: str) -> Lock:
    """Take a game for this program, or raise LocalError."""
    return Lock(folder, _lock_name(number), _TAKEN.format(number))


def _lock_name(number: str) -> str:
    return f"{number}.lock"


def local_games(at_home: str | None) -> list[KeptGame]:
    """Return all kept games, the last changed first; one that can't be read hides no others."""
    found = [game for _, game in _all(folder_of(at_home)) if game is not None]
    return sorted(found, key=lambda game: -game.changed)


def unfinished_local_games(at_home: str | None) -> list[KeptGame]:
    """Return the games in which a person has yet to play, and that no other program plays."""
    folder = folder_of(at_home)
    return [
        game for game in local_games(at_home) if game.about.awaits_person and is_free(folder, _lock_name(game.number))
    ]


def damaged_games(at_home: str | None) -> list[str]:
    """Return a sentence about each game that can't be read."""
    return [_why_not(path) for path, game in _all(folder_of(at_home)) if game is None]


def _all(folder: Path) -> Iterator[tuple[Path, KeptGame | None]]:
    with suppress(OSError):
        for path in sorted(folder.glob("*.txt")):
            if _NUMBER.fullmatch(path.stem):
                yield path, _looked_at(path)


def _looked_at(path: Path) -> KeptGame | None:
    try:
        about = glance(read_text(str(path)))
        return None if about is None else KeptGame(path.stem, path.stat().st_mtime, about)
    except OSError:
        return None


def _why_not(path: Path) -> str:
    try:
        read_with_table(read_text(str(path)))
    except (OSError, RulesError) as error:
        return f"{path}: {error.strerror if isinstance(error, OSError) else error}"
    return f"{path}: this is no game of this program"


def meant(games: Sequence[KeptGame], wanted: str) -> list[KeptGame]:
    """Return the games that a text fits: the beginning of a number, a game, or the name of somebody who plays."""
    plain = wanted.casefold()

    def fits(game: KeptGame) -> bool:
        names = [name.casefold() for name in game.about.players.names]
        return game.number.startswith(plain) or plain in (game.about.game, *filter(None, names))

    return [game for game in games if not plain or fits(game)]


def check_meant(at_home: str | None, number: str) -> None:
    """Raise LocalError if the number is that of a kept game that can't go on now."""
    for game in local_games(at_home):
        if len(number) >= _DIGITS and game.number.startswith(number):
            if game.is_over:
                path = file_of(folder_of(at_home), game.number)
                raise LocalError(f"game {game.number} is over: quadrille replay {path} shows it")
            locked(folder_of(at_home), game.number).close()


def opened(at_home: str | None, number: str) -> tuple[LocalTable, Lock]:
    """Return the table of a kept game, and the lock that this program has on it from now on."""
    folder = folder_of(at_home)
    lock = locked(folder, number)
    try:
        match, told = read_with_table(read_text(str(file_of(folder, number))))
    except BaseException as error:
        lock.close()
        if isinstance(error, BadRecord):
            raise RulesError(f"the game in {file_of(folder, number)} can't go on: {error}") from None
        raise
    players = Players.read(told, match.state.seats)
    return LocalTable.resumed(match, players.unsigned(own_name(None)), thoughts_in(told)), lock


def forgotten(at_home: str | None, number: str) -> None:
    """Delete a kept game that no program plays."""
    folder = folder_of(at_home)
    with locked(folder, number):
        _delete(folder, number)


def _delete(folder: Path, number: str) -> None:
    file_of(folder, number).unlink(missing_ok=True)
    (folder / _lock_name(number)).unlink(missing_ok=True)


def released(folder: Path, number: str, lock: Lock, *, ended: bool) -> None:
    """Release a game for other programs. One that has `ended` needs no lock any more."""
    if ended:
        with suppress(OSError):
            (folder / _lock_name(number)).unlink(missing_ok=True)
    lock.close()


def prune(at_home: str | None) -> None:
    """Delete the oldest games above the maximum."""
    folder = folder_of(at_home)
    if sum(1 for _ in folder.iterdir()) <= MOST:
        return
    games = local_games(at_home)
    for over in (True, False):
        for game in [one for one in games if one.is_over == over][MOST:]:
            with suppress(LocalError):
                forgotten(at_home, game.number)
    for path in folder.glob("*.lock"):
        if not file_of(folder, path.stem).exists() and is_free(folder, path.name):
            path.unlink(missing_ok=True)
