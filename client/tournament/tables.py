"""The tables of a tournament: the standing as text, and all of it as data for JSON and CSV."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from sys import intern
from textwrap import wrap
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament.counting import Counted, counted, unjudged
from quadrille.ai.tournament.hosts import HostFigures, compare, medians, named, slower
from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.paces import MoveTimes
from quadrille.ai.tournament.plan import Plan
from quadrille.ai.tournament.playing import GameOutcome
from quadrille.ai.tournament.proof import broken
from quadrille.ai.tournament.ratings import Ratings, rate
from quadrille.ai.tournament.results import Kill, Result
from quadrille.ai.tournament.run import outcome_data
from quadrille.ai.tournament.secret import Committed
from quadrille.ai.tournament.stopping import Gsprt, MeanScore, field_scores
from quadrille.ai.tournament.tables import Duplicates, EntrantLine, duplicates, faults, standing, time_used
from quadrille.client.foreign import shown
from quadrille.client.tournament.rating_notes import bounds, differences, error_text, seats, unsaid
from quadrille.rules.plain_text import WIDTH, aligned
from quadrille.rules.registry import game

#: Maximum processor time out of turn that is not mentioned: in seconds, or as a share of the time for moves.
_LITTLE: Final = 0.5
_FEW: Final = 0.05
#: Maximum games without a result that are listed one by one.
MOST_UNPLAYED: Final = 5


#: Numbers of games, by the isolation of a program and the machine.
Boxes: TypeAlias = Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """The state of a tournament at some time."""

    plan: Plan
    counted: Counted
    lines: tuple[EntrantLine, ...]
    ratings: Ratings
    scores: tuple[MeanScore | None, ...]
    duplicates: Duplicates
    hosts: tuple[HostFigures, ...]
    #: The speed of each host, whether its games count or not.
    speeds: dict[str, float]
    moves: tuple[MoveTimes, ...]
    #: Games that a signal ended, and the entrants that could not be judged because of that.
    kills: tuple[Kill, ...] = ()
    unjudged: frozenset[int] = frozenset()
    #: The numbers of void games.
    void: frozenset[int] = frozenset()
    #: The commitments to the secrets that dealt its games, and the secrets that are shown.
    secrets: tuple[Committed, ...] = ()
    #: The boxes of each entrant's program.
    boxes: tuple[Boxes, ...] = ()
    #: Seconds of processor time of each entrant while it was not to move.
    pondered: tuple[float, ...] = ()

    def line(self, entrant: int) -> EntrantLine:
        """Return an entrant's line."""
        return next(line for line in self.lines if line.entrant == entrant)

    @property
    def order(self) -> list[int]:
        """The entrants, best first: in the format's own ranking once there is one, else by points a game."""
        ranking = self.counted.schedule.ranking
        return [entrant for group in ranking for entrant in group] if ranking else [row.entrant for row in self.lines]

    @property
    def unplayed(self) -> dict[int, list[Kill]]:
        """The games without a result, and how each attempt ended."""
        games: dict[int, list[Kill]] = {}
        for kill in self.kills:
            games.setdefault(kill.number, []).append(kill)
        return {number: games[number] for number in sorted(self.void & games.keys())}

    @property
    def verdict(self) -> str | None:
        """The stopping rule's verdict, if all entrants could be judged."""
        return None if self.unjudged else self.counted.count.verdict


def standing_of(journal: Journal, outcomes: Iterable[GameOutcome] | None = None) -> TournamentStanding:
    """Return the standing of a journal's tournament; pass its `outcomes` if they are at hand."""
    plan = journal.plan()
    if outcomes is None:
        outcomes = journal.outcomes(records=False)
    entrants = len(plan.entrants)
    moves = tuple(MoveTimes() for _ in plan.entrants)
    where: dict[str, str] = {}
    speeds: dict[str, list[float]] = {}
    void, kills = journal.unplayed(), tuple(journal.kills())
    boxes, pondered = tuple(Boxes() for _ in plan.entrants), [0.0] * entrants
    outcomes = _boxed(outcomes, boxes, pondered)
    found = counted(plan, chain(void.values(), _taken(outcomes, moves, where, speeds)))
    ratings = rate(found.results, entrants, anchor=plan.anchor)
    return TournamentStanding(
        plan,
        found,
        standing(found.results, entrants),
        ratings,
        field_scores(found.results, entrants),
        duplicates(found.results),
        compare(found.results, where, ratings.expected),
        medians(speeds),
        moves,
        kills,
        unjudged(found.count, kills),
        frozenset(void),
        journal.commitments,
        boxes,
        tuple(pondered),
    )


def _boxed(outcomes: Iterable[GameOutcome], boxes: Sequence[Boxes], pondered: list[float]) -> Iterator[GameOutcome]:
    """Pass outcomes on, and note each program's isolation and its processor time out of turn."""
    for outcome in outcomes:
        for entrant, told in zip(outcome.result.seats, outcome.held, strict=False):
            if told:
                boxes[entrant][intern(told), outcome.host] += 1
        for entrant, seconds in zip(outcome.result.seats, outcome.pondered, strict=False):
            pondered[entrant] += seconds
        yield outcome


def _taken(
    outcomes: Iterable[GameOutcome], moves: Sequence[MoveTimes], where: dict[str, str], speeds: dict[str, list[float]]
) -> Iterator[Result]:
    """Yield all results, and note the times of moves, and each game's machine and its speed."""
    for outcome in outcomes:
        result = outcome.result
        where[result.game] = host = intern(outcome.host)
        speeds.setdefault(host, []).append(outcome.speed)
        rows = zip(result.seats, outcome.counts, result.times, outcome.longest, outcome.paces, strict=False)
        for entrant, count, total, longest, steps in rows:
            moves[entrant].take(count, total, longest, steps)
        yield result


def text(one: TournamentStanding) -> str:
    """Return the standing as text."""
    said = [line for note in notes(one) for line in folded(note)]
    return "\n\n".join([_heading(one), "\n".join(aligned(list(_rows(one)), 2)), "\n".join(said)])


def folded(note: str) -> list[str]:
    """Wrap a sentence to the width of a screen; no line ends between a number and its unit."""
    whole = note.replace(" %", "\xa0%")
    lines = wrap(whole, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def _heading(one: TournamentStanding) -> str:
    count = one.counted.count
    games = ", ".join(f"{contest.game} for {contest.seats}" for contest in one.plan.contests)
    blocks = f"{many(count.games, 'game')} in {many(count.blocks, 'complete block')}"
    return f"{games}, {one.plan.contests[0].clock}: {blocks}."


def many(number: int, what: str) -> str:
    """Return a number with its noun, in the plural if need be."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def elo(value: float) -> str:
    """Return a difference in whole Elo points; zero has no sign."""
    return str(round(value))


def _rows(one: TournamentStanding) -> Iterator[list[str]]:
    yield ["", "", "Elo", f"± {100 * one.ratings.level:g} %", "score", "games", "places", "faults", "ms a game"]
    lost = faults(one.counted.results, len(one.plan.entrants))
    times = time_used(one.counted.results, len(one.plan.entrants))
    ranked = ranks(one)
    for entrant in one.order:
        line = one.line(entrant)
        yield [
            rank(ranked[entrant]),
            shown(one.plan.entrants[entrant].name),
            elo(one.ratings.elo[entrant]) if line.games else "",
            error_text(one.ratings.error[entrant]) if line.games else "",
            "" if line.score is None else f"{line.score:.3f}",
            str(line.games),
            "-".join(map(str, line.places)),
            str(sum(map(len, lost[entrant].values()))),
            f"{1000 * times[entrant].mean:.1f}",
        ]


def rank(place: int | None) -> str:
    """Return a rank as a cell."""
    return "-" if place is None else f"{place}."


def ranks(one: TournamentStanding) -> dict[int, int | None]:
    """Return the rank of every entrant, shared by equals; None for all if not all could be judged. Otherwise an entrant
    that ended others' programs, perhaps at tables where it did not sit, would stand above them.
    """
    if one.unjudged:
        return {line.entrant: None for line in one.lines}
    if not (ranking := one.counted.schedule.ranking):
        return {line.entrant: line.rank for line in one.lines}
    found: dict[int, int | None] = {}
    before = 0
    for group in ranking:
        found |= dict.fromkeys(group, before + 1)
        before += len(group)
    return found


def notes(one: TournamentStanding) -> Iterator[str]:
    """Yield the notes below the table."""
    yield verdict(one)
    yield from _winner(one)
    yield from _kills(one)
    yield from bounds(one)
    yield from differences(one, ranks(one))
    yield from seats(one)
    yield from _secrets(one)
    yield from _isolation(one)
    if uneven := one.plan.uneven():
        yield uneven
    if one.counted.beyond:
        have, they = ("has", "it does") if one.counted.beyond == 1 else ("have", "they do")
        ended = f"{many(one.counted.beyond, 'more game')} {have} ended"
        if one.counted.count.verdict is not None:
            yield f"{ended}, after the verdict: {they} not count."
        else:
            yield f"{ended}, in blocks that are not complete: {they} not count yet."
    if one.duplicates.share > 0.05:
        same = one.duplicates.games - one.duplicates.effective
        yield f"{same} of the games are the same as others, move by move: they tell nothing new."
    for host in named(one.hosts):
        yield (
            f"Games on {shown(host.name)} went otherwise than elsewhere (p = {host.corrected:.2g}): see whether that "
            "machine is slow, or busy with other things."
        )
    quickest, parts = slower(one.speeds)
    given = "so much more time" if one.plan.time.scaled else "the same time"
    for name, part in parts.items():
        yield f"Machine {shown(name)} is {part:.2f} times as quick as {shown(quickest)}; bots had {given} there."
    for entrant, row in enumerate(faults(one.counted.results, len(one.plan.entrants))):
        if row:
            told = ", ".join(f"{len(games)} by {shown(fault)}" for fault, games in row.items())
            who = one.plan.entrants[entrant]
            whose = "by its own fault, or of the way to it, as each reason says" if who.peer else "by its own fault"
            yield f"{shown(who.name)} lost games {whose}: {told}."


def _winner(one: TournamentStanding) -> Iterator[str]:
    """Name the winner of a format that ranks its entrants itself."""
    if ranking := one.counted.schedule.ranking:
        best = " and ".join(shown(one.plan.entrants[entrant].name) for entrant in ranking[0])
        if not one.unjudged:
            yield f"{best} {'wins' if len(ranking[0]) == 1 else 'share the first place of'} the tournament."


def _kills(one: TournamentStanding) -> Iterator[str]:
    """Report programs that signals ended. Nobody is accused, because the sender of a signal is unknown."""
    names = [shown(entrant.name) for entrant in one.plan.entrants]
    if one.counted.schedule.stuck:
        yield f"The tournament ends here: {one.counted.schedule.stuck}."
    void = one.unplayed
    for number, kills in list(void.items())[:MOST_UNPLAYED]:
        table = ", ".join(names[entrant] for entrant in kills[0].seats)
        died = ", ".join(dict.fromkeys(names[kill.entrant] for kill in kills))
        yield (
            f"Game {number} ({table}) has no result for anybody: it was begun {len(kills)} times, and each time a "
            f"signal that no limit sent ended a program (of {died}). No game of its block counts."
        )
    if len(void) > MOST_UNPLAYED:
        yield f"{many(len(void) - MOST_UNPLAYED, 'more game')} have no result for the same reason."
    if again := len(one.kills) - sum(map(len, void.values())):
        yield f"Signals ended programs {many(again, 'time')} more, in games that were played again."
    if one.unjudged:
        yield "No ranks are given and no winner is named, since not all entrants could be judged."
    for entrant in sorted(one.unjudged):
        there = sum(entrant in kill.seats for kill in one.kills)
        own = sum(kill.entrant == entrant for kill in one.kills)
        yield (
            f"{names[entrant]} could not be judged: signals ended programs at its tables {many(there, 'time')}, its "
            f"own {many(own, 'time')}. A bot that ends another's program, or its own, can't be told from one to which "
            "that was done: let bots play in a sandbox."
        )


def _secrets(one: TournamentStanding) -> Iterator[str]:
    """Say who can check the deals of games that have them, and report a secret that breaks its commitment."""
    for why in broken(one.secrets):
        yield f"Nothing that was dealt can be believed: {why}."
    if any(game(contest.game).dealt for contest in one.plan.contests):
        for row in one.secrets:
            if row.kept and row.secret:
                yield f"Dealt by the secret {row.secret.hex()}: quadrille tournament verify checks it."
            elif row.secret is None:
                yield f"Dealt by a secret that is shown at the end; its commitment is {row.commitment}."


def _isolation(one: TournamentStanding) -> Iterator[str]:
    """Report the bots' isolation by machine, and the bots that computed out of turn."""
    names = [shown(entrant.name) for entrant in one.plan.entrants]
    who: dict[str, dict[str, list[str]]] = {}
    for name, boxes in zip(names, one.boxes, strict=False):
        for told, host in boxes:
            who.setdefault(told, {}).setdefault(name, []).append(host)
    hosts = {host for boxes in one.boxes for _, host in boxes}
    for told, bots in who.items():
        held, _, why = told.partition(": ")
        because = f" ({shown(why)})" if why else ""
        all_alike = len(who) == 1 and len(bots) == sum(map(bool, one.boxes))
        rows = [name + (f" on {', '.join(map(shown, at))}" if len(hosts) > 1 else "") for name, at in bots.items()]
        them = "the bots" if all_alike and len(hosts) == 1 else ", ".join(rows)
        if held == "nothing":
            yield f"Nothing isolated {them}{because}: they had the organiser's rights."
        else:
            yield f"{held[0].upper()}{held[1:]} isolated {them}{because}."
    if not one.plan.ponder:
        yield "Each bot stood still while others were to move."
    for name, seconds, row in zip(names, one.pondered, time_used(one.counted.results, len(names)), strict=False):
        if one.plan.ponder and seconds > max(_LITTLE, _FEW * row.total):
            yield f"{name} used {seconds:.1f} s of processor time while others were to move ([limits] ponder = false)."


def verdict(one: TournamentStanding) -> str:
    """Return the verdict in words."""
    stop, rule = one.plan.stop, one.counted.count.rule
    names = [shown(entrant.name) for entrant in one.plan.entrants]
    if stop and rule:
        other = names[stop.against] if stop.against is not None else "the others"
        if rule.verdict is not None and one.verdict is None:
            return f"Not decided: {stop}, and not all entrants could be judged."
        if rule.verdict is not None:
            return f"{names[stop.entrant]} is {rule.verdict} than {other} ({stop}, after {rule.blocks} blocks)."
        if isinstance(rule, Gsprt):
            low, high = rule.bounds
            few = "" if low < rule.ratio < high else ", for which there are too few blocks yet"
            return f"Not decided: {stop}; the ratio is {rule.ratio:.2f} (bounds {low:.2f} and {high:.2f}){few}."
        return f"Not decided: {stop}; the score of {names[stop.entrant]} is from {rule.low:.3f} to {rule.high:.3f}."
    if not one.counted.results:
        return "No block is complete yet."
    if one.unjudged:
        return "Nobody can say who is the strongest: not all entrants could be judged."
    have_played = [line.entrant for line in one.lines if line.games]
    first, second, *_ = best = sorted(have_played, key=lambda entrant: -one.ratings.elo[entrant])
    likely = one.ratings.superiority[first][second]
    level = [names[entrant] for entrant in best if elo(one.ratings.elo[entrant]) == elo(one.ratings.elo[first])]
    if len(level) > 1:
        return f"By Elo {', '.join(level[:-1])} and {level[-1]} are level at the top."
    often = "Whoever looks often and stops when that is high is often wrong: a test is made by [stop] (quick: --sprt)."
    if unsaid(one, first, second):
        return (
            f"By Elo {names[first]} is first; blocks are too few to say how likely it is stronger than {names[second]}."
        )
    return (
        f"By Elo {names[first]} is first: the likelihood that it is stronger than {names[second]} is "
        f"{percent(likely)} %. {often}"
    )


def percent(share: float) -> str:
    """Return a probability in percent, never 0 or 100."""
    return "over 99.9" if share > 0.999 else "under 0.1" if share < 0.001 else f"{100 * share:.1f}"


def data(one: TournamentStanding) -> dict[str, Any]:
    """Return the standing as data for JSON (protocols.md, "Tournaments")."""
    count, lost = one.counted.count, faults(one.counted.results, len(one.plan.entrants))
    times, ranked = time_used(one.counted.results, len(one.plan.entrants)), ranks(one)
    rows = []
    for entrant in one.order:
        line = one.line(entrant)
        score, moved = one.scores[entrant], one.moves[entrant]
        rows.append(
            {
                "rank": ranked[entrant],
                "name": one.plan.entrants[entrant].name,
                "elo": round(one.ratings.elo[entrant], 2),
                "error": round(error, 2) if isfinite(error := one.ratings.error[entrant]) else None,
                "score": line.score,
                "games": line.games,
                "places": list(line.places),
                "faults": {fault: len(games) for fault, games in lost[entrant].items()},
                "kills": sum(kill.entrant == entrant for kill in one.kills),
                "judged": entrant not in one.unjudged,
                "isolation": [
                    {"held": told.partition(": ")[0], "why": told.partition(": ")[2], "host": host, "games": games}
                    for (told, host), games in sorted(one.boxes[entrant].items())
                ],
                "pondered": round(one.pondered[entrant], 6),
                "seconds": round(times[entrant].total, 6),
                "score_error": _rounded(score.by_block if score else None),
                "score_error_by_games": _rounded(score.by_game if score else None),
                "move": {
                    "median": _rounded(moved.within(0.5)),
                    "p99": _rounded(moved.within(0.99)),
                    "longest": moved.longest,
                },
            }
        )
    return {
        "games": count.games,
        "blocks": count.blocks,
        "beyond": one.counted.beyond,
        "unplayed": [
            {
                "game": number,
                "seats": [one.plan.entrants[entrant].name for entrant in kills[0].seats],
                "killed": [one.plan.entrants[kill.entrant].name for kill in kills],
                "why": kills[-1].why,
            }
            for number, kills in one.unplayed.items()
        ],
        "verdict": one.verdict,
        "said": verdict(one),
        "level": one.ratings.level,
        "secrets": [row.plain() for row in one.secrets],
        "effective": one.duplicates.effective,
        "standing": rows,
        "superiority": [
            [None if unsaid(one, row, column) else round(value, 4) for column, value in enumerate(values)]
            for row, values in enumerate(one.ratings.superiority)
        ],
        "hosts": [
            {
                "name": host.name,
                "games": host.games,
                "faults": host.faults,
                "residual": round(host.residual, 3),
                "p": round(host.corrected, 6),
                "speed": round(one.speeds[host.name], 3),
            }
            for host in one.hosts
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


COLUMNS = (
    "game", "id", "block", "contest", "seats", "places", "reason", "plies", "moves", "seconds", "longest", "counts",
    "faults", "whys", "host", "speed",
)  # fmt: skip


def csv_text(outcomes: Iterable[GameOutcome], names: list[str]) -> str:
    """Return all games as CSV, one a row; | separates the parts of a list."""
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    rows.writeheader()
    for outcome in outcomes:
        row = outcome_data(outcome, names)
        rows.writerow({name: _cell(row[name]) for name in COLUMNS})
    return out.getvalue()


def lines_text(outcomes: Iterable[GameOutcome], names: list[str]) -> str:
    """Return all games as lines of JSON."""
    return "".join(json.dumps(outcome_data(outcome, names)) + "\n" for outcome in outcomes)


#: Beginnings of cells that a spreadsheet takes for formulas; some accept the wide signs too.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def _cell(value: Any) -> Any:
    """Return a cell of CSV: | joins a list, and text is spelled out and never a formula."""
    if isinstance(value, int | float):
        return value
    text = "|".join("" if part is None else str(part) for part in value) if isinstance(value, list) else str(value)
    is_formula = text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA)
    return f"'{shown(text)}" if is_formula else shown(text)
