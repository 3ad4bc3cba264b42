"""Sentences for refusals on the network, without a full stop."""

from collections.abc import Sequence
from typing import Final

from quadrille.client.bots.names import WAYS
from quadrille.client.table.network import reasons
from quadrille.client.table.network.reasons import MISREAD, Denial, Reason
from quadrille.client.words.files import file_trouble
from quadrille.client.words.network.motions import motion_text
from quadrille.client.words.network.terms import arbiter_text, number, seats_taken
from quadrille.client.words.network.wished import word_of
from quadrille.client.words.story import by_name, few
from quadrille.rules.errors import BadNotation
from quadrille.rules.squares import quoted

DENIALS: Final = {
    Denial.NO_SEAT_TO_RESIGN: "you have no seat to resign from",
    Denial.NO_PROPOSAL: "there is nothing for you to propose: you have no seat in this game",
    Denial.OUT: "you are out of this game, and the others play on: quit leaves",
    Denial.NO_HIDDEN_CARDS: "this game has no hidden cards",
    Denial.BOOK_LATER: "a player opens the book when the game is over",
    Denial.BAD_LINE: "write say and a line of at most 500 printable characters",
    Denial.REMATCH_LATER: "a rematch follows the end of a game",
    Denial.ONLY_LOOKED_ON: "you were only watching: quadrille host opens a table of your own",
    Denial.OVER: "the game is over: rematch, save FILE or quit",
    Denial.PAUSED_ALREADY: "the game is paused already: the next move continues it",
    Denial.NO_MOVE_YET: "no move of yours has been made yet",
    Denial.NOTHING_TO_ANSWER: "no proposal awaits your answer",
    Denial.NOTHING_PROPOSED: "nobody has proposed anything",
    Denial.NO_CLOCK: "no clock runs at this table",
    Denial.OWN_CLOCK: "flag is for another player who has to move and whose time is up; your own time ends by itself",
    Denial.WHOSE_CLOCK: "with two players, neither can prove whose clock is right: wait, or resume another time",
    Denial.WHO_IS_GONE: "with two players, neither can prove who is missing: wait, or resume another time",
    Denial.NOBODY_PLAYS_FOR_YOU: "nobody plays for you here",
    Denial.NAME_MISSING: "a name is missing",
    Denial.FILE_MISSING: "a file is missing: write save FILE",
    Denial.NOBODY_HEARS_YET: "nobody else is at this table yet",
    Denial.NO_TABLE_YET: "there is no table yet",
    Denial.NOTHING_ASKED: "no question awaits your answer",
    Denial.TABLE_GONE: "that table is gone: tables lists those that are there",
    Denial.NO_GUESTS: "no phones come to this table by this program: quadrille host GAME --guests lets them come",
    Denial.WHOM_TO_KICK: "a name is missing",
    Denial.WHO_STANDS_IN: f"write stand-in and a bot ({WAYS}), or the name of somebody who is here",
    Denial.WHICH_TABLE: "write play-on and the number of a table",
    Denial.NOBODY_SITS: "nobody called {quoted} sits here",
    Denial.SEVERAL_ASK: "several people ask about table {quoted}, and not for the same seat: play-on {text} NAME",
    Denial.NO_ONE_TABLE: "{quoted} does not name one table: type a number of the list, or tables",
    Denial.UNPLAYABLE: "that table can't be played here: {text}",
    Denial.NO_COMMAND: "{quoted} is no {thing} here, and the game is over",
    Denial.NOBODY_OVERDUE: (
        "nobody who has to move has been away, or has kept the cards waiting, for more than {text} seconds"
    ),
}


def refusal(why: Reason | Exception, names: Sequence[str], owners: Sequence[str], thing: str = "command") -> str:
    """Why a wish is refused; `names` are those of the players, `owners` those who sat down. `thing` is the face's
    word for a typed command.
    """
    match why:
        case reasons.NotHere(wish):
            return f"{quoted(word_of(wish))} is no {thing} here"
        case reasons.Objected(denial, text):
            return DENIALS[denial].format(text=text, quoted=quoted(text), thing=thing)
        case Denial():
            return DENIALS[why]
        case reasons.Away(seats):
            away, verb = few([names[seat] for seat in seats]), "is" if len(seats) == 1 else "are"
            return f"all the others have to agree, and {away} {verb} away"
        case reasons.AnswerFirst(motion):
            return f"first answer yes or no to the open proposal: {motion_text(motion, owners)}"
        case OSError():
            return file_trouble(why, writes=True)
        case Exception():
            return by_name(str(why), names.__getitem__)
    return _about_people(why)


def _about_people(why: Reason) -> str:
    match why:
        case reasons.NobodyCalled(text, here):
            there = f"there are {', '.join(here)}" if here else "nobody else is"
            return f"nobody called {quoted(text)} is here: {there}"
        case reasons.SeveralCalled(text, found):
            several = ", ".join(f"{name} ({digits})" for name, digits in found)
            return f"{quoted(text)} could be any of {several}: give the digits in brackets"
        case reasons.SeatsFree(taken, seats):
            return f"{seats_taken(taken, seats)}: the game begins when all are"
        case reasons.NobodyAsks(digits, tables):
            asked = ", ".join(sorted({number(table) for table in tables}))
            there = f": you are asked at {asked}" if asked else ", or at any other"
            return f"nobody asks you to play on at table {quoted(digits)}{there}"
        case reasons.UntoldArbiter(arbiter):
            told = "Nobody has told you of it, so you do not sit down."
            return f"{arbiter_text(arbiter)}. {told} Whoever trusts it starts with --arbiter {arbiter.key.hex()}"
    raise AssertionError(why)


def is_misread(why: Reason | Exception) -> bool:
    """Whether a line was misread, so that a suggestion helps."""
    if isinstance(why, reasons.Objected):
        return why.denial is Denial.NO_COMMAND
    return isinstance(why, BadNotation | reasons.NotHere) or why in MISREAD
