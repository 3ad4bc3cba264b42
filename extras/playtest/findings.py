"""The findings of a playtest: each is a mean with its interval, and a verdict if it is compared with anything.

The first word of a finding's key is its section, and the questions of an inventor name keys (asked.py).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from quadrille.extras.playtest.comparing import SLIGHT, Mean, average, compared, difference, settled, share
from quadrille.extras.playtest.kinds import declared, playtested
from quadrille.extras.playtest.plan import TrialPlan
from quadrille.extras.playtest.trials import TABLE, UNFINISHED, Trial, TrialCell
from quadrille.rules.match import Match

PERCENT, POINTS, NUMBER, SIGNED = "{:.0f} %", "{:+.0f} %", "{:.1f}", "{:+.1f}"


def is_shared(trial: Trial) -> bool:
    """Tell if several seats share the first place."""
    return len(trial.points) > 1 and trial.points.count(max(trial.points)) > 1


_SHARED: Final = "shared first places"
#: What an option is compared by: the name, the value of a game, and its form.
_BY: Final[tuple[tuple[str, Callable[[Trial], float], str], ...]] = (
    ("moves", lambda trial: float(trial.moves), SIGNED),
    ("player 1's points", lambda trial: trial.points[0], POINTS),
    (_SHARED, is_shared, POINTS),
    ("changes of the lead", lambda trial: float(trial.swings), SIGNED),
)
#: The verdicts of findings: less, more.
_WORDS: Final = {
    "seats": ("a disadvantage", "an advantage"),
    "skill": ("thinking harms", "skill counts"),
    "kinds": ("worth having", "better without it"),
    "memory": ("a memory pays", "better without one"),
}
#: Maximum kinds of moves and first moves that are told, and the minimum number of games of a first move.
_KINDS: Final = 12
_OPENINGS: Final = 8
_OPENED: Final = 5
#: What a winner had to expect who was clearly behind; the share of games below which something hardly ever happens.
_BEHIND: Final = -0.3
_HARDLY: Final = 0.02
#: Games to look at.
_BEST: Final = 3


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measure, and how its numbers are written. A subject with several measures tells them apart by `of`."""

    key: str
    subject: str
    measured: Mean
    form: str = PERCENT
    of: str = ""

    @property
    def what(self) -> str:
        return f"{self.subject}: {self.of}" if self.of else self.subject

    @property
    def told(self) -> str:
        """The mean, its interval and the verdict: `57 % (51 to 63 %), an advantage`; ? where games are too few."""
        mean_found, factor = self.measured, 100 if "%" in self.form else 1
        if not mean_found.games:
            return "?"
        values = mean_found.mean, mean_found.low, mean_found.high
        mean, low, high = (self.form.format(factor * value + 0.0) for value in values)
        verdict = f", {self.verdict}" * (self.verdict not in ("", "cannot tell"))
        return mean + f" ({low.removesuffix(' %')} to {high})" * (low != high) + verdict

    @property
    def verdict(self) -> str:
        """The result of a comparison; nothing for a mere measure."""
        mean, less_more = self.measured, _WORDS.get(self.key.split()[0], ("less", "more"))
        if mean.against is None:
            return ""
        way = less_more[mean.mean > mean.against]
        if mean.found:
            return way
        if mean.slight and "%" in self.form:
            return f"within {100 * SLIGHT:.0f} points"
        if mean.games and mean.low == mean.high == mean.against:
            return "the same"
        return "cannot tell" if mean.low <= mean.against <= mean.high else f"perhaps {way}"

    @property
    def silent(self) -> bool:
        nothing = ("the same", "cannot tell") if self.measured.mean else ("the same", "cannot tell", "")
        return bool(self.of) and self.verdict in nothing


class Games:
    """The games that were played, by their cells. Those that did not end are in `unfinished` and nowhere else.

    `findings` tells of all others, and `dead` of rules, options and kinds of moves that do nothing, as far as these
    games can tell.
    """

    def __init__(self, plan: TrialPlan, trials: Sequence[Trial], start: Match) -> None:
        self.plan, self.trials, self.start = plan, trials, start
        ended = [trial for trial in trials if trial.ended != UNFINISHED]
        self._rows = {cell.name: [trial for trial in ended if trial.cell == at] for at, cell in enumerate(plan.cells)}
        self.unfinished = [trial for trial in trials if trial.ended == UNFINISHED]
        self.own, self.seats, self.level = self._rows["self"], plan.cells[0].seats, plan.cells[0].level
        self.findings, self.dead = list[Measurement](), list[str]()
        if self.own:
            self._find()
        measured = settled([finding.measured for finding in self.findings])
        self.findings = [replace(row, measured=known) for row, known in zip(self.findings, measured, strict=True)]

    def of(self, key: str) -> list[Measurement]:
        """Return the findings of a section, or of one thing in it."""
        return [finding for finding in self.findings if f"{finding.key} ".startswith((f"{key} ", f"{key}="))]

    def _find(self) -> None:
        moves = [trial.moves for trial in self.own]
        self._add("length", f"moves in a game, from {min(moves)} to {max(moves)}", average(moves), NUMBER)
        self._add("length choice", "turns with a choice", share([trial.choice for trial in self.own]))
        if self.seats > 1:
            self._find_winners()
            self._find_drama()
            for cell in self._cells("ladder"):
                board = f" with {cell.told}" * bool(cell.told)
                what = f"points of level {cell.other} against level {cell.level}{board}"
                self._add(f"skill {cell.told}".strip(), what, compared(self._odd(cell)))
        for cell in self._cells("memory"):
            self._add("memory", "points of a player who forgets each look", compared(self._odd(cell)))
        for cell in self._cells("self")[1:]:
            rows = self._rows[cell.name]
            self._add("length", f"moves in a game at level {cell.level}", average([one.moves for one in rows]), NUMBER)
            if self.seats > 1:
                points = compared([one.points[0] for one in rows])
                self._add("seats", f"points of player 1 at level {cell.level}", points)
        for cell in self._cells("option"):
            self._find_change(cell)
        kinds = Counter(dict.fromkeys(self.plan.kinds, 0))
        for trial in self.own:
            kinds.update({kind: every for kind, (every, _) in trial.kinds.items()})
        for kind, _ in kinds.most_common(_KINDS):
            self._find_kind(kind)
        for name in sorted({name for trial in self.own for name in trial.figures}):
            self._find_figure(name, name.replace("_", " "))
        if self.seats > 1:
            self._find_openings()
        played = {kind for trial in self.trials for kind in trial.kinds} | {*self.plan.kinds}
        never = (kind for kind in declared(self.start.state) if kind not in played)
        self.dead += [f"{kind}: never played, not even in games of random moves" for kind in never]

    def _add(self, key: str, subject: str, measured: Mean, form: str = PERCENT, of: str = "") -> Measurement:
        self.findings.append(Measurement(key, subject, measured, form, of))
        return self.findings[-1]

    def _often(self, key: str, subject: str, rows: Iterable[bool], of: str = "") -> Measurement:
        """Add the share of games in which something was so."""
        return self._add(key, subject, share([float(row) for row in rows]), of=of)

    def _cells(self, kind: str) -> list[TrialCell]:
        return [cell for cell in self.plan.cells if cell.name.split()[0] == kind and self._rows[cell.name]]

    def _odd(self, cell: TrialCell) -> list[float]:
        """Average the points of the seat that played otherwise, for each start from which every seat was that seat."""
        points_by_start: dict[int, list[float]] = {}
        for trial in self._rows[cell.name]:
            own = trial.points[cell.odd_seat(trial.number) or 0]
            points_by_start.setdefault(cell.start(trial.number), []).append(own)
        return [fmean(row) for row in points_by_start.values() if len(row) == self.seats]

    def _find_winners(self) -> None:
        """Measure what a seat is worth, how often each criterion decides, or never does, and why games end."""
        for seat in range(1 if self.seats == 2 else self.seats):
            points = compared([trial.points[seat] for trial in self.own])
            self._add(f"seats {seat + 1}", f"points of player {seat + 1}", points)
        self._often("seats shared", "games with a shared first place", map(is_shared, self.own))
        criteria = [trial.name for trial in self.start.state.criteria(0)]
        for rule in dict.fromkeys([*criteria, *(trial.decided for trial in self.own)]):
            decided = (trial.decided == rule for trial in self.own)
            share_found = self._often(f"decides {rule}", f"decided by {rule}", decided)
            self.dead += [] if share_found.measured.mean else [f"{rule}: never decided a game, {share_found.told}"]
        for reason in {trial.ended: 0 for trial in self.own if trial.ended != trial.decided}:
            self._often(f"decides {reason}", f"ended: {reason}", (trial.ended == reason for trial in self.own))

    def _find_drama(self) -> None:
        swings = average([trial.swings for trial in self.own])
        self._add("drama swings", "changes of the lead in a game, as the bots see it", swings, NUMBER)
        part = share([trial.settled for trial in self.own])
        self._add("drama settled", "part of a game after which the lead stays", part)
        behind = (trial.lowest < _BEHIND for trial in self.own)
        self._often("drama behind", "games whose winner was once clearly behind", behind)

    def _find_change(self, cell: TrialCell) -> None:
        """Measure a changed option, and how many games go exactly as that of the same number without the change."""
        key, rows = f"option {cell.told}", self._rows[cell.name]
        own = {trial.number: (trial.trace, trial.points) for trial in self.own}
        pairs = [own[trial.number] == (trial.trace, trial.points) for trial in rows if trial.number in own]
        for name, value, form in _BY if self.seats > 1 else _BY[:1]:
            if (pairs and all(pairs)) or (name == _SHARED and not any(map(is_shared, self.trials))):
                continue  # there is nothing to compare
            values, usual = ([value(trial) for trial in games] for games in (rows, self.own))
            self._add(key, cell.told, difference(values, usual, shares=form == POINTS), form, name)
        same = self._often(key, cell.told, pairs, "games that stay the same")
        self.dead += [f"{same.what}: {same.told}, all {len(pairs)}"] if pairs and all(pairs) else []

    def _find_kind(self, kind: str) -> None:
        """Measure how often a kind of move is played, and the points of a player that forgoes it."""
        words = playtested(self.start.game.key).words.get(kind, "")
        key, subject = f"kinds {kind}", f"{kind} ({words})" if words else kind
        rows = [(*trial.kinds.get(kind, (0, 0.0)), max(trial.moves, 1)) for trial in self.own]
        every = self._add(key, subject, share([trial / moves for trial, _, moves in rows]), of="of all moves")
        self._add(key, subject, share([early for _, early, _ in rows]), of="of the first quarter")
        for cell in self._cells("without"):
            if cell.without == kind:
                self._add(key, subject, compared(self._odd(cell)), of="points without it")
        self.dead += [] if every.measured.mean else [f"{every.what}: {every.told} at level {self.level}"]

    def _find_openings(self) -> None:
        for first, number in Counter(trial.first for trial in self.own).most_common(_OPENINGS):
            if _OPENED <= number < len(self.own):
                here = [trial.points[0] for trial in self.own if trial.first == first]
                others = [trial.points[0] for trial in self.own if trial.first != first]
                points = difference(here, others, shares=True)
                self._add(f"opening {first}", first, points, POINTS, "player 1's points beside other first moves")
                self._often(f"opening {first}", first, (trial.first == first for trial in self.own), "of all games")

    def _find_figure(self, name: str, words: str) -> None:
        """Measure how large a figure is in the end, how often it is anything, and how often winners alone have most."""
        rows = [trial.figures[name] for trial in self.own if name in trial.figures]
        self._add(f"figure {name}", words, average([total for total, _, _ in rows]), NUMBER, "at the end, in all")
        if rows[0][2] == TABLE:
            return
        share_found = self._often(f"figure {name}", words, (most > 0 for _, most, _ in rows), "games with any")
        self._often(f"figure {name}", words, (won > 0 for _, _, won in rows), "games in which only winners have most")
        self.dead += [f"{share_found.what}: {share_found.told}"] if share_found.measured.mean <= _HARDLY else []

    def best(self) -> list[Trial]:
        """Choose the games to look at: different ones, with many changes of the lead, late, that nobody expected."""
        usual = max(fmean(trial.swings for trial in self.own) if self.own else 0.0, 1.0)

        def drama(trial: Trial) -> tuple[float, int]:
            return min(trial.swings / usual, 3) + 2 * trial.settled + (1 - trial.lowest) / 2, -trial.number

        rows = {trial.trace: trial for trial in reversed(self.own) if not is_shared(trial)}
        return sorted(rows.values(), key=drama, reverse=True)[:_BEST]
