"""One position as a self-contained SVG document, and recorded games as one HTML page to step through: no network, no
font, no other file.

The data of a page (film.py) is JSON, deflated and in base64; page.js unpacks and draws it. It opens at the end of its
first game, and that of an analysis after the worst mistake. Without a script it shows the end, the moves, the result.
page.html has the markup. A content security policy allows this page's own script and style, by their hashes, and
nothing else.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from quadrille.client.foreign import shown
from quadrille.client.picture.film import Film, FilmedMatch, patches, position
from quadrille.client.picture.glyphs import definitions, sheet
from quadrille.client.picture.layout import Drawing, Layout, LayoutPlan
from quadrille.client.picture.patches import Patches
from quadrille.client.reports import many
from quadrille.rules.scene import Scene
from quadrille.value import value

if TYPE_CHECKING:
    from jinja2 import Template


def picture(filmed: FilmedMatch, number: int, *, within: bool = False) -> str:
    """Draw a match after that many entries; `within` a page that has the style sheet and the symbols."""
    ply = filmed.match.before(number).ply
    over = filmed.match.over if number == len(filmed.match.entries) else None
    when = "at the end" if over else f"after {many(ply, 'move')}" if ply else "at the start"
    seen = position(filmed, number)
    scene, drawn = seen.scene(), patches(filmed, number, seen, {})
    if over:
        scene = replace(scene, panels=tuple(sorted(scene.panels, key=lambda panel: over.places[panel.seat])))
    return drawing(scene, f"{filmed.title}, {when}", drawn, within=within)


def drawing(scene: Scene, title: str, patches: Patches, *, within: bool = False) -> str:
    """Draw a scene from its patches."""
    plan = LayoutPlan(scene)
    plan.take(patches.items())
    layout = Drawing(plan).layout()
    if within:  # the page has other pictures, and names are unique in it
        symbols = ""
        head = f'role="img">\n<title>{escape(title)}</title>\n<desc>{escape(in_words(layout, patches))}</desc>'
    else:
        symbols = definitions([layout.under, *(patch.drawn for patch in patches.values())]) + "\n"
        head = f'role="img" aria-labelledby="title desc">\n{labels(title, in_words(layout, patches))}\n'
        head += f"<style>{sheet('picture.css')}</style>"
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" {frame(layout)} {head}
{symbols}{inside(layout, patches)}
</svg>
"""


def frame(layout: Layout) -> str:
    """Return the size of a picture as attributes."""
    return f'viewBox="0 0 {layout.width} {layout.height}"'


def labels(title: str, words: str) -> str:
    """Return the title and description for screen readers."""
    return f'<title id="title">{escape(title)}</title>\n<desc id="desc">{escape(words)}</desc>'


def inside(layout: Layout, patches: Patches) -> str:
    """Return all drawings in their places."""
    rows = [f'<rect width="{layout.width}" height="{layout.height}" rx="10" class="paper"/>', layout.under]
    for spot, place in layout.places.items():
        patch = patches.get(spot)
        drawn = patch.drawn if patch else ""
        rows.append(f'<g transform="translate({place.x:g} {place.y:g})">{drawn}</g>')
    return "\n".join(rows)


def in_words(layout: Layout, patches: Patches) -> str:
    """Return the picture as a list in words: each place and its content."""
    places = ((place.called, patches[spot].words) for spot, place in layout.places.items() if spot in patches)
    return "; ".join(f"{called}: {words}" if called else words for called, words in places if words)


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
        finalize=lambda value: "" if value is None else shown(value) if type(value) is str else value,
    )
    return paper.from_string(files(package).joinpath(name).read_text("utf-8"))


def style(name: str = "", package: str = "") -> str:
    """Return the style of a page with films, with a style sheet of its own if it is in a package."""
    return sheet("picture.css") + sheet("page.css") + (sheet(name, package) if name else "")


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
    return document(title, parts().body(title, games[0].about, stage(film, data, analysis)), style())


def stage(film: Film, data: Mapping[str, Any], analysis: PageAnalysis | None = None) -> FilmParts:
    """Return the parts of a page for a film and its data."""
    layout, first, end = film.layouts()[0], data["games"][0], film.end
    moves = [what if seat < 0 else f"{first['players'][seat]}: {what}" for seat, what in first["moves"]]
    sentence, drawn = labels(first["title"], in_words(layout, end)), inside(layout, end)
    chances = any("thoughts" in game for game in data["games"])
    board = parts().board(frame(layout), sentence, drawn, moves, first["result"], analysis, chances)
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
