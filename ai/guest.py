"""A bot as a peer among peers: it asks for a seat, plays, answers what others propose, and goes when the game is over.

A machine without sockets: it looks at its lobby and is told of events. Its player is given its own view of the position
and nothing else.
"""

from collections.abc import Callable
from typing import Any, Final

from quadrille.ai.players import Player
from quadrille.net.gathering import Refused
from quadrille.net.lobby import At, Began, Event, Invited, Lobby
from quadrille.net.offers import offers
from quadrille.net.table import Proposed, Table, Took
from quadrille.net.wire import Offer

#: How long a bot stays after the last move, so that who was away can still hear of it; in milliseconds.
LAST_WORDS: Final = 1000
#: What a bot agrees to, as long as nothing hangs on its own move.
AGREEABLE: Final = ("takeback", "pause", "adjourn", "abort")


class Guest:
    """One bot's part. It sits at one table at a time."""

    def __init__(self, lobby: Lobby, player: Player, wants: Callable[[Offer], bool], *, stays: bool = False) -> None:
        """`wants` says at which tables it would sit down. One that `stays` waits for the next game, or a rematch."""
        self.lobby = lobby
        self.player = player
        self.wants = wants
        self.stays = stays
        self.table: Table | None = None
        self.done = False
        self.news: list[str] = []
        self._asked: bytes | None = None
        self._companions: set[bytes] = set()
        self._over_since: int | None = None
        self._refused: set[bytes] = set()

    def hear(self, event: Event, now: int) -> None:
        """Something happened on the network."""
        match event:
            case Began(name) if self.lobby.tables[name].seat is not None and not self.lobby.tables[name].over:
                self._sit_down(self.lobby.tables[name])
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
                if entry.kind == "motion" and entry.body[0][0] == "adjourn" and not self.stays:
                    self.news.append("the game is adjourned")
                    self.done = True

    def act(self, now: int) -> None:
        """Do what is to be done: ask for a seat, move, go."""
        table = self.table
        if table is None or table.over or table.stopped:
            self._look_on(table, now)
            return
        turn = table.log.now.turn
        if turn in table.overdue(now):
            return  # what is to be done about it, people say
        if table.is_my_turn:
            view = table.log.now.match.state.view(table.seat)
            table.play(str(self.player.choose(view)), now)

    def _look_on(self, table: Table | None, now: int) -> None:
        """Between two games."""
        if table is not None and self._over_since is None:
            self._over_since = now
            over = table.over
            place = over.places[table.seat] if over and table.seat is not None else 0
            self.news.append(f"the game is over: {over.reason}; place {place}" if over else "the table has stopped")
        if self._over_since is not None and now - self._over_since >= LAST_WORDS and not self.stays:
            self.done = True
        if self._is_free() and (table is None or self.stays):
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
        self.table, self._asked, self._over_since = table, None, None
        self._companions |= {chair.key for chair in table.log.now.chairs}
        self.news.append(f"playing as player {(table.seat or 0) + 1} at table {table.log.table.hex()[:8]}")

    def _answer(self, motion: tuple[Any, ...], signed: tuple[int, ...], now: int) -> None:
        """What a bot says to a proposal: it does not mind much, but it plays its games to the end."""
        table = self.table
        assert table is not None
        if table.seat in signed or table.seat not in table.log.now.needed(motion):
            return
        kind, seat = motion[0], motion[1]
        gone = kind in ("drop", "stand-in") and seat in table.overdue(now)
        if gone or (kind in AGREEABLE and (kind not in ("pause", "adjourn") or not table.is_my_turn)):
            table.agree(motion, now)
        else:
            table.decline()
