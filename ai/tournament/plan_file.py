"""A tournament from a TOML file: read, checked, and refused with the line and the reason.

Specification with all names: protocols.md, "Tournaments".
"""

import difflib
import os
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from quadrille.ai.local import Umpire
from quadrille.ai.opponents import opponent
from quadrille.ai.program import Limits
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plan import FORMATS, RULES, Entrant, Plan, Stop, Time, digest_of, is_there, split_file
from quadrille.ai.tournament.schedule import Contest, Format
from quadrille.net.terms import Clock
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown
from quadrille.rules.registry import game

_SPAN: Final = re.compile(r"([0-9]{1,7})(ms|s|m|h)")
_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_DAY: Final = 24 * 3_600_000
_MOST: Final = 10**9
_LONGEST_NAME: Final = 40
_A_KEY: Final = re.compile(r"[0-9a-f]{64}")
_TABLE: Final = re.compile(r"\s*(\[\[?)\s*([\w\-. \"']+?)\s*\]")
_KEY: Final = re.compile(r"\s*([\w\-\"']+)\s*[.=]")


class PlanError(TournamentError):
    """A tournament's file can't be used; `line` is where, 0 if it is no single place."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class Lines:
    """In which line of a TOML text each name stands, as far as one can tell by looking at beginnings of lines."""

    def __init__(self, text: str) -> None:
        self._at: dict[tuple[str | int, ...], int] = {}
        counts: dict[str, int] = {}
        here: tuple[str | int, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            if found := _TABLE.match(line):
                name = found[2].strip("\"'")
                here = tuple(part.strip(" \"'") for part in name.split("."))
                if found[1] == "[[":
                    counts[name] = counts.get(name, -1) + 1
                    self._at.setdefault(here, number)
                    here = (*here, counts[name])
                elif here[0] in counts:
                    here = (here[0], counts[str(here[0])], *here[1:])
                self._at.setdefault(here, number)
            elif found := _KEY.match(line):
                self._at.setdefault((*here, found[1].strip("\"'")), number)

    def of(self, path: Sequence[str | int]) -> int:
        """The line of a name, or of what it stands in."""
        for end in range(len(path), 0, -1):
            if line := self._at.get(tuple(path[:end])):
                return line
        return 0


class Section:
    """A table of the file, from which names are taken one after another; `end` refuses what is left."""

    def __init__(self, data: Mapping[str, Any], path: tuple[str | int, ...], lines: Lines) -> None:
        self._data = data
        self._path = path
        self._lines = lines
        self._known: list[str] = []

    def fail(self, why: str, name: str = "") -> PlanError:
        """A refusal that knows its line."""
        return PlanError(self._lines.of((*self._path, name) if name else self._path), why)

    def take(self, name: str, kind: type, usual: Any, takes: str) -> Any:
        """A value of that kind; `usual` if it is absent."""
        self._known.append(name)
        value = self._data.get(name, usual)
        if value is usual:
            return value
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fail(f"{name} takes {takes}, not {shown(value)}", name)
        return value

    def text(self, name: str, usual: str | None = None) -> str:
        """A text on one line."""
        value = self.take(name, str, usual, "a text")
        if value is None:
            raise self.fail(f"{name} is missing: it takes a text")
        if not value.isprintable():
            raise self.fail(f"{name} takes a text on one line, not {shown(value)}", name)
        return str(value)

    def number(self, name: str, usual: int | None, least: int = 0, most: int = _MOST) -> int | None:
        """A whole number."""
        takes = f"a whole number from {least} to {most}" if most < _MOST else f"a whole number from {least} on"
        value = self.take(name, int, usual, takes)
        if value is not None and value != usual and not least <= value <= most:
            raise self.fail(f"{name} takes {takes}, not {shown(value)}", name)
        return value  # type: ignore[no-any-return]

    def fraction(self, name: str, usual: float) -> float:
        """Any number."""
        return float(self.take(name, int | float, usual, "a number"))  # type: ignore[arg-type]

    def span(self, name: str, usual: int | None = None) -> int | None:
        """A time such as 200ms, 90s, 5m or 1h."""
        if name not in self._data:
            self._known.append(name)
            return usual
        try:
            return span(self.text(name))
        except ValueError as error:
            raise self.fail(f"{name}: {error}", name) from None

    def section(self, name: str) -> "Section":
        """A table in this one; an empty one if it is absent."""
        data = self.take(name, dict, None, "a table of names and values")
        return Section(data or {}, (*self._path, name), self._lines)

    def sections(self, name: str) -> list["Section"]:
        """Those of a list of tables."""
        rows = self.take(name, list, None, f"tables: write [[{name}]] over each") or []
        if not all(isinstance(row, dict) for row in rows):
            raise self.fail(f"{name} takes tables: write [[{name}]] over each", name)
        return [Section(row, (*self._path, name, number), self._lines) for number, row in enumerate(rows)]

    def mapping(self, name: str) -> dict[str, Any]:
        """A table of names that somebody else checks."""
        return dict(self.take(name, dict, None, "a table of names and values") or {})

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def end(self) -> None:
        """Refuse names that mean nothing here."""
        for name in self._data:
            if name not in self._known:
                near = difflib.get_close_matches(name, self._known, 1)
                hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(self._known)
                raise self.fail(f"{shown(name)} means nothing here: {hint}", name)


def span(text: str) -> int:
    """A time in milliseconds."""
    found = _SPAN.fullmatch(text.strip().lower())
    ms = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < ms <= _DAY:
        raise ValueError(f"{shown(text)} is no time: write 200ms, 90s, 5m or 1h, a day at most")
    return ms


def clock(text: str) -> Clock:
    """Time for each seat, and more after each move: `1m+1s` or `1m`."""
    first, plus, more = text.partition("+")
    return Clock(span(first), span(more) if plus else 0)


def read(path: str | Path) -> Plan:
    """The plan that a file tells; a `PlanError` begins with the file and the line."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise PlanError(0, f"{path}: byte {error.start + 1} is not UTF-8") from None
    try:
        return parse(text, str(path.absolute().parent))
    except PlanError as error:
        where = f"{path}, line {error.line}" if error.line else str(path)
        raise PlanError(error.line, f"{where}: {error}") from None


def parse(text: str, folder: str) -> Plan:
    """The plan that a text tells; files of programs are named from `folder` on."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        why = re.sub(r" \(at .*\)$", "", str(error))
        raise PlanError(int(found[1]) if found else len(text.splitlines()), f"this is no TOML: {why}") from None
    except RecursionError:
        raise PlanError(0, "this is no TOML of a tournament: its brackets are nested too deep") from None
    top = Section(data, (), Lines(text))
    time = _time(top.section("time"))
    limits = top.section("limits")
    usual, fresh = _limits(limits), limits.take("fresh", bool, False, "true or false")
    limits.end()
    entrants = [_entrant(section, usual, folder) for section in top.sections("entrant")]
    for number, entrant in enumerate(entrants):
        if any(entrant.name == other.name for other in entrants[:number]):
            raise top.sections("entrant")[number].fail(
                f"there are two entrants {shown(entrant.name)}: give one of them another name", "name"
            )
        if entrant.peer and any(entrant.peer == other.peer for other in entrants[:number]):
            raise top.sections("entrant")[number].fail(
                f"there are two entrants with the key {entrant.peer}: each has its own", "peer"
            )
    umpire = _umpire(top.section("adjudicate"))
    contests = [
        _contest(section, ", ".join(filter(None, map(str, (time, umpire))))) for section in top.sections("game")
    ]
    format, neighbours = _format(top.section("format"))
    anchor = _one_of(top, "anchor", entrants)
    plan = Plan(
        entrants=tuple(entrants),
        contests=tuple(contests),
        format=format,
        seed=top.text("seed", ""),
        time=time,
        umpire=umpire,
        neighbours=neighbours,
        fresh=fresh,
        anchor=anchor,
        stop=_stop(top.section("stop"), entrants) if "stop" in top else None,
        folder=folder,
        at_once=top.number("at_once", 0, 0, 10_000) or 0,
        pinned=top.take("pinned", bool, False, "true or false"),
    )
    top.end()
    _check(plan, top)
    return plan


def _check(plan: Plan, top: Section) -> None:
    """What only shows when all is there."""
    if not plan.contests:
        raise PlanError(0, "a tournament needs a game: write [[game]], and under it game = and the name of one")
    try:
        plan.schedule()
    except TournamentError as error:
        raise top.fail(str(error), "format" if "format" in top else "entrant") from None


def _entrant(section: Section, usual: Limits, folder: str) -> Entrant:
    limits = _limits(section.section("limits"), usual)
    if sum(name in section for name in ("bot", "exec", "peer")) != 1:
        raise section.fail(
            "an entrant has bot = or exec = or peer =, and only one of them: "
            "a bot of the house or FILE.py, a command, or the key of a peer on the network"
        )
    if "peer" in section:
        return _peer(section)
    bot, words = "", tuple[str, ...]()
    try:
        if "bot" in section:
            bot, words = named(section.text("bot"), folder)
        else:
            words = command(section.text("exec"), folder)
    except TournamentError as error:
        raise section.fail(str(error), "bot" if "bot" in section else "exec") from None
    name = _name(section, bot or Path(words[0]).name)
    section.end()
    return Entrant(name, bot, words, digest_of(bot, words, folder), limits)


def _peer(section: Section) -> Entrant:
    """A bot that its owner serves. Its whole key: the few digits that people compare could be another's too."""
    key = section.text("peer").lower()
    if not _A_KEY.fullmatch(key):
        raise section.fail(
            f"peer takes a whole key, 64 hexadecimal digits, not {shown(key)}: `quadrille bot … --serve` says which it "
            "has, and `quadrille peers --json` shows those of all who are there",
            "peer",
        )
    if "limits" in section:
        raise section.fail("limits are for programs of this machine: what a peer's may use its owner says", "limits")
    name = _name(section, Entrant("", peer=key).written)
    section.end()
    return Entrant(name, peer=key)


def _name(section: Section, usual: str) -> str:
    name = section.text("name", usual)
    if not name.strip() or len(name) > _LONGEST_NAME:
        raise section.fail(f"name takes 1 to {_LONGEST_NAME} characters, not {shown(name)}", "name")
    return name


def named(text: str, folder: str) -> tuple[str, tuple[str, ...]]:
    """A bot as somebody wrote it: one of the house or a file of the kit, or (the second) a program with its words."""
    path, _ = split_file(text)
    if path:
        if not Path(folder, os.path.expanduser(path)).is_file():
            raise TournamentError(f"there is no file {shown(path)}" + _seen_from(folder))
        return text, ()
    if "/" in text or os.sep in text:
        return "", command(text, folder)
    try:
        opponent(text)
    except RulesError as error:
        raise TournamentError(f"{error}, or FILE.py, or ./PROGRAM") from None
    return text.strip().lower(), ()


def command(text: str, folder: str) -> tuple[str, ...]:
    """The words of a command whose program is there."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise TournamentError(f"{shown(text)} is no command: {error}") from None
    if not words:
        raise TournamentError("a command has a program, such as ./mybot --fast")
    if not is_there(words, folder):
        raise TournamentError(f"there is no program {shown(words[0])} that may be run" + _seen_from(folder))
    return words


def _seen_from(folder: str) -> str:
    return f" (looked for from {folder} on)"


def _contest(section: Section, time: str) -> Contest:
    try:
        chosen = game(section.text("game"))
    except RulesError as error:
        raise section.fail(str(error), "game") from None
    seats = section.number("seats", chosen.usual_seats) or 0
    name, given = section.text("preset", ""), section.mapping("options")
    try:
        options = chosen.read_options((dict(chosen.preset(name)) if name else {}) | given)
        chosen.check_seats(seats)
        chosen.check(options, seats)
    except RulesError as error:
        word = next((word for word in ("seats", "preset") if word in str(error)), "options")
        raise section.fail(str(error), word) from None
    section.end()
    return Contest(chosen.key, tuple(sorted(options.plain().items())), seats, time)


def _format(section: Section) -> tuple[Format, bool]:
    kind = section.text("kind", "round robin")
    if kind not in FORMATS:
        raise section.fail(f"there is no format {shown(kind)}: there are {', '.join(FORMATS)}", "kind")
    shape = FORMATS[kind]
    given = {row.name: section.number(row.name, row.default) for row in fields(shape)}  # type: ignore[arg-type]
    balance = section.text("balance", "neighbours")
    if balance not in ("neighbours", "turns"):
        raise section.fail(f"balance takes neighbours or turns, not {shown(balance)}", "balance")
    section.end()
    return shape(**given), balance == "neighbours"


def _time(section: Section) -> Time:
    if "clock" in section and "move" in section:
        raise section.fail("time is a clock or so much for each move, not both", "move")
    run = None
    if "clock" in section:
        try:
            run = clock(section.text("clock"))
        except ValueError as error:
            raise section.fail(f"clock: {error}, as 1m or 1m+1s", "clock") from None
    usual = Time()
    time = Time(
        run,
        section.span("move", usual.move) or 0,
        section.span("budget"),
        section.number("moves", 0) or 0,
        section.span("bank") or 0,
        section.span("margin", usual.margin) or 0,
    )
    section.take("clock", str, None, "a text")
    section.end()
    if time.period and not run:
        raise section.fail("moves are those after which a clock has its time anew: there is no clock", "moves")
    if time.bank and (run or "move" not in section):
        raise section.fail("a bank is for what a move takes longer than move, and goes without a clock", "bank")
    return time


def _umpire(section: Section) -> Umpire:
    found = Umpire(section.number("moves", 0) or 0, section.number("draws", 0) or 0)
    section.end()
    return found


def _limits(section: Section, usual: Limits | None = None) -> Limits:
    usual = usual or Limits()
    found = Limits(
        *(section.number(name, getattr(usual, name), 1) for name in ("memory", "cpu", "processes")),
    )
    if section._path != ("limits",):
        section.end()
    return found


def _stop(section: Section, entrants: Sequence[Entrant]) -> Stop:
    rule = section.text("rule", "sprt")
    if rule not in RULES:
        raise section.fail(f"there is no rule {shown(rule)}: there are {', '.join(RULES)}", "rule")
    entrant = _one_of(section, "entrant", entrants) or 0
    against = _one_of(section, "against", entrants)
    if against is None and len(entrants) == 2:
        against = 1 - entrant
    if against == entrant:
        raise section.fail("an entrant is not decided against itself", "against")
    usual = Stop(rule)
    found = Stop(
        rule,
        entrant,
        against,
        *(section.fraction(name, getattr(usual, name)) for name in ("elo0", "elo1", "alpha", "beta")),
    )
    section.end()
    try:
        found.machine()
    except TournamentError as error:
        raise section.fail(str(error)) from None
    return found


def _one_of(section: Section, name: str, entrants: Sequence[Entrant]) -> int | None:
    """The number of the entrant that is named there."""
    if name not in section:
        section.text(name, "")
        return None
    wanted = section.text(name)
    names = [entrant.name for entrant in entrants]
    if wanted not in names:
        raise section.fail(f"there is no entrant {shown(wanted)}: there are {', '.join(names)}", name)
    return names.index(wanted)
