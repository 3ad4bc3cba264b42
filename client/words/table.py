"""Notices in words, of any table and of the way to one: `by_seat` for lines, `by_name` for a screen.

Each notice finds its row of sentences.py and what fills it in; a face may leave some unsaid.
"""

import errno
import shlex
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import zip_longest
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.house import is_of_house
from quadrille.client.bots.names import called, kind_of
from quadrille.client.foreign import shown
from quadrille.client.table import notices
from quadrille.client.table.notices import About, BotStopped, Fact, Notice, Refused, Seats, ShownMotion, Why
from quadrille.client.words.commands import Place, help_text, misread, word_of
from quadrille.client.words.phones import entrance_text
from quadrille.client.words.reasons import reason_text
from quadrille.client.words.sentences import Key, Several, Voice, line
from quadrille.client.words.signs import face
from quadrille.client.words.story import YOU, few, move_text, sentence, stopped
from quadrille.client.words.story import by_name as named
from quadrille.client.words.terms import number, seats_taken, terms_text
from quadrille.client.words.thoughts import thought_text
from quadrille.net.core.spans import clock_text
from quadrille.net.entries.terms import Terms
from quadrille.rules.core import Viewer
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.errors import BadNotation
from quadrille.rules.match import Adjudicated, Agreed, Left, Match
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.client.table.stage import NetworkStage

#: The choices about a bot that does not move, and about a seat that is gone and has to move, as lists.
LISTED_BOT_CHOICES: Final = help_text(Place.BOT_STUCK)
CHOICES: Final = help_text(Place.GONE)


def by_seat(notice: Notice, seats: Seats) -> str:
    """Return the line for a notice, "" for none; it may end in a list of choices."""
    return _said(notice, Voice(seats, lines=True))


def by_name(notice: Notice, seats: Seats, own: int | None = None) -> str:
    """Return the sentence for a notice, on the screen of the person at seat `own`."""
    return _said(notice, Voice(seats, lines=False, own=own))


def entry_text(match: Match, number: int, viewer: Viewer, names: Sequence[str] = ()) -> str:
    """Return the line for an entry of a match, with the cards that the viewer saw; some names may be unknown."""
    from quadrille.client.table.entries import entry_told  # imported here: it knows logs, which a first screen need not

    return by_seat(entry_told(match, number, viewer), Seats.of(names or ("",) * match.state.seats))


def move_lines(match: Match, number: int, viewer: Viewer, names: Sequence[str], thoughts: Thoughts) -> str:
    """Return the line for an entry with the number of its move, and below it the thought behind it."""
    text = f"{match.before(number + 1).ply}. {entry_text(match, number, viewer, names)}"
    thought = thoughts.by_entry.get(number)
    return text if thought is None else f"{text}\n   {thought_text(thought, match.state.seats)}"


def lines_of(stage: "NetworkStage", notice: Notice, wish: object = None) -> list[str]:
    """Return the sentences of a notice on a screen, perhaps after a wish; none for a move, which the board shows."""
    table = stage.at_table
    match notice:
        case notices.MoveMade(seat, forced=False, number=number) if table is not None:
            drawn, public = (table.match.seen(number, who) for who in (seat, None))
            cards = few([face(str(card)) for card in drawn])
            return [line("turned" if public else "seen", cards=cards)] if drawn and seat in table.people else []
        case notices.Overdue(several=True) | About(Fact.BOT_SLOW | Fact.CLOCK_LOW | Fact.WANTS_REMATCH) | BotStopped():
            return []  # the concern of this person, as long as it is so
        case Left() | Agreed() | notices.Carried(ShownMotion("draw")) if table is not None and table.match.over:
            return []  # the end of the game says so
        case Left(seat) if table is not None and table.is_out and seat in table.people:
            return []  # said as long as the others play on
    text = by_name(notice, stage.seats, table.reader if table is not None else None)
    types = isinstance(notice, Refused) and is_misread(notice.why) and not stage.seats.by_touch
    if types and (typed := word_of(wish)):
        text = misread(text, typed, ())  # a screen knows its own words, and has looked for a slip among them
    return [part for part in text.split("\n") if part]


def refusal(refused: Refused, voice: Voice) -> str:
    """Return why a wish is refused, without a full stop."""
    match refused.why:
        case OSError() as error:
            return file_trouble(error)
        case Exception() as error:
            return named(str(error), voice.names.__getitem__)
        case why:
            return voice.fill(why, _values(SimpleNamespace(**refused.about), voice))


def is_misread(why: Why | Exception) -> bool:
    """Return whether a line was misread, so that a suggestion helps."""
    return isinstance(why, BadNotation) or why in notices.MISREAD


def who_plays(names: Sequence[str], bots: Sequence[str]) -> str:
    """Say who sits where: `Player 1 is you and 2 is Ben (level 3).`, `Players 1 (Ann) and 2 are at this keyboard.`"""
    parts, people = [], []
    for seat, (name, bot) in enumerate(zip(names, bots, strict=True)):
        if bot:
            parts.append(f"{seat + 1} is {name}" + (f" ({kind})" if (kind := kind_of(bot)) else ""))
        elif bots.count("") == 1:
            parts.append(f"{seat + 1} is you")
        else:
            people.append(f"{seat + 1} ({name})" if name else f"{seat + 1}")
    return sentence(
        f"players {few([f'{few(people)} are at this keyboard', *parts])}" if people else f"player {few(parts)}"
    )


# Notices


def _said(notice: Notice, voice: Voice) -> str:
    match notice:
        case Refused():
            return sentence(refusal(notice, voice))
        case notices.GuestEntrance():
            return entrance_text(notice)
        case notices.EveningTold(lines):
            return "\n".join(map(shown, lines))
        case notices.Carried(motion):
            return motion_text(motion, voice, "carried")
        case notices.CardsSeen():
            return " ".join(_seen(notice, voice))
        case notices.CardsShown(deals):
            rows = [(pile, again, " ".join(voice.cards(cards))) for pile, again, cards in deals]
            return "\n".join(voice.say("pile", pile=pile, again=again, cards=cards) for pile, again, cards in rows)
    text = voice.fill(_row(notice), _values(notice, voice))
    match notice:
        case Adjudicated():
            return stopped(text.removesuffix("."))
        case notices.Present(others=others, missing=missing):
            also = [voice.fill("present.others", _values(notice, voice))] if others or not missing else []
            return "\n".join([text, *also, *missing])
        case notices.TablesFound(tables, unplayable):  # a screen has them in its list
            found = [voice.fill(notices.FoundTable, _values(table, voice)) for table in tables if voice.lines]
            listed = [f"  {place}. {row}" for place, row in enumerate(found, 1)]
            return "\n".join([text, *listed, *unplayable_lines(unplayable)])
        case notices.NoTable(unplayable=unplayable):
            return "\n".join([text, *unplayable_lines(unplayable)])
    return text


def _row(notice: Notice) -> Key:
    """Return the row of a notice: mostly that of its class."""
    match notice:
        case Fact() as fact:
            return fact
        case About(fact):
            return fact
        case notices.MoveMade(forced=True):
            return "forced"
        case notices.SeatsTaken(()):
            return "people"
        case notices.DeclineTold(motion) if motion.kind in _THINGS:
            return "declines"
        case notices.NoTable(silent=True):
            return "silent"
        case notices.NoTable(watches=True):
            return "unbegun"
        case notices.Overdue(several=True):
            return "overdue"
    return type(notice)


def _values(notice: Any, voice: Voice) -> Callable[[str], object]:
    """Return how the fields of a notice, and what follows from them, are said."""

    def value(name: str) -> object:
        if name in _FROM_SEVERAL:
            return _FROM_SEVERAL[name](notice, voice)
        given = getattr(notice, name, None)
        match given:
            case Enum():
                return voice.fill(given, value)
            case tuple():
                return Several.of(voice.who(seat_given) for seat_given in given)
            case str():
                return shown(given)
            case ShownMotion():
                return motion_text(given, voice, "agreed" if getattr(notice, "again", False) else "motion")
            case Terms():
                return terms_text(given)
            case bytes():
                return number(given)
        return voice.who(given) if name in ("seat", "who") and isinstance(given, int) else given

    return value


def _chair(notice: Any, voice: Voice) -> str:
    """Return who sat down at the seat that a notice is about."""
    if notice.seat is None:
        return "a seat"
    return voice.owners[notice.seat] if notice.seat < len(voice.owners) else ""


def _place(notice: notices.NoTable, _: Voice) -> str:
    if notice.address:
        return f" at {shown(notice.address)}"
    return f" {quoted(notice.wanted)}" if notice.wanted else ""


def _made(notice: notices.MoveMade, voice: Voice) -> str:
    faces = voice.cards(notice.faces)
    return move_text(notice.seat, notice.move, faces, notice.story, voice.names.__getitem__)


def _deed(notice: Left | notices.ProposalTold, voice: Voice) -> str:
    if isinstance(notice, Left):
        return voice.left(notice.seat, notice.how)
    return voice.fill("deed.agrees" if notice.again else "deed.proposes", _values(notice, voice))


def _more(notice: BotStopped, _: Voice) -> str:
    check = f" (quadrille bot check {shlex.quote(notice.bot)} finds out more)"
    return check if notice.bot and not is_of_house(notice.bot) else ""


def _then(notice: notices.Missing, voice: Voice) -> str:
    """Return how a table goes on without the seats that are gone."""
    return voice.fill(("soon" if notice.left > 0 else "now") if notice.several else "alone", _values(notice, voice))


#: The gaps that no single field fills, or not as others of its type.
_FROM_SEVERAL: Final[dict[str, Callable[[Any, Voice], object]]] = {
    "bot": lambda notice, _: called(notice.bot),
    "bots": lambda notice, _: Several.of(map(called, notice.bots)),
    "chair": _chair,
    "chairs": lambda notice, _: seats_taken(notice.taken, notice.seats),
    "choices": lambda notice, _: CHOICES if isinstance(notice, notices.Overdue) else LISTED_BOT_CHOICES,
    "declined": lambda notice, voice: motion_text(notice.motion, voice, "declined"),
    "deed": _deed,
    "doctor": lambda notice, voice: voice.say(
        "doctor", unexplained=notice.unexplained, room=voice.say("another room") if voice.room else ""
    ),
    "elsewhere": lambda notice, voice: few(notice.others) or voice.say("nobody"),
    "here": lambda notice, _: ", ".join(notice.here),
    "late": lambda notice, voice: voice.say("late", is_here=notice.is_here),
    "left": lambda notice, _: clock_text(notice.left + 999),
    "made": _made,
    "more": _more,
    "place": _place,
    "quoted": lambda notice, _: quoted(notice.text),
    "reason": lambda notice, voice: "" if notice.reason is None else reason_text(notice.reason, voice.names),
    "room": lambda _, voice: voice.room,
    "sentence": lambda notice, _: sentence(notice.text),
    "several": lambda notice, _: ", ".join(f"{name} ({digits})" for name, digits in notice.found),
    "short": lambda notice, _: notice.table.hex()[:4],
    "sitting": lambda notice, voice: few([name or YOU for name in notice.sitting]) or voice.say("nobody"),
    "then": _then,
    "there": lambda notice, _: few([f"{number(table.table)} ({table.host})" for table in notice.others]),
    "thing": lambda _, voice: "command" if voice.lines else "word",
    "ways": lambda notice, voice: voice.say("ways", hidden=notice.hidden),
    "word": lambda notice, _: quoted(word_of(notice.wish)),
}


def _seen(seen: notices.CardsSeen, voice: Voice) -> list[str]:
    """Tell of the cards that a person sees, and of those in their places before."""
    sentences = [_said(seen.anew, voice)] if seen.anew else []
    faces, before = voice.cards(seen.faces), voice.cards(seen.before)
    if fresh := [now for now, then in zip_longest(faces, before, fillvalue="") if not then]:
        sentences.append(voice.say("seen", cards=few(fresh)))
    if changed := [(then, now) for then, now in zip(before, faces, strict=False) if then]:
        olds, news = (Several.of(row) for row in zip(*changed, strict=True))
        sentences.append(voice.say("seen.anew", before=olds, cards=news))
    return sentences


#: The motions that propose a thing, not a deed.
_THINGS: Final = ("draw", "pause")


def motion_text(motion: ShownMotion, voice: Voice, form: str) -> str:
    """Return a motion's aim, after "proposes", or in another form: after "agrees", declined, carried."""
    chair = "" if motion.kind in (*_THINGS, "takeback") else voice.owner(motion.number, motion.former)
    waits = voice.say("waits.away" if motion.is_away else "waits", chair=chair)
    if form == "agreed" and motion.kind not in _THINGS:
        form = "motion"
    who = {"chair": chair, "name": shown(motion.name), "alike": motion.alike}
    return voice.say(f"{form}.{motion.kind}", number=motion.number, waits=waits, **who)


def unplayable_lines(tables: Sequence[notices.FoundTable]) -> list[str]:
    """Return the tables of others that can't be played here, a line each; usually none."""
    voice = Voice(Seats((), ()), lines=True)
    return [voice.fill("unplayable", _values(table, voice)) for table in tables]


def file_trouble(error: OSError) -> str:
    """Say why a file failed, without a full stop; the reason first, because a path may be longer than the line."""
    path = str(error.filename or "the file")
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR if error.filename in (None, "."):
            return "the folder that you are in is gone"
        case errno.ENOENT:
            return f"there is no file {path}"
        case errno.ENOTDIR:
            return f"there is no folder {path}"
        case errno.EACCES | errno.EPERM:
            return f"your account may not use {path}"
        case errno.EROFS:
            return f"it is read-only: {path}"
        case errno.ENOSPC:
            return f"the disk is full: {path}"
    return f"{error.strerror or error}: {path}"
