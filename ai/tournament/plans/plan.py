"""The plan of a tournament: entrants, games, format, time limits, stopping rule. All values, and plain data.

The same plan with the same programs is the same tournament: its plain form is in the journal, where a resumed run
finds it. plan_file.py reads a plan from a file, and plan_text.py writes it in the form of a file.
"""

import hashlib
import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.bots.command_files import whole_command, whole_word
from quadrille.ai.bots.lines.parameters import Values, texts
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.local import Adjudication
from quadrille.ai.bots.process.executable import path_of
from quadrille.ai.bots.process.isolation import USUAL
from quadrille.ai.bots.process.program import Limits, kit_command
from quadrille.ai.house import split_file
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.openings import Openings
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.formats import format_of, is_there, kind_of
from quadrille.ai.tournament.schedules.schedule import Contest, Format, Schedule
from quadrille.net.core.spans import written
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.registry import rules_of
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.ai.tournament.statistics.stopping import ConfidenceSequence, Sprt

RULES: Final = ("sprt", "confidence")
#: Tolerated lateness in milliseconds: pipes and a busy machine take some of it, without the bot's fault.
MARGIN: Final = 50
#: Digits of the digest of a program's files.
NAMED: Final = 16


@value
class Entrant:
    """A participating program: a built-in bot or one of the kit, the words of a command, or the key of the peer who
    owns the bot, in hexadecimal digits.

    `digest` is that of the files that its command names, so that another program under the same name is noticed; a
    peer's is unknown. That of a folder goes on with the digest of all that is in it: a bot may write there meanwhile,
    and only a run begins with another version. Its files are searched from the plan's `folder`. `parameters` are values
    for the numbers that it declares.
    """

    name: str
    bot: str = ""
    words: tuple[str, ...] = ()
    digest: str = ""
    limits: Limits = field(default_factory=Limits)
    peer: str = ""
    parameters: Values = ()

    @property
    def program(self) -> "Entrant":
        """The entrant without its values, which each game sets anew: it names the same program."""
        return replace(self, parameters=()) if self.parameters else self

    @property
    def written(self) -> str:
        """The bot or command as a person writes it."""
        if self.peer:
            from quadrille.net.trust.identity import fingerprint  # imported here: few tournaments have peers

            return f"peer {fingerprint(bytes.fromhex(self.peer))}"
        return self.bot or " ".join(self.words)

    @property
    def known_as(self) -> str:
        """The name, with the program where the name does not tell that: `mine (./a.py)`, but `a.py`."""
        return self.name if self.written.rpartition("/")[2] == self.name else f"{self.name} ({self.written})"

    @property
    def text(self) -> str:
        """A text that identifies the entrant, versions included."""
        what = f"peer {self.peer}" if self.peer else self.written
        values = f" with {texts(self.parameters)}" if self.parameters else ""
        return f"{self.name} = {what} {self.digest}".rstrip() + values

    def hint(self, folder: str) -> str:
        """End a sentence with how to find out more about the bot's faults, from any folder. Only a peer's owner can."""
        if self.peer:
            return ""
        command = self.whole(folder)
        bot = shlex.quote(command[-1]) if self.bot else f"--exec {shlex.quote(shlex.join(command))}"
        numbers = {name: value for name, value in asdict(self.limits).items() if name != "isolate"}
        limits = "".join(f" --limit {name}={value}" for name, value in numbers.items() if value)
        if (isolate := self.limits.isolate) != USUAL:
            limits += f" --isolate {isolate}"
        return f" (quadrille bot check {bot}{limits} finds out more)"

    def plain(self) -> dict[str, Any]:
        """Return the JSON data, without an empty `peer` or `parameters`, and without the default isolation."""
        data = asdict(self) | {"words": list(self.words), "parameters": dict(self.parameters)}
        if self.limits.isolate == USUAL:
            del data["limits"]["isolate"]
        return {name: value for name, value in data.items() if name not in ("peer", "parameters") or value}

    def command(self, folder: str) -> list[str]:
        """Return the whole command on this machine; refuse files that are not those of the tournament's beginning."""
        if (digest := digest_of(self.bot, self.words, folder)) != self.digest[:NAMED]:
            raise TournamentError(
                f"the program of {self.name} ({self.written}) is not what it was when the tournament began"
                if digest
                else f"the program of {self.name} ({self.written}) is not there: it should be in {folder}"
            )
        return self.whole(folder)

    def whole(self, folder: str) -> list[str]:
        """Return the command with whole paths, the folder's without links, as boxes know it; none for a peer's."""
        folder = os.path.realpath(folder)
        if self.bot:
            return kit_command(whole_word(self.bot, folder) if split_file(self.bot)[0] else self.bot)
        return whole_command(self.words, folder)


def digest_of(bot: str, words: tuple[str, ...], folder: str) -> str:
    """Return the digest of a program's files, as far as its command names them; "" if it names none that exists.

    An interpreter found on the PATH is not included.
    """
    names = [split_file(bot)[0]] if bot else list(words)
    digest = hashlib.sha256()
    count = 0
    for name in filter(None, names):
        if os.path.isfile(path := path_of(name, folder)):
            digest.update(Path(path).read_bytes())
            count += 1
    return digest.hexdigest()[:NAMED] if count else ""


@value
class Time:
    """The bots' time limits, in milliseconds: a clock, which is full again after every `period` moves, or a limit for
    each `move`; longer moves draw on a `bank`, if there is one. `budget` is the advised time, and nobody is late by
    less than `margin`. `work`: the amount of thinking per move, 0 for none.
    """

    clock: TimeControl | None = None
    move: int = 60_000
    budget: int | None = None
    period: int = 0
    bank: int = 0
    margin: int = MARGIN
    work: int = 0

    def __str__(self) -> str:
        each = (str(self.clock) if self.clock else f"{written(self.move)} a move") + (
            "" if self.budget is None else f", {written(self.budget)} advised"
        )
        more = [f"{self.period} moves a period"] if self.period else []
        more += [f"{written(self.bank)} in the bank"] if self.bank else []
        more += [f"{written(self.margin)} margin"] if self.margin != MARGIN else []
        more += [f"work {self.work} a move"] if self.work else []
        return ", ".join([each, *more])

    def terms(self) -> TimeTerms:
        """Return the limits in the form that a game between bots takes."""
        clock, period, free = self.clock, self.period, 0
        if self.bank:
            clock, period, free = TimeControl(self.bank, 0), 0, self.move
        return TimeTerms(clock, self.move, self.budget, period, free, self.margin, self.work or None)


@value
class Stop:
    """The stopping rule: `entrant` against one other, or (None) against everybody."""

    rule: str
    entrant: int = 0
    against: int | None = None
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def machine(self) -> "Sprt | ConfidenceSequence":
        """Make the machine that takes the score of each block."""
        # imported here: numpy takes long
        from quadrille.ai.tournament.statistics.stopping import ConfidenceSequence, Sprt

        if self.rule == "sprt":
            return Sprt(self.elo0, self.elo1, alpha=self.alpha, beta=self.beta)
        return ConfidenceSequence(alpha=self.alpha)

    def scores(self, block: Sequence[Result]) -> list[float]:
        """Return the entrant's score in a block, if it plays there."""
        from quadrille.ai.tournament.statistics.stopping import block_scores

        return block_scores([block], self.entrant, self.against)

    def __str__(self) -> str:
        if self.rule == "sprt":
            return f"SPRT of {self.elo0:g} against {self.elo1:g} Elo, alpha {self.alpha:g}, beta {self.beta:g}"
        return f"confidence sequence of {100 * (1 - self.alpha):g} %"


@value
class Plan:
    """A whole tournament. `folder` is that of its file, `at_once` the number of parallel games (0: one for each
    core), `handed` the places that its folders name, `absent` those that nothing starts, with the reason: none is part
    of its identity. Without `ponder` every bot but the one to move is stopped.
    """

    entrants: tuple[Entrant, ...]
    contests: tuple[Contest, ...]
    format: Format
    seed: str = ""
    time: Time = field(default_factory=Time)
    umpire: Adjudication = field(default_factory=Adjudication)
    fresh: bool = False
    ponder: bool = True
    anchor: int | None = None
    stop: Stop | None = None
    openings: Openings | None = None
    folder: str = "."
    at_once: int = 0
    absent: tuple[tuple[str, str], ...] = ()
    handed: tuple[str, ...] = ()

    def schedule(self) -> Schedule:
        """Make the machine that gives the games."""
        return Schedule(self.seed, [entrant.text for entrant in self.entrants], self.contests, self.format)

    @property
    def out(self) -> tuple[int, ...]:
        """The entrants that are gone, whose games are neither played nor counted."""
        return self.format.out

    def versions(self, entrant: int) -> list[int]:
        """Return the entrants of the same name: the versions of one bot, the oldest first."""
        name = self.entrants[entrant].name
        return [number for number, entrant in enumerate(self.entrants) if entrant.name == name]

    @property
    def gone(self) -> tuple[int, ...]:
        """Those who are out, but for older versions of bots that play on."""
        names = {entrant.name for number, entrant in enumerate(self.entrants) if number not in self.out}
        return tuple(number for number in self.out if self.entrants[number].name not in names)

    def uneven(self) -> str:
        """Return a remark if some play more games than others although all should play as many, or ""."""
        return self.format.uneven(len(self.entrants), self.contests[0].seats)

    def _rules(self) -> int | dict[str, int]:
        """Return the rules version of all games, or one for each if they differ."""
        numbers = {contest.game: rules_of(contest.game) for contest in self.contests}
        common = set(numbers.values())
        return common.pop() if len(common) == 1 else numbers

    def plain(self) -> dict[str, Any]:
        """Return the identity of the tournament, as data for JSON."""
        shape = asdict(self.format)  # type: ignore[call-overload]
        shape = json.loads(json.dumps(shape))  # with lists, as a journal gives it back
        return {
            "rules": self._rules(),
            "seed": self.seed,
            "games": [asdict(contest) | {"options": dict(contest.options)} for contest in self.contests],
            "entrants": [entrant.plain() for entrant in self.entrants],
            "format": {"kind": kind_of(self.format)} | shape,
            "time": asdict(self.time),
            "adjudicate": asdict(self.umpire),
            "fresh": self.fresh,
            "anchor": self.anchor,
            "stop": asdict(self.stop) if self.stop else None,
        } | {
            **({"openings": asdict(self.openings)} if self.openings else {}),
            **({} if self.ponder else {"ponder": False}),
        }


def plan_of(plain: Mapping[str, Any], folder: str) -> Plan:
    time, stop, shape = plain["time"], plain["stop"], dict(plain["format"])
    return Plan(
        entrants=tuple(map(_entrant, plain["entrants"])),
        contests=tuple(Contest(**row | {"options": tuple(row["options"].items())}) for row in plain["games"]),
        format=format_of(shape.pop("kind"))(**shape),
        seed=plain["seed"],
        time=Time(**time | {"clock": TimeControl(**time["clock"]) if time["clock"] else None}),
        umpire=Adjudication(**plain["adjudicate"]),
        fresh=plain["fresh"],
        ponder=plain.get("ponder", True),
        anchor=plain["anchor"],
        stop=Stop(**stop) if stop else None,
        openings=Openings(**plain["openings"]) if plain.get("openings") else None,
        folder=folder,
    )


def _entrant(row: Mapping[str, Any]) -> Entrant:
    values = tuple(row.get("parameters", {}).items())
    return Entrant(**{**row, "words": tuple(row["words"]), "limits": Limits(**row["limits"]), "parameters": values})


def lengthens(here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
    """Return whether a plan is that of a journal with more to play after it."""
    return format_of(here["format"]["kind"]).continues(here, there)  # type: ignore[no-any-return]


def joined(plan: Plan, there: Mapping[str, Any]) -> tuple[Plan, list[str]]:
    """Return the plan of a file as it continues that of a journal, where its format lets entrants come and go, and a
    sentence about each that did.
    """
    kind = plan.format.grown
    return format_of(kind).joined(plan, there) if kind and is_there(kind) else (plan, [])
