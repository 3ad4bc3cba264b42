"""Proposals at a table on the network: decisions other than moves that need the others. One half of seat.py."""

import argparse
from collections.abc import Callable
from contextlib import suppress

from quadrille.client.bots.names import bot_name
from quadrille.client.claimed_names import shown_name
from quadrille.client.table.network.context import NetworkContext
from quadrille.client.table.network.notices import (
    About,
    DeclineTold,
    Fact,
    NetworkNotice,
    Overdue,
    ProposalTold,
    ProposedHere,
    ShownMotion,
)
from quadrille.client.table.network.reasons import (
    AnswerFirst,
    Away,
    Denial,
    NotGranted,
    Objected,
    Reason,
)
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import (
    BackMotion,
    DropMotion,
    FlagMotion,
    SeatDecision,
    StandInMotion,
    TableMotion,
    TakebackMotion,
    all_of,
)
from quadrille.net.entries.terms import Chair
from quadrille.net.game_log import news
from quadrille.net.tables.table import Table
from quadrille.net.trust.names import plain_name
from quadrille.rules.match import Played


class Proposals:
    """The open proposal of a table, if any, and its signers."""

    def __init__(self, context: NetworkContext, table: Table, say: Callable[[NetworkNotice], None]) -> None:
        """`say` takes notices of this person's actions and of questions to them."""
        self.open: news.Proposed | None = None
        self._context = context
        self._table = table
        self._say = say
        # seats asked about, each with the time since when the table waits for it
        self._asked: set[tuple[int, int]] = set()
        self._coming: Chair | None = None  # this person's bot that is starting to stand in

    @property
    def waits(self) -> bool:
        """Whether this person has something to answer."""
        seat = self._table.seat
        return (
            self.open is not None
            and seat in self.open.motion.signers(self._table.log.now)
            and seat not in self.open.signed
        )

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have not signed the open motion."""
        assert self.open is not None
        return tuple(seat for seat in self.open.motion.signers(self._table.log.now) if seat not in self.open.signed)

    def motion(self, motion: TableMotion) -> ShownMotion:
        """A motion as a value for people."""
        return ShownMotion.of(motion, self._table.gone)

    # Wishes of this person

    def propose(self, motion: TableMotion) -> None:
        """Propose a motion, or sign it if it is open."""
        if self.open and self.open.motion != motion and self.waits:
            raise NotGranted(AnswerFirst(self.motion(self.open.motion)))
        if not self._table.agree(motion, self._context.now()):
            raise NotGranted(self._why_not(motion))
        if isinstance(motion, StandInMotion) and self._table.accord.is_called(motion.key):
            self._say(About(Fact.STAND_IN_ASKED, shown_name(motion.name, motion.key), seat=motion.seat))

    def _why_not(self, motion: TableMotion) -> Reason:
        """Why this person has nothing to sign now."""
        inside = self._table.log.now.seats_in()
        deciding = motion.signers(self._table.log.now) if isinstance(motion, SeatDecision) else ()
        away = tuple(seat for seat in deciding if seat in self._table.gone)
        return Away(away) if self._table.seat in inside and away else Denial.NO_PROPOSAL

    def wish(self, what: str) -> None:
        """Propose a motion of all seats; or wait on."""
        match what:
            case "wait":
                self._wait()
            case "pause" if self._table.log.now.paused:
                raise NotGranted(Denial.PAUSED_ALREADY)
            case _:
                self.propose(all_of(what))

    def take_back(self, moves: int) -> None:
        """Propose to take back that many moves of all seats, or back to this person's last one."""
        self.propose(TakebackMotion(moves or self._back_to_mine()))

    def _back_to_mine(self) -> int:
        played = [entry for entry in self._table.log.now.match.entries if isinstance(entry, Played)]
        for number, entry in enumerate(reversed(played), 1):
            if entry.seat == self._table.seat:
                return number
        raise NotGranted(Denial.NO_MOVE_YET)

    def agree(self) -> None:
        """Sign the open motion."""
        if self.open is None or not self.waits:
            raise NotGranted(Denial.NOTHING_TO_ANSWER)
        self._table.agree(self.open.motion, self._context.now())

    def decline(self) -> None:
        """Refuse, or withdraw this person's own proposal."""
        if self.open is None:
            raise NotGranted(Denial.NOTHING_PROPOSED)
        self._table.decline()
        self._say(DeclineTold(self.motion(self.open.motion)))
        self.open = None

    def drop(self) -> None:
        """Propose that the seat to move, which is gone, leaves the game."""
        self.propose(DropMotion(self._seat_that_is_gone()))

    @property
    def may_flag(self) -> bool:
        """Whether the seat to act has run out of time by this machine's clock, and the others can rule on it."""
        standing, now = self._table.log.now, self._context.now()
        turn, inside = standing.turn, standing.seats_in()
        others = self._table.seat in inside and turn != self._table.seat and len(inside) > 2
        return turn is not None and others and self._table.flag_fell(turn, now)

    def flag(self) -> None:
        """Propose that the seat to move has lost on time, because it does not say so itself."""
        standing = self._table.log.now
        if standing.terms.clock is None:
            raise NotGranted(Denial.NO_CLOCK)
        if standing.turn is None or standing.turn == self._table.seat:
            raise NotGranted(Denial.OWN_CLOCK)
        if self._table.seat in standing.seats_in() and len(standing.seats_in()) < 3:
            raise NotGranted(Denial.WHOSE_CLOCK)
        self.propose(FlagMotion(standing.turn))

    def stand_in(self, who: str) -> None:
        """Propose that this person's bot, or somebody who is here, stands in for the seat that is gone."""
        seat = self._seat_that_is_gone()
        if not who:
            raise NotGranted(Denial.WHO_STANDS_IN)
        if bot := self._bot(who):
            self._coming = self._coming or self._context.bring(bot, self._table)
            self._say(About(Fact.STAND_IN_COMES, self._coming.name, seat=seat))
        else:
            peer = self._context.peer(who)
            self.propose(StandInMotion(seat, peer.key, plain_name(peer.name)))

    def _bot(self, text: str) -> str | None:
        """The bot that the text names, if any. Several words are a name rather than a command."""
        try:
            if " " in text.strip():
                with suppress(NotGranted):
                    self._context.peer(text)
                    return None
            return bot_name(text)
        except argparse.ArgumentTypeError:
            return None

    def _seat_that_is_gone(self) -> int:
        """The seat about which the others may decide."""
        standing = self._table.log.now
        turn = standing.turn
        if turn is None or turn not in self._table.overdue(self._context.now()):
            raise NotGranted(Objected(Denial.NOBODY_OVERDUE, str(standing.terms.grace // 1000)))
        if len(standing.seats_in()) < 3:
            raise NotGranted(Denial.WHO_IS_GONE)
        return turn

    def take_seat_back(self, seat: int | None) -> None:
        """Take this person's seat back from its stand-in; done as soon as somebody writes an entry."""
        if seat is None:
            raise NotGranted(Denial.NOBODY_PLAYS_FOR_YOU)
        self.propose(BackMotion(seat))

    def _wait(self) -> None:
        """Go on waiting for a seat that is gone."""
        if self.open is not None:
            self.decline()
        else:
            self._say(Fact.TABLE_WAITS)

    # Events

    def hear(self, event: news.Proposed) -> tuple[int, ProposalTold] | None:
        """Somebody signed: the first other seat that did, and the notice; None for this person's own signature."""
        if isinstance(event.motion, BackMotion):
            owner = self._table.log.now.chairs[event.motion.seat]
            mine = owner.key == self._context.key
            name = self._context.called(owner.key, owner.name)
            self._say(Fact.PLAYING_AGAIN if mine else About(Fact.PLAYS_AGAIN, name))
            return None
        before = self.open.signed if self.open and self.open.motion == event.motion else ()
        self.open = event
        fresh = [seat for seat in event.signed if seat not in before]
        others = tuple(seat for seat in fresh if seat != self._table.seat)
        motion, missing = self.motion(event.motion), self.missing
        if others:
            return others[0], ProposalTold(motion, others, bool(before), self.waits)
        if fresh and missing:
            self._say(ProposedHere(motion, missing, bool(before)))
        return None

    def clear(self, entry: Entry) -> None:
        """The log went on: the proposal was carried, or is void."""
        proposed, self.open = self.open, None
        keys = self._table.log.now.keys
        signed = proposed is not None and self._table.seat in proposed.signed
        if signed and isinstance(entry.body, MoveBody) and entry.author in keys and entry.author != self._context.key:
            self._say(About(Fact.LAPSED, keys.index(entry.author)))

    @property
    def stand_in_that_came(self) -> Chair | None:
        """The person's bot that has come to stand in; returned once."""
        chair = self._coming
        if chair is None or chair.key not in self._context.lobby.here:
            return None
        self._coming = None
        return chair

    def propose_bot(self, chair: Chair) -> None:
        """Propose a bot that has come to stand in, if it is still needed."""
        turn = self._table.log.now.turn
        if turn is None or turn not in self._table.overdue(self._context.now()):
            self._say(About(Fact.STANDS_IN_IDLE, shown_name(chair.name, chair.key)))
        else:
            self.propose(StandInMotion(turn, chair.key, chair.name))

    def ask(self) -> None:
        """Ask once about each seat that is gone and has to move, or whose time is up."""
        table = self._table
        standing = table.log.now
        turn = standing.turn
        if turn is None or table.seat is None:
            return
        if self.may_flag and turn not in table.gone and (turn, -table.began) not in self._asked:
            self._asked.add((turn, -table.began))
            self._say(About(Fact.CLOCK_LOW, turn))
        if turn not in table.overdue(self._context.now()):
            return
        question = (turn, table.gone.get(turn, table.began))
        if question not in self._asked and table.seat in standing.seats_in():
            self._asked.add(question)
            several = len(standing.seats_in()) > 2
            self._say(Overdue(turn, turn not in table.gone, several, standing.match.game.hidden))
