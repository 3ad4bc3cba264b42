"""The table as a page without a script, for browsers that are too old for more: a picture that reloads every few
seconds.

It shows what a large screen shows, and takes no input.
"""

from html import escape
from typing import Any, Final

from quadrille.client.phones.board import BoardView

#: Seconds until a browser reloads.
REFRESH: Final = 5


def still_page(parts: dict[str, Any]) -> str:
    """Draw the parts of a large screen as a document."""
    title = parts["head"]["title"] if "head" in parts else parts["room"]["terms"]
    body = _table(parts) if "board" in parts else _room(parts["room"])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="stylesheet" href="/phone.css">
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
<p>This page shows the table anew every {REFRESH} seconds. To play, open it in a newer browser.</p>
</main>
</body>
</html>
"""


def _table(parts: dict[str, Any]) -> str:
    board: BoardView = parts["board"]
    wide, high = board.ground.box
    drawn = "".join(
        f'<g transform="translate({x:g} {y:g})">{picture}</g>'
        for x, y, _, picture in sorted(board.spots.values(), key=lambda spot: spot[2])
    )
    words = "; ".join(f"{place}: {said}" for place, said in board.words.items() if said)
    told = "".join(f"<p>{escape(line)}</p>" for line in (parts["told"]["text"], *parts["notes"]) if line)
    size = f'viewBox="0 0 {wide} {high}"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(words)}">
{board.ground.defs}{board.ground.under}{drawn}</svg>
{told}
<ul>{"".join(map(_player, parts["players"]))}</ul>
<ol>{"".join(f"<li>{escape(text)}</li>" for _, text in parts["log"])}</ol>"""


def _player(player: dict[str, Any]) -> str:
    figures = ", ".join(f"{number} {name}" for name, number in player["figures"])
    moves = ", to move" if player.get("turn") else ""
    return f"<li>{player['letter']} {escape(player['name'])}: {escape(figures)}{moves}</li>"


def _room(room: dict[str, Any]) -> str:
    names = "".join(f"<li>{escape(chair['name'])}</li>" for chair in room["chairs"])
    return f"<p>The game has not begun.</p><ul>{names}</ul>"
