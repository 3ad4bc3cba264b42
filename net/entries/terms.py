"""The terms of a table and its chairs, which all seats sign before the first move.

Pure values; see net/seating/gathering.py for how seats agree on them. Specification: docs/protocols/tables.md, "Terms".
"""

from dataclasses import dataclass
from typing import Any, Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import FLAG, OPTIONS, binary, either, maybe, plain_options, row, text, whole, word
from quadrille.net.core.spans import written
from quadrille.rules.errors import RulesError
from quadrille.rules.native.install import UPDATE
from quadrille.rules.registry import game, rules_of

KEY: Final = binary(32)
#: The key in entries without a single author.
NOBODY: Final = bytes(32)
#: Maximum length of a table's log, in entries.
MOST_ENTRIES: Final = 100_000
KINDS: Final = ("person", "bot", "runner")
#: The kind of a program that only looks around: it has no seat and no table, and nobody remembers it.
LOOKOUT: Final = "lookout"
WATCHERS: Final = ("anyone", "invited", "nobody")
#: The optional term, after those that all versions know, that lets people ask for hints.
HINTS: Final = "hints"
#: Instead of a number of rules: the version installed here.
OURS: Final = -1
#: Maximum characters of an objection.
_LONGEST_OBJECTION: Final = 200
_DAY: Final = 24 * 60 * 60 * 1000

_FIELDS: Final = (
    text(40),
    whole(2**31),
    OPTIONS,
    whole(26, 2),
    maybe(row(whole(_DAY, 1), whole(_DAY))),
    word(*WATCHERS),
    FLAG,
    FLAG,
    whole(_DAY, 1000),
    maybe(KEY),
)
#: The fields of `Terms`, as in docs/protocols/tables.md; after them, terms of later versions by name.
TERMS: Final = either(row(*_FIELDS), row(*_FIELDS, OPTIONS))
CHAIR: Final = row(KEY, text(40), word(*KINDS))


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for each seat, and the increment after each of its moves, in milliseconds."""

    initial: int
    increment: int

    def __str__(self) -> str:
        return f"{written(self.initial)}+{written(self.increment)}"


@dataclass(frozen=True, slots=True)
class Terms:
    """Game and number of seats, and how the table treats time, watchers and seats that leave."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seats: int
    clock: TimeControl | None = None
    watchers: str = "anyone"
    takebacks: bool = True
    lot: bool = True
    grace: int = 60_000
    arbiter: bytes | None = None
    rules: int = OURS
    more: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        """Terms made here name the rules version installed here."""
        if self.rules == OURS:
            object.__setattr__(self, "rules", rules_of(self.game))

    def plain(self) -> tuple[Any, ...]:
        """The terms in messages and under signatures."""
        clock = (self.clock.initial, self.clock.increment) if self.clock else None
        fields = (
            self.game,
            self.rules,
            self.options,
            self.seats,
            clock,
            self.watchers,
            self.takebacks,
            self.lot,
            self.grace,
            self.arbiter,
        )
        return (*fields, self.more) if self.more else fields

    @property
    def hints(self) -> bool:
        """Whether people may ask their own bots for hints."""
        return (HINTS, True) in self.more

    def check(self) -> None:
        """Refuse terms that our rules can't play; a `PeerError` says why."""
        try:
            played = game(self.game)
            if self.rules != played.rules:
                whose = "this program" if self.rules > played.rules else "the host's program"
                raise PeerError(
                    f"the table plays {played.title} by rules {self.rules}, and this program by rules {played.rules}:"
                    f" {whose} is older, {UPDATE}"
                )
            options = played.read_options(dict(self.options))
            played.check_seats(self.seats)
            played.check(options, self.seats)
        except RulesError as error:
            raise PeerError(f"terms that can't be played: {error}") from None
        if strange := [name for name, _ in self.more if name != HINTS]:
            names = ", ".join(strange)
            raise PeerError(f"this program does not know these terms: {names}; {UPDATE}")
        if self.more and (len(self.more) > 1 or self.more[0][1] is not True):
            raise PeerError(f"the term {HINTS} is written once, as true, or not at all")
        if self.arbiter is not None and not any(self.arbiter):
            raise PeerError("an arbiter without a key: then anybody could write in its name")
        if played.hidden and self.takebacks:
            raise PeerError(f"{played.title} has hidden cards: a look can't be taken back")
        if plain_options(options.plain()) != self.options:
            raise PeerError("terms whose options are not all written, in alphabetical order")

    def objection(self) -> str | None:
        """Why our rules can't play these terms, short enough for an Answer; None if they can."""
        try:
            self.check()
        except PeerError as error:
            said = "".join(letter if letter.isprintable() else "?" for letter in str(error))
            return said[:_LONGEST_OBJECTION]
        return None


def read_terms(value: Any) -> Terms:
    """Terms from a value of the right shape."""
    name, rules, options, seats, clock, watchers, takebacks, lot, grace, arbiter, *more = value
    time = TimeControl(*clock) if clock else None
    return Terms(name, options, seats, time, watchers, takebacks, lot, grace, arbiter, rules, *more)


@dataclass(frozen=True, slots=True)
class Chair:
    """The holder of a seat: its key, its name, and whether it is a person, a bot or a runner."""

    key: bytes
    name: str
    kind: str

    def plain(self) -> tuple[bytes, str, str]:
        """The chair in messages and under signatures."""
        return (self.key, self.name, self.kind)
