"""A bot as a peer: it asks for seats, accepts invitations, plays, and leaves in the end.

A machine without sockets: it reads its lobby and gets events. A program of its own plays at each table
(ai/bots/talk.py); sitting.py handles a table.
"""

from collections.abc import Callable, Collection
from itertools import chain, islice
from typing import Final, Protocol

from quadrille.ai.bots.lines.answers import Greeting
from quadrille.ai.bots.lines.time_terms import PATIENCE
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.sitting import Sitting
from quadrille.net.entries.wire import Engage, Engaged, Offer
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Proposed, Took
from quadrille.net.seating.gathering import ChairRefused
from quadrille.net.seating.lobby import At, Began, Event, Invited, Lobby, SeatAwaited, StrayMessage
from quadrille.net.seating.offers import has_room, offers
from quadrille.rules.registry import keys

#: Maximum failures of a program in a row, before it is given up; and maximum starts in which it says nothing at all.
STRIKES: Final = 3
STARTS: Final = 2

#: Why a bot does not sit down at a table; None if it does. The number is that of its tables.
Objection = Callable[[Offer, int], str | None]


class ServesRunners(Protocol):
    """A bot's part in tournaments of runners, whose messages come as `StrayMessage`s. A package brings it."""

    news: list[str]

    def __len__(self) -> int:
        """Return the number of programs that play."""

    def hear(self, stray: StrayMessage, now: int, at_tables: int) -> None:
        """Process a runner's message; the bot sits at that many tables of peers."""

    def act(self, now: int) -> None:
        """Do what is due."""

    def close(self) -> None:
        """End all programs."""


class Guest:
    """One bot's part on the network."""

    def __init__(
        self,
        lobby: Lobby,
        bring: Callable[[], Talk],
        *,
        asks: Objection,
        comes: Objection | None = None,
        plays_on: Callable[[Log], bool] = lambda _: True,
        engagements: ServesRunners | None = None,
        games: Collection[str] = (),
        stays: bool = False,
        gives_way: bool = False,
        tables: int = 1,
        patience: int = PATIENCE,
    ) -> None:
        """`bring` starts its program. It `asks` for a seat at open tables, and `comes` where it is invited.

        `plays_on` says where it plays on when others wait for it: anywhere if absent. Runners of tournaments use it by
        `engagements`. It should play one of the `games`, if there are any: a program that knows none of them is
        useless. A bot that `stays` waits for the next game, or a rematch; one that `gives_way` leaves its seat to a
        person in line, if all who play there agree.
        """
        self.lobby = lobby
        self.sittings: dict[bytes, Sitting] = {}
        self.fault: BotFault | None = None
        #: Why it can't go on, if so: a sentence about the bot that begins with a verb.
        self.failure: str | None = None
        self.done = False
        self.news: list[str] = []
        self._bring = bring
        self._asks = asks
        self._comes = comes
        self._plays_on = plays_on
        self._engagements = engagements
        self._games = games or keys()
        self._stays = stays
        lobby.gives_way = gives_way
        self._most = tables
        self._patience = patience
        self._idle: list[Talk] = [bring()]
        self._greeting: Greeting | None = None
        self._strikes = 0
        self._asked: set[bytes] = set()
        self._refused: set[bytes] = set()
        self._left: set[bytes] = set()
        self._companions: set[bytes] = set()
        self._awaited: dict[bytes, Log] = {}

    def hear(self, event: Event, now: int) -> None:
        """Process an event of the network."""
        match event:
            case Began(name) if (table := self.lobby.tables.get(name)) is not None:  # or forgotten since it began
                if table.log.now.has_seat(self._key) and not table.over:
                    self._sit_down(name)
            case SeatAwaited(_, log) if self._plays(log.now.terms.game) and self._plays_on(log):
                self._awaited[log.table] = log
            case At(name, ChairRefused(why)) if name in self._asked:
                self._asked.remove(name)
                self._refused.add(name)
                self.news.append(f"no seat at table {name.hex()[:8]}: {why}")
                self.done = not self._stays and not self.sittings
            case Invited(key, _, _) as invited:
                self._invited(invited, now, known=key in self._companions)
            case StrayMessage() as stray if self._engagements is not None:
                self._engagements.hear(stray, now, self._playing)
            case StrayMessage(key, Engage(table)):
                no = "it plays in no tournaments: its owner would start it with --serve"
                self.lobby.outgoing.append((key, Engaged(table, "no", no, 0)))
            case At(name, Proposed(motion, signed)) if name in self.sittings:
                self.sittings[name].proposed(motion, signed, now)
            case At(name, Took()) if name in self.sittings:
                self.sittings[name].took()
            case At(name, Took()) if (table := self.lobby.tables.get(name)) and table.seats and not table.over:
                self._sit_down(name)  # the entry that seats a newcomer came after those with which its table opened

    def act(self, now: int) -> None:
        """Do what is due: ask for a seat, move, leave."""
        self._hear_idle(now)
        for name, sitting in list(self.sittings.items()):
            sitting.act(now)
            if sitting.finished(now):
                self._rise(name, sitting)
        if self._engagements is not None:
            self._engagements.act(now)
            self.news += self._engagements.news
            self._engagements.news.clear()
        if self._busy < self._most and not self.done and any(talk.is_greeted for talk in self._idle):
            self._look_for_a_table(now)

    def close(self) -> None:
        if self._engagements is not None:
            self._engagements.close()
        for talk in chain(self._idle, *(sitting.talks for sitting in self.sittings.values())):
            talk.close()

    @property
    def _key(self) -> bytes:
        return self.lobby.identity.key

    @property
    def _playing(self) -> int:
        """The number of tables where the bot sits, or asks to."""
        at_play = (sitting for sitting in self.sittings.values() if not (sitting.over or sitting.table.over))
        return len(self._asked) + sum(1 for _ in at_play)

    @property
    def _busy(self) -> int:
        """Return the number of the bot's tables and engagements."""
        return self._playing + (len(self._engagements) if self._engagements else 0)

    def _plays(self, game: str) -> bool:
        """Return whether the program knows a game; assumed before its greeting."""
        return self._greeting is None or self._greeting.plays(game)

    # Its programs

    def _hear_idle(self, now: int) -> None:
        """Read idle programs: each greets, and should send nothing else."""
        for talk in list(self._idle):
            try:
                while (event := talk.hear()) is not None:
                    if isinstance(event, Greeting):
                        self._greeted(event)
            except BotFault as fault:
                self._idle.remove(talk)
                self._failed(fault, now)
        if not self._idle and not self.done and self._busy < self._most:
            try:
                self._idle.append(self._bring())
            except BotFault as fault:
                self._failed(fault, now)

    def _greeted(self, greeting: Greeting) -> None:
        if self._greeting is None:
            self._strikes, self.fault = 0, None
        self._greeting = greeting
        if not any(map(greeting.plays, self._games)):
            self._give_up(f"does not play {_either(self._games)}: it plays {_either(greeting.games)}")

    def _give_up(self, reason: str) -> None:
        self.failure = reason
        self.done = True

    def _failed(self, fault: BotFault, now: int) -> None:
        """Give up a program that fails again and again, or before its first game. One that was too slow gets another
        try: perhaps the machine was.
        """
        self._strikes += 1
        self.fault = fault
        if self._companions and self._strikes < STRIKES:
            self.news.append(f"the program {fault.why}; it is started again")
        elif fault.kind != "stall" or self._strikes >= STARTS:
            self._excuse(now)
            self._give_up(fault.why + ", twice" * (self._strikes == STARTS))

    def _excuse(self, now: int) -> None:
        """Tell the hosts of the tables where it sits, or was about to, that it does not come."""
        if not self._asked:
            meant = (offer for offer in offers(self.lobby, "open") if self._asks(offer, 0) is None)
            self._asked |= {self.lobby.join(offer, now).table for offer in islice(meant, 1)}
        for table in [self.lobby.gatherings[name] for name in self._asked if name in self.lobby.gatherings]:
            what = "has ended" if self._greeting else "did not start"
            table.say(f"my bot {what}: the seat is free again", self.lobby.sitting(table.table))
            table.leave()

    def _sit_down(self, name: bytes) -> None:
        """Sit down at a table that begins or goes on, with an idle program or a new one."""
        table = self.lobby.tables[name]
        self._asked.discard(name)
        for other in [other for other, before in self.lobby.tables.items() if before.over and other in self._left]:
            self.lobby.forget(other)
        self._companions |= {chair.key for chair in table.log.now.chairs}
        gives_way = self.lobby.gives_way
        self.sittings[name] = Sitting(table, self._program, self.news.append, self._patience, gives_way=gives_way)

    def _program(self) -> Talk | BotFault:
        """Return an idle program or a new one; one that can't be started loses its game, and nobody waits for it."""
        try:
            return self._idle.pop() if self._idle else self._bring()
        except BotFault as fault:
            return fault

    def _rise(self, name: bytes, sitting: Sitting) -> None:
        """Leave a table where all is done."""
        del self.sittings[name]
        self._left.add(name)
        if sitting.fault is not None:
            self._strikes += 1
            self.fault = sitting.fault
        else:
            self._strikes = 0
        for talk in sitting.talks:
            talk.forget()
            self._idle.append(talk)
        if self._strikes >= STRIKES:
            self._give_up(f"failed in {STRIKES} games one after another")
        self.done = self.done or (not self._stays and not self.sittings)

    # Its tables

    def _invited(self, invited: Invited, now: int, *, known: bool) -> None:
        """Accept an invitation to a rematch if it stays; others by its policy."""
        offered = next((offer for offer in offers(self.lobby) if offer.table == invited.table), None)
        offer = offered or Offer(invited.table, invited.key, invited.terms, (), "open", 0)
        if invited.table in self._asked or invited.table in self.lobby.tables:
            return
        obstacle: str | None = "it does not take invitations"
        if not self._plays(offer.terms.game):
            obstacle = f"it does not play {offer.terms.game}"
        elif self._busy >= self._most:
            obstacle = "it is at another table"
        elif known:
            obstacle = None
        elif self._comes is not None:
            obstacle = self._comes(offer, self._busy)
        if obstacle is None:
            self._ask(offer, now)
        else:
            self.lobby.turn_down(invited, obstacle)
            self.news.append(f"not at table {offer.table.hex()[:8]}, where it was invited: {obstacle}")

    def _look_for_a_table(self, now: int) -> None:
        """Return to tables that wait for it, or take a free seat."""
        if self._awaited:
            _, log = self._awaited.popitem()
            self.lobby.resume(log.table, now)
            return
        if self._asked or (self.sittings and not self._stays):
            return
        open_tables = offers(self.lobby, "open")
        self._refused &= {offer.table for offer in open_tables}  # a host that was gone may be back
        for offer in open_tables:
            free = offer.table not in self._refused and has_room(offer, self.lobby.identity.key)
            if free and self._asks(offer, self._busy) is None:
                if self._plays(offer.terms.game):
                    self._ask(offer, now)
                    return
                self._refuse(offer)

    def _refuse(self, offer: Offer) -> None:
        """Refuse a table whose game it does not know; a bot that stays waits for other tables."""
        assert self._greeting is not None
        self._refused.add(offer.table)
        reason = f"does not play {offer.terms.game}: it plays {_either(self._greeting.games)}"
        if self._stays:
            self.news.append(f"no seat at table {offer.table.hex()[:8]}: it {reason}")
        else:
            self._give_up(reason)

    def _ask(self, offer: Offer, now: int) -> None:
        if offer.table not in self.lobby.tables:
            self._asked.add(offer.table)
            self.lobby.join(offer, now)
            self.news.append(f"asking for a seat at table {offer.table.hex()[:8]}")


def _either(games: Collection[str]) -> str:
    return " or ".join(sorted(games))
