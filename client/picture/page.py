"""One self-contained HTML page that shows recorded games move by move: no network, no font, no other file.

Its data (film.py) is JSON, deflated and in base64; page.js unpacks and draws it. A page opens at the end of its first
game, and that of an analysis after the worst mistake. Without a script it shows the end, the moves and the result.
page.html has the markup. A content security policy allows this page's own script and style, by their hashes, and
nothing else.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from quadrille.client.foreign import shown
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.glyphs import definitions, sheet
from quadrille.client.picture.svg import frame, in_words, inside, labels
from quadrille.value import value

if TYPE_CHECKING:
    from jinja2 import Template


@value
class FilmParts:
    """The parts of a page that show a film: `symbols` come first in its body and `data` last."""

    symbols: str
    board: str
    data: str


@value
class PageAnalysis:
    """The analysis of a page's only game: its course as a chart, its mistakes as a list, and what page.js knows of it:
    the `signs` of mistakes and the `verdicts` by entry, and the position that it `opens` at (null: the end).
    """

    chart: str
    mistakes: str
    data: Mapping[str, Any]


@cache
def template(name: str, package: str = "quadrille.client") -> "Template":
    """Return a template of a package; every text is foreign, so each is spelled out and escaped."""
    from jinja2 import Environment, StrictUndefined  # imported here: few programs make a page

    paper = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda one: "" if one is None else shown(one) if type(one) is str else one,
    )
    return paper.from_string(files(package).joinpath(name).read_text("utf-8"))


def parts() -> Any:
    """Return the macros of page.html."""
    return template("picture/page.html").module


def page(games: Iterable[FilmedMatch], title: str = "", analysis: PageAnalysis | None = None) -> str:
    """Return the page of one game or more; it shows the first one first."""
    games = list(games)
    film = Film(games)
    data = film.data()
    title = title or games[0].headline
    if analysis is not None:
        data["games"][0] |= analysis.data
    return document(
        title,
        parts().body(title, games[0].title, stage(film, data, analysis)),
        sheet("picture.css") + sheet("page.css"),
    )


def stage(film: Film, data: Mapping[str, Any], analysis: PageAnalysis | None = None) -> FilmParts:
    """Return the parts of a page for a film and its data."""
    layout, first, end = film.layouts()[0], data["games"][0], film.end
    moves = [what if seat < 0 else f"{first['players'][seat]}: {what}" for seat, what in first["moves"]]
    said, drawn = labels(first["title"], in_words(layout, end)), inside(layout, end)
    chances = any("thoughts" in game for game in data["games"])
    board = parts().board(frame(layout), said, drawn, moves, first["result"], analysis, chances)
    return FilmParts(parts().symbols(definitions(film.drawn())), board, parts().data(packed(data)))


def document(
    title: str, body: str, style: str, *, plays: bool = True, follows: str = "", own: str = "", linked: str = ""
) -> str:
    """Return a self-contained page, whose policy allows its own style and script and nothing else.

    `follows` is the script of a page that its server brings up to date, `own` one of another kind of page. `linked` is
    the name of the files with the style and the script of a page whose server gives it a policy.
    """
    scripts = [*([sheet("page.js")] if plays else []), *filter(None, (follows, own))]
    allowed = f"script-src {' '.join(map(_hash, scripts))}; " if scripts else ""
    allowed += "connect-src 'self'; " if follows else ""
    policy = f"default-src 'none'; {allowed}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    return str(parts().document(title, policy, style, body, scripts, linked))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def packed(data: object) -> str:
    """Pack data for page.js, without a character that could end a script."""
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()
