"""Records as files: bounded reads, and atomic writes."""

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final, Self

from quadrille.client.table.game_setup import why_no_copy
from quadrille.client.table.players import Players, opening_in, thoughts_in
from quadrille.client.table.wishes import Keep, Kept
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.record import MOST_CHARACTERS, write
from quadrille.value import value

STANDARD_INPUT: Final = "-"


@value
class OpenedGame:
    """A recorded game with its players, and the seats that were this person's, none if nobody can know. The thoughts of
    bots are those of a game that is over, and its `opening` is the number of moves that it began with.
    """

    match: Match
    players: Players
    seats: tuple[int, ...] = ()
    thoughts: Thoughts = Thoughts()
    opening: int = 0

    @classmethod
    def of(cls, match: Match, told: Mapping[str, Any], names: tuple[str, ...] = ()) -> Self:
        """Join a game and what its record says beside the moves, or the names of its log."""
        from quadrille.client.settings import own_name  # imported here: a screen starts before any name is needed

        seats, thoughts = match.state.seats, thoughts_in(told) if match.over else Thoughts()
        players = Players(names) if names else Players.read(told, seats)
        return cls(match, players, own_seats(players, seats, own_name(None)), thoughts, opening_in(told, match.ply))


def own_seats(players: Players, seats: int, name: str) -> tuple[int, ...]:
    """Return the seats of the person with that name; none if nobody can know."""
    bots = players.bots or ("",) * seats
    people = [seat for seat in range(seats) if not bots[seat]]
    if named := [seat for seat in people if players.names and players.names[seat] == name]:
        return tuple(named)
    return tuple(people) if len(people) == 1 and any(bots) else ()


def load(name: str) -> tuple[Match, Players]:
    """Read a match and its players from whatever can be replayed, and refuse one that can't be continued here."""
    from quadrille.client.picture.records import opened  # imported here: few games are loaded

    game = opened(name)
    if reason := why_no_copy(game.match):
        raise RulesError(reason)
    return game.match, game.players.seatable


def keep(effect: Keep) -> Kept:
    """Write a game as a record or a page."""
    from quadrille.client.settings import own_name  # imported here: a screen starts before any name is needed

    match, players, is_shared = effect.match, effect.players.signed(own_name(None)), is_page(effect.name)
    text = page_of(match, players.names) if is_shared else write(match, players.told(private=False))
    path = save(effect.name, text, over=effect.over, own=effect.own)
    return Kept("", path) if is_shared else Kept(effect.name, path, match.entries)


def save(name: str, text: str, *, over: bool, own: Iterable[str]) -> str:
    """Write what a person saves: the game's `own` files anew, but no record over a log. Return the path."""
    path, kind = path_of(name), text.encode().partition(b"\n")[0]
    is_own = path in map(path_of, filter(None, own)) and (
        not path.exists() or read_bytes(name, len(kind)).startswith(kind)
    )
    return str(write_file(name, text, over=over or is_own, remedy=f": save! {name} writes over it"))


def page_of(match: Match, names: Sequence[str]) -> str:
    """Return a game of today as a page for people who have nothing but a browser."""
    from quadrille.client.picture.film import FilmedMatch, through  # imported here: few games become pages
    from quadrille.client.picture.page import page

    return page([FilmedMatch(match, through(match, None), names, day=date.today())])


def is_page(name: str) -> bool:
    """Return whether a game saved under this name becomes a page for a browser."""
    return name.lower().endswith((".html", ".htm"))


def read_text(name: str) -> str:
    """Read one of our files exactly, up to one character more than a record may have; `-` is standard input."""
    if name == STANDARD_INPUT:
        return (sys.stdin.buffer.read(MOST_CHARACTERS + 1) if sys.stdin else b"").decode("latin-1")
    return read_bytes(name, MOST_CHARACTERS).decode("latin-1")


def read_bytes(name: str, most: int) -> bytes:
    """Read a file up to one byte more than it may have."""
    try:
        with path_of(name).open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None


def write_file(
    name: str, data: str | bytes, *, over: bool = False, remedy: str = "", mode: int = 0o666, trial: bool = False
) -> Path:
    """Write a file through a temporary one, so that it is never incomplete; overwrite, in its mode, with `over`, which
    a refusal names by its `remedy`. A `trial`, before long work, refuses what could not be written after it, and
    leaves all as it is.
    """
    path = path_of(name)
    try:
        before = path.stat().st_mode if path.exists() else None
        if before is not None and not stat.S_ISREG(before):
            raise RulesError(f"{name} is no ordinary file: nothing is written there")
        if before is not None and not over:
            raise RulesError(f"there is a file {name} already{remedy}")
        fresh = path.with_name(f".quadrille-{secrets.token_hex(4)}.part")
        try:
            with open(fresh, "xb", opener=lambda file, flags: os.open(file, flags, mode)) as file:
                file.write(data.encode() if isinstance(data, str) else data)
                file.flush()
                os.fsync(file.fileno())
            if before is not None:
                fresh.chmod(stat.S_IMODE(before))
            if not trial:
                fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    except (FileNotFoundError, NotADirectoryError):
        raise OSError(errno.ENOTDIR, "no such folder", str(Path(name).parent)) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None
    return path


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Let only one run at a time read and write the file of -o: each would write over what the other has kept."""
    from quadrille.net.core.errors import LocalError  # imported here: few commands get this far
    from quadrille.net.core.home import Lock

    path = path_of(f"{name}-lock")
    try:
        path.touch()
    except OSError as error:
        helps = "Free some space, or name a file in another folder with -o"
        raise LocalError(f"{name} can't be written: {error.strerror or error}. {helps}") from None
    taken = f"another run is writing {name}: wait until it has ended, or name another file with -o"
    lock = Lock(path.parent, path.name, taken)
    try:
        yield
    finally:
        lock.remove()


def path_of(name: str) -> Path:
    """Return the path that a person means: `~` is home, and links are followed."""
    try:
        os.fsencode(name)
    except ValueError:
        raise RulesError(f"{name!a} can't be the name of a file here") from None
    if not name or "\0" in name:
        raise RulesError(f"{name!a} can't be the name of a file")
    return Path(os.path.realpath(os.path.expanduser(name)))
