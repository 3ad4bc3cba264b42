"""One self-contained HTML page that shows recorded games move by move: no network, no font, no other file.

Its data (film.py) is JSON, deflated and in base64; page.js unpacks and draws it, from the start of the game on. Without
a script the page shows the last position, the moves and the result of its first game. A content security policy allows
this page's own script and style, by their hashes, and nothing else.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from quadrille.client.foreign import shown
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.glyphs import definitions, sheet
from quadrille.client.picture.svg import frame, in_words, inside, labels
from quadrille.client.value import value

BUTTONS: Final = (
    ("first", "Start", "|&lt;"),
    ("back", "One move back", "&lt;"),
    ("play", "Play all moves", "Play"),
    ("on", "One move on", "&gt;"),
    ("last", "End", "&gt;|"),
)


@value
class FilmParts:
    """The parts of a page that show a film: `symbols` come first in its body and `data` last."""

    symbols: str
    board: str
    data: str


@value
class PageAnalysis:
    """The analysis of a page's only game: its course as a chart and its mistakes as a list, and for each move, by its
    entry, the sign of a mistake ("" for none) and the verdict.
    """

    chart: str
    mistakes: str
    verdicts: Mapping[int, tuple[str, str]]

    def added(self, game: dict[str, Any]) -> None:
        """Put the verdicts beside the moves of a game's data."""
        game["verdicts"] = [self.verdicts.get(number, ("", ""))[1] for number in range(len(game["moves"]))]
        game["moves"] = [
            (seat, f"{what} {sign}" if (sign := self.verdicts.get(number, ("", ""))[0]) else what)
            for number, (seat, what) in enumerate(game["moves"])
        ]


def page(games: Iterable[FilmedMatch], title: str = "", analysis: PageAnalysis | None = None) -> str:
    """Return the page of one game or more; it shows the first one first."""
    film = Film(games)
    data = film.data()
    title = shown(title or data["games"][0]["title"])
    if analysis is not None:
        analysis.added(data["games"][0])
    shows = stage(film, data, analysis)
    body = f"""{shows.symbols}
<main>
<h1 id="heading">{escape(title)}</h1>
{shows.board}
</main>
{shows.data}"""
    return document(title, body, sheet("picture.css") + sheet("page.css"))


def stage(film: Film, data: Mapping[str, Any], analysis: PageAnalysis | None = None) -> FilmParts:
    """Return the parts of a page for a film and its data."""
    layout, first, end = film.layouts()[0], data["games"][0], film.end
    moves = "".join(f"<li>{escape(_line(first, *move))}</li>" for move in first["moves"])
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{said}">{sign}</button>' for name, said, sign in BUTTONS
    )
    symbols = definitions(film.drawn())
    chart = f'<p id="verdict" aria-live="polite"></p>\n{analysis.chart}\n' if analysis else ""
    mistakes = f'<section id="mistakes">{analysis.mistakes}</section>\n' if analysis else ""
    board = f"""\
<p id="choice" hidden><label>Game <select id="game"></select></label></p>
<div class="table">
<section class="board" aria-label="Board">
<svg xmlns="http://www.w3.org/2000/svg" id="board" {frame(layout)} role="img" aria-labelledby="title desc">
{labels(first["title"], in_words(layout, end))}
<g id="drawing" class="ending">{inside(layout, end)}</g>
</svg>
<div id="controls" role="group" aria-label="Moves back and on" hidden>{buttons}
<input type="range" id="way" min="0" value="0" aria-label="Move"></div>
<p id="now" aria-live="polite"></p>
{chart}{_courses(data)}</section>
<section class="moves" aria-label="Moves and result">
<h2>Moves</h2>
<ol id="moves">{moves}</ol>
<h2>Result</h2>
<pre id="result" class="ending">{escape(first["result"])}</pre>
{mistakes}</section>
</div>
<footer id="keys">Made with Quadrille.<span hidden> Arrow keys: one move on or back. Home, End: start and end.
Space: play.</span></footer>"""
    return FilmParts(
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" class="symbols" aria-hidden="true">'
        f"{symbols}</svg>",
        board,
        f'<script type="application/octet-stream" id="data">{_packed(data)}</script>',
    )


def document(title: str, body: str, style: str, *, plays: bool = True, follows: str = "") -> str:
    """Return a self-contained page, whose policy allows its own style and script and nothing else.

    `follows` is the script of a page that its server brings up to date.
    """
    scripts = [*([sheet("page.js")] if plays else []), *([follows] if follows else [])]
    allowed = f"script-src {' '.join(map(_hash, scripts))}; " if scripts else ""
    allowed += "connect-src 'self'; " if follows else ""
    policy = f"default-src 'none'; {allowed}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    end = "".join(f"\n<script>{script}</script>" for script in scripts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}{end}
</body>
</html>
"""


def _courses(data: Mapping[str, Any]) -> str:
    """The part for the thoughts of bots, which page.js fills; "" if no game has any."""
    if not any("thoughts" in game for game in data["games"]):
        return ""
    told = "Chances that each bot gave itself, move by move"
    return f"""\
<p id="thought" aria-live="polite"></p>
<figure id="courses" class="course" hidden><figcaption>How bots saw their own chances</figcaption>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 140" role="img" aria-label="{told}"></svg><ul></ul></figure>
"""


def _line(game: dict[str, list[str]], seat: int, what: str) -> str:
    return what if seat < 0 else f"{game['players'][seat]}: {what}"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _packed(data: object) -> str:
    """Pack data for page.js, without a character that could end a script."""
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()
