"""The report of a tournament: one HTML page without other files, from the verdict down to every move of every game.

The report can be made from the journal at any time. See replays.py for its games, client/picture/page.py for the film,
html_table.py for tables, and charts.py for charts. All content of a journal is foreign, so text outside of a table
passes through `safe`.
"""

import platform
import shlex
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from quadrille import __version__
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_text import written
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.statistics.ratings import rate
from quadrille.ai.tournament.statistics.tables import cross_table, seat_table
from quadrille.client.foreign import shown
from quadrille.client.palette import style_sheet
from quadrille.client.picture.glyphs import sheet
from quadrille.client.picture.page import FilmParts, document
from quadrille.client.tournament.charts import error_bars, lines, shares
from quadrille.client.tournament.html_table import Html, Shaded, safe, table, tall
from quadrille.client.tournament.notes import cycle_notes, elo, error_text, many, notes, percent, unsaid
from quadrille.client.tournament.progress import WIDE, give_or_take
from quadrille.client.tournament.replays import MOST_GAMES, ReplayableGames, choose, stage_of
from quadrille.client.tournament.standings import TournamentStanding, ranks, standing_of
from quadrille.client.tournament.tables import rank
from quadrille.client.tournament.ways import TournamentWay

#: Points of the rating over time.
_POINTS: Final = 12
#: Maximum rows of a table of all entrants against each other.
_WIDEST: Final = 40
_MOST_ROWS: Final = 200


def title_of(path: Path) -> str:
    return shown(f"Tournament {path.stem}")


def looks() -> str:
    """Return all style sheets of a report."""
    return sheet("picture.css") + sheet("page.css") + style()


def page(
    journal: Journal,
    most: int = MOST_GAMES,
    *,
    one: TournamentStanding | None = None,
    ways: Sequence[TournamentWay] = (),
    head: str = "",
    follows: str = "",
) -> str:
    """Return the page; pass the standing as `one` if it is at hand. `head` is HTML above the title, and `follows` the
    script of a page that is kept up to date (client/picture/page.py).
    """
    outcomes = list(journal.outcomes(records=False))
    one = one or standing_of(journal, outcomes)
    names = [entrant.name for entrant in one.plan.entrants]
    chosen = choose(outcomes, most)
    shows = stage_of(chosen, journal, names)
    title = title_of(journal.path)
    parts = [
        ("verdict", "Verdict", _verdict(one)),
        ("standing", "Standing", _standing(one, names)),
        ("superiority", "Who is stronger than whom", _superiority(one, names)),
        ("cross", "Who met whom", _cross(one, names)),
        ("seats", "Seats", _seats(one)),
        ("time", "Rating over time", _over_time(one)),
        ("clock", "Time used", _times(one, names)),
        ("faults", "Faults", _faults(one, outcomes, names, chosen)),
        ("duplicates", "Games that are the same", _duplicates(one, chosen)),
        *(section for way in ways for section in way.sections(one, journal)),
        ("machines", "Machines, and games that were played again", _machines(one, journal, outcomes)),
        ("isolation", "Isolation of bots", _isolation(one, names)),
        ("games", "Every game", _games(chosen, len(outcomes), names) + _board(shows)),
        ("again", "To run it again", _again(one, journal)),
    ]
    parts = [part for part in parts if part[2]]
    links = " ".join(f'<a href="#on-{name}">{heading}</a>' for name, heading, _ in parts)
    sections = "\n".join(
        f'<section id="on-{name}"><h2>{heading}</h2>\n{body}</section>' for name, heading, body in parts
    )
    body = f"""{shows.symbols if shows else ""}
<main>
{head}<h1>{escape(title)}</h1>
<nav>{links}</nav>
{sections}
</main>
{shows.data if shows else ""}"""
    return document(title, body, looks(), plays=shows is not None, follows=follows)


def _board(shows: FilmParts | None) -> str:
    """Return the film, which keys control while it has the focus."""
    return f'<div data-keys tabindex="-1">{shows.board}</div>' if shows else ""


def _verdict(one: TournamentStanding) -> str:
    said, *rest = notes(one)
    count = one.counted.count
    basis = (
        f"{many(count.games, 'game')} in {many(count.blocks, 'complete block')} count: each start is played in seats "
        f"that are exactly balanced. Error bars hold the truth in {100 * one.ratings.level:g} of 100 cases."
    )
    return f'<p class="said">{escape(said)}</p>' + "".join(f"<p>{escape(line)}</p>" for line in [*rest, basis])


def _standing(one: TournamentStanding, names: Sequence[str]) -> str:
    if not one.counted.results:
        return ""
    ranked, ratings = ranks(one), one.ratings
    rows = []
    for entrant in one.order:
        line = one.line(entrant)
        score = one.scores[entrant]
        told = [""] * 5
        if score:
            sure = give_or_take(one.counted.count.tallies[entrant])
            by_game = f"({WIDE * score.by_game:.3f})" if sure else ""
            error = f"± {error_text(ratings.error[entrant])}"
            told = [elo(ratings.elo[entrant]), error, f"{score.mean:.3f}", sure, by_game]
        rows.append(
            [
                rank(ranked[entrant]), names[entrant], *told, str(line.games), " – ".join(map(str, line.places)),
                one.plan.entrants[entrant].written,
            ]
        )  # fmt: skip
    head = ("", "name", "Elo", "", "points a game", "", "", "games", "places: 1st, 2nd …", "program")
    bare = [one.plan.entrants[entrant].name for entrant in one.order]
    drawn = error_bars(
        [shown(name) for name in bare],
        [ratings.elo[entrant] for entrant in one.order],
        [ratings.error[entrant] for entrant in one.order],
    )
    note = (
        f"<p>Behind ± is half of the interval that holds the truth in {100 * ratings.level:g} of 100 cases: as blocks "
        "scatter, which is right, and in brackets as it would be if all games were independent. Elo is that of a "
        "score: entrants that are d points apart expect 1 / (1 + 10<sup>-d/400</sup>) of the points from each other, "
        "as for <code>--sprt</code> and <code>[stop]</code>; Elo allows for the strength of opponents.</p>"
    )
    return table(head, rows, left=(1, 9)) + note + drawn


def _matrix(one: TournamentStanding, names: Sequence[str], note: str, cell: Callable[[int, int], Shaded | str]) -> str:
    """Return a table of all entrants against each other; "" for too many, or before a block is complete."""
    if not one.counted.results or len(names) > _WIDEST:
        return ""
    rows = [[names[row], *(cell(row, column) for column in one.order)] for row in one.order]
    return f"<p>{note}</p>" + table(("", *(names[entrant] for entrant in one.order)), rows, left=(0,))


def _superiority(one: TournamentStanding, names: Sequence[str]) -> str:
    def likely(row: int, column: int) -> Shaded | str:
        value = one.ratings.superiority[row][column]
        if row == column:
            return ""
        return "?" if unsaid(one, row, column) else Shaded(value, percent(value))

    note = "How likely the row is stronger than the column, in %; ? where blocks are too few to say."
    return _matrix(one, names, note, likely)


def _cross(one: TournamentStanding, names: Sequence[str]) -> str:
    cells = cross_table(one.counted.results, len(names))

    def met(row: int, column: int) -> Shaded | str:
        cell = cells[row][column]
        return "" if cell.score is None else Shaded(cell.score, f"{cell.ahead} – {cell.level} – {cell.behind}")

    note = "How often the row was ahead of the column, level with it, behind it."
    return _matrix(one, names, escape(" ".join([note, *cycle_notes(one, bare=True)])), met)


def _seats(one: TournamentStanding) -> str:
    found = seat_table(one.counted.results)
    if not found:
        return ""
    effects = {(row.contest, row.seats, row.seat): row for row in one.ratings.seat_effects}
    rows, bars, values = [], [], []
    for line in found:
        contest = one.plan.contests[line.contest].game
        effect = effects.get((line.contest, line.seats, line.seat))
        worth = f"{effect.elo:+.0f} ± {error_text(effect.error)}" if effect else ""
        places = " – ".join(map(str, line.places))
        rows.append([contest, str(line.seat + 1), str(line.games), places, f"{line.score:.3f}", worth])
        bars.append(f"{contest}, seat {line.seat + 1}")
        values.append(line.score)
    head = ("game", "seat", "games", "places: 1st, 2nd …", "points a game", "worth in Elo")
    return table(head, rows, left=(0,)) + shares(bars, values)


def _over_time(one: TournamentStanding) -> str:
    results = one.counted.results
    size = one.counted.schedule.block_size
    blocks = len(results) // size
    if blocks < 2 or len(one.plan.entrants) > _WIDEST:
        return ""
    marks = sorted({max(1, blocks * point // _POINTS) * size for point in range(1, _POINTS + 1)})
    entrants = len(one.plan.entrants)
    rated = [rate(results[:mark], entrants, anchor=one.plan.anchor).elo for mark in marks]
    names = [shown(one.plan.entrants[entrant].name) for entrant in one.order]
    return lines(names, [[elo[entrant] for elo in rated] for entrant in one.order], marks)


def _times(one: TournamentStanding, names: Sequence[str]) -> str:
    used = one.times
    rows = []
    for entrant in one.order:
        moves = one.moves[entrant]
        times = (moves.within(0.5), moves.within(0.99), moves.longest)
        rows.append(
            [
                names[entrant],
                f"{1000 * used[entrant].mean:.1f}",
                f"{1000 * used[entrant].most:.1f}",
                str(moves.count),
                *("" if time is None else f"{1000 * time:.3g}" for time in times),
            ]
        )
    head = ("name", "ms a game", "ms, longest game", "moves", "ms, median move", "99 of 100", "ms, longest move")
    note = f"<p>Measured at the table, including pipe overhead. Allowed: {escape(one.plan.contests[0].clock)}.</p>"
    return note + table(head, rows, left=(0,))


def _faults(
    one: TournamentStanding, outcomes: Sequence[GameOutcome], names: Sequence[str], chosen: ReplayableGames
) -> str:
    lost = one.faults
    rows = [
        [names[entrant], fault, str(len(games)), Html.joined(map(chosen.link, games[:10]))]
        for entrant, row in enumerate(lost)
        for fault, games in row.items()
    ]
    if not rows:
        return "<p>No counted game was lost to a crash, a time-out or an illegal act.</p>"
    told = [
        [chosen.link(outcome.result.game), names[entrant], why]
        for outcome in outcomes
        for entrant, why in zip(outcome.result.seats, outcome.whys, strict=True)
        if why
    ]
    note = (
        "<p>What a program wrote to standard error before is kept: <code>quadrille tournament game</code> with "
        "<code>--kept</code> shows it.</p>"
    )
    return (
        table(("name", "fault", "games", "which"), rows, left=(0, 1, 3))
        + tall(table(("game", "name", "what it did"), told[-_MOST_ROWS:], left=(1, 2)))
        + note
    )


def _duplicates(one: TournamentStanding, chosen: ReplayableGames) -> str:
    found = one.duplicates
    if not found.groups:
        return "<p>No two games that count are the same.</p>"
    said = f"<p>{found.effective} of {found.games} games differ; the others were played before, move by move.</p>"
    rows = [
        [str(len(group)), Html.joined(map(chosen.link, group[:8]))]
        for group in sorted(found.groups, key=len, reverse=True)[:20]
    ]
    return said + table(("times", "games"), rows, left=(1,))


def _machines(one: TournamentStanding, journal: Journal, outcomes: Sequence[GameOutcome]) -> str:
    seconds: dict[str, list[float]] = {}
    for outcome in outcomes:
        seconds.setdefault(outcome.host, []).append(outcome.seconds)
    rows = []
    for host in one.hosts:
        times = seconds[host.name]
        each = f"{1000 * sum(times) / len(times):.1f}"
        rows.append([host.name, f"{host.speed:.2f}", str(len(times)), each, str(host.faults)])
    head = ("machine", "speed", "games", "ms a game, in all", "faults")
    voids = journal.voids()
    again = [[str(number), why] for number, _, why in voids[-_MOST_ROWS:]]
    often = "Once" if len(voids) == 1 else f"{len(voids)} times"
    said = f"<p>{often} a game came to nothing through nobody's fault, and was played again.</p>" if voids else ""
    voided = tall(table(("game", "why"), again, left=(1,))) if again else ""
    return table(head, rows, left=(0,)) + said + voided


def _isolation(one: TournamentStanding, names: Sequence[str]) -> str:
    rows = [
        [name, host, *(told.partition(": ")[::2]), str(games)]
        for name, boxes in zip(names, one.boxes, strict=False)
        for (told, host), games in sorted(boxes.items())
    ]
    if not rows:
        return ""
    held = table(("bot", "machine", "isolated by", "why no more", "games"), rows, left=(0, 1, 2, 3))
    if not one.plan.ponder:
        return held + "<p>Each bot stood still while others were to move.</p>"
    used = [[name, f"{seconds:.3f}"] for name, seconds in zip(names, one.pondered, strict=False)]
    return held + table(("bot", "s of processor time while others were to move"), used, left=(0,))


def _games(chosen: ReplayableGames, total: int, names: Sequence[str]) -> str:
    rows = "".join(
        f"<tr><td>{chosen.link(outcome.result.game)}<td class=name>"
        + safe(", ".join(names[entrant] for entrant in outcome.result.seats))
        + f"<td>{safe(' '.join(map(str, outcome.result.places)))}<td>{safe(str(outcome.result.plies))}"
        for outcome in chosen.outcomes
    )
    more = (
        ""
        if total == len(chosen.outcomes)
        else f"<p>{len(chosen.outcomes)} of {total} games are here: some with faults, if there are any, and the "
        "last ones. <code>quadrille tournament game</code> shows any other.</p>"
    )
    head = "<thead><tr><th>game<th class=name>seats 1, 2 …<th>places<th>moves</thead>"
    return f"{more}<details><summary>The list of games</summary>{tall(Html(f'<table>{head}{rows}</table>'))}</details>"


def _again(one: TournamentStanding, journal: Journal) -> str:
    name = safe(shlex.quote(journal.path.with_suffix(".toml").name))
    rows = [
        *([heading, text] for heading, text in written(one.plan.plain())),
        ["Quadrille", __version__],
        ["Python", f"{platform.python_version()}, {platform.system()} {platform.machine()}"],
    ]
    return (
        f"<p><code>quadrille tournament run {name}</code> plays it or goes on; <code>quadrille tournament game {name} "
        "0</code> plays its first game again.</p>" + table(("", ""), rows, left=(0, 1))
    )


def style() -> str:
    """Return the style sheet of a report alone."""
    return style_sheet(files("quadrille.client.tournament").joinpath("report.css").read_text("utf-8"))
