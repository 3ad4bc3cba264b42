"""The bot that guide and examples begin with plays every game, and better than chance where it is shown."""

from contextlib import ExitStack
from random import Random
from typing import Any

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.bots.local import play
from quadrille.ai.bots.process.program import Program, kit_command
from quadrille.ai.bots.talk import Talk
from quadrille.rules.core import Over
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.guides.typed import ROOT
from tests.laws.settings import SMALL

FILE = ROOT / "examples/first_bot.py"
#: Boards as a first bot is shown with, or smaller ones.
SHOWN: dict[str, dict[str, Any]] = {"maze": {}, "barons": {"width": 6, "height": 6}}


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=() if key in ("coin-isolation", "dotter") else pytest.mark.slow) for key in keys()]
)
def test_the_first_bot_plays_every_game(key: str) -> None:
    options, seats = SMALL[key][0]
    match = Match(game(key), options, seats, deal=Deal("first"))
    with ExitStack() as undo:
        players = [undo.enter_context(Talk(Program(kit_command(str(FILE))))) for _ in range(seats)]
        assert {talk.greet().name for talk in players} == {"First"}
        assert play(match, players).faults == {}


@pytest.mark.parametrize("key", ["maze", "barons"])
def test_s12_the_first_bot_looks_better_than_chance_in_the_games_that_it_is_shown_with(key: str) -> None:
    """12 games against random, in each seat as often: by chance alone 9 points come once in 50 such tests."""
    space: dict[str, Any] = {}
    exec(FILE.read_text("utf-8"), space)
    first, points = space["First"](), 0.0
    for number in range(12):
        state, own = game(key).start(SHOWN[key], 2), Random(number)
        while not isinstance(state.pending, Over):
            seat = state.board.turn
            mine = seat == number % 2
            move = first.choose(state, Clock(seat, None, 0, 1000), own) if mine else state.moves.sample(own)
            state = state.play(move)
        places = state.pending.places
        ahead = places[1 - number % 2] - places[number % 2]
        points += (1 + ahead) / 2
    assert points >= 9
