"""Logs in sentences: their entries, their cards, and the comparison of two logs of one table.

net/game_log/two_logs.py decides who lied.
"""

from typing import Final

from quadrille.client.claimed_names import chair_names
from quadrille.client.reports import player
from quadrille.client.table.entries import cards_shown, entry_notice
from quadrille.client.table.notices import Seats
from quadrille.client.words.story import few
from quadrille.client.words.table import by_seat
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.standing import Standing
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.precedence import decided_about
from quadrille.net.game_log.two_logs import Difference, Ground, difference
from quadrille.net.trust.identity import fingerprint

#: The verdict for each ground; `{keys}` lied, `{seat}` is the seat that a decision is about.
_VERDICTS: Final = {
    Ground.SIGNED_BOTH: "{keys} lied: its key signed two different entries for one place.",
    Ground.SIGNED_TWICE: "{keys} lied: the same decision is signed in two ways, which makes two entries of it.",
    Ground.EXCLUDED: "{keys} lied: the proof stands in the entry that excludes it.",
    Ground.UNSEEN: (
        "Nobody is proved to have lied: {seat} may have written unseen, while all the others decided about it. None of "
        "those who signed that has an entry after its own one in the other log."
    ),
    Ground.DECIDED_TWICE: (
        "Nobody is proved to have lied: these are two decisions about {seat}, and a seat that has signed one may go "
        "over to the other."
    ),
    Ground.BEGUN_TWICE: (
        "Nobody is proved to have lied: a host may propose again, and the seats agree to a second beginning, before "
        "somebody plays on from the first one."
    ),
}


def taken_text(entry: Entry, standing: Standing, seats: Seats) -> str:
    """Return the effect of an entry with this standing after it; "" for duties to the deck."""
    notice = entry_notice(entry, standing)
    return by_seat(notice, seats) if notice is not None else ""


def log_seats(log: Log) -> Seats:
    """Return the names of those who sat down, from a log."""
    names = chair_names(log.standings[0].chairs)
    return Seats(names, names)


def deals_text(log: Log) -> str:
    """Return the cards of every deal, once all books are open; "" before."""
    cards = cards_shown(log)
    return by_seat(cards, Seats((), ())) if cards is not None else ""


def compared(one: Log, other: Log, name: str, other_name: str) -> tuple[str, bool]:
    """Compare two logs in words; also return whether they agree."""
    if one.table != other.table:
        return f"The two are logs of different tables: {one.table.hex()} and {other.table.hex()}.", False
    differs = difference(one, other)
    if differs is None:
        return _agreement(one, other, name, other_name), True
    place = differs.place
    lines = [f"The two logs of this table agree up to entry {place}, which they have differently:" if place else ""]
    lines = lines if place else ["The two logs of this table have different beginnings:"]
    lines += [f"  {called}: {_entry(log, place)}" for called, log in ((name, one), (other_name, other))]
    return "\n".join([*lines, _verdict(one, other, differs)]), False


def _agreement(log: Log, other: Log, name: str, other_name: str) -> str:
    more = len(other.entries) - len(log.entries)
    if not more:
        return f"The two logs are the same, {len(log.entries)} entries long."
    short, long = (name, other_name) if more > 0 else (other_name, name)
    count = "one entry" if abs(more) == 1 else f"{abs(more)} entries"
    return f"{short} is the beginning of {long}, which goes on for {count} more."


def _entry(log: Log, place: int) -> str:
    """Describe an entry, duties to the deck included."""
    entry = log.entries[place]
    return taken_text(entry, log.standings[place], log_seats(log)) or f"{entry.kind}, for the cards"


def _verdict(log_here: Log, other: Log, differs: Difference) -> str:
    """Name the liar, or say why it is unknown."""
    keys = few([_who(log_here, key) for key in differs.keys])
    decisions = [seat for log in (log_here, other) if (seat := decided_about(log.entries[differs.place])) is not None]
    about = player(decisions[0], log_seats(log_here).names) if decisions else ""
    if differs.ground is Ground.WENT_ON:
        return _went_on(keys, about, len(differs.keys))
    return _VERDICTS[differs.ground].format(keys=keys, seat=about)


def _went_on(keys: str, seat: str, number: int) -> str:
    """Tell who signed a decision and went on from the entry that it denies."""
    deed = f"{keys} signed the decision about {seat}, and went on from that seat's own entry in the other log. "
    if number == 1:
        return deed + (
            "It lied, unless it can show that another which signed the decision has vouched for the entry: then that "
            "one lied."
        )
    return deed + (
        "At least one of them lied: a vouch for the entry, by another which signed the decision, excuses whoever can "
        "show it and proves that the other lied, so that all but one could be excused. No log holds vouches."
    )


def _who(log: Log, key: bytes) -> str:
    """Name a key by its seat in the log, or by its digits."""
    for standing in (log.standings[0], log.now):
        if key in standing.keys:
            return f"{player(standing.keys.index(key), log_seats(log).names)} ({fingerprint(key)})"
    return f"the key {fingerprint(key)}"
