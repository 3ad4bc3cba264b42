"""A bot in a seat of a log: it is asked when it is that seat's turn, and its move is played.

It reads its table and is called often. One signature of a peer stands for all its seats, so a bot's answer to a
proposal goes to whoever acts for the peer: sitting.py, or a person's own table.
"""

import hashlib
import secrets
from collections.abc import Iterator
from typing import Final

from quadrille.ai.bots.lines.dialogue import Chosen, Seating
from quadrille.ai.bots.lines.time_terms import AT_HOME, LONG, PATIENCE, USUAL_TERMS, TimeTerms
from quadrille.ai.bots.player import BotEvent, BotPlayer
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault, GameFault
from quadrille.net.tables.table import Table
from quadrille.plugs import game_fault
from quadrille.rules.match import Match, Played

#: Milliseconds between one bot's move and the next one's at a person's own table, so that the person sees each.
BEAT: Final = 400


def dice_at_home(match: Match, seat: int) -> str:
    """Return the seed of a bot's dice, which reveals nothing about the game: with the same deal it plays the same."""
    deal = match.deal.seed if match.deal else secrets.token_hex(8)
    return hashlib.sha256(f"dice of player {seat + 1} {deal}".encode()).hexdigest()


class SeatedBot:
    """A bot in one seat of a table, from its first turn to the end."""

    def __init__(
        self,
        table: Table,
        seat: int,
        talk: Talk | BotFault,
        patience: int | None = PATIENCE,
        *,
        forfeits: bool = True,
        beat: int = BEAT,
        cores: int = 1,
    ) -> None:
        """Seat a bot whose program talks, or can't be started. A move without a clock has the `patience`.

        None: it plays at its person's own table, a `beat` after another bot, and rests in a pause, which its move ends
        elsewhere. A bot that `forfeits` loses by a fault; otherwise only its clock costs it the seat, and the caller
        decides about the rest.
        """
        standing = table.log.now
        names, clock = [chair.name for chair in standing.chairs], standing.terms.clock
        secret = table.identity.secret("dice of a bot", table.log.table, bytes([seat]))
        dice = dice_at_home(standing.match, seat) if patience is None else secret.hex()
        seating = Seating(seat, table.log.table.hex(), names, clock, dice, cores)
        self.table = table
        self.seat = seat
        self.at_home = patience is None
        self._forfeits = forfeits
        self._beat = beat
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
        return self.table.began + (self._beat if is_bots and self.at_home and standing.terms.clock is None else 0)

    @property
    def _is_turn(self) -> bool:
        standing = self.table.log.now
        return self.table.is_my_turn and standing.turn == self.seat and not (self.at_home and standing.paused)

    def act(self, now: int) -> Iterator[BotEvent]:
        """Do what is due, and yield what the bot has done since the last call: a move just before it is played."""
        while True:
            self._lead(now)
            if (chosen := self._chosen) is not None and self._is_turn and now >= self._plays_at:
                self._chosen = None
                yield chosen
                try:
                    self.table.play(str(chosen.move), now)
                except Exception as error:
                    if not (fault := game_fault(error)):
                        raise
                    yield self.player.fail(GameFault(fault))
                continue
            event = self.player.hear()
            if event is None:
                return
            if isinstance(event, Chosen):
                self._chosen = event
            else:
                yield event

    def rest(self) -> None:
        """Forget the question, as in a pause: `act` asks it again."""
        self._head = self._chosen = None
        self.player.follow(self.table.log.now.match)

    def _lead(self, now: int) -> None:
        """Tell the bot of a new position, and ask it in its turn."""
        table, player, standing = self.table, self.player, self.table.log.now
        if table.log.head != self._head:
            self._head, self._chosen = table.log.head, None
            view = table.view_of(self.seat)
            if table.over:
                player.over(table.over, standing.match, view)
            else:
                player.follow(standing.match, view)
        if not self._is_turn:
            return
        if player.fault is None:
            clocks = None if standing.paused else table.clocks
            player.ask(clocks and clocks.runs(None, now))
        elif self._forfeits or player.fault.kind == "time":
            table.lose(player.fault.kind, now)
