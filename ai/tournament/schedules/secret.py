"""The secret that deals a tournament's games: drawn by its runner, committed to before all games, revealed at the
end.

A bot can read its tournament's file, so nothing in it may reveal the deals. The secret is in a file that only the
runner's user may read, away from the folders of bots; workers get what is derived from it for one game. The journal
keeps the commitments, and each secret once all its games are played. A run that goes on after that draws another
secret. Specification: docs/protocols/tournaments.md, "The secret".
"""

import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.schedule import Contest, Fixture
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from quadrille.value import value

#: Length of a secret, in bytes.
LENGTH: Final = 32
#: The name of the journal's fact.
FACT: Final = "secrets"
#: The folder of all secrets in this user's home, which no bot can see.
SECRETS: Final = "tournaments"
#: Suffix of the file's name.
SUFFIX: Final = ".secret"
#: Maximum bytes of a file that is read as a secret.
_MOST_BYTES: Final = 1024


def commitment(secret: bytes) -> str:
    """Return the hash that can be published before the secret."""
    return hashlib.sha256(b"quadrille/secret/1" + secret).hexdigest()


def made(secret: bytes, label: str) -> str:
    """Derive a value from the secret and a label, in 32 hexadecimal digits: the seed of a deal or of a seat's dice."""
    words = Stream(secret.hex(), label)
    return f"{words.word():016x}{words.word():016x}"


def deal_label(contest: Contest, fixture: Fixture, again: int = 0) -> str:
    """Return the label of a game's deal, "" without one: games with the same label share a deal.

    Games of one start share it, but never two games with hidden cards: a bot, or another one of its author, could
    remember the cards. Not even a game that fails and is begun `again` has its deal twice.
    """
    played = game(contest.game)
    if not played.dealt:
        return ""
    if not played.hidden:
        return f"start {fixture.nth}"
    return f"game {fixture.number} again {again}" if again else f"game {fixture.number}"


@value
class Committed:
    """A secret and the games that it deals: those from number `first` on, and `also` some before. `secret` is None
    until it is revealed.
    """

    commitment: str
    first: int = 0
    also: tuple[int, ...] = ()
    secret: bytes | None = None

    @property
    def kept(self) -> bool:
        """Return whether the revealed secret fits its commitment."""
        return self.secret is not None and commitment(self.secret) == self.commitment

    def plain(self) -> dict[str, Any]:
        """Return the row as data for JSON."""
        return {
            "commitment": self.commitment,
            "first": self.first,
            "also": list(self.also),
            "secret": self.secret.hex() if self.secret else None,
        }


def dealing(commitments: Sequence[Committed], number: int) -> Committed | None:
    """Return the last of the secrets that may deal a game: that one does."""
    return next((row for row in reversed(commitments) if number >= row.first or number in row.also), None)


def read(text: str) -> tuple[Committed, ...]:
    """Read the rows of a journal, which may come from anybody."""
    try:
        data = json.loads(text)
        commitments = tuple(_row(row) for row in data)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise TournamentError("the journal was damaged, or made by hand: it holds no commitments to secrets") from None
    return commitments


def _row(row: Any) -> Committed:
    first, also, shown = row["first"], row["also"], row["secret"]
    numbers = [first, *also]
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError
    secret = None if shown is None else bytes.fromhex(shown)
    if len(bytes.fromhex(row["commitment"])) != hashlib.sha256().digest_size or (secret and len(secret) != LENGTH):
        raise ValueError
    return Committed(row["commitment"], first, tuple(also), secret)


class Facts(Protocol):
    """The required interface of a journal."""

    def fact(self, name: str) -> str:
        """Return a stored fact; "" if there is none."""

    def note(self, name: str, value: str) -> None:
        """Store a fact for good."""

    def numbers(self) -> list[int]:
        """Return the numbers of all games that have ended."""


class Secrets:
    """The secrets of one tournament, for its run."""

    def __init__(self, journal: Facts, folder: Path | None, given: bytes | None = None) -> None:
        """Open the secrets of a journal, or commit to a new one; refuse a journal whose secret is missing or another
        one. `folder` holds their files, None: they end with this program. A `given` secret replaces a drawn one.
        """
        self._journal = journal
        self._folder = folder
        self._given = given
        self._here: dict[str, bytes] = {}
        self.rows = read(journal.fact(FACT) or "[]")
        if self.rows and self.rows[-1].secret is None:
            self._here[self.rows[-1].commitment] = self._find(self.rows[-1].commitment)
        elif not self.rows:
            self._commit()
        for number, row in enumerate(self.rows):
            if row.secret is not None and not row.kept:
                raise TournamentError(
                    f"secret {number + 1} of the journal is not the one that it was committed to: somebody changed it, "
                    "and nothing that was dealt can be believed. Move the journal away and start afresh"
                )

    def of(self, number: int) -> bytes:
        """Return the secret that deals that game, which is to be played."""
        row = dealing(self.rows, number)
        if row is None or row.secret is not None:
            self._commit()
            row = self.rows[-1]
        return self._here[row.commitment]

    def show(self) -> None:
        """Reveal the last secret, because all games that it deals were played."""
        row = self.rows[-1]
        if row.secret is None:
            secret = self._here[row.commitment]
            self._note(*self.rows[:-1], replace(row, secret=secret))
            if self._folder is not None:
                (self._folder / _file_of(row.commitment)).unlink(missing_ok=True)

    def _commit(self) -> None:
        """Draw another secret for all games that have not been played. Its file is written before the journal needs
        it.
        """
        secret = self._given or secrets.token_bytes(LENGTH)
        bound = commitment(secret)
        if any(row.commitment == bound for row in self.rows):
            raise TournamentError("the secret that was given has been shown already: give another one, or none")
        if self._folder is not None:
            _keep(self._folder, bound, secret)
        self._here[bound] = secret
        played = self._journal.numbers()
        first = max(played, default=-1) + 1
        self._note(*self.rows, Committed(bound, first, tuple(sorted({*range(first)} - {*played}))))

    def _note(self, *commitments: Committed) -> None:
        self._journal.note(FACT, json.dumps([row.plain() for row in commitments]))
        self.rows = commitments

    def _find(self, bound: str) -> bytes:
        """Find the secret of that commitment, or refuse."""
        path = self._folder / _file_of(bound) if self._folder is not None else Path(_file_of(bound))
        if self._given is not None and commitment(self._given) == bound:
            return self._given
        try:
            secret = from_file(path)
        except FileNotFoundError:
            raise TournamentError(
                f"the secret that deals this tournament's games is not here: {path} is missing. Bring it from where "
                "the tournament was begun, or start afresh with another journal"
            ) from None
        except OSError as error:
            raise TournamentError(f"{path} can't be read: {error.strerror or error}") from None
        if commitment(secret) != bound:
            raise TournamentError(
                f"{path} is not the secret to which the journal is committed: bring the right one, or start afresh "
                "with another journal"
            )
        return secret


def known(commitments: Sequence[Committed], number: int, folder: Path) -> bytes | None:
    """Return the secret that dealt a game, for a check, if it was revealed or its file is here."""
    row = dealing(commitments, number)
    if row is None or row.secret is not None:
        return row.secret if row else None
    path = folder / _file_of(row.commitment)
    secret = from_file(path) if path.is_file() else None
    return secret if secret and commitment(secret) == row.commitment else None


def from_file(path: Path) -> bytes:
    """Read the secret in a file: 64 hexadecimal digits."""
    with path.open("rb") as file:
        text = file.read(_MOST_BYTES)
    try:
        secret = bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        secret = b""
    if len(secret) != LENGTH:
        raise TournamentError(f"{path} holds no secret: that is {2 * LENGTH} hexadecimal digits on one line")
    return secret


def _file_of(bound: str) -> str:
    return bound[:32] + SUFFIX


def _keep(folder: Path, bound: str, secret: bytes) -> None:
    """Write a secret, readable by this user alone, and flush it to disk."""
    path = folder / _file_of(bound)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(file, "w", encoding="ascii") as text:
            text.write(secret.hex() + "\n")
            text.flush()
            os.fsync(text.fileno())
    except OSError as error:
        raise TournamentError(
            f"{path} can't be written: {error.strerror or error}. The secret that deals the games is kept "
            "there: make the folder writable for yourself, or name another one with --home or QUADRILLE_HOME"
        ) from None
