"""Proposals at a table: what is not a move, and needs the others. One side of the conversation at a table."""

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from quadrille.client.bots.names import WAYS, bot_name
from quadrille.client.claimed_names import shown_name
from quadrille.client.conversation import Parlour
from quadrille.client.floods import Kind
from quadrille.client.reports import player
from quadrille.client.table_words import few, motion_text
from quadrille.client.words.commands import Place, help_text
from quadrille.net.entry import Entry
from quadrille.net.errors import LocalError
from quadrille.net.motions import BY_OTHERS, all_of, back, flag, gone, stand_in
from quadrille.net.names import plain_name
from quadrille.net.news import Declined, Proposed
from quadrille.net.table import Table
from quadrille.net.terms import Chair
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.match import Played

if TYPE_CHECKING:
    from quadrille.client.network_table import NetworkTable

#: What can be done about a seat that is gone and has to move, once all others agree.
CHOICES: Final = help_text(Place.GONE)


class Petition:
    """What is proposed at a table now, if anything, and who has signed it."""

    def __init__(self, parlour: Parlour, table: Table, talk: "NetworkTable") -> None:
        self.parlour = parlour
        self.table = table
        self.talk = talk
        self.open: Proposed | None = None
        self._asked: set[tuple[int, int]] = (
            set()
        )  # seats that were asked about, and since when the table waits for them
        self._coming: Chair | None = None  # a bot of ours that is to stand in, and that is not here yet
        self.commands: dict[str, Callable[[str], None]] = {
            "draw": lambda _: self.propose(all_of("draw")),
            "takeback": self.take_back,
            "pause": self.pause,
            "adjourn": self.adjourn,
            "abort": lambda _: self.propose(all_of("abort")),
            "yes": self.agree,
            "no": self.decline,
            "drop": self.drop,
            "flag": self.flag,
            "stand-in": self.stand_in,
            "wait": self.wait,
            "back": self.take_back_seat,
        }

    @property
    def waits(self) -> bool:
        """Whether this person has something to answer."""
        return self.open is not None and self._is_mine_to_sign(self.open)

    def _is_mine_to_sign(self, proposed: Proposed) -> bool:
        seat = self.table.seat
        return seat in self.table.log.now.needed(proposed.motion) and seat not in proposed.signed

    # What a person wants

    def propose(self, motion: tuple[Any, ...]) -> None:
        """Propose, or agree to the same that is open."""
        if self.open and self.open.motion != motion and self.waits:
            raise RulesError(f"first answer yes or no to what is proposed: {self._text(self.open.motion)}")
        if not self.table.agree(motion, self.parlour.now()):
            raise RulesError(self._why_not(motion))
        if motion[0] == "stand-in" and self.table.accord.is_called(motion[2]):
            seat = player(motion[1], self.talk.owners)
            self.parlour.say(f"{shown_name(motion[3], motion[2])} is asked whether it plays on for {seat}.")

    def _why_not(self, motion: tuple[Any, ...]) -> str:
        """Why this person has nothing to sign now."""
        inside = self.table.log.now.seats_in()
        deciding = [seat for seat in inside if seat != motion[1]] if motion[0] in BY_OTHERS else []
        if self.table.seat in inside and (away := [seat for seat in deciding if seat in self.table.gone]):
            names = few([player(seat, self.talk.names) for seat in away])
            return f"all the others have to agree, and {names} {'is' if len(away) == 1 else 'are'} not here"
        return "there is nothing for you to propose: you have no seat in this game"

    def pause(self, _: str) -> None:
        """Propose that no clock runs until the next move."""
        if self.table.log.now.rest:
            raise RulesError("the game is paused already: it goes on with the next move")
        self.propose(all_of("pause"))

    def take_back(self, text: str) -> None:
        """Propose to take back so many moves; back to one's own last one if it isn't said."""
        if text and not (text.isascii() and text.isdigit() and 0 < int(text[:5]) < 10_000):
            raise RulesError(f"takeback takes the number of moves to take back, not {text!r}")
        self.propose(all_of("takeback", int(text) if text else self._back_to_mine()))

    def _back_to_mine(self) -> int:
        played = [entry for entry in self.table.log.now.match.entries if isinstance(entry, Played)]
        for number, entry in enumerate(reversed(played), 1):
            if entry.seat == self.table.seat:
                return number
        raise RulesError("no move of yours has been made yet")

    def agree(self, _: str) -> None:
        """Sign what is open."""
        if self.open is None or not self.waits:
            raise RulesError("nothing is proposed that you have to answer")
        self.table.agree(self.open.motion, self.parlour.now())

    def decline(self, _: str) -> None:
        """Do not agree, or take back one's own proposal."""
        if self.open is None:
            raise RulesError("nothing is proposed")
        self.table.decline()
        self.parlour.say(f"You do not agree: {self._text(self.open.motion)}.")
        self.open = None

    def drop(self, _: str) -> None:
        """Propose that the seat whose turn it is, and that is gone, is out of the game."""
        self.propose(gone(self._seat_that_is_gone()))

    @property
    def may_flag(self) -> bool:
        """Whether the time of the seat that has to act is up by this machine's clock, and the others can rule on it."""
        standing, now = self.table.log.now, self.parlour.now()
        turn, inside = standing.turn, standing.seats_in()
        others = self.table.seat in inside and turn != self.table.seat and len(inside) > 2
        return turn is not None and others and self.table.flag_fell(turn, now)

    def flag(self, _: str) -> None:
        """Propose that the seat whose turn it is has run out of time, and says nothing."""
        standing = self.table.log.now
        if standing.terms.clock is None:
            raise RulesError("no clock runs at this table")
        if standing.turn is None or standing.turn == self.table.seat:
            raise RulesError("flag is for a seat that has to move and whose time is up; yours ends by itself")
        if self.table.seat in standing.seats_in() and len(standing.seats_in()) < 3:
            raise RulesError("two can't tell whose clock is right: wait, or quit and resume another time")
        self.propose(flag(standing.turn))

    def stand_in(self, who: str) -> None:
        """Propose that a bot of ours, or somebody who is here, plays on for that seat."""
        seat = self._seat_that_is_gone()
        if not who:
            raise BadNotation(f"write stand-in and a bot ({WAYS}), or the name of somebody who is here")
        if bot := self._bot(who):
            self._coming = self._coming or self.parlour.bring(bot, self.table)
            self.parlour.say(f"{self._coming.name} comes, to play on for {player(seat, self.talk.owners)}.")
        else:
            peer = self.parlour.peer(who)
            self.propose(stand_in(seat, peer.key, plain_name(peer.name)))

    def _bot(self, text: str) -> str | None:
        """The bot that a person means by this, if it is one. Several words are somebody's name before a command."""
        try:
            if " " in text.strip():
                with suppress(LocalError):
                    self.parlour.peer(text)
                    return None
            return bot_name(text)
        except argparse.ArgumentTypeError:
            return None

    def _seat_that_is_gone(self) -> int:
        """The seat about which the others may decide; a RulesError says why there is none."""
        standing = self.table.log.now
        turn = standing.turn
        if turn is None or turn not in self.table.overdue(self.parlour.now()):
            seconds = standing.terms.grace // 1000
            raise RulesError(
                f"nobody who has to move has been gone, or kept the cards back, for more than {seconds} seconds"
            )
        if len(standing.seats_in()) < 3:
            raise RulesError("two can't tell who of them is gone: wait, or quit and resume another time")
        return turn

    def adjourn(self, _: str) -> None:
        """Propose to go on another time; with a seat that is gone nobody can propose it, and nobody need."""
        if away := [player(seat, self.talk.names) for seat in self.table.gone if seat in self.table.log.now.seats_in()]:
            verb = "is" if len(away) == 1 else "are"
            raise RulesError(f"{few(away)} {verb} not here to agree: quit keeps the table, and resume comes back to it")
        self.propose(all_of("adjourn"))

    def take_back_seat(self, _: str) -> None:
        """Play again where another plays on: it is done as soon as somebody writes an entry."""
        if self.talk.lost_seat is None:
            raise RulesError("nobody plays on for you here")
        self.propose(back(self.talk.lost_seat))

    def wait(self, _: str) -> None:
        """Go on waiting for a seat that is gone."""
        if self.open is not None:
            self.decline("")
        else:
            self.parlour.say("The table waits.")

    # What happens

    def hear(self, event: Proposed | Declined) -> None:
        """Somebody signed, or does not agree."""
        names = self.talk.names
        if isinstance(event, Declined):
            text = f"{self.talk.author(event.key)} does not agree: {self._text(event.motion)}."
            self.talk.tell(Kind.PROPOSAL, event.key, text)
            self.open = None
            return
        if event.motion[0] == "back":
            owner = self.table.log.now.chairs[event.motion[1]]
            mine = owner.key == self.parlour.lobby.identity.key
            who = "You play" if mine else f"{self.parlour.called(owner.key, owner.name)} plays"
            self.parlour.say(f"{who} again from the next move on.")
            return
        before = self.open.signed if self.open and self.open.motion == event.motion else ()
        self.open = event
        fresh = [seat for seat in event.signed if seat not in before]
        others = [player(seat, names) for seat in fresh if seat != self.table.seat]
        missing = [seat for seat in self.table.log.now.needed(event.motion) if seat not in event.signed]
        what = self._text(event.motion)
        if others:
            deed = "agree" if before else "propose"
            deed += "s" if len(others) == 1 else ""
            text = f"{few(others)} {deed}: {what}." + (" Type yes or no." if self.waits else "")
            author = next(seat for seat in fresh if seat != self.table.seat)
            self.talk.tell(Kind.PROPOSAL, self.table.log.now.keys[author], text)
        elif fresh and missing:
            asked = few([player(seat, names) for seat in missing])
            self.parlour.say(f"You {'agree' if before else 'propose'}: {what}. It needs {asked} too.")

    def clear(self, entry: Entry) -> None:
        """The log went on: what was proposed has been carried, or is void."""
        carried = entry.kind == "motion" and self.open and self.open.motion == entry.body[0]
        self.open = None
        if carried and entry.body[0][0] == "adjourn":
            self.talk.leave()

    def tick(self) -> None:
        """Go on with what was begun, and ask what to do about a seat that is gone and has to move."""
        if self._coming and self._coming.key in self.parlour.lobby.here:
            self._bot_has_come(self._coming)
        turn = self.table.log.now.turn
        if turn is None or self.table.seat is None:
            return
        if self.may_flag and turn not in self.table.gone and (turn, -self.table.began) not in self._asked:
            self._asked.add((turn, -self.table.began))
            who = player(turn, self.talk.names)
            self.parlour.say(
                f"The time of {who} is up by your clock, and it says nothing: flag puts it out of the game, once all "
                "the others agree."
            )
        if turn not in self.table.overdue(self.parlour.now()):
            return
        question = (turn, self.table.gone.get(turn, self.table.began))
        if question not in self._asked and self.table.seat in self.table.log.now.seats_in():
            self._asked.add(question)
            self._ask(turn)

    def _bot_has_come(self, chair: Chair) -> None:
        self._coming = None
        turn = self.table.log.now.turn
        if turn is None or turn not in self.table.overdue(self.parlour.now()):
            self.parlour.say(
                f"{shown_name(chair.name, chair.key)} is here, but nobody has to be stood in for any more."
            )
        else:
            motion = stand_in(turn, chair.key, chair.name)
            self.talk.attempt(lambda: self.propose(motion), "stand-in")

    def _ask(self, turn: int) -> None:
        who = player(turn, self.talk.names)
        if turn in self.table.gone:
            self.parlour.say(f"It is the turn of {who}, who is gone for longer than agreed.")
        else:
            self.parlour.say(f"{who} is here, and keeps the table waiting for longer than agreed.")
        if len(self.table.log.now.seats_in()) > 2:
            self.parlour.say(CHOICES)
        elif self.parlour.tells or self.table.log.now.match.game.hidden:
            self.parlour.say("Two can't decide about that: wait; or quit, which keeps the table for another time.")
        else:
            self.parlour.say("Two can't decide about that: wait, quit, or play on a copy against a bot (F5, Enter).")

    def _text(self, motion: tuple[Any, ...]) -> str:
        return motion_text(motion, self.talk.owners, self.table.gone)
