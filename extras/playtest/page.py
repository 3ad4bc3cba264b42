"""The page of a playtest: Markdown, or one HTML page with charts, and with games that one can step through.

page.html beside this module draws the second, and escapes all texts. It needs no other file.
"""

from collections.abc import Sequence
from typing import NamedTuple

from quadrille.client.foreign import shown
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.glyphs import sheet
from quadrille.client.picture.page import document, stage, template
from quadrille.client.tournament.charts import error_bars
from quadrille.client.tournament.report import style
from quadrille.extras.playtest.findings import Measurement
from quadrille.rules.match import Match


class PageSection(NamedTuple):
    """A part of the page: sentences, and findings in a table; `film` if the games are shown there."""

    heading: str
    said: Sequence[str] = ()
    findings: Sequence[Measurement] = ()
    film: bool = False


def markdown(title: str, sections: Sequence[PageSection]) -> str:
    """Return the page in Markdown, without its charts."""
    lines = [f"# {shown(title)}", ""]
    for one in sections:
        lines += [f"## {one.heading}", ""] * bool(one.heading) + [shown(said) + "\n" for said in one.said]
        rows = [(row.what, str(row.measured.games), row.told, row.verdict) for row in one.findings]
        for cells in (("measure", "cases", "mean and interval", "verdict"), ("---",) * 4, *rows) if rows else ():
            lines.append("| " + " | ".join(shown(cell).replace("|", "\\|") for cell in cells) + " |")
        lines += [""] * bool(rows)
    return "\n".join(lines).rstrip() + "\n"


def html(title: str, sections: Sequence[PageSection], best: Sequence[Match], names: Sequence[str]) -> str:
    """Return the page with the games to look at, whose players are called by these names."""
    film = None
    if best:
        reel = Film(FilmedMatch(match, names=names) for match in best)
        data = reel.data()
        for place, game in enumerate(data["games"], 1):
            game["name"] = f"Game {place}"
        film = stage(reel, data)
    drawn = [(one, list(zip(one.findings, _bars(one.findings), strict=True))) for one in sections]
    body = template("page.html", "quadrille.extras.playtest").render(title=title, sections=drawn, film=film)
    return document(title, body, sheet("picture.css") + sheet("page.css") + style(), plays=film is not None)


def _bars(findings: Sequence[Measurement]) -> list[dict[str, float] | None]:
    """Return the chart of each finding, on a scale for all that are written alike."""
    found: list[dict[str, float] | None] = [None] * len(findings)
    for form in {one.form for one in findings}:
        at = [place for place, one in enumerate(findings) if one.form == form and one.measured.games]
        known = [findings[place].measured for place in at]
        errors = [max(one.mean - one.low, one.high - one.mean) for one in known]
        for place, bar in zip(at, error_bars([one.mean for one in known], errors), strict=True):
            found[place] = bar
    return found
