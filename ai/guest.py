"""A bot as a peer among peers: it asks for a seat or stands in, plays, answers what others propose, goes in the end.

A machine without sockets: it looks at its lobby and is told of events. Its player is given its own view of the position
and nothing else.
"""

from collections.abc import Callable
from typing import Any, Final

from quadrille.ai.players import Player
from quadrille.net.gathering import Refused
from quadrille.net.hearsay import has_seat
from quadrille.net.lobby import At, Awaited, Began, Event, Invited, Lobby
from quadrille.net.log import Log
from quadrille.net.motions import BY_OTHERS, back
from quadrille.net.news import Proposed, Took
from quadrille.net.offers import offers
from quadrille.net.table import Table
from quadrille.net.wire import Offer

#: How long a bot stays after the last move, so that who was away can still hear of it; in milliseconds.
LAST_WORDS: Final = 1000
#: What a bot agrees to, as long as nothing hangs on its own move.
AGREEABLE: Final = ("takeback", "pause", "adjourn", "abort")


class Guest:
    """One bot's part. It sits at one table at a time."""

    def __init__(
        self,
        lobby: Lobby,
        player: Player,
        wants: Callable[[Offer], bool],
        *,
        stands_in: Callable[[Log], bool] | None = None,
        stays: bool = False,
    ) -> None:
        """`wants` says at which tables it would sit down; `stands_in` where it plays on, for somebody else or for
        itself, when others wait for that: anywhere if absent. One that `stays` waits for the next game, or a rematch.
        """
        self.lobby = lobby
        self.player = player
        self.wants = wants
        self.stands_in = stands_in
        self.stays = stays
        self.table: Table | None = None
        self.done = False
        self.news: list[str] = []
        self._asked: bytes | None = None
        self._companions: set[bytes] = set()
        self._over_since: int | None = None
        self._refused: set[bytes] = set()
        self._awaited: dict[bytes, Log] = {}
        self._about_gone: tuple[Any, ...] | None = None

    def hear(self, event: Event, now: int) -> None:
        """Something happened on the network."""
        match event:
            case Began(name) if not self.lobby.tables[name].over and has_seat(self.lobby.tables[name].log, self._key):
                self._sit_down(self.lobby.tables[name])
            case Awaited(_, log) if self.stands_in is None or self.stands_in(log):
                self._awaited[log.table] = log
            case At(name, Refused(why)) if name == self._asked:
                self._asked = None
                self._refused.add(name)
                self.news.append(f"no seat at table {name.hex()[:8]}: {why}")
                self.done = not self.stays
            case Invited(key, table, terms) if key in self._companions and self._is_free():
                self._ask(Offer(table, key, terms, (), "open", 0), now)
            case At(name, Proposed(motion, signed)) if self.table and name == self.table.log.table:
                self._answer(motion, signed, now)
            case At(name, Took(entry)) if self.table and name == self.table.log.table:
                self._about_gone = None
                if entry.kind == "motion" and entry.body[0][0] == "adjourn" and not self.stays:
                    self.news.append("the game is adjourned")
                    self.done = True

    def act(self, now: int) -> None:
        """Do what is to be done: ask for a seat, move, go."""
        table = self.table
        if table is None or table.over or table.stopped:
            self._look_on(table, now)
            return
        if table.seat is None:
            self._give_way(table, now)
        elif self._about_gone and self._about_gone[1] in table.overdue(now):
            table.agree(self._about_gone, now)
            self._about_gone = None
        elif table.is_my_turn:
            view = table.view
            table.play(str(self.player.choose(view)), now)

    @property
    def _key(self) -> bytes:
        return self.lobby.identity.key

    def _give_way(self, table: Table, now: int) -> None:
        """Another writes for the seat: its owner is back, or somebody stood in for this bot, which is back itself."""
        seats = [seat for seat, chair in enumerate(table.log.now.chairs) if chair.key == self._key]
        if seats and seats[0] in table.log.now.seats_in():
            table.agree(back(seats[0]), now)
            return
        self.news.append("the seat is played by another again")
        self.table = None
        self.done = not self.stays

    def _look_on(self, table: Table | None, now: int) -> None:
        """Between two games."""
        if table is not None and self._over_since is None:
            self._over_since = now
            table.open_book()
            over = table.over
            place = over.places[table.seat] if over and table.seat is not None else 0
            self.news.append(f"the game is over: {over.reason}; place {place}" if over else "the table has stopped")
        if self._over_since is not None and now - self._over_since >= LAST_WORDS and not self.stays:
            self.done = True
        if self._is_free() and (table is None or self.stays):
            if self._awaited:
                _, log = self._awaited.popitem()
                self.lobby.resume(self.lobby.shelf.entries(log.table), now)
                return
            for offer in offers(self.lobby, "open"):
                if self.wants(offer) and offer.table not in self._refused and len(offer.chairs) < offer.terms.seats:
                    self._ask(offer, now)
                    return

    def _is_free(self) -> bool:
        return self._asked is None and (self.table is None or self._over_since is not None)

    def _ask(self, offer: Offer, now: int) -> None:
        if offer.table not in self.lobby.tables:
            self._asked = offer.table
            self.lobby.join(offer, now)
            self.news.append(f"asking for a seat at table {offer.table.hex()[:8]}")

    def _sit_down(self, table: Table) -> None:
        if self.table is not None and self.table is not table and self.table.over:
            self.lobby.forget(self.table.log.table)
        self.table, self._asked, self._over_since, self._about_gone = table, None, None, None
        self._companions |= {chair.key for chair in table.log.now.chairs}
        self.news.append(f"playing as player {(table.seat or 0) + 1} at table {table.log.table.hex()[:8]}")

    def _answer(self, motion: tuple[Any, ...], signed: tuple[int, ...], now: int) -> None:
        """What a bot says to a proposal: it does not mind much, but it plays its games to the end."""
        table = self.table
        assert table is not None
        if table.seat in signed or table.seat not in table.log.now.needed(motion):
            return
        kind, seat = motion[0], motion[1]
        if kind in BY_OTHERS and seat in table.gone:
            self._about_gone = motion  # signed as soon as the time that was agreed is over here too
        elif kind in AGREEABLE and (kind not in ("pause", "adjourn") or not table.is_my_turn):
            table.agree(motion, now)
        else:
            table.decline()
