"""The record of a match: one text format for saves, golden files, bug reports and replays.

ASCII lines, each with a check that covers all before it, so that a changed byte is refused with its line.
Specification: docs/protocols/records.md, "Records". Reading parses, replays into a new match, and only then returns it.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final

from quadrille.rules.core import WHOLE, Face, Move, Viewer
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.match import WAYS_OUT, Adjudicated, Agreed, Deal, Entry, Left, Match, Played
from quadrille.rules.options import Options
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted

FIRST_LINE: Final = "quadrille record 1"
_LATER: Final = re.compile(r"quadrille record ([1-9][0-9]{0,8})(?: #|$)")
MOST_CHARACTERS: Final = 64 << 20
_CHECKED: Final = re.compile(r"(.*) #([0-9a-f]{8})")
#: Maximum moves that are remembered of a game with its options: a few MiB.
_MOST_KNOWN: Final = 1 << 14
_ENTRY: Final = re.compile(r"([1-9][0-9]{0,8}) (?:p([1-9][0-9]?) )?(.+?)(?: = (.+))?")


def write(match: Match, table: Mapping[str, object] | None = None) -> str:
    """Write the record of a match as it stands, to be read as the same match. `table` is data about the players."""
    return "".join(_checked(_bare(match, table or {})))


def _bare(match: Match, table: Mapping[str, object]) -> list[str]:
    """Return the lines without their checks."""
    head = [FIRST_LINE, f"game {match.game.key}", f"rules {match.game.rules}"]
    head += [f"options {_json(match.state.options.kept())}", f"seats {match.state.seats}"]
    if table:
        head.append(f"table {_json(table)}")
    if match.viewer != WHOLE:
        head.append(f"view {_viewer_text(match.viewer)}")
    if match.deal:
        head.append(f"seed {_json(match.deal.seed)}")
        head.extend(f"pile {_json([name, *faces])}" for name, faces in match.deal.piles.items())
    if match.opening:
        head.append("opening" + _faces_text(match.opening))
    body = [_entry_line(number, entry) for number, entry in enumerate(match.entries, 1)]
    return [*head, *body, _last_line(match)]


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _checked(lines: list[str]) -> list[str]:
    """Return the lines with their checks: the first 8 digits of SHA-256 over (the hash before, the line)."""
    chain, checked = b"", []
    for line in lines:
        chain = hashlib.sha256(chain + line.encode("ascii")).digest()
        checked.append(f"{line} #{chain.hex()[:8]}\n")
    return checked


def _viewer_text(viewer: Viewer) -> str:
    return "spectator" if viewer is None else f"p{int(viewer) + 1}"


def _faces_text(faces: tuple[Face, ...]) -> str:
    return " = " + " ".join(map(str, faces)) if faces else ""


def _entry_line(number: int, entry: Entry) -> str:
    match entry:
        case Played(seat, move, faces):
            return f"{number} p{seat + 1} {move.text}{_faces_text(faces)}"
        case Left(seat, how, faces):
            return f"{number} p{seat + 1} {how}{_faces_text(faces)}"
        case Agreed():
            return f"{number} draw agreed"
        case Adjudicated(places, why):
            return f"{number} adjudicated {_json([list(places), why])}"


def _last_line(match: Match) -> str:
    return f"end: places {' '.join(map(str, match.over.places))}" if match.over else "end: unfinished"


def read(text: str | bytes) -> Match:
    """Read the match of a record, or raise a `BadRecord` with the line and the reason."""
    return read_with_table(text)[0]


def read_with_table(text: str | bytes) -> tuple[Match, dict[str, Any]]:
    """Read a record as `read` does, with the extra data about the players, which the rules do not interpret."""
    lines = _lines(text)
    bare = [_strip_check(number, line) for number, line in enumerate(lines, 1)]
    _check_chain(lines, bare)
    reader = _Reader(bare)
    match = reader.match()
    if bare != _bare(match, reader.table):
        for number, (found, right) in enumerate(zip(lines, write(match, reader.table).splitlines(), strict=False), 1):
            if found != right:
                same = next((at for at in range(len(right)) if found[: at + 1] != right[: at + 1]), 0)
                raise BadRecord(number, f"this should read {quoted(right if same < 30 else f'…{right[same - 9 :]}')}")
    return match, reader.table


def story(text: str) -> list[str]:
    """Return the entries of a record, unchecked: sorted by them, records with the same beginning are neighbours."""
    lines = [line.rpartition(" #")[0] for line in text.split("\n")]
    return lines[next((at for at, line in enumerate(lines) if line.startswith(("1 ", "end"))), 0) :]


def first_moves(text: str, most: int) -> tuple[str, ...]:
    """Return the first moves of a record, unchecked: at most that many, up to the first entry that is none."""
    entries_found = (_ENTRY.fullmatch(line) for line in story(text)[:most])
    entries = (entry if entry and entry[2] and entry[3] not in WAYS_OUT else None for entry in entries_found)
    return tuple(entry[3] for entry in takewhile(bool, entries) if entry)


def _lines(text: str | bytes) -> list[str]:
    if isinstance(text, bytes):
        text = text.decode("latin-1")
    if len(text) > MOST_CHARACTERS:
        raise BadRecord(1, f"a record has at most {MOST_CHARACTERS} characters, not {len(text)}")
    later = _LATER.match(text.partition("\n")[0])
    if later and later[1] != "1":
        raise BadRecord(1, f"this is a record of form {later[1]}, and this program reads form 1: update it")
    if not text.startswith(FIRST_LINE):
        raise BadRecord(1, f"this is no record: it should begin with {quoted(FIRST_LINE)}")
    *lines, rest = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not (line.isascii() and line.isprintable()):
            ends = line.endswith("\r") and line[:-1].isprintable()
            reason = (
                "the line ends with CR LF: records end lines with LF alone"
                if ends
                else "a character that no record has"
            )
            raise BadRecord(number, reason)
    if rest or not lines or not lines[-1].startswith("end"):
        raise BadRecord(
            len(lines) + bool(rest), "the record is cut off: its last line should be the one that begins with end"
        )
    return lines


def _strip_check(number: int, line: str) -> str:
    checked = _CHECKED.fullmatch(line)
    if checked is None:
        raise BadRecord(number, "the line should end with its check: a blank, # and 8 digits from 0 to f")
    return checked[1]


def _check_chain(lines: list[str], bare: list[str]) -> None:
    for number, (line, right) in enumerate(zip(lines, _checked(bare), strict=True), 1):
        if line != right[:-1]:
            raise BadRecord(number, f"something was changed in this line: its check should be {right[-10:-1]}")


@lru_cache(8)
def _moves(_game: str, _options: Options) -> dict[str, Move]:
    """Return the moves that have been read so far, by their texts: a legal move has one, and is read once."""
    return {}


class _Reader:
    """Reads the lines one after another, without their checks; `at` is the number of the last line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 1
        self.table: dict[str, Any] = {}

    def fail(self, reason: str) -> BadRecord:
        return BadRecord(self.at, reason)

    def peek(self, word: str) -> bool:
        """Return whether the next line begins with that word."""
        return self.at < len(self.lines) and self.lines[self.at].startswith(word + " ")

    def value(self, word: str) -> str:
        """Return the rest of the next line, which must begin with that word."""
        if not self.peek(word):
            self.at = min(self.at + 1, len(self.lines))
            raise self.fail(f'a line that begins with "{word} " should stand here')
        self.at += 1
        return self.lines[self.at - 1][len(word) + 1 :]

    def json(self, word: str) -> Any:
        try:
            return json.loads(self.value(word))
        except (ValueError, RecursionError):
            raise self.fail(f"what stands after {word} is no JSON") from None

    def match(self) -> Match:
        """Read the whole record."""
        try:
            match = self.head()
            self.known = _moves(match.game.key, match.state.options)
            while self.at < len(self.lines) - 1:
                self.at += 1
                self.entry(match, self.lines[self.at - 1])
            self.at = len(self.lines)
        except BadRecord:
            raise
        except RulesError as error:
            raise self.fail(str(error)) from None
        if self.lines[-1] != _last_line(match):
            raise self.fail(f"the last line should read {quoted(_last_line(match))}")
        return match

    def head(self) -> Match:
        played = game(self.value("game"))
        if (rules := self.value("rules")) != str(played.rules):
            raise self.fail(
                f"made by rules {quoted(rules)} of {played.title}, and this program has rules {played.rules}:"
                " a program of that version reads it"
            )
        options = played.Options.read(self.json("options"), recorded=True)
        seats = self.number(self.value("seats"))
        played.check_seats(seats)
        if self.peek("table"):
            self.table = self.json("table")
            if not isinstance(self.table, dict) or not self.table:
                raise self.fail("what stands after table is an object with something in it")
        viewer: Viewer = self.viewer(self.value("view"), seats) if self.peek("view") else WHOLE
        deal = self.deal() if self.peek("seed") else None
        match = Match(played, options, seats, deal=deal, viewer=viewer)
        if self.peek("opening"):
            self.faces(match, match.opening, self.value("opening").removeprefix("= "))
        return match

    def number(self, text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text):
            raise self.fail(f"{quoted(text)} is no number of anything")
        return int(text)

    def viewer(self, text: str, seats: int) -> int | None:
        if text == "spectator":
            return None
        if text.startswith("p") and 0 < self.number(text[1:]) <= seats:
            return int(text[1:]) - 1
        raise self.fail(f"{quoted(text)} is nobody who could have looked on")

    def deal(self) -> Deal:
        seed = self.json("seed")
        if not isinstance(seed, str):
            raise self.fail("a seed is a text")
        piles = {}
        while self.peek("pile"):
            row = self.json("pile")
            if not isinstance(row, list) or not row or not all(isinstance(face, str) for face in row):
                raise self.fail("a pile is a list of texts: its name, then its faces")
            piles[row[0]] = tuple(row[1:])
        return Deal(seed, piles)

    def faces(self, match: Match, dealt: tuple[Face, ...], text: str) -> None:
        """Answer the owed draws; if this machine dealt, the record must have the same faces."""
        faces = tuple(map(Face, text.split(" "))) if text else ()
        if match.deal is not None and faces != dealt:
            raise self.fail(f"the seed deals {' '.join(map(str, dealt)) or 'nothing'} here")
        if match.deal is None:
            for face in faces:
                match.answer(face)

    def entry(self, match: Match, line: str) -> None:
        fields = _ENTRY.fullmatch(line)
        if fields is None:
            raise self.fail("this is no entry: a number, a player such as p1, and what happened")
        number, player, what, faces = fields.groups()
        if int(number) != match.length + 1:
            raise self.fail(f"this entry should have the number {match.length + 1}")
        if player is None:
            self.ending(match, line.partition(" ")[2])  # the reason of a verdict may contain " = "
            return
        seat = int(player) - 1
        if what in WAYS_OUT:
            match.leave(seat, what)
            self.faces(match, (), faces or "")
            return
        if match.state.board.turn != seat and match.over is None:
            raise self.fail(f"it is not the turn of player {player}")
        read = match.play(self.known.get(what, what))
        if read.text == what and len(self.known) < _MOST_KNOWN:
            self.known[what] = read
        [last] = match.since(match.length - 1)
        assert isinstance(last, Played)
        self.faces(match, last.faces, faces or "")

    def ending(self, match: Match, what: str) -> None:
        if what == "draw agreed":
            match.agree()
            return
        word, _, rest = what.partition(" ")
        try:
            places, reason = json.loads(rest)
        except (ValueError, TypeError, RecursionError):
            word = ""
        if word != "adjudicated" or not isinstance(places, list) or not isinstance(reason, str):
            raise self.fail("this line is not an entry of a record")
        if any(isinstance(place, bool) or not isinstance(place, int) for place in places):
            raise self.fail("places are whole numbers")
        match.adjudicate(places, reason)
