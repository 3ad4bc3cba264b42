"""The page of an evening to take home: who won what, the table, and the board of each game at its end. No script."""

import time
from contextlib import suppress
from typing import Any, Final

from quadrille.client.evening.scores import HEADS, EndedGame, Scoreboard, points_text
from quadrille.client.picture.film import FilmedMatch, through
from quadrille.client.picture.glyphs import definitions
from quadrille.client.picture.page import document, parts, picture, style, template
from quadrille.client.words.story import verdict
from quadrille.rules.errors import RulesError
from quadrille.rules.record import read

_PAPER: Final = "evening/evening.html"


def evening_page(board: Scoreboard) -> str:
    """Return the page, which needs no other file and no network."""
    games = [_game(board, game) for game in board.games]
    begun = time.strftime("%Y-%m-%d", time.localtime(board.games[0].ended / 1000)) if games else ""
    title = f"An evening of games, {begun}" if begun else "An evening of games"
    symbols = parts().symbols(definitions(game["drawn"] for game in games))
    body = template(_PAPER).render(title=title, heads=HEADS, rows=board.rows(), games=games, symbols=symbols)
    return document(title, body, style("evening.css", "quadrille.client.evening"), plays=False)


def _game(board: Scoreboard, game: EndedGame) -> dict[str, Any]:
    """Describe a game to the template, without its board if these rules can't read the record any more."""
    drawn, result = "", "This program can't read the game any more."
    names = [score.name for score in map(board.scores().__getitem__, game.keys)]
    with suppress(RulesError):
        if (over := (match := read(game.record)).over) is not None:
            result = verdict(match, over, names.__getitem__)
            drawn = picture(FilmedMatch(match, through(match, None), names), match.length, within=True)
    seats = sorted(zip(game.places, names, map(points_text, game.halves), strict=True), key=lambda row: row[0])
    return {
        "title": game.title,
        "ended": time.strftime("%H:%M", time.localtime(game.ended / 1000)),
        "seats": seats,
        "bets": board.told_bets([game]),
        "drawn": drawn,
        "result": result,
    }
