"""The ladders of the games: which samples there are, and what the committed run found about them."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.openings import Book
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.drawing.plain_text import WIDTH, aligned
from quadrille.rules.registry import game

HERE: Final = Path(__file__).parent
RATINGS: Final = HERE / "ratings"
SEATS: Final = 2
#: How often two samples had each score in a block of two games: 0, 1/4, 1/2, 3/4 or all of the points.
Scores: TypeAlias = tuple[int, ...]
SCORES: Final = 5


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample bot: a bot of the kit, or the words of a command. Both name their files from the samples' folder.

    `file` is its source, of this folder or of the examples. `needs` names the tool without which it can't be played,
    and `build` the command that makes its program, if it needs one.
    """

    name: str
    bot: str = ""
    words: tuple[str, ...] = ()
    file: str = ""
    needs: str = ""
    build: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LadderDraft:
    """A ladder before anybody has played: its game, its samples and the number of its openings. The first sample has
    Elo 0.
    """

    game: str
    options: tuple[tuple[str, Any], ...]
    openings: int
    samples: tuple[Sample, ...]

    def contest(self, terms: str) -> Contest:
        return Contest(self.game, self.options, SEATS, terms)


@dataclass(frozen=True, slots=True)
class Rung:
    """A rated sample. `error` is half of the 95 % interval of its distance from the mean of all samples. `digest` is
    the hash of its file.
    """

    sample: Sample
    elo: float
    error: float
    score: float
    games: int
    digest: str


@dataclass(frozen=True, slots=True)
class RatedPair:
    """The scores of one sample against another, each of a block."""

    one: str
    other: str
    scores: Scores


@dataclass(frozen=True, slots=True)
class RatedLadder:
    """The ladder of a game, the strongest rung first, and the results behind it. `runs` tells command, date, seed and
    games of the runs that rated it.
    """

    draft: LadderDraft
    rungs: tuple[Rung, ...]
    pairs: tuple[RatedPair, ...]
    book: Book
    runs: tuple[Mapping[str, Any], ...]

    @property
    def game(self) -> str:
        return self.draft.game

    @property
    def mean(self) -> float:
        """The mean of all rungs: the point to which errors refer."""
        return sum(rung.elo for rung in self.rungs) / len(self.rungs)

    def rung(self, name: str) -> Rung | None:
        return next((rung for rung in self.rungs if rung.sample.name == name), None)

    def neighbours(self, elo: float) -> tuple[Rung | None, Rung | None]:
        """Return the rungs next above and next below."""
        above = [rung for rung in self.rungs if rung.elo > elo]
        below = [rung for rung in self.rungs if rung.elo <= elo]
        return (above[-1] if above else None), (below[0] if below else None)


@cache
def drafts() -> Mapping[str, LadderDraft]:
    """Read all ladders as they are written by hand, by the keys of their games."""
    data = tomllib.loads((HERE / "ladders.toml").read_text("utf-8"))
    samples = {name: _sample(name, row) for name, row in data["samples"].items()}
    drafts_there = {}
    for key, row in data["games"].items():
        options = game(key).read_options(row.get("options", {})).plain()
        members = tuple(samples[name] for name in row["samples"])
        drafts_there[key] = LadderDraft(key, tuple(sorted(options.items())), row.get("openings", 0), members)
    return drafts_there


def _sample(name: str, row: Mapping[str, Any]) -> Sample:
    bot, words = row.get("bot", ""), tuple(row.get("exec", ()))
    file = row.get("file", bot.partition(":")[0] if ".py" in bot else "")
    return Sample(name, bot, words, file, row.get("needs", ""), tuple(row.get("build", ())))


def ladder(key: str, folder: Path = RATINGS) -> RatedLadder:
    """Read the rated ladder of a game; refuse a game without one."""
    if (draft := drafts().get(key)) is None:
        raise TournamentError(f"there is no ladder of {game(key).key}: there are those of {', '.join(drafts())}")
    data = json.loads((folder / f"{key}.json").read_text("utf-8"))
    known = {sample.name: sample for sample in draft.samples}
    rungs = tuple(Rung(known[row.pop("name")], **row) for row in data["samples"])
    pairs = tuple(RatedPair(first, other, tuple(scores)) for first, other, scores in data["pairs"])
    book = (tuple(map(tuple, data["openings"])),)
    return RatedLadder(draft, rungs, pairs, book, tuple(data["runs"]))


# As text, without a bot


def ladder_text(ladder: RatedLadder, lacking: dict[str, str]) -> str:
    games = sum(run["games"] for run in ladder.runs)
    rows = [["", "", "Elo", "± 95 %", "games"]]
    rows += [[f"{place}.", *known(rung), str(rung.games)] for place, rung in enumerate(ladder.rungs, 1)]
    heading = f"The ladder of {terms(ladder)}: {len(ladder.rungs)} samples, {games} games on {ladder.runs[-1]['date']}."
    parts = [heading, "\n".join(aligned(rows, 2)), "\n".join(wrap(missing(lacking), WIDTH))]
    return "\n\n".join(filter(None, parts))


def terms(ladder: RatedLadder) -> str:
    """Return the game and the options that are not its usual ones."""
    usual = game(ladder.game).read_options(None).plain()
    options = [f"{name}={value}" for name, value in ladder.draft.options if usual[name] != value]
    return f"{ladder.game} ({', '.join(options)})" if options else ladder.game


def known(rung: Rung) -> list[str]:
    """Return the cells of a rung: its name, its Elo and its error."""
    return [rung.sample.name, f"{rung.elo:.0f}", f"{rung.error:.0f}"]


def missing(lacking: dict[str, str]) -> str:
    """Say which samples can't be played here, and why; "" if all can."""
    names = [f"{name} (no {lack})" if lack else name for name, lack in lacking.items()]
    return f"Not played here: {', '.join(names)}." if names else ""
