"""The page of a playtest: Markdown, or the one file of page.html, with charts and with games to step through."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import fill
from typing import NamedTuple

from quadrille.client.foreign import shown
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.page import document, stage, style, template
from quadrille.client.tournament.report import STYLE, error_bars
from quadrille.extras.playtest.findings import Measurement
from quadrille.rules.match import Match


class PageSection(NamedTuple):
    """A part of the page: sentences, and findings in tables; `film` if the games are shown there."""

    heading: str
    said: Sequence[str] = ()
    findings: Sequence[Measurement] = ()
    film: bool = False


def tables(findings: Sequence[Measurement]) -> Iterator[tuple[list[str], dict[str, list[Measurement | None]]]]:
    """Yield the columns and the rows of a table for each kind of subject, and of one for measures without others."""
    for _, group in groupby(findings, lambda finding: finding.key.split()[0] if finding.of else ""):
        cells = {(finding.subject, finding.of): finding for finding in group}
        columns = list(dict.fromkeys(of for _, of in cells))
        yield columns, {subject: [cells.get((subject, of)) for of in columns] for subject, _ in cells}


def markdown(title: str, sections: Sequence[PageSection]) -> str:
    """Return the page in Markdown: a list for each section, without charts and with the first of the games."""
    parts = [f"# {shown(title)}"]
    for section in sections:
        sentences = [f"**{section.heading}.**".replace("?.", "?")] * bool(section.heading)
        sentences += section.said[: 1 if section.film else None]
        items = []
        for subject, row in (pair for _, rows in tables(section.findings) for pair in rows.items()):
            cells = [section for section in row if section and (not section.silent or section.key.startswith("kinds"))]
            item = shown(f"- {subject}: {'; '.join(f'{cell.of} {cell.told}'.lstrip() for cell in cells)}")
            items.append(fill(item, 140, subsequent_indent="  ", break_on_hyphens=False))
        parts += [fill(shown(" ".join(sentences)), 140, break_on_hyphens=False), *["\n".join(items)] * bool(items)]
    return "\n\n".join(parts) + "\n"


def html(title: str, sections: Sequence[PageSection], best: Sequence[Match], names: Sequence[str]) -> str:
    """Return the page with the games to look at, whose players are called by these names."""
    film = None
    if best:
        reel = Film(FilmedMatch(match, names=names) for match in best)
        data = reel.data()
        for place, game in enumerate(data["games"], 1):
            game["name"] = f"Game {place}"
        film = stage(reel, data)
    drawn = [(section, list(tables(section.findings)), _bars(section.findings)) for section in sections]
    body = template("page.html", "quadrille.extras.playtest").render(title=title, sections=drawn, film=film)
    return document(title, body, style(*STYLE), plays=film is not None)


def _bars(findings: Sequence[Measurement]) -> dict[str, dict[str, float]]:
    """Return the chart of each finding, on a scale for all that are written alike."""
    bars = dict[str, dict[str, float]]()
    for form in {finding.form for finding in findings}:
        known = {one.what: one.measured for one in findings if one.form == form and one.measured.games}
        errors = [max(mean.mean - mean.low, mean.high - mean.mean) for mean in known.values()]
        bars.update(zip(known, error_bars([mean.mean for mean in known.values()], errors), strict=True))
    return bars
