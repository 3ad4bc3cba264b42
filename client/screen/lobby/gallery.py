"""The games in the lobby: each with its aim, a picture of it in play, and a short first game.

Cards are made in a thread after the first picture, because games take a while to import.
"""

from typing import Any, Final

from quadrille.client.screen.draw.canvas import Canvas, seat_style
from quadrille.client.screen.draw.cards import rows_of
from quadrille.client.screen.draw.sheet import Marked, Pitch, SheetView, pitch_for, pitches
from quadrille.client.screen.lobby.model import GameCard, NewGame
from quadrille.client.table_setup import BEGINNER
from quadrille.client.words.rules import about_text
from quadrille.client.words.signs import face
from quadrille.rules.chance import Stream
from quadrille.rules.core import Game
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import games
from quadrille.rules.scene import Scene, Sheet, letter

#: The seed of the pictures, and the number of moves in each.
_SEED: Final = "gallery"
_MOVES: Final = 14
#: Rows and columns of a picture, and columns of one of cards.
_ROWS: Final = 11
_COLUMNS: Final = 31
_CARDS: Final = 20


def game_cards() -> tuple[GameCard, ...]:
    return tuple(GameCard(game.key, game.title, game.lesson.goal, about_text(game), _in_play(game)) for game in games())


def first_game(played: Game[Any, Any]) -> NewGame:
    """Describe a short game of one person against beginners."""
    bots = ("", *[BEGINNER] * (played.usual_seats - 1))
    return NewGame(played.key, tuple(played.lesson.options.items()), bots)


def _in_play(played: Game[Any, Any]) -> Scene:
    match, dice = Match(played, dict(played.lesson.options), deal=Deal(_SEED)), Stream(_SEED, played.key)
    for _ in range(_MOVES):
        if match.over is None:
            match.play(match.state.moves.sample(dice))
    scene: Scene = match.state.scene()
    return scene


def sample_size(scene: Scene) -> tuple[int, int]:
    """Return the rows and columns of a game's picture."""
    return (_ROWS, _CARDS) if scene.sheet is None else _pitch(scene.sheet).size(scene.sheet)


def _pitch(sheet: Sheet) -> Pitch:
    return pitch_for(sheet, _ROWS, _COLUMNS) or pitches(sheet)[-1]


def draw_sample(canvas: Canvas, scene: Scene, top: int, left: int) -> None:
    if scene.sheet:
        spots = list(canvas.spots)
        SheetView(canvas, top, left, scene.sheet, _pitch(scene.sheet), Marked()).draw()
        canvas.spots[:] = spots
        return
    line = top + 1
    for track in scene.tracks:
        style, at = seat_style(track.seat), track.place * (_CARDS - 1) // track.length
        canvas.put(line, left, letter(track.seat), style)
        canvas.put(line, left + 2, "━" * at + "●" + "─" * (_CARDS - 1 - at), style)
        for row in rows_of(scene, track.seat):
            line += 1
            for place, card in enumerate(row.marks):
                known = card and card.label and card.label != "?"
                sign = face(card.label) if card and known else "·" if card is None else "▒▒"
                canvas.put(line, left + 2 + 5 * place, sign, "card" if known else "back")
        line += 2
