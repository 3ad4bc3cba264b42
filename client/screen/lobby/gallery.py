"""The games in the lobby: each with its aim, a picture of it in play, and a short first game.

Cards are made in a thread after the first picture, because games take a while to import.
"""

from typing import Any, Final

from quadrille.client.screen.lobby.model import GameCard, NewGame
from quadrille.client.table_setup import BEGINNER
from quadrille.client.words.rules import about_text
from quadrille.rules.chance import Stream
from quadrille.rules.core import Game
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import games
from quadrille.rules.scene import Scene

#: The seed of the pictures, and the number of moves in each.
_SEED: Final = "gallery"
_MOVES: Final = 14


def game_cards() -> tuple[GameCard, ...]:
    return tuple(GameCard(one.key, one.title, one.lesson.goal, about_text(one), _in_play(one)) for one in games())


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
