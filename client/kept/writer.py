"""Saves the local games of a program after every change of the table.

The face hands over each state of the table. They are written in order, in a thread if the face has one, so that no
key waits for a disk. A state that another has replaced by then is skipped.
"""

import secrets
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock as Mutex
from time import monotonic_ns

from quadrille.client.files import write_text
from quadrille.client.kept import games
from quadrille.client.network.own_name import own_name
from quadrille.client.table.local import LocalTable
from quadrille.client.table.players import with_thoughts
from quadrille.client.table.wishes import WrittenDown
from quadrille.client.words.files import file_trouble
from quadrille.client.words.kept import at_hand, resumable, told_nowhere
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import Lock
from quadrille.rules.errors import RulesError
from quadrille.rules.record import write


@dataclass(slots=True, eq=False)
class _WrittenGame:
    """A game on its way to the disk. `wanted` is its last state, `left` says that the person has left it. The writing
    thread owns all other fields.
    """

    number: str
    wanted: LocalTable
    lock: Lock | None = None
    is_there: bool = False
    left: bool = False
    is_done: bool = False


class GameWriter:
    """The games of one face, in order."""

    def __init__(
        self,
        at_home: str | None = None,
        later: Callable[[Callable[[], None]], object] = lambda deed: deed(),
        tell: Callable[[WrittenDown], object] = lambda _: None,
        now: Callable[[], int] = lambda: monotonic_ns() // 1_000_000,
    ) -> None:
        """`later` runs slow work. `tell` is called, in any thread, when writing fails and when it works again."""
        self._home = at_home
        self._later = later
        self.tell = tell
        self._now = now
        self._game: _WrittenGame | None = None
        self._begun: tuple[str, Lock] | None = None
        self._due: deque[_WrittenGame] = deque()
        self._mutex = Mutex()
        self._why = ""
        self._name = ""
        #: The number of the unfinished game that was left and can be resumed.
        self.unfinished = ""
        #: The unfinished table that was left and could not be written.
        self.lost: LocalTable | None = None

    def goes_on(self, number: str, lock: Lock) -> None:
        """Save the next table as the saved game of that number, whose lock is held."""
        self._begun = (number, lock)

    def look(self, table: LocalTable | None) -> None:
        """Take the table as it is now; None once it is left."""
        game = self._game
        if game is not None and (table is None or table.number != game.wanted.number):
            self._leave(game)
            game = None
        if table is None:
            return
        if game is None:
            number, lock = self._begun or (secrets.token_hex(4), None)
            self._begun = None
            self._game = _WrittenGame(number, table, lock, is_there=lock is not None)
            if lock is None and not table.is_untouched:
                self._ask(self._game)
        else:
            before, game.wanted = game.wanted, table
            if not _is_same(before, table):
                self._ask(game)

    def close(self) -> list[str]:
        """Write all due states, because the face ends; return sentences about the last game.

        A game that could not be written in the home folder is saved in a temporary folder, or else printed.
        """
        if self._game is not None:
            self._game.left = True
            self._due.append(self._game)
            self._game = None
        if self._begun is not None:
            self._begun[1].close()
        self.write_due()
        if (lost := self.lost) is None:
            return [resumable(self.unfinished, self._home)] if self.unfinished else []
        text = write(lost.match, lost.players.told(self._now(), private=False))
        name = f"quadrille-{lost.match.game.key}-{secrets.token_hex(4)}.txt"
        try:
            return [at_hand(str(write_text(str(Path(tempfile.gettempdir()) / name), text)))]
        except (OSError, RulesError) as error:
            why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            return [f"{told_nowhere(why)}\n{text}"]

    def _leave(self, game: _WrittenGame) -> None:
        self._game, game.left = None, True
        self._ask(game)

    def _ask(self, game: _WrittenGame) -> None:
        self._due.append(game)
        self._later(self.write_due)

    def write_due(self) -> None:
        """Write all due states, after any other thread that writes."""
        with self._mutex:
            while self._due:
                game = self._due.popleft()
                if game not in self._due and not game.is_done:
                    self._write(game)

    def _write(self, game: _WrittenGame) -> None:
        why, left, table = "", game.left, game.wanted
        try:
            self._put(game, table)
        except OSError as error:
            why = file_trouble(OSError(error.errno, error.strerror, str(games.folder_of(self._home))), writes=True)
        except (RulesError, NetError) as error:
            why = str(error)
        if why != self._why:
            self._why = why
            self.tell(WrittenDown(why))
        if left:
            self._finish(game, table, written=not why)

    def _finish(self, game: _WrittenGame, table: LocalTable, *, written: bool) -> None:
        """Release the game that the person has left."""
        game.is_done, goes_on = True, not (table.is_untouched or table.match.over)
        self.unfinished = game.number if game.is_there and goes_on else ""
        self.lost = table if goes_on and not written and table.match.entries != table.kept else None
        if game.lock is not None:
            games.released(games.folder_of(self._home), game.number, game.lock, ended=not self.unfinished)
            with suppress(OSError):
                games.prune(self._home)

    def _put(self, game: _WrittenGame, table: LocalTable) -> None:
        """Write the table's state; a game without moves is not saved."""
        if table.is_untouched:
            if game.is_there:
                games.file_of(games.folder_of(self._home), game.number).unlink(missing_ok=True)
                game.is_there = False
            return
        folder = games.made_folder(self._home)
        if game.lock is None:
            game.lock = games.locked(folder, game.number)
        if not self._name:
            self._name = own_name(None)
        told = table.players.signed(self._name).told(self._now(), private=True)
        text = write(table.match, with_thoughts(told, table.thoughts))
        write_text(str(games.file_of(folder, game.number)), text, over=True, mode=0o600)
        game.is_there = True


def _is_same(one: LocalTable, other: LocalTable) -> bool:
    """Return whether two states are written alike, apart from running clocks."""
    left = [table.clocks and (table.clocks.left, table.clocks.seat) for table in (one, other)]
    return (one.match, one.bots, one.names, left[0]) == (other.match, other.bots, other.names, left[1])
