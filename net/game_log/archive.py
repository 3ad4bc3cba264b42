"""A table's log as a file, for replays, disputes and keeping. Specification: docs/protocols/records.md, "Archives".

One line for the format, then one for each entry in base64, exactly the signed bytes; then the secrets of the seats
that opened their books. Anybody can check all of it: signatures, chain, rules, proofs.
"""

import base64
import re
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.faults import Fault, Gap, Late
from quadrille.net.game_log import books
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.squares import quoted

FIRST_LINE: Final = "quadrille log 1"
BOOK: Final = "book"
_BOOK: Final = re.compile(BOOK + " (0|[1-9][0-9]{0,3}) (0|[1-9][0-9]?) ([0-9a-f]{64})")
MOST_CHARACTERS: Final = 64 << 20


class BadArchive(PeerError):
    """A fault in an archive: the first wrong line, and the key that signed it."""

    def __init__(self, line: int, reason: str, culprit: bytes = NOBODY) -> None:
        whose = f" (by {fingerprint(culprit)})" if culprit != NOBODY else ""
        super().__init__(f"line {line}: {reason}{whose}")
        self.line = line
        self.culprit = culprit


def write(log: Log) -> str:
    """Write all entries of a log and the opened books as text."""
    entries = [base64.b64encode(entry.data).decode() for entry in log.entries]
    opened = [f"{BOOK} {epoch} {seat} {secret.hex()}" for (epoch, seat), secret in sorted(log.books.items())]
    return "\n".join([FIRST_LINE, *entries, *opened]) + "\n"


def is_archive(text: str) -> bool:
    return text.startswith(FIRST_LINE)


def read(text: str) -> Log:
    """Read a log and check every entry; a `BadArchive` names the first fault and its author."""
    if len(text) > MOST_CHARACTERS:
        raise BadArchive(1, f"an archive has at most {MOST_CHARACTERS} characters, not {len(text)}")
    first, *lines = text.split("\n")
    if first != FIRST_LINE:
        raise BadArchive(1, f"this is not a log: it should begin with the line {quoted(FIRST_LINE)}")
    if not lines or lines.pop() != "":
        raise BadArchive(len(lines) + 1, "the log is cut off within a line")
    if not lines:
        raise BadArchive(2, "the log has no entry")
    opened = [line for line in lines if line.startswith(BOOK)]
    entries = [_entry(number, line) for number, line in enumerate(lines[: len(lines) - len(opened)], 2)]
    if not entries:
        raise BadArchive(2, "the log has no entry")
    log = Log(entries[0].table)
    for number, entry in enumerate(entries, 2):
        _take(log, number, entry)
    for number, line in enumerate(opened, 2 + len(entries)):
        _open(log, number, line)
    return log


def _open(log: Log, number: int, line: str) -> None:
    """Read a seat's secret: it is unsigned, because the seat's key in the log proves it."""
    book = _BOOK.fullmatch(line)
    if book is None:
        raise BadArchive(
            number, f"not a book: after the entries come lines such as {BOOK} 0 1 and 64 digits from 0 to f"
        )
    epoch, seat, secret = int(book[1]), int(book[2]), bytes.fromhex(book[3])
    try:
        if list(log.books) != sorted({*log.books, (epoch, seat)})[:-1]:
            raise PeerError("the books are not in order, or one is repeated")
        books.check(log, epoch, seat, secret)
    except PeerError as error:
        raise BadArchive(number, str(error)) from None
    log.books[epoch, seat] = secret


def _entry(number: int, line: str) -> Entry:
    try:
        data = base64.b64decode(line, validate=True)
    except ValueError:
        data = b""
    if base64.b64encode(data).decode() != line:
        raise BadArchive(number, "not an entry: the line is not base64 in canonical form")
    try:
        return read_entry(data)
    except PeerError as error:
        raise BadArchive(number, f"no entry: {error}") from None


def _take(log: Log, number: int, entry: Entry) -> None:
    """Add an entry of a file. Entries stand in order there, and none replaces another. Nobody signs the order of a
    file, so only the author of an entry is blamed: its signature covers the entry and the whole log before it.
    """
    if entry.index != len(log.entries):
        raise BadArchive(number, f"entry {len(log.entries)} should be here, not entry {entry.index}")
    try:
        log.take(entry)
    except (Gap, Late) as error:  # the file's owner may have put it together from two logs
        raise BadArchive(number, str(error)) from None
    except PeerError as error:
        culprit = error.culprit if isinstance(error, Fault) else entry.author
        raise BadArchive(number, str(error), culprit if culprit == entry.author else NOBODY) from None
