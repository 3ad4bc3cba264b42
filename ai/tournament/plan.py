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

from quadrille.ai.local import Umpire
from quadrille.ai.program import Limits, kit_command
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.knockout import Knockout
from quadrille.ai.tournament.ladder import Ladder
from quadrille.ai.tournament.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedule import Contest, Format, Schedule
from quadrille.ai.tournament.swiss import Swiss
from quadrille.net.identity import fingerprint
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
#: How late nobody is, in milliseconds: pipes and a busy machine take some of it, and no bot can help that.
MARGIN: Final = 50


@dataclass(frozen=True, slots=True)
class Entrant:
    """A program that takes part: a bot of the house or of the kit, the words of a command, or the key of a peer whose
    bot it is, in hexadecimal digits.

    `digest` is that of its files, so that another program under the same name is noticed; a peer's can't be known.
    Where its files are is the plan's `folder`.
    """

    name: str
    bot: str = ""
    words: tuple[str, ...] = ()
    digest: str = ""
    limits: Limits = field(default_factory=Limits)
    peer: str = ""

    @property
    def written(self) -> str:
        """As a person would write it."""
        return f"peer {fingerprint(bytes.fromhex(self.peer))}" if self.peer else self.bot or " ".join(self.words)

    @property
    def text(self) -> str:
        """What tells it from all others, versions and all."""
        what = f"peer {self.peer}" if self.peer else self.written
        return f"{self.name} = {what} {self.digest}".rstrip()

    def plain(self) -> dict[str, Any]:
        """As data for JSON; without `peer` where it is none."""
        data = asdict(self) | {"words": list(self.words)}
        return {name: value for name, value in data.items() if name != "peer" or value}

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
    """How long bots may think, in milliseconds: a clock, which has its time anew after every `period` moves, or so much
    for each `move`; what a move takes longer comes from a `bank`, if there is one. They are advised to take `budget`,
    and nobody is late by less than `margin`.
    """

    clock: Clock | None = None
    move: int = 60_000
    budget: int | None = None
    period: int = 0
    bank: int = 0
    margin: int = MARGIN

    def __str__(self) -> str:
        each = (str(self.clock) if self.clock else f"{self.move}ms a move") + (
            "" if self.budget is None else f", {self.budget}ms advised"
        )
        more = [f"{self.period} moves a period"] if self.period else []
        more += [f"{self.bank}ms in the bank"] if self.bank else []
        more += [f"{self.margin}ms margin"] if self.margin != MARGIN else []
        return ", ".join([each, *more])

    def terms(self) -> dict[str, Any]:
        """As a local game takes them."""
        shared = {"patience": self.move, "budget": self.budget, "margin": self.margin}
        if self.bank:
            return shared | {"clock": Clock(self.bank, 0), "free": self.move}
        return shared | {"clock": self.clock, "period": self.period}


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
    (0: as many as this machine has cores), `pinned` each on one core: none of these is part of what it is.
    """

    entrants: tuple[Entrant, ...]
    contests: tuple[Contest, ...]
    format: Format
    seed: str = ""
    time: Time = field(default_factory=Time)
    umpire: Umpire = field(default_factory=Umpire)
    neighbours: bool = True
    fresh: bool = False
    anchor: int | None = None
    stop: Stop | None = None
    folder: str = "."
    at_once: int = 0
    pinned: bool = False

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
            "entrants": [entrant.plain() for entrant in self.entrants],
            "format": {"kind": kind} | asdict(self.format),  # type: ignore[call-overload]
            "balance": "neighbours" if self.neighbours else "turns",
            "time": asdict(self.time),
            "adjudicate": asdict(self.umpire),
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
        time=Time(**time | {"clock": Clock(**time["clock"]) if time["clock"] else None}),
        umpire=Umpire(**plain["adjudicate"]),
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
    what = row.get("peer") or row["bot"] or " ".join(row["words"])
    return f"{row['name']} ({what} {row['digest']})".replace(" )", ")")
