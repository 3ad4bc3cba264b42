"""Sentences for what happens before a table: the choice of one, and the room before a game."""

from collections.abc import Sequence

from quadrille.client.foreign import shown
from quadrille.client.table.network import room_notices
from quadrille.client.table.network.room_notices import FoundTable, UnplayableTable
from quadrille.client.table.network.stage import StageNotice
from quadrille.client.table.network.table_search import unplayable_tables
from quadrille.client.words.network.terms import arbiter_text, few, number, seats_taken, terms_text
from quadrille.net.lobby import Lobby
from quadrille.rules.squares import quoted


def room_sentence(notice: StageNotice) -> str:
    """A sentence about a notice; it is the same in every face."""
    match notice:
        case room_notices.SeatRefused(why):
            return f"There is no seat for you at this table: {shown(why)}."
        case room_notices.ChairChanged(who, sits, taken, seats):
            return f"{who} {'sits down' if sits else 'has gone'}: {seats_taken(taken, seats)}."
        case room_notices.InvitationDeclined(who, why):
            return f"{who} does not come: {shown(why)}."
        case room_notices.RoomLeft(own):
            return "The table is closed." if own else "You have left the table."
        case room_notices.Present():
            return _present(notice)
    return _about_search(notice)


def _present(present: room_notices.Present) -> str:
    sitting = [name or "you" for name in present.sitting]
    count = seats_taken(present.taken, present.seats)
    lines = [f"At this table: {few(sitting) if sitting else 'nobody'}; {count}."]
    if present.others or not present.missing:
        lines.append(f"Also on the network: {few(present.others) if present.others else 'nobody'}.")
    return "\n".join([*lines, *present.missing])


def _about_search(notice: StageNotice) -> str:
    match notice:
        case room_notices.TableRefused(why):
            return f"That is not possible: {shown(why)}."
        case room_notices.TablesFound(_, unplayable):
            return "\n".join(["Which table? Type its number.", *_unplayable_lines(unplayable)])
        case room_notices.NoTable():
            return _no_table(notice)
        case room_notices.PeerMissing(text):
            return text
        case room_notices.ArbiterShown(arbiter, refused):
            if refused:
                return f"{arbiter_text(arbiter)}. Nobody has told you of it, so there is no seat for you."
            return f"{arbiter_text(arbiter)}. Type yes to sit down all the same, or no."
    return ""


def _no_table(none: room_notices.NoTable) -> str:
    what = f"no table {quoted(none.wanted)}" if none.wanted else "no table"
    there = few([f"{number(one.table)} ({one.host})" for one in none.others])
    state = f" There is {there}." if none.others else ""
    doctor = " quadrille doctor finds out what may be in the way." if none.unexplained else ""
    return "\n".join([f"There is {what} yet; waiting for one.{state}{doctor}", *_unplayable_lines(none.unplayable)])


def listed_line(place: int, found: FoundTable) -> str:
    """A table in a numbered list."""
    taken = f"{found.taken} of {found.terms.seats} seats taken"
    return f"  {place}. {number(found.table)}  {found.host}: {terms_text(found.terms)}; {taken}"


def unplayable_text(lobby: Lobby) -> str:
    """The tables of others that can't be played here, a line each; nothing as a rule."""
    return "\n".join(_unplayable_lines(unplayable_tables(lobby)))


def _unplayable_lines(tables: Sequence[UnplayableTable]) -> list[str]:
    return [f"Table {number(one.table)} of {shown(one.host)} can't be played here: {shown(one.why)}." for one in tables]
