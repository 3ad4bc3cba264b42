"""The tables that this program holds alone: made, opened again, and written to the store after every change.

A log is in memory first, and is written in order, in a thread if the face has one, so that no key waits for a disk.
Where the store can't be written the game goes on, and its record is written elsewhere at the end. A lock for each table
keeps a second program away from it.
"""

import json
import os
import secrets
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quadrille.client.files import write_file
from quadrille.client.kept import games
from quadrille.client.settings import own_name
from quadrille.client.table.game_setup import GameSetup, OwnBots
from quadrille.client.table.players import Glance, Players, thoughts_in, with_thoughts
from quadrille.client.table.stage import NetworkContext
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import TableEffect, WrittenDown
from quadrille.client.words.kept import at_hand, resumable, told_nowhere
from quadrille.client.words.terms import number
from quadrille.net.core.errors import LocalError, NetError
from quadrille.net.core.home import Lock, home, own_folder
from quadrille.net.core.machine import awake
from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.bodies import BY_ITSELF
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import DEAL, TIMES, Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.seating.own_table import own_table
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.names import LONGEST_NAME, plain_name
from quadrille.net.trust.store import Store
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Agreed, Left, Played
from quadrille.rules.match import Entry as MatchEntry
from quadrille.rules.record import write

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from quadrille.net.seating.lobby import Lobby


@dataclass(slots=True, eq=False)
class _WrittenGame:
    """A game on its way to the disk: its `entries`, what is `told` beside them, and its position. It is one `of` those
    at a seat, by its number. A change has another `mark`. The games that it `replaces` went on in this log. The thread
    that writes owns `lock` and what is `written`.
    """

    table: bytes
    of: tuple[TableSeat, int]
    replaces: "tuple[_WrittenGame, ...]"
    lock: Lock | None
    written: int
    setup: GameSetup
    mark: tuple[object, ...] = ()
    entries: tuple[Entry, ...] = ()
    told: bytes = b""
    is_lost: bool = False


@dataclass(slots=True)
class NoLobby:
    """The lobby (net/seating/lobby.py) of a program that is on no network: nobody is there."""

    identity: Identity
    peers: dict[bytes, object] = field(default_factory=dict)
    tables: dict[bytes, Table] = field(default_factory=dict)
    here: set[bytes] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class OwnTables:
    """The tables of one face that this program holds alone, one after the other.

    `tell` is called, in any thread, when writing fails and when it works again. `unfinished` is the game that was left
    and can be resumed, `lost` the one that was left and could not be written.
    """

    at_home: str | None = None
    worker: "ThreadPoolExecutor | None" = None
    now: Callable[[], int] = awake
    tell: Callable[[WrittenDown], object] = field(default=lambda _: None)
    unfinished: str = ""
    lost: GameSetup | None = None
    _identity: Identity | None = None
    _kept: StoredTables | None = None
    _stored: dict[bytes, tuple[Log, Lock, int]] = field(default_factory=dict)
    _game: _WrittenGame | None = None
    _due: deque[tuple[_WrittenGame, bool]] = field(default_factory=deque)  # and whether it is left
    _why: str = ""

    # Tables

    def sit(
        self,
        setup: GameSetup,
        perform: Callable[[TableEffect], None],
        bots: OwnBots | None = None,
        *,
        keeps: bool = True,
    ) -> TableSeat:
        """Make the table of a game, or open the stored one, and seat those who play there."""
        table = self.open(setup)
        lobby = cast("Lobby", NoLobby(self.identity))
        return TableSeat(NetworkContext(lobby, self.now, opens=self.open), table, setup, perform, bots, keeps=keeps)

    @property
    def identity(self) -> Identity:
        """The person's identity; where the home can't hold one, an identity for these games alone."""
        if self._identity is None:
            try:
                self._identity = Identity.open(own_folder(home(self.at_home)))
            except NetError:
                self._identity = Identity(os.urandom(32))
        return self._identity

    def open(self, setup: GameSetup) -> Table:
        if (stored := self._stored.get(setup.table)) is not None:
            return Table(stored[0], self.identity, MemoryShelf(), self.now())
        return begun_table(self.identity, setup, self.now())

    def take(self, table: bytes) -> GameSetup:
        """Take a stored game for this program; a LocalError says why it can't go on."""
        lock = games.locked(self.at_home, table)
        try:
            with games.kept_at(self.at_home) as tables:
                log, about = tables.log(table), games.told_of(tables.store, table)
            if log is None:
                raise LocalError(f"game {number(table)} is not in the store any more")
            if log.now.keys != (self.identity.key,) * log.now.terms.seats:
                raise LocalError(f"game {number(table)} belongs to another identity")
        except BaseException:
            lock.close()
            raise
        self._stored[table] = (log, lock, len(log.entries))
        standing, players = log.now, Players.read(about, log.now.terms.seats).unsigned(own_name(None))
        setup = GameSetup.loaded(standing.match, players)
        clocks = replace(setup.clocks, left=standing.remaining) if setup.clocks else None
        return replace(setup, clocks=clocks, brought=(), thoughts=thoughts_in(about), table=table)

    # Writing

    def look(self, seat: TableSeat | None) -> None:
        """Take the table as it is now; None once it is left."""
        if (game := self._game) is not None and (seat is None or game.of != (seat, seat.games)):
            self._ask(game, left=True)
            game = self._game = None
        if seat is None:
            return
        log = seat.table.log
        if game is None or game.table != log.table:
            # the first look may come after the first move, and what was stored then is not all that there is
            _, lock, written = self._stored.pop(log.table, (log, None, 0))
            before = (*game.replaces, game) if game is not None else ()
            game = self._game = _WrittenGame(log.table, (seat, seat.games), before, lock, written, seat.setup)
        setup = game.setup = seat.setup
        game.is_lost = seat.match.entries != seat.kept
        mark = log.head, setup.bots, setup.names  # time alone is nothing to write
        if mark != game.mark and not (setup.is_untouched and not game.written):
            game.mark, game.entries, game.told = mark, tuple(log.entries), _told(setup)
            self._ask(game)

    def close(self) -> list[str]:
        """Write all that is due, because the face ends; return sentences about the last game.

        A game that could not be written in the home folder is saved in a temporary folder, or else printed.
        """
        self.look(None)
        if self.worker is not None:
            self.worker.submit(self._end).result()
            self.worker.shutdown()
        else:
            self._end()
        for _, lock, _ in self._stored.values():
            lock.close()
        if (lost := self.lost) is None:
            return [resumable(self.unfinished, self.at_home)] if self.unfinished else []
        text = write(lost.match, lost.players.told(self.now(), private=False))
        name = f"quadrille-{lost.match.game.key}-{secrets.token_hex(4)}.txt"
        try:
            return [at_hand(str(write_file(str(Path(tempfile.gettempdir()) / name), text)))]
        except (OSError, RulesError) as error:
            reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            return [f"{told_nowhere(reason)}\n{text}"]

    def _end(self) -> None:
        self.write_due()
        if self._kept is not None:
            self._kept.store.close()

    def _ask(self, game: _WrittenGame, *, left: bool = False) -> None:
        self._due.append((game, left))
        if self.worker is not None:
            self.worker.submit(self.write_due)
        else:
            self.write_due()

    def write_due(self) -> None:
        """Write all that is due; a state that another has replaced by then is skipped."""
        while self._due:
            game, left = self._due.popleft()
            if game not in (later for later, _ in tuple(self._due)):  # the face adds to it meanwhile
                self._write(game, left=left)

    def _write(self, game: _WrittenGame, *, left: bool) -> None:
        reason = ""
        try:
            self._put(game)
        except (NetError, OSError) as error:
            reason = str(error)
        if reason != self._why:
            self._why = reason
            self.tell(WrittenDown(reason))
        if left:
            self._finish(game, written=not reason)

    def _put(self, game: _WrittenGame) -> None:
        """Write the game; one without moves is not stored."""
        setup = game.setup
        if setup.is_untouched and not game.written:
            return
        if self._kept is None:
            store = Store(own_folder(home(self.at_home)), self.identity.key, alone=False)
            self._kept = StoredTables(store, self.identity, "own")
        store = self._kept.store
        if game.lock is None:
            game.lock = games.locked(self.at_home, game.table)
        if setup.is_untouched:
            store.drop_table(game.table)
            game.written = 0
            return
        with store.together():  # a crash leaves the game before this one, or this one
            for entry in game.entries[game.written :]:
                self._kept.put(entry)
            if setup.match.over:
                self._kept.mark_over(game.table)
            store.renew_secret(game.table, games.ABOUT, game.told)
            for before in game.replaces:
                store.drop_table(before.table)
        game.written = len(game.entries)
        for before in game.replaces:
            if before.lock is not None:
                before.lock.remove()
        game.replaces = ()

    def _finish(self, game: _WrittenGame, *, written: bool) -> None:
        """Release the game that the person has left."""
        setup = game.setup
        goes_on = not (setup.is_untouched or setup.match.over)
        self.unfinished = number(game.table) if game.written and goes_on else ""
        self.lost = setup if goes_on and not written and game.is_lost else None
        for ended in (game, *game.replaces):
            if ended.lock is not None:
                ended.lock.close() if self.unfinished else ended.lock.remove()
        with suppress(NetError):
            if self._kept is not None:
                games.prune(self.at_home, self._kept.store)


def _told(setup: GameSetup) -> bytes:
    """Return what is written beside the log of a table: who plays, and a summary for lists. The log has the clocks."""
    about = with_thoughts(setup.players.signed(own_name(None)).told(private=True), setup.thoughts)
    return json.dumps(about | Glance.of(setup.match, about).plain()).encode()


# The log of a game that is set up


def begun_table(identity: Identity, setup: GameSetup, now: int) -> Table:
    """Begin a log with the entries of a game that is set up."""
    match, clock = setup.match, setup.clocks
    more = [] if match.deal is None else [(DEAL, json.dumps([match.deal.seed, dict(match.deal.piles)]))]
    if clock is not None:
        more.append((TIMES, json.dumps([max(0, clock.at(seat, now)) for seat in range(match.state.seats)])))
    terms = Terms(
        match.game.key, plain_options(match.state.options.plain()), match.state.seats, clock.terms if clock else None,
        watchers="nobody", lot=False, more=tuple(more),
    )  # fmt: skip
    table = own_table(identity, MemoryShelf(), terms, _chairs(identity.key, setup), now)
    for entry in match.entries:
        _repeat(table, entry)
    table.began = now
    table.events.clear()  # these moves are not new to anybody
    return table


def _chairs(key: bytes, setup: GameSetup) -> tuple[Chair, ...]:
    """Name the players apart, as a log has to; who plays alone here has their own name."""
    chairs: list[Chair] = []
    names = setup.players.signed(own_name(None)).names or setup.names
    for seat, (name, bot) in enumerate(zip(names, setup.bots, strict=True)):
        plain = plain_name(name) if name else f"player {seat + 1}"
        if plain in [chair.name for chair in chairs]:
            plain = f"{plain[: LONGEST_NAME - 4]} {seat + 1}"
        chairs.append(Chair(key, plain, "bot" if bot else "person"))
    return tuple(chairs)


def _repeat(table: Table, entry: MatchEntry) -> None:
    """Write an entry of another match. It takes the time that the clock adds, so that the clocks stay as they are."""
    standing = table.log.now
    clock, turn = standing.terms.clock, standing.turn
    used = min(clock.increment, standing.remaining[turn]) if clock and turn is not None else 0
    at = table.began + used
    match entry:
        case Played(_, move):
            table.play(str(move), at)
        case Left(seat, how) if how in BY_ITSELF and seat == turn and (clock or how != "time"):
            table.lose(how, at)
        case Left(seat):  # the log of one peer knows no other way out
            table.resign(at, seat)
        case Agreed():
            table.agree(all_of("draw"), at)
