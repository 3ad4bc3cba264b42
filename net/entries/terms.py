"""The terms of a table and its chairs, which all seats sign before the first move.

Pure values; see net/seating/gathering.py for how seats agree on them. Specification: docs/protocols/tables.md, "Terms".
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import (
    FLAG,
    OPTION,
    OPTIONS,
    Record,
    Shape,
    binary,
    listed,
    maybe,
    plain_options,
    record,
    text,
    whole,
    word,
)
from quadrille.net.core.spans import written
from quadrille.plugs import FILE, GAME_FILE, file_mark
from quadrille.rules.core.talk import counted
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal
from quadrille.rules.native.install import UPDATE
from quadrille.rules.options import Options
from quadrille.rules.registry import game, rules_of

#: The key in entries without a single author.
NOBODY: Final = bytes(32)
#: Maximum length of a table's log, in entries.
MOST_ENTRIES: Final = 100_000
MOST_SEATS: Final = 26
#: The kind of somebody who plays by a page that another's program serves, at a seat of that peer.
GUEST: Final = "guest"
PEOPLE: Final = ("person", GUEST)
KINDS: Final = (*PEOPLE, "bot", "runner")
#: The kind of a program that only looks around: it has no seat and no table, and nobody remembers it.
LOOKOUT: Final = "lookout"
WATCHERS: Final = ("anyone", "invited", "nobody")
#: The optional term, after those that all versions know, that lets people ask for hints.
HINTS: Final = "hints"
#: The term of a game in a file: its bytes and their SHA-256, as `file_mark` writes them. All peers need that file.
GAME_IN_FILE: Final = "file"
_MARK: Final = re.compile(r"([1-9][0-9]{0,8}) ([0-9a-f]{64})")
_IN_FILE: Final = re.compile(rf"([a-z0-9-]+)@{FILE}")
#: Optional terms of a table that one peer holds, as JSON: the deal of the game (its seed, and given piles by name), and
#: the time that each seat begins with. A game that goes on from a record needs both; where there are several peers, one
#: of them could choose the cards.
DEAL: Final = "deal"
TIMES: Final = "times"
#: Instead of a number of rules: the version installed here.
OURS: Final = -1
#: Maximum characters of an objection.
_LONGEST_OBJECTION: Final = 200
_DAY: Final = 24 * 60 * 60 * 1000
#: Maximum milliseconds that a record says are left, after many increments (client/table/players.py).
_MOST_TIME: Final = 1000 * _DAY

# Fields that many messages and entries have, with their shapes.

TABLE: Final = binary(16)
KEY: Final = binary(32)
HASH: Final = binary(32)
SIGNATURE: Final = binary(64)
SEAT: Final = whole(MOST_SEATS - 1)
#: The number by which a peer signs a motion that gives it its first seat; a seat signs by its own.
NEWCOMER: Final = MOST_SEATS
SIGNER: Final = whole(NEWCOMER)
NAME: Final = text(40, joined=True)
TableId: TypeAlias = Annotated[bytes, TABLE]
Key: TypeAlias = Annotated[bytes, KEY]
Hash: TypeAlias = Annotated[bytes, HASH]
Signature: TypeAlias = Annotated[bytes, SIGNATURE]
Seat: TypeAlias = Annotated[int, SEAT]
Signer: TypeAlias = Annotated[int, SIGNER]
Turn: TypeAlias = Annotated[int, whole(1000)]
Index: TypeAlias = Annotated[int, whole(MOST_ENTRIES)]
Name: TypeAlias = Annotated[str, NAME]
Flag: TypeAlias = Annotated[bool, FLAG]
Milliseconds: TypeAlias = Annotated[int, whole(_DAY)]


def of_seats(shape: Shape) -> Shape:
    """Accept a list with at most one value for each seat of a table."""
    return listed(shape, MOST_SEATS)


@record("clock")
class TimeControl(Record):
    """Time for each seat, and the increment after each of its moves, in milliseconds."""

    initial: Annotated[int, whole(_DAY, 1)]
    increment: Milliseconds

    def __str__(self) -> str:
        return f"{written(self.initial)}+{written(self.increment)}"


@record("terms", spare=True)
class Terms(Record):
    """Game and number of seats, and how the table treats time, watchers and seats that leave; then terms of later
    versions by name.
    """

    game: Annotated[str, text(40)]
    rules: Annotated[int, whole(2**31)] = field(default=OURS, kw_only=True)
    options: Annotated[tuple[tuple[str, Any], ...], OPTIONS]
    seats: Annotated[int, whole(MOST_SEATS, 2)]
    clock: Annotated[TimeControl | None, maybe(TimeControl.SHAPE)] = None
    watchers: Annotated[str, word(*WATCHERS)] = "anyone"
    takebacks: Flag = True
    lot: Flag = True
    grace: Annotated[int, whole(_DAY, 1000)] = 60_000
    #: The most seats that one peer may hold, its guests and bots among them; None: any number.
    held: Annotated[int | None, maybe(whole(MOST_SEATS, 1))] = None
    more: Annotated[tuple[tuple[str, Any], ...], listed(OPTION, 64, 1)] = ()

    @property
    def hints(self) -> bool:
        """Return whether people may ask their own bots for hints."""
        return (HINTS, True) in self.more

    def __post_init__(self) -> None:
        """Write the version of the rules that is installed here, or the game's file, into terms that are made here."""
        if self.rules == OURS:
            object.__setattr__(self, "rules", rules_of(self.game))
            if mark := self._own_mark():
                object.__setattr__(self, "more", tuple(sorted({**dict(self.more), GAME_IN_FILE: mark}.items())))

    def _own_mark(self) -> str:
        """Return the mark of the file that the game is plugged in from; "" for any other game."""
        path = os.environ.get(GAME_FILE, "")
        return file_mark(path) if _IN_FILE.fullmatch(self.game) and os.path.isfile(path) else ""

    def check(self, *, alone: bool = False) -> None:
        """Refuse terms that our rules can't play; a `PeerError` says why. Where one peer holds all seats it plays
        `alone`, and may take back what it has seen.
        """
        try:
            if not alone:  # what one person began, that person may change
                self._check_file()
            played = game(self.game)
            if self.rules != played.rules:
                whose = "this program" if self.rules > played.rules else "the host's program"
                raise PeerError(
                    f"the table plays {played.title} by rules {self.rules}, and this program by rules {played.rules}:"
                    f" {whose} is older, {UPDATE}"
                )
            options = self.read_options()
            played.check_seats(self.seats)
            played.check(options, self.seats)
        except RulesError as error:
            raise PeerError(f"terms that can't be played, by rules {self.rules}: {error}") from None
        self._check_more(alone=alone)
        if played.hidden and self.takebacks and not alone:
            raise PeerError(f"{played.title} has hidden cards: a look can't be taken back")
        if self.options not in (plain_options(options.plain()), plain_options(options.kept())):
            raise PeerError("terms whose options are not all written, in alphabetical order")

    def _check_file(self) -> None:
        """Refuse a game in a file that is not this one: its name says no more than the host wants it to say."""
        name, mark = _IN_FILE.fullmatch(self.game), _MARK.fullmatch(str(dict(self.more).get(GAME_IN_FILE)))
        if name and mark and mark[0] != self._own_mark():
            raise PeerError(
                f"the game is a file that is not here, {name[1]}.py of {mark[1]} bytes, whose SHA-256 begins with "
                f"{mark[2][:16]}: ask the host for it, and name it by --game of quadrille join"
            )
        if bool(name) != (GAME_IN_FILE in dict(self.more)) or (name and not mark):
            raise PeerError(f"the term {GAME_IN_FILE} says which file a game is in: its bytes, and their SHA-256")

    def _check_more(self, *, alone: bool) -> None:
        more = dict(self.more)
        known = {HINTS, GAME_IN_FILE, DEAL, TIMES} if alone else {HINTS, GAME_IN_FILE}
        if strange := [name for name in more if name not in known]:
            raise PeerError(f"this program does not know these terms: {', '.join(strange)}; {UPDATE}")
        if more.get(HINTS, True) is not True or list(more) != sorted(more) or len(more) != len(self.more):
            raise PeerError(
                f"the term {HINTS} is written once, as true, or not at all, and others once in alphabetical order"
            )
        try:
            times, _ = self.times, self.deal
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise PeerError(f"the term {DEAL} is a seed and piles, and the term {TIMES} a list of times") from None
        if times is not None and (self.clock is None or len(times) != self.seats):
            raise PeerError("terms that give times to seats without a clock, or to others than those that play")

    @property
    @lru_cache(maxsize=64)  # noqa: B019, a host asks for its own at each turn
    def offered(self) -> "Terms":
        """The terms as others sit down by them: how a peer dealt before they came does not bind them, nor that it could
        take back what it alone has seen.
        """
        more = tuple(pair for pair in self.more if pair[0] not in (DEAL, TIMES))
        takebacks = self.takebacks and not game(self.game).hidden
        same = (more, takebacks) == (self.more, self.takebacks)
        return self if same else replace(self, more=more, takebacks=takebacks)

    @property
    def deal(self) -> Deal | None:
        """The deal that a table of one peer begins with; None if the table draws its seed."""
        told = dict(self.more).get(DEAL)
        if told is None:
            return None
        seed, piles = json.loads(told)
        deal = Deal(seed, {name: tuple(faces) for name, faces in piles.items()})
        if not all(isinstance(text, str) for text in (seed, *(face for row in deal.piles.values() for face in row))):
            raise TypeError
        return deal

    @property
    def times(self) -> tuple[int, ...] | None:
        """The time that each seat begins with at a table of one peer; None for that of the clock."""
        text = dict(self.more).get(TIMES)
        if text is None:
            return None
        times = tuple(json.loads(text))
        if not all(type(time) is int and 0 <= time <= _MOST_TIME for time in times):
            raise TypeError
        return times

    def read_options(self) -> Options:
        """Read the options; a log that is older than one of them means the game as it was then."""
        options: Options = game(self.game).Options.read(dict(self.options), recorded=True)
        return options

    def objection(self) -> str | None:
        """Say why our rules can't play these terms, short enough for an Answer; None if they can."""
        try:
            self.check()
        except PeerError as error:
            sentence = "".join(letter if letter.isprintable() else "?" for letter in str(error))
            return sentence[:_LONGEST_OBJECTION]
        return None


@record("chair", spare=True)
class Chair(Record):
    """The player of a seat: the key of the peer that holds it, a name, and whether it is a person, a guest, a bot or a
    runner. `at` is the peer's name, where it holds the seat for somebody else ("Dora, at Ann's").
    """

    key: Key
    name: Name
    kind: Annotated[str, word(*KINDS)]
    at: Annotated[str, text(40, joined=True, least=1)] = ""

    @property
    def is_person(self) -> bool:
        return self.kind in PEOPLE


def chairs_objection(terms: Terms, chairs: Sequence[Chair]) -> str:
    """Say why these chairs can't sit at a table of these terms."""
    for key in peers(chairs):
        mine = [chair for chair in chairs if chair.key == key]
        own, homes = {chair.name for chair in mine if not chair.at}, {chair.at for chair in mine if chair.at}
        if terms.held is not None and len(mine) > terms.held:
            return f"one peer may hold {counted(terms.held, 'seat')} here, and no more"
        if len({chair.name for chair in mine}) < len(mine):
            return "two seats of one peer have one name"
        if len(homes) > 1 or (own and not homes <= own):  # else a guest looks as if another peer had brought it
            return "the seat of a guest names another peer than the one that holds it"
    return ""


def peers(chairs: Sequence[Chair]) -> tuple[bytes, ...]:
    """Return the keys that hold these chairs, each once, in the order of their first chairs."""
    return tuple(dict.fromkeys(chair.key for chair in chairs))
