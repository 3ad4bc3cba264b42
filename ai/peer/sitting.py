"""A bot's peer at one table of the network: its seat, and what the seats decide together.

Reads its table and is called often; guest.py decides where to sit, seated.py plays. A fault costs the bot its seat, on
its next turn, by its own peer's statement.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from quadrille.ai.bots.lines.dialogue import Replied
from quadrille.ai.bots.lines.time_terms import PATIENCE
from quadrille.ai.bots.player import BotEvent
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.seated import SeatedBot
from quadrille.net.entries.motions import BackMotion, FlagMotion, JointMotion, PauseMotion, SeatDecision, TableMotion
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError

#: Milliseconds that a bot stays after the last move, so that absent peers can still get it.
LAST_WORDS: Final = 1000


class Sitting:
    """A bot at one table, from its first turn to its farewell."""

    def __init__(
        self, table: Table, seat: int, talk: Talk | BotFault, say: Callable[[str], None], patience: int = PATIENCE
    ) -> None:
        """`patience` is the maximum time of a move without a clock, in milliseconds."""
        self.table = table
        self.bot = SeatedBot(table, seat, talk, patience)
        self.gone = False
        self._say = say
        self._proposals: list[JointMotion] = []  # the motions that its program was asked about
        self._about_seat: SeatDecision | None = None  # a decision to be signed once it is true here too
        self._over_since: int | None = None

    @property
    def fault(self) -> BotFault | None:
        return self.bot.player.fault

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
        """Pass on somebody's motion, which needs this seat's signature, or decline it."""
        table, player = self.table, self.bot.player
        if table.seat in signed or table.seat not in motion.signers(table.log.now):
            return
        # a bot that is to move answers a rest only by its move
        moves_on = isinstance(motion, PauseMotion) and table.is_my_turn
        if isinstance(motion, SeatDecision) and self._may_come_true(motion):
            self._about_seat = motion
        elif isinstance(motion, JointMotion) and player.is_ready and not moves_on:
            self._proposals.append(motion)
            player.offer(motion.WORD, signed[0] if signed else 0, len(self._proposals))
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
        """Read the program, and do what is due."""
        table = self.table
        if not self.over and (table.over or table.stopped):
            self._end(now)
        elif not self.over and table.seat is None:
            self._give_way(now)
        elif self._about_seat and self._is_true(self._about_seat, now):
            self._decide(self._about_seat, now)
        for event in self.bot.act(now):
            self._note(event, now)

    def _note(self, event: BotEvent, now: int) -> None:
        table = self.table
        match event:
            case BotFault():
                cost = "after the game" if self.over else f"that costs it the game ({event.kind})"
                self._say(f"the program {event.why}; {cost}")
            case Replied(_, False):
                table.decline()
            case Replied(number) if not table.over:
                if table.log.motion_objection(motion := self._proposals[number - 1]) is None:
                    table.agree(motion, now)

    # The end

    def _end(self, now: int) -> None:
        table = self.table
        self._over_since = now
        table.open_book()
        over = table.over
        place = over.places[table.seat] if over and table.seat is not None else 0
        self._say(f"the game is over: {over.reason}; place {place}" if over else "the table has stopped")

    def _give_way(self, now: int) -> None:
        """Return to a seat that a stand-in got, or leave: another key writes for it, perhaps its owner's."""
        table, seat = self.table, self.bot.seat
        is_own = table.log.now.chairs[seat].key == table.identity.key
        if is_own and seat in table.log.now.seats_in() and self.fault is None:
            table.agree(BackMotion(seat), now)
            return
        self._say("the seat is played by another again")
        self.gone = True
