"""The verification of logs and records, with its result in sentences."""

import base64

from quadrille.client.claimed_names import shown_name
from quadrille.client.files import read_text
from quadrille.client.foreign import shown
from quadrille.client.reports import result
from quadrille.client.words.logs import compared, deals_text
from quadrille.client.words.terms import terms_text
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.game_log import archive
from quadrille.net.game_log.archive import BadArchive
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import plain_name
from quadrille.rules.record import FIRST_LINE
from quadrille.rules.record import read as read_record


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
    print(f"\n{result(match, match.over)}" if match.over else "The game is not finished.")
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
    sentence, agree = compared(first, two, shown(file), shown(other))
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
        print(deals_text(log) or "Its cards stay face down: not all seats have opened their books.")
    over = standing.over
    print(f"\n{result(standing.match, over, names=names)}" if over else "The game is not finished.")
