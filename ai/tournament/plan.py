"""What a tournament is: the entrants, the games, the format, the time, when it is decided. All values, and plain data.

The same plan, with the same programs, is the same tournament: its plain form stands in the journal, where a run that
goes on finds what it was begun with. How a plan is read from a file is said in plan_file.py.
"""

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.program import Limits, kit_command
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.knockout import Knockout
from quadrille.ai.tournament.ladder import Ladder
from quadrille.ai.tournament.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedule import Contest, Format, Schedule
from quadrille.ai.tournament.swiss import Swiss
from quadrille.net.terms import Clock
from quadrille.rules.core import RULES_VERSION

if TYPE_CHECKING:
    from quadrille.ai.tournament.stopping import ConfidenceSequence, Gsprt

FORMATS: Final[dict[str, type[Any]]] = {
    "round robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
}
RULES: Final = ("sprt", "confidence")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A program that takes part: a bot of the house or of the kit, or the words of a command.

    `digest` is that of its files, so that another program under the same name is noticed. Where its files are is the
    plan's `folder`.
    """

    name: str
    bot: str = ""
    words: tuple[str, ...] = ()
    digest: str = ""
    limits: Limits = field(default_factory=Limits)

    @property
    def written(self) -> str:
        """As a person would write it."""
        return self.bot or " ".join(self.words)

    @property
    def text(self) -> str:
        """What tells it from all others, versions and all."""
        return f"{self.name} = {self.written} {self.digest}".rstrip()

    def command(self, folder: str) -> list[str]:
        """The program on this machine; refused when its files are not those that the tournament was begun with."""
        if (digest := digest_of(self.bot, self.words, folder)) != self.digest:
            raise TournamentError(
                f"the program of {self.name} ({self.written}) is not what it was when the tournament began"
                if digest
                else f"the program of {self.name} ({self.written}) is not there: it should be in {folder}"
            )
        if self.bot:
            path, name = split_file(self.bot)
            where = os.path.join(folder, os.path.expanduser(path))
            return kit_command(where + (f":{name}" if name else "") if path else self.bot)
        first, *rest = self.words
        return [os.path.join(folder, os.path.expanduser(first)) if os.path.dirname(first) else first, *rest]


def split_file(bot: str) -> tuple[str, str]:
    """The file of a bot of the kit and the name of a class in it, which may be absent; nothing for one of the house."""
    if bot.endswith(".py"):
        return bot, ""
    path, _, name = bot.rpartition(".py:")
    return (f"{path}.py", name) if path else ("", "")


def digest_of(bot: str, words: tuple[str, ...], folder: str) -> str:
    """Of the files that a program is made of, as far as its command names them; "" where it names none that is there.

    An interpreter that is found on the PATH is not among them.
    """
    names = [split_file(bot)[0]] if bot else list(words)
    found = hashlib.sha256()
    count = 0
    for name in filter(None, names):
        path = Path(folder, os.path.expanduser(name))
        if path.is_file():
            found.update(path.read_bytes())
            count += 1
    return found.hexdigest()[:16] if count else ""


def is_there(words: tuple[str, ...], folder: str) -> bool:
    """Whether the program of a command can be found."""
    first = os.path.expanduser(words[0])
    if os.path.dirname(first):
        return os.access(os.path.join(folder, first), os.X_OK)
    return shutil.which(first) is not None


@dataclass(frozen=True, slots=True)
class Time:
    """How long bots may think, in milliseconds: a clock, or so much for each move, of which they are advised to take
    `budget`.
    """

    clock: Clock | None = None
    move: int = 60_000
    budget: int | None = None

    def __str__(self) -> str:
        each = "" if self.budget is None else f", {self.budget}ms advised"
        return (str(self.clock) if self.clock else f"{self.move}ms a move") + each


@dataclass(frozen=True, slots=True)
class Stop:
    """When a match is decided: `entrant` against one other, or (None) against everybody."""

    rule: str
    entrant: int = 0
    against: int | None = None
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def machine(self) -> "Gsprt | ConfidenceSequence":
        """What takes the score of block after block."""
        from quadrille.ai.tournament.stopping import ConfidenceSequence, Gsprt  # here: numpy is an extra

        if self.rule == "sprt":
            return Gsprt(self.elo0, self.elo1, alpha=self.alpha, beta=self.beta)
        return ConfidenceSequence(alpha=self.alpha)

    def __str__(self) -> str:
        if self.rule == "sprt":
            return f"GSPRT of {self.elo0:g} against {self.elo1:g} Elo, alpha {self.alpha:g}, beta {self.beta:g}"
        return f"confidence sequence of {100 * (1 - self.alpha):g} %"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole tournament. `folder` is where its file stands, and `at_once` how many games are played at a time
    (0: as many as this machine has cores): neither is part of what it is.
    """

    entrants: tuple[Entrant, ...]
    contests: tuple[Contest, ...]
    format: Format
    seed: str = ""
    time: Time = field(default_factory=Time)
    neighbours: bool = True
    fresh: bool = False
    anchor: int | None = None
    stop: Stop | None = None
    folder: str = "."
    at_once: int = 0

    def schedule(self) -> Schedule:
        """The machine that gives its games."""
        texts = [entrant.text for entrant in self.entrants]
        return Schedule(self.seed, texts, self.contests, self.format, neighbours=self.neighbours)

    def plain(self) -> dict[str, Any]:
        """All that makes it this tournament, as data for JSON."""
        kind = next(name for name, kind in FORMATS.items() if isinstance(self.format, kind))
        return {
            "rules": RULES_VERSION,
            "seed": self.seed,
            "games": [asdict(contest) | {"options": dict(contest.options)} for contest in self.contests],
            "entrants": [asdict(entrant) | {"words": list(entrant.words)} for entrant in self.entrants],
            "format": {"kind": kind} | asdict(self.format),  # type: ignore[call-overload]
            "balance": "neighbours" if self.neighbours else "turns",
            "time": asdict(self.time),
            "fresh": self.fresh,
            "anchor": self.anchor,
            "stop": asdict(self.stop) if self.stop else None,
        }


def plan_of(plain: Mapping[str, Any], folder: str) -> Plan:
    """The plan that stands in a journal."""
    time, stop, shape = plain["time"], plain["stop"], dict(plain["format"])
    return Plan(
        entrants=tuple(
            Entrant(**row | {"words": tuple(row["words"]), "limits": Limits(**row["limits"])})
            for row in plain["entrants"]
        ),
        contests=tuple(Contest(**row | {"options": tuple(row["options"].items())}) for row in plain["games"]),
        format=FORMATS[shape.pop("kind")](**shape),
        seed=plain["seed"],
        time=Time(Clock(**time["clock"]) if time["clock"] else None, time["move"], time["budget"]),
        neighbours=plain["balance"] == "neighbours",
        fresh=plain["fresh"],
        anchor=plain["anchor"],
        stop=Stop(**stop) if stop else None,
        folder=folder,
    )


def differences(here: Mapping[str, Any], there: Mapping[str, Any]) -> list[str]:
    """In what a plan is not the one that a journal was begun with: one line each."""
    lines = []
    for name, value in here.items():
        other = there.get(name)
        if name == "entrants" and isinstance(other, list) and len(value) == len(other):
            lines += [
                f"{_named(now)} is here what is {_named(then)} there"
                for now, then in zip(value, other, strict=True)
                if now != then
            ]
        elif value != other:
            lines.append(f"{name} is {value!r} here and {other!r} there")
    return lines


def _named(row: Mapping[str, Any]) -> str:
    what = row["bot"] or " ".join(row["words"])
    return f"{row['name']} ({what} {row['digest']})".replace(" )", ")")
