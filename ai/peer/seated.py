"""A bot in a seat of a log: it is asked when it is that seat's turn, and its move is played.

It reads its table and is called often. One signature of a peer stands for all its seats, so a bot's answer to a
proposal goes to whoever acts for the peer: sitting.py, or a person's own table.
"""

from typing import Final

from quadrille.ai.bots.lines.dialogue import Chosen, Seating
from quadrille.ai.bots.lines.time_terms import AT_HOME, LONG, PATIENCE, USUAL_TERMS, TimeTerms
from quadrille.ai.bots.player import BotEvent, BotPlayer
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.net.tables.table import Table
from quadrille.rules.match import Played

#: Milliseconds between one bot's move and the next one's at a person's own table, so that the person sees each.
BEAT: Final = 400


class SeatedBot:
    """A bot in one seat of a table, from its first turn to the end."""

    def __init__(
        self, table: Table, seat: int, talk: Talk | BotFault, patience: int | None = PATIENCE, *, forfeits: bool = True
    ) -> None:
        """Seat a bot whose program talks, or can't be started. A move without a clock has the `patience`.

        None: it plays at its person's own table, and rests in a pause, which its move ends elsewhere. A bot that
        `forfeits` loses by a fault; otherwise only its clock costs it the seat, and the caller decides about the rest.
        """
        standing, secret = table.log.now, table.identity.secret("dice of a bot", table.log.table, bytes([seat]))
        names, clock = [chair.name for chair in standing.chairs], standing.terms.clock
        seating = Seating(seat, table.log.table.hex(), names, clock, secret.hex())
        self.table = table
        self.seat = seat
        self.at_home = patience is None
        self._forfeits = forfeits
        terms = TimeTerms(patience=patience) if patience is not None else AT_HOME if clock is None else USUAL_TERMS
        self.player = BotPlayer(talk, seating, terms, LONG if self.at_home else None)
        self._head: bytes | None = None
        self._chosen: Chosen | None = None

    @property
    def deadline(self) -> int | None:
        """When to call `act` if nothing happens before."""
        waits = (self.player.deadline, self._plays_at if self._chosen else None)
        return min((due for due in waits if due is not None), default=None)

    @property
    def _plays_at(self) -> int:
        """When a chosen move is played: at home a beat after another bot's, unless a clock runs."""
        standing, last = self.table.log.now, self.table.log.now.match.since(-1)
        is_bots = bool(last) and isinstance(last[0], Played) and not standing.chairs[last[0].seat].is_person
        return self.table.began + (BEAT if is_bots and self.at_home and standing.terms.clock is None else 0)

    def act(self, now: int) -> list[BotEvent]:
        """Do what is due, and return what the bot did since the last call. Its moves are played."""
        events: list[BotEvent] = []
        while True:
            self._lead(now)
            event = self.player.hear()
            if event is None:
                return events
            if isinstance(event, Chosen):
                self._chosen = event
            events.append(event)

    def _lead(self, now: int) -> None:
        """Tell the bot of a new position, ask it in its turn, and play its move."""
        table, player, standing = self.table, self.player, self.table.log.now
        if table.log.head != self._head:
            self._head, self._chosen = table.log.head, None
            view = table.hand.view(self.seat)
            if table.over:
                player.over(table.over, standing.match, view)
            else:
                player.follow(standing.match, view)
        is_turn = table.is_my_turn and standing.turn == self.seat
        if not is_turn or (self.at_home and standing.paused):
            return
        if self._chosen is not None:
            if now >= self._plays_at:
                table.play(str(self._chosen.move), now)
                self._lead(now)
        elif player.fault is None:
            clocks = None if standing.paused else table.clocks
            player.ask(clocks and clocks.runs(None, now))
        elif self._forfeits or player.fault.kind == "time":
            table.lose(player.fault.kind, now)
