"""Sentences for what happens at a table on the network: `by_seat` for lines, `by_name` for a screen.

By seat it is "player 1 (Ann)", by name "Ann". A sentence about a notice stands here or in room.py alone; what a face
leaves unsaid is the face's.
"""

from collections.abc import Sequence
from typing import Final

from quadrille.client.claimed_names import shown_name
from quadrille.client.foreign import shown
from quadrille.client.reports import player
from quadrille.client.table.clocks import clock_text
from quadrille.client.table.network import notices
from quadrille.client.table.network.entries import cards_shown, entry_notice
from quadrille.client.table.network.floods import Kind
from quadrille.client.table.network.notices import (
    Cause,
    Fact,
    Instead,
    PersonalNews,
    Seats,
    ShownMotion,
    Whereabouts,
    Who,
)
from quadrille.client.table.network.reasons import Denied
from quadrille.client.table.network.stage import StageNotice
from quadrille.client.words.commands import Place, help_text
from quadrille.client.words.network.motions import carried_text, motion_text
from quadrille.client.words.network.refusals import refusal
from quadrille.client.words.network.room import room_sentence
from quadrille.client.words.network.terms import few, number, terms_text
from quadrille.net.doubts import LAG
from quadrille.net.entry import Entry
from quadrille.net.log import Log
from quadrille.net.standing import Standing
from quadrille.rules.match import WAYS_OUT

#: What can be done about a seat that is gone and has to move, once all others agree.
CHOICES: Final = help_text(Place.GONE)
#: What somebody did too often; the sentence stands between the name and the number.
_SUMS: Final = {
    Kind.CHAT: "said {} more line{s}",
    Kind.NAME: "changed its name {} more time{s}",
    Kind.INVITATION: "sent {} more invitation{s}",
    Kind.PROPOSAL: "proposed or withdrew something {} more time{s}",
    Kind.BLAME: "sent {} more message{s} that can't stand",
    Kind.COMING: "came or went {} more time{s}",
}
_FACTS: Final = {
    Fact.GAME_BEGAN: "The game begins.",
    Fact.SHUFFLED: "The cards are shuffled.",
    Fact.TABLE_WAITS: "The table waits.",
    Fact.RESIGNING: "You resign: it is done with the next move of another.",
    Fact.STEPPED_ASIDE: "Your table is kept open: pick it in the list to go back.",
    Fact.PLAYING_AGAIN: "You play again from the next move on.",
    Fact.SEAT_GIVEN: "You have a seat. The game begins when all seats are taken.",
    Fact.NOT_SEATED: "You do not sit down there.",
}
_DEEDS: Final = {
    PersonalNews.MAY_WATCH: "{} is invited to look on.",
    PersonalNews.INVITED: "{} is invited.",
    PersonalNews.BLOCKED: "{} is blocked: you hear nothing more of it.",
    PersonalNews.MUTED: "You hear no more words of {} here. The game goes on: its moves still count.",
    PersonalNews.STANDS_IN_IDLE: "{} is here, but nobody has to be stood in for any more.",
    PersonalNews.PLAYS_FOR_YOU: "{} plays on for you: type back to take your seat again.",
    PersonalNews.PLAYS_AGAIN: "{} plays again from the next move on.",
    PersonalNews.ARRIVED: "{} is on the network.",
}
_CAUSES: Final = {
    Cause.BEGAN_LATER: "the table begins by what its seats agreed on later",
    Cause.SIGNED_TWICE: "{} signed two entries for one place, and all peers keep the same one",
    Cause.DECIDED_TWICE: "there were two decisions about {}, and all peers keep the same one",
    Cause.DECIDED_BEFORE: "the others had decided about {} before its last move reached them",
    Cause.MOVED_BEFORE: "{} had moved before the others decided about it",
    Cause.KEPT_BY_OTHERS: "others have what stands there now, and all peers keep the same",
}


def by_seat(notice: StageNotice, seats: Seats) -> str:
    """A line about a notice, for lines; it may end in a list of what can be done."""
    called = _Called(seats, by_seat=True)
    match notice:
        case notices.Overdue(several=True):
            return f"{called.sentence(notice)}\n{CHOICES}"
    return called.sentence(notice)


def by_name(notice: StageNotice, seats: Seats) -> str:
    """A sentence about a notice, for a screen, whose keys it knows."""
    return _Called(seats, by_seat=False).sentence(notice)


def taken_text(entry: Entry, standing: Standing, seats: Seats) -> str:
    """What an entry did that led to this standing; "" for what a program gives for the cards."""
    notice = entry_notice(entry, standing)
    return by_seat(notice, seats) if notice is not None else ""


def log_seats(log: Log) -> Seats:
    """The names in a log of those who sat down."""
    names = tuple(shown_name(chair.name, chair.key) for chair in log.standings[0].chairs)
    return Seats(names, names)


def deals_text(log: Log) -> str:
    """The cards of every deal, once all books are open; nothing before."""
    found = cards_shown(log)
    return by_seat(found, Seats((), ())) if found is not None else ""


class _Called:
    """The names of a table in one voice, and the sentences in which they stand."""

    def __init__(self, seats: Seats, *, by_seat: bool) -> None:
        self.by_seat = by_seat
        self.names, self.owners = seats.names, seats.owners
        if by_seat:
            self.names = tuple(player(seat, seats.names) for seat in range(len(seats.names)))
            self.owners = tuple(player(seat, seats.owners) for seat in range(len(seats.owners)))

    def who(self, who: Who) -> str:
        """Somebody, with or without a seat."""
        return self.names[who] if isinstance(who, int) else who

    def few(self, seats: Sequence[int]) -> str:
        """Several seats."""
        return few([self.names[seat] for seat in seats])

    def motion(self, motion: ShownMotion) -> str:
        """What a motion asks for."""
        return motion_text(motion, self.owners)

    def sentence(self, notice: StageNotice) -> str:
        """All notices, each by those it belongs with."""
        match notice:
            case Denied(why):
                text = refusal(why, self.names, self.owners, "command" if self.by_seat else "word")
                return text if self.by_seat else text.partition("\n")[0]
            case Fact():
                return _FACTS[notice]
            case notices.About(who, deed):
                return _DEEDS[deed].format(who)
        return self._entry(notice) or self._deed(notice) or self._proposal(notice) or self._own(notice)

    def _entry(self, notice: StageNotice) -> str:
        """What an entry of the log did."""
        match notice:
            case notices.MovePlayed(seat, move, faces, forced):
                saw = f" = {' '.join(faces)}" if faces else ""
                return f"{self.names[seat]}: {move}{saw}{', there is no other move' if forced else ''}"
            case notices.OutOfGame(seat, how):
                return f"{self.names[seat]} {WAYS_OUT[how]}"
            case notices.Carried(motion):
                return carried_text(motion, self.owners)
            case notices.GameEnded(why):
                return f"the table has decided: {shown(why)}" if why else "a draw is agreed"
            case notices.CardsSeen(faces):
                return f"You see {few(faces)}."
            case notices.Replaced():
                return self._replaced(notice)
        return ""

    def _replaced(self, replaced: notices.Replaced) -> str:
        """Entries that were read were replaced by others."""
        about = "a seat" if replaced.seat is None else self.owners[replaced.seat]
        why = _CAUSES[replaced.cause].format(about)
        match replaced.what:
            case Instead.END_TO_GO_ON:
                return f"The game, which was over, goes on: {why}."
            case Instead.END:
                return f"The end of the game was replaced: {why}."
        count = "An entry was" if replaced.count == 1 else f"{replaced.count} entries were"
        return f"{count} replaced: {why}."

    def _deed(self, notice: StageNotice) -> str:
        """What somebody did at the table."""
        match notice:
            case notices.LineSaid(who, line, own):
                return f"{'you' if own else self.who(who)}: {shown(line)}"
            case notices.SeatGone(seat):
                return f"{self.names[seat]} is gone. The table waits."
            case notices.SeatBack(seat):
                return f"{self.names[seat]} is back."
            case notices.BookOpened(seat):
                return f"{self.names[seat]} opens its book."
            case notices.CardsShown(deals):
                return "\n".join(
                    f"The cards of {pile}{', dealt anew' if again else ''}, from the top: {' '.join(cards)}"
                    for pile, again, cards in deals
                )
            case notices.TurnElsewhere(table):
                way = f"quadrille resume {number(table)} goes there" if self.by_seat else "quit leads to the lobby"
                return f"It is your turn at another table: {way}."
        return self._wrong(notice)

    def _wrong(self, notice: StageNotice) -> str:
        """What somebody did wrong, or may have."""
        match notice:
            case notices.TableStopped(why, who, own, table):
                told = f"The table has stopped: {shown(why)}."
                if own:
                    return f"{told} End one of the two; quadrille resume {number(table)} comes back here."
                if who == "":
                    return told
                proof = "and the proof is kept. save FILE keeps the log up to there."
                return f"{told} That was {self.who(who)}, {proof}"
            case notices.ConvictionTold(who, entries):
                two = "signed two different entries for one place"
                did = two if entries > 1 else "signed a position that can't be right"
                return f"The program of {self.who(who)} {did}: it is out of the game, and the proof is kept."
            case notices.BlameTold(who, why, kept):
                proof = " What it signed is kept, as the proof." if kept else ""
                return f"{self.who(who)} sent what can't stand, and nothing has changed: {shown(why)}.{proof}"
            case notices.DoubtTold(seat, said, measured, total):
                text = f"says it used {clock_text(said)}, and it was {clock_text(measured)} here"
                sum = f" That makes {total / 1000:.1f} s in this game so far." if total else ""
                return f"Note: {self.names[seat]} {text}.{sum}"
            case notices.Understated(totals):
                return "\n".join(
                    f"By your clock {self.names[seat]} took {total / 1000:.1f} s more than it stated."
                    for seat, total in totals
                    if total >= LAG
                )
        return ""

    def _proposal(self, notice: StageNotice) -> str:
        """What is proposed, answered or asked."""
        match notice:
            case notices.ProposalTold(motion, seats, again, answers):
                deed = ("agree" if again else "propose") + ("s" if len(seats) == 1 else "")
                asks = " Type yes or no." if answers else ""
                return f"{self.few(seats)} {deed}: {self.motion(motion)}.{asks}"
            case notices.ProposedHere(motion, missing, again):
                deed = "agree" if again else "propose"
                return f"You {deed}: {self.motion(motion)}. It needs {self.few(missing)} too."
            case notices.DeclineTold(motion, who):
                return f"{self.who(who)} does not agree: {self.motion(motion)}."
            case notices.DeclinedHere(motion):
                return f"You do not agree: {self.motion(motion)}."
            case notices.StandInAsked(who, seat):
                return f"{who} is asked whether it plays on for {self.owners[seat]}."
            case notices.StandInComes(who, seat):
                return f"{who} comes, to play on for {self.owners[seat]}."
            case notices.ClockLow(seat):
                out = "flag puts it out of the game, once all the others agree"
                return f"The time of {self.names[seat]} is up by your clock, and it says nothing: {out}."
            case notices.Overdue():
                return self._overdue(notice)
        return ""

    def _overdue(self, overdue: notices.Overdue) -> str:
        who = self.names[overdue.seat]
        what = f"It is the turn of {who}, who is gone for longer than agreed."
        if overdue.here:
            what = f"{who} is here, and keeps the table waiting for longer than agreed."
        if overdue.several:
            return what
        if self.by_seat or overdue.hidden:
            return f"{what}\nTwo can't decide about that: wait; or quit, which keeps the table for another time."
        return f"{what}\nTwo can't decide about that: wait, quit, or play on a copy against a bot (F5, Enter)."

    def _own(self, notice: StageNotice) -> str:
        """What this person did, or is told wherever it is."""
        match notice:
            case notices.LogKept(path):
                return f"kept in {path}; quadrille verify checks it"
            case notices.TableKept(table):
                return f"The table is kept: quadrille resume {number(table)} comes back to it."
            case notices.PlaysOnElsewhere(table):
                where = "leads there" if self.by_seat else "leads to the lobby, where it is in the list"
                return f"You play on at table {number(table)} from now on: quit {where}."
            case notices.RematchWanted(who):
                return f"{self.who(who)} wants a rematch: type rematch to sit down, quit to go."
        return self._anywhere(notice) or room_sentence(notice)

    def _anywhere(self, notice: StageNotice) -> str:
        match notice:
            case notices.Remarked(text):
                return f"Note: {text}."
            case notices.Untold(kind, count, who):
                deed = _SUMS[kind].format(count, s="" if count == 1 else "s")
                return f"{who} {deed} (block {who} to hear no more)." if who else f"Others {deed}."
            case notices.Invitation(who, table, terms, place):
                return f"{self.who(who)} invites you to {_invited_to(table, terms_text(terms), place)}."
            case notices.AwaitedAt():
                return _awaited(notice)
            case notices.AskedToPlayOn(who, table, seat, terms):
                at = f"a table of {terms_text(terms)} (table {number(table)})"
                return f"{who} asks you to play on for player {seat + 1} at {at}: type play-on {number(table)}"
            case notices.AgreedToPlayOn(table, seat):
                once = "once its seats have decided it"
                return f"You play on for player {seat + 1} at table {number(table)}, {once}."
        return ""


def _invited_to(table: bytes, terms: str, place: Whereabouts) -> str:
    match place:
        case Whereabouts.LOBBY:
            return f"a table: type join {table.hex()[:4]}, or pick it in the list"
        case Whereabouts.ROOM:
            return f"table {number(table)}: {terms}"
        case Whereabouts.TABLE:
            return f"table {number(table)}"


def _awaited(awaited: notices.AwaitedAt) -> str:
    who, table = awaited.who, number(awaited.table)
    if awaited.place is Whereabouts.LOBBY:
        which = "that asks you to play on" if awaited.owner else "that you left"
        return f"{who} waits for you at a table {which}: pick it in the list."
    why = f", where you are asked to play on for {awaited.owner}" if awaited.owner else ""
    if awaited.owner and awaited.count > 1:
        why += f" ({awaited.count} tables ask you that)"
    return f"{who} waits for you at table {table}{why}: quadrille resume {table}"
