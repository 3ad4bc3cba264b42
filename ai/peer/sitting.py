"""A bot's seat at one table of the network: passes the table's requests to its program, and the answers back.

Reads its table and is called often; guest.py decides where to sit. The program gets only what its own seat knows. A
fault costs it the seat, on its next turn, by its own peer's statement.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from quadrille.ai.bots.lines.dialogue import Chosen, Replied
from quadrille.ai.bots.lines.time_terms import PATIENCE, TimeTerms
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.net.entries.motions import BackMotion, FlagMotion, JointMotion, PauseMotion, SeatDecision, TableMotion
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.errors import RulesError

#: Milliseconds that a bot stays after the last move, so that absent peers can still get it.
LAST_WORDS: Final = 1000


class Sitting:
    """One bot at one table, from its first turn to its farewell."""

    def __init__(
        self, table: Table, identity: Identity, talk: Talk | None, say: Callable[[str], None], patience: int = PATIENCE
    ) -> None:
        """`patience` is the maximum time of a move without a clock, in milliseconds."""
        self.table = table
        self.talk = talk
        self.fault: BotFault | None = None
        self.gone = False
        self._identity = identity
        self._terms = TimeTerms(patience=patience)
        self._say = say
        self._asked: bytes | None = None  # the head of the log at which a move was asked for
        self._proposals: list[JointMotion] = []  # the motions that its program was asked about
        self._about_seat: SeatDecision | None = None  # a decision to be signed once it is true here too
        self._over_since: int | None = None

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
        table = self.table
        if table.seat in signed or table.seat not in motion.signers(table.log.now):
            return
        # a bot that is to move answers a rest only by its move
        moves_on = isinstance(motion, PauseMotion) and table.is_my_turn
        if isinstance(motion, SeatDecision) and self._may_come_true(motion):
            self._about_seat = motion
        elif isinstance(motion, JointMotion) and self.talk and self.talk.is_ready and not moves_on:
            self._proposals.append(motion)
            by = signed[0] if signed else 0
            self.talk.offer(motion.WORD, by, len(self._proposals), table.log.now.match, view=table.view)
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
        self._hear(now)
        if self.over:
            return
        if table.over or table.stopped:
            self._end(now)
        elif table.seat is None:
            self._give_way(now)
        elif self._about_seat and self._is_true(self._about_seat, now):
            self._decide(self._about_seat, now)
        elif self.fault is not None:
            table.lose(self.fault.kind, now)
        elif table.is_my_turn:
            self._ask(now)
        elif self._asked is not None and self.talk:
            self._asked = None
            self.talk.dialogue.no_turn()
        self._hear(now)

    # The program

    def _hear(self, now: int) -> None:
        try:
            while self.talk and (event := self.talk.hear()) is not None:
                match event:
                    case Chosen(move) if self._asked == self.table.log.head:
                        self._asked = None
                        self.table.play(str(move), now)
                    case Replied(number, agree):
                        self._reply(self._proposals[number - 1], now, agree=agree)
            if self.talk and not (self.talk.is_told or self.over) and self.talk.is_greeted:
                self._start(self.talk)
        except BotFault as fault:
            self.fault, self.talk = fault, None
            cost = "after the game" if self.over else f"that costs it the game ({fault.kind})"
            self._say(f"the program {fault.why}; {cost}")

    def _start(self, talk: Talk) -> None:
        table, standing = self.table, self.table.log.now
        if table.seat is None:
            return
        talk.start(
            standing.match,
            table.seat,
            table=table.log.table.hex(),
            names=[chair.name for chair in standing.chairs],
            clock=standing.terms.clock,
            seed=self._identity.secret("dice of a bot", table.log.table).hex(),
            view=table.view,
        )

    def _ask(self, now: int) -> None:
        """Ask for a move, once at each head of the log."""
        table, talk = self.table, self.talk
        if talk is None or not talk.is_ready or self._asked == table.log.head:
            return
        self._asked = table.log.head
        clocks = None if table.log.now.paused else table.clocks
        talk.ask(table.log.now.match, self._terms, clocks and clocks.runs(None, now), table.view)

    def _reply(self, motion: JointMotion, now: int, *, agree: bool) -> None:
        """Pass on the program's answer to a proposal, if that is still open."""
        table = self.table
        if not agree:
            table.decline()
        elif table.log.motion_objection(motion) is None and not table.over:
            table.agree(motion, now)

    # The end

    def _end(self, now: int) -> None:
        table = self.table
        self._over_since = now
        table.open_book()
        over = table.over
        place = over.places[table.seat] if over and table.seat is not None else 0
        self._say(f"the game is over: {over.reason}; place {place}" if over else "the table has stopped")
        if over and self.talk and self.talk.is_told:
            self.talk.over(over, table.log.now.match, table.view)

    def _give_way(self, now: int) -> None:
        """Return to a seat that a stand-in got, or leave: another key writes for it, perhaps its owner's."""
        table, key = self.table, self._identity.key
        seats = [seat for seat, chair in enumerate(table.log.now.chairs) if chair.key == key]
        if seats and seats[0] in table.log.now.seats_in() and self.fault is None:
            table.agree(BackMotion(seats[0]), now)
            return
        self._say("the seat is played by another again")
        self.gone = True
