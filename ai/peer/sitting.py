"""A bot's peer at one table of the network: its seats, and what the peers decide together.

Reads its table and is called often; guest.py decides where to sit, seated.py plays. A fault costs the bot its seat, on
its next turn, by its own peer's statement.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from quadrille.ai.bots.lines.dialogue import Replied
from quadrille.ai.bots.lines.time_terms import PATIENCE
from quadrille.ai.bots.player import BotEvent
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault, GameFault
from quadrille.ai.peer.seated import SeatedBot
from quadrille.net.entries.motions import (
    BY_ALL,
    BackMotion,
    FlagMotion,
    HandMotion,
    JointMotion,
    PauseMotion,
    SeatDecision,
    TableMotion,
)
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError

#: Milliseconds that a bot stays after the last move, so that absent peers can still get it.
LAST_WORDS: Final = 1000


class Sitting:
    """A bot at one table, from its first turn to its farewell, with a program for each seat that its peer holds."""

    def __init__(
        self,
        table: Table,
        bring: Callable[[], Talk | BotFault],
        say: Callable[[str], None],
        patience: int = PATIENCE,
        *,
        gives_way: bool = False,
    ) -> None:
        """`bring` starts a program. `patience` is the maximum time of a move without a clock, in milliseconds.
        `gives_way`: the bot agrees to hand on its seat.
        """
        self.table = table
        self._gives_way = gives_way
        self.bots: dict[int, SeatedBot] = {}
        self.gone = False
        self._bring = bring
        self._say = say
        self._patience = patience
        #: The motion about which the programs were asked last, its number, and the seats that have not answered.
        self._motion: JointMotion | None = None
        self._number = 0
        self._unanswered: set[int] = set()
        self._about_seat: SeatDecision | None = None  # a decision to be signed once it is true here too
        self._over_since: int | None = None
        self._sit_down([seat for seat, chair in enumerate(table.log.now.chairs) if chair.key == table.identity.key])

    def _sit_down(self, seats: Iterable[int]) -> None:
        for seat in seats:
            if seat not in self.bots:
                self.bots[seat] = SeatedBot(self.table, seat, self._bring(), self._patience)
                self._say(f"playing as player {seat + 1} at table {self.table.log.table.hex()[:8]}")

    @property
    def fault(self) -> BotFault | None:
        return next((fault for bot in self.bots.values() if (fault := bot.player.fault)), None)

    @property
    def talks(self) -> list[Talk]:
        return [talk for bot in self.bots.values() if (talk := bot.player.talk)]

    @property
    def over(self) -> bool:
        """Return whether there is nothing more to play here."""
        return self.gone or self._over_since is not None

    def finished(self, now: int) -> bool:
        """Return whether there is nothing more to send here either."""
        return self.gone or (self._over_since is not None and now - self._over_since >= LAST_WORDS)

    def took(self) -> None:
        """Drop a decision that was to be signed, because an entry was added to the log."""
        self._about_seat = None

    def proposed(self, motion: TableMotion, signed: tuple[int, ...], now: int) -> None:
        """Pass on somebody's motion, which needs this peer's signature, or decline it."""
        table, standing = self.table, self.table.log.now
        own = {seat for seat in table.seats if seat in standing.seats_in()}
        if own.isdisjoint(motion.signers(standing)) or not own.isdisjoint(signed):
            return
        # a bot that is to move answers a rest only by its move
        moves_on = isinstance(motion, PauseMotion) and table.is_my_turn
        are_ready = all(seat in self.bots and self.bots[seat].player.is_ready for seat in own)
        if isinstance(motion, SeatDecision) and self._may_come_true(motion):
            self._about_seat = motion
        elif isinstance(motion, HandMotion) and (self._gives_way or motion.number not in own):
            table.agree(motion, now)
        elif isinstance(motion, JointMotion) and motion.WORD in BY_ALL and are_ready and not moves_on:
            self._motion, self._number, self._unanswered = motion, self._number + 1, own
            for seat in own:
                self.bots[seat].player.offer(motion.WORD, signed[0] if signed else 0, self._number)
        else:
            table.decline()

    def _may_come_true(self, motion: SeatDecision) -> bool:
        """Return whether a decision about a seat is true, or will be if that seat does nothing for a while."""
        standing = self.table.log.now
        if isinstance(motion, FlagMotion):
            return standing.terms.clock is not None
        return motion.seat in self.table.gone or standing.due is not None

    def _is_true(self, motion: SeatDecision, now: int) -> bool:
        """Return whether this machine's clock shows that a seat's time is up, or that the grace is over."""
        if isinstance(motion, FlagMotion):
            return self.table.flag_fell(motion.seat, now)
        return motion.seat in self.table.overdue(now)

    def _decide(self, motion: SeatDecision, now: int) -> None:
        """Sign a decision about a seat, unless this seat has signed another one in this place."""
        self._about_seat = None
        with suppress(RulesError):
            if not self.table.agree(motion, now):
                self._about_seat = motion  # another signer is not here

    def act(self, now: int) -> None:
        """Read the programs, and do what is due."""
        table = self.table
        if not self.over:
            self._sit_down(table.seats)
            if table.over or table.stopped:
                self._end(now)
            elif table.seat is None:
                self._give_way(now)
            elif self._about_seat and self._is_true(self._about_seat, now):
                self._decide(self._about_seat, now)
        for seat, bot in self.bots.items():
            for event in bot.act(now):
                self._note(seat, event, now)

    def _note(self, seat: int, event: BotEvent, now: int) -> None:
        match event:
            case BotFault():
                cost = "after the game" if self.over else f"that costs it the game ({event.kind})"
                self._say(f"the program {event.why}; {cost}")
                if isinstance(event, GameFault):  # everybody at the table plays by that file
                    self.table.say(event.told)
            case Replied(number, agree) if number == self._number and self._motion is not None:
                self._reply(self._motion, seat, now, agree=agree)

    def _reply(self, motion: JointMotion, seat: int, now: int, *, agree: bool) -> None:
        """Sign what all programs agree to, if it is still open."""
        table = self.table
        self._unanswered.discard(seat)
        if not agree:
            self._motion = None
            table.decline()
        elif not self._unanswered and not table.over and table.log.motion_objection(motion) is None:
            table.agree(motion, now)

    # The end

    def _end(self, now: int) -> None:
        table = self.table
        self._over_since = now
        table.open_book()
        over = table.over
        places = ", ".join(str(over.places[seat]) for seat in self.bots) if over else ""
        self._say(f"the game is over: {over.reason}; place {places}" if over else "the table has stopped")

    def _give_way(self, now: int) -> None:
        """Return to a seat that somebody else plays, or leave where it has none of its own."""
        table, standing = self.table, self.table.log.now
        own = [seat for seat in standing.seats_in() if standing.chairs[seat].key == table.identity.key]
        if own and self.fault is None:
            table.agree(BackMotion(own[0]), now)
            return
        self._say("the seat is played by another again")
        self.gone = True
