"""Sentences for events on the network, at a table and before one: `by_seat` for lines, `by_name` for a screen.

By seat it is "player 1 (Ann)", by name "Ann", or "you" on Ann's own screen. Sentences for notices are here and in
facts.py only; a face may leave some unsaid.
"""

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

from quadrille.client.claimed_names import chair_names
from quadrille.client.foreign import shown
from quadrille.client.reports import decision_text, player
from quadrille.client.table.network import notices
from quadrille.client.table.network.entries import cards_shown, entry_notice
from quadrille.client.table.network.floods import Kind
from quadrille.client.table.network.notices import Cause, Fact, Instead, Redeal, Seats, ShownMotion, Whereabouts, Who
from quadrille.client.table.network.reasons import Denied
from quadrille.client.table.network.stage import StageNotice
from quadrille.client.table.sight import face
from quadrille.client.words.answers import TYPED
from quadrille.client.words.commands import Place, help_text
from quadrille.client.words.network.facts import ON_SCREEN, SENTENCES
from quadrille.client.words.network.guests import entrance_text, guest_question
from quadrille.client.words.network.motions import agreed_text, carried_text, declined_text, motion_text, needs_text
from quadrille.client.words.network.refusals import refusal
from quadrille.client.words.network.terms import arbiter_text, number, seats_taken, terms_text
from quadrille.client.words.signs import cards_seen
from quadrille.client.words.story import YOU, YOUR_VERBS, few, sentence, stopped, story_after
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.standing import Standing
from quadrille.net.game_log.log import Log
from quadrille.rules.match import Adjudicated, Agreed, Left
from quadrille.rules.squares import quoted

#: The choices about a seat that is gone and has to move, if all others agree.
CHOICES: Final = help_text(Place.GONE)
#: Suppressed events; the text stands between the name and the number.
_SUMS: Final = {
    Kind.CHAT: "said {} more line{s}",
    Kind.NAME: "changed its name {} more time{s}",
    Kind.INVITATION: "sent {} more invitation{s}",
    Kind.PROPOSAL: "proposed or withdrew something {} more time{s}",
    Kind.BLAME: "sent {} more invalid message{s}",
    Kind.COMING: "came or went {} more time{s}",
}
_CAUSES: Final = {
    Cause.BEGAN_LATER: "the table begins by what its seats agreed on later",
    Cause.SIGNED_TWICE: "{} signed two entries for one place, and all peers keep the same one",
    Cause.DECIDED_TWICE: "there were two decisions about {}, and all peers keep the same one",
    Cause.DECIDED_BEFORE: "the others had decided about {} before its last move reached them",
    Cause.MOVED_BEFORE: "{} had moved before the others decided about it",
    Cause.KEPT_BY_OTHERS: "others have what stands there now, and all peers keep the same",
}

#: A placeholder for the reader in an unfinished sentence, and the reader's actions.
_OWN: Final = "\N{NULL}"
_OWN_DEED: Final = re.compile(rf"(?:\b([Tt]he) (program|time) of |( for ))?{_OWN}(,? who(?= ))?( [a-z]+)?")

_REDEALS: Final = {
    Redeal.LEFT: "took a share of the shuffle along",
    Redeal.STOOD_IN: "took a share of the shuffle along",
    Redeal.CAME_BACK: "is back, with a new share of the shuffle",
}


def by_seat(notice: StageNotice, seats: Seats) -> str:
    """A line for a notice; it may end in a list of choices."""
    called = _Called(seats, by_seat=True)
    match notice:
        case notices.Overdue(several=True):
            return f"{called.sentence(notice)}\n{CHOICES}"
    return called.sentence(notice)


def by_name(notice: StageNotice, seats: Seats, own: int | None = None) -> str:
    """A sentence for a notice, on the screen of the person at seat `own`."""
    return _to_you(_Called(seats, by_seat=False, own=own).sentence(notice))


def taken_text(entry: Entry, standing: Standing, seats: Seats) -> str:
    """The effect of an entry with this standing after it; "" for duties to the deck."""
    notice = entry_notice(entry, standing)
    return by_seat(notice, seats) if notice is not None else ""


def log_seats(log: Log) -> Seats:
    """The names of those who sat down, from a log."""
    names = chair_names(log.standings[0].chairs)
    return Seats(names, names)


def deals_text(log: Log) -> str:
    """The cards of every deal, once all books are open; "" before."""
    found = cards_shown(log)
    return by_seat(found, Seats((), ())) if found is not None else ""


def _with(names: Sequence[str], seat: int, name: str) -> tuple[str, ...]:
    return (*names[:seat], name, *names[seat + 1 :])


def _to_you(text: str) -> str:
    """A text that addresses its reader."""

    def spoken(found: re.Match[str]) -> str:
        the, thing, whom, relative, verb = (part or "" for part in found.groups())
        if the:
            return f"{'Your' if the == 'The' else 'your'} {thing}{relative}{verb}"
        if whom and not relative:
            return f"{whom}{YOU}{verb}"
        begins = not whom and (not found.start() or text[: found.start()].endswith((". ", "\n")))
        does = YOUR_VERBS.get(verb, verb.removesuffix("s"))
        return f"{whom}{YOU.capitalize() if begins else YOU}{relative}{does}"

    return _OWN_DEED.sub(spoken, text)


class _Called:
    """The names of a table in one voice, and its sentences."""

    def __init__(self, seats: Seats, *, by_seat: bool, own: int | None = None) -> None:
        self.by_seat = by_seat
        self.names, self.owners, self.room = seats.names, seats.owners, seats.room
        if own is not None:
            name = seats.owners[own]
            self.owners = _with(seats.owners, own, _OWN)
            self.names = _with(seats.names, own, f"{seats.names[own].removesuffix(name)}{_OWN}")
        if by_seat:
            self.names = tuple(player(seat, seats.names) for seat in range(len(seats.names)))
            self.owners = tuple(player(seat, seats.owners) for seat in range(len(seats.owners)))

    def card(self, label: str) -> str:
        """A card by its suit sign on a screen, which has an ASCII twin for it; by letters in a line."""
        return label if self.by_seat else face(label)

    def who(self, who: Who) -> str:
        return self.names[who] if isinstance(who, int) else who

    def few(self, seats: Sequence[int]) -> str:
        return few([self.names[seat] for seat in seats])

    def motion(self, motion: ShownMotion, *, agreed: bool) -> str:
        return (agreed_text if agreed else motion_text)(motion, self.owners)

    def sentence(self, notice: StageNotice) -> str:
        match notice:
            case Fact():
                return SENTENCES[notice]
            case notices.About():
                return self._about(notice)
            case Denied(why):
                names = [name.replace(_OWN, YOU) for name in self.names]
                return sentence(refusal(why, names, self.owners, "command" if self.by_seat else "word"))
        return self._at_table(notice) or self._proposal(notice) or self._awaited(notice) or _anywhere(notice, self.who)

    def _about(self, about: notices.About) -> str:
        sentence = SENTENCES[about.fact] if self.by_seat else ON_SCREEN.get(about.fact, SENTENCES[about.fact])
        here = about.seat is not None and about.seat < len(self.owners)
        return sentence.format(
            who=self.who(about.who),
            text=shown(about.text),
            table=number(about.table),
            room=self.room,
            chair=self.owners[about.seat] if about.seat is not None and here else "",
            player=player(about.seat or 0),
        )

    def _at_table(self, notice: StageNotice) -> str:
        """Log entries, and what others do at the table."""
        match notice:
            case notices.MovePlayed(seat, move, faces, forced, story):
                saw = f" = {' '.join(map(self.card, faces))}" if faces else ""
                saw += story_after(seat, story, self.names.__getitem__)
                return f"{self.names[seat]}: {move}{saw}{', there is no other move' if forced else ''}"
            case Left() | Agreed() | Adjudicated():
                return stopped(decision_text(notice, self.names))
            case notices.Carried(motion):
                return carried_text(motion, self.owners)
            case notices.CardsSeen():
                anew = [self.sentence(notice.anew)] if notice.anew else []
                return " ".join([*anew, *_cards_seen(notice, self.card)])
            case notices.DealtAnew(seat, why):
                return f"{self.owners[seat]} {_REDEALS[why]}, so the hidden cards are dealt anew."
            case notices.Replaced():
                return self._replaced(notice)
            case notices.LineSaid(who, line, own):
                return f"{'you' if own else self.who(who)}: {shown(line)}"
            case notices.CardsShown(deals):
                return "\n".join(
                    f"The cards of {pile}{', dealt anew' if again else ''}, from the top: "
                    + " ".join(map(self.card, cards))
                    for pile, again, cards in deals
                )
            case notices.TableStopped():
                return self._stopped(notice)
        return ""

    def _replaced(self, replaced: notices.Replaced) -> str:
        """Entries that were read and then replaced."""
        about = "a seat" if replaced.seat is None else self.owners[replaced.seat]
        why = _CAUSES[replaced.cause].format(about)
        match replaced.what:
            case Instead.END_TO_GO_ON:
                return f"The game, which was over, goes on: {why}."
            case Instead.END:
                return f"The end of the game was replaced: {why}."
        count = "An entry was" if replaced.count == 1 else f"{replaced.count} entries were"
        return f"{count} replaced: {why}."

    def _stopped(self, stopped: notices.TableStopped) -> str:
        told = f"The table has stopped: {shown(stopped.why)}."
        if stopped.own:
            return f"{told} End one of the two; quadrille resume {number(stopped.table)}{self.room} comes back here."
        if stopped.who == "":
            return told
        proof = "and the proof is kept. save FILE keeps the log up to there."
        return f"{told} That was {self.who(stopped.who)}, {proof}"

    def _proposal(self, notice: StageNotice) -> str:
        """Proposals, answers and questions."""
        match notice:
            case notices.ProposalTold(motion, seats, again, answers):
                deed = ("agree" if again else "propose") + ("s" if len(seats) == 1 else "")
                asks = f" {TYPED}" if answers else ""
                return f"{self.few(seats)} {deed} {self.motion(motion, agreed=again)}.{asks}"
            case notices.ProposedHere(motion, missing, again):
                deed = "agree" if again else "propose"
                return f"You {deed} {self.motion(motion, agreed=again)}. {needs_text(self.few(missing))}"
            case notices.DeclineTold(motion, who):
                return f"{declined_text(motion, self.owners, '' if who is None else self.who(who))}."
            case notices.Overdue():
                return self._overdue(notice)
        return ""

    def _awaited(self, notice: StageNotice) -> str:
        """Tables that wait for this person and are not open here."""
        if not isinstance(notice, notices.AwaitedAt):
            return ""
        who, table = notice.who, number(notice.table)
        if notice.place is Whereabouts.LOBBY:
            which = "that asks you to play" if notice.owner else "that you left"
            return f"{who} waits for you at a table {which}: choose it in the list."
        why = f", where you are asked to play for {notice.owner}" if notice.owner else ""
        return f"{who} waits for you at table {table}{why}: quadrille resume {table}{self.room}"

    def _overdue(self, overdue: notices.Overdue) -> str:
        who = self.names[overdue.seat]
        what = f"{who} has been away for longer than agreed."
        if overdue.here:
            what = f"{who} is here, but has kept the table waiting for longer than agreed."
        if overdue.several:
            return what
        ways = "wait, or quit and resume another time"
        if not (self.by_seat or overdue.hidden):
            ways = "wait, quit and resume another time, or continue a copy against a bot (F5, Enter)"
        return f"{what}\nWith only two players nobody can take over: {ways}."


def _cards_seen(seen: notices.CardsSeen, written: Callable[[str], str]) -> list[str]:
    """Sentences about the cards that a person sees, and about those in their places before."""
    faces, before = ([written(one) for one in row] for row in (seen.faces, seen.before))
    fresh = [now for now, then in zip_longest(faces, before, fillvalue="") if not then]
    changed = [(then, now) for then, now in zip(before, faces, strict=False) if then]
    told = [cards_seen(fresh)] if fresh else []
    if changed:
        olds, news = (few(row) for row in zip(*changed, strict=True))
        told.append(f"You had seen {olds} there; now {'they are' if changed[1:] else 'it is'} {news}.")
    return told


def _anywhere(notice: StageNotice, called: Callable[[Who], str]) -> str:
    """Notices at any place, and before a game."""
    match notice:
        case notices.Untold(kind, count, who):
            deed = _SUMS[kind].format(count, s="" if count == 1 else "s")
            return f"{who} {deed} (block {who} to hear no more)." if who else f"Others {deed}."
        case notices.Invitation(who, table, terms, place):
            return f"{called(who)} invites you to {_invited_to(table, terms_text(terms), place)}."
        case notices.AskedToPlayOn(who, table, seat, terms):
            at = f"a table of {terms_text(terms)} (table {number(table)})"
            return f"{who} asks you to play for {player(seat)} at {at}. Type play-on {number(table)} to agree."
        case notices.LineSaid(who, line, own):
            return f"{'you' if own else who}: {shown(line)}"
        case notices.ChairChanged(who, sits, taken, seats):
            return f"{who} {'sits down' if sits else 'has left'}: {seats_taken(taken, seats)}."
        case notices.Present():
            return _present(notice)
        case notices.GuestAsks():
            return guest_question(notice)
        case notices.GuestEntrance():
            return entrance_text(notice)
        case notices.TablesFound(_, unplayable):
            return "\n".join(["Which table? Type its number.", *unplayable_lines(unplayable)])
        case notices.NoTable():
            return _no_table(notice)
        case notices.ArbiterShown(arbiter, refused):
            if refused:
                return f"{arbiter_text(arbiter)}. Nobody has told you of it, so there is no seat for you."
            return f"{arbiter_text(arbiter)}. Type yes to sit down anyway, or no."
    return ""


def _invited_to(table: bytes, terms: str, place: Whereabouts) -> str:
    match place:
        case Whereabouts.LOBBY:
            return f"a table: type join {table.hex()[:4]}, or choose it in the list"
        case Whereabouts.ROOM:
            return f"table {number(table)}: {terms}"
        case Whereabouts.TABLE:
            return f"table {number(table)}"


def _present(present: notices.Present) -> str:
    sitting = [name or "you" for name in present.sitting]
    count = seats_taken(present.taken, present.seats)
    lines = [f"At this table: {few(sitting) if sitting else 'nobody'}; {count}."]
    if present.others or not present.missing:
        lines.append(f"Also on the network: {few(present.others) if present.others else 'nobody'}.")
    return "\n".join([*lines, *present.missing])


def _no_table(none: notices.NoTable) -> str:
    what = f"no table {quoted(none.wanted)}" if none.wanted else "no table"
    if none.address:
        what = f"no table at {shown(none.address)}"
    waits = f"There is {what} yet. Waiting for one."
    if none.silent:
        waits = f"Nobody answers at {shown(none.address)} yet. Waiting for an answer."
    there = few([f"{number(one.table)} ({one.host})" for one in none.others])
    state = f" There is {there}." if none.others else ""
    doctor = " quadrille doctor tells what may be in the way." if none.unexplained else ""
    return "\n".join([f"{waits}{state}{doctor}", *unplayable_lines(none.unplayable)])


def listed_line(place: int, found: notices.FoundTable) -> str:
    """A table in a numbered list."""
    taken = f"{found.taken} of {found.terms.seats} seats taken"
    return f"  {place}. {number(found.table)}  {found.host}: {terms_text(found.terms)}; {taken}"


def unplayable_lines(tables: Sequence[notices.UnplayableTable]) -> list[str]:
    """The tables of others that can't be played here, a line each; usually none."""
    return [f"Table {number(one.table)} of {shown(one.host)} can't be played here: {shown(one.why)}." for one in tables]
