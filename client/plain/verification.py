"""The verification of logs and records, and the comparison of two logs of one table, in sentences.

net/game_log/two_logs.py decides who lied.
"""

import base64
from typing import Final

from quadrille.client.claimed_names import chair_names, shown_name
from quadrille.client.files import read_text
from quadrille.client.foreign import shown
from quadrille.client.reports import player, result
from quadrille.client.table.entries import cards_shown, entry_notice
from quadrille.client.table.notices import Seats
from quadrille.client.words.story import few
from quadrille.client.words.table import by_seat
from quadrille.client.words.terms import terms_text
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.game_log import archive
from quadrille.net.game_log.archive import BadArchive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.precedence import decided_about
from quadrille.net.game_log.two_logs import Difference, Ground, difference
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import plain_name
from quadrille.rules.record import FIRST_LINE
from quadrille.rules.record import read as read_record

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


def verify(file: str) -> int:
    """Check a file; the exit code is 1 if anything is wrong."""
    text = read_text(file)
    if archive.is_archive(text):
        return 0 if _verified(file, text) else 1
    if not text.startswith(FIRST_LINE):
        print(f"{shown(file)} is neither the log of a table nor the record of a game.")
        return 1
    match = read_record(text)
    print(f"The record of {len(match.entries)} entries is as it should be: checks and rules. Records are not signed.")
    print(f"\n{result(match)}")
    return 0


def verify_two(file: str, other: str) -> int:
    """Check two logs and compare them; the exit code is 1 if one is wrong or they differ."""
    logs = []
    for name in (file, other):
        text = read_text(name)
        print(f"{shown(name)}:")
        if archive.is_archive(text):
            logs.append(_verified(name, text))
        else:
            print("This is no log of a table, and only two logs can be compared.")
        print()
    first, two = logs if len(logs) == 2 else (None, None)
    if first is None or two is None:
        return 1
    sentence, agree = _compared(first, two, shown(file), shown(other))
    print(sentence)
    return 0 if agree else 1


def _verified(file: str, text: str) -> Log | None:
    try:
        log = archive.read(text)
    except BadArchive as error:
        print(f"{shown(file)}: {shown(str(error))}")
        print(_whose(text, error))
        return None
    _print_log(log)
    return log


def _whose(text: str, error: BadArchive) -> str:
    """Name the culprit as the log does."""
    entry, first = _entry_at(text, error.line - 1), _entry_at(text, 1)
    if error.culprit == NOBODY or entry is None or entry.author != error.culprit or not entry.is_signed:
        # no peer answers for what another could have written
        return "Whose fault that is can't be told: whoever had the file may have changed it."
    chairs = first.body.chairs if first is not None and isinstance(first.body, BeginBody) else ()
    names = {chair.key: shown_name(chair.name, chair.key) for chair in chairs}
    return f"The entry is by {names.get(error.culprit, 'somebody who has no seat')} ({fingerprint(error.culprit)})."


def _entry_at(text: str, line: int) -> Entry | None:
    try:
        return read_entry(base64.b64decode(text.split("\n")[line]))
    except (PeerError, ValueError, IndexError):
        return None


def _print_log(log: Log) -> None:
    standing = log.now
    names = [shown_name(chair.name, chair.key) for chair in standing.chairs]
    print(f"{terms_text(standing.terms)}, table {log.table.hex()}")
    for seat, chair in enumerate(standing.chairs, 1):
        print(f"  player {seat}  {plain_name(chair.name)} ({fingerprint(chair.key)}), a {chair.kind}")
    checked = "signatures, chain, rules" + (", proofs" if standing.deck is not None else "")
    print(f"All {len(log.entries)} entries are as they should be: {checked}.")
    if standing.deck is not None:
        cards = cards_shown(log)
        closed = "Its cards stay face down: not all seats have opened their books."
        print(closed if cards is None else by_seat(cards, Seats((), ())))
    print(f"\n{result(standing.match, names=names)}")


def _names(log: Log) -> tuple[str, ...]:
    """Return the names of those who sat down."""
    return chair_names(log.standings[0].chairs)


def _compared(one: Log, other: Log, name: str, other_name: str) -> tuple[str, bool]:
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
    notice = entry_notice(log.entries[place], log.standings[place])
    return f"{log.entries[place].kind}, for the cards" if notice is None else by_seat(notice, Seats.of(_names(log)))


def _verdict(log_here: Log, other: Log, differs: Difference) -> str:
    """Name the liar, or say why it is unknown."""
    keys = few([_who(log_here, key) for key in differs.keys])
    decisions = [seat for log in (log_here, other) if (seat := decided_about(log.entries[differs.place])) is not None]
    about = player(decisions[0], _names(log_here)) if decisions else ""
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
            return f"{player(standing.keys.index(key), _names(log))} ({fingerprint(key)})"
    return f"the key {fingerprint(key)}"
