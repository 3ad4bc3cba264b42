"""The bot that guide and examples begin with plays every game, and each of them clearly better than chance."""

from contextlib import ExitStack
from random import Random
from typing import Any

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.bots.process.program import Program, kit_command
from quadrille.ai.bots.talk import Talk
from quadrille.laws.settings import SMALL
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.ai.bots.programs import play
from tests.guides.typed import ROOT

FILE = ROOT / "examples/first_bot.py"
#: One lap in place of six: a sixth of the time.
SHORT: dict[str, dict[str, Any]] = {"dotter": {"laps": 1}}


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_the_first_bot_plays_every_game(key: str) -> None:
    options, seats = SMALL[key][0]
    match = Match(game(key), options, seats, deal=Deal("first"))
    with ExitStack() as undo:
        players = [undo.enter_context(Talk(Program(kit_command(str(FILE))))) for _ in range(seats)]
        assert {talk.greet().name for talk in players} == {"First"}
        assert play(match, players).faults == {}


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_the_first_bot_is_clearly_better_than_chance_in_every_game(key: str) -> None:
    """12 games against random, with the usual seats and options: by chance alone 10 points come once in 50 tests."""
    space: dict[str, Any] = {}
    exec(FILE.read_text("utf-8"), space)
    first, points, seats = space["First"](), 0.0, game(key).usual_seats
    for number in range(12):
        match, own, mine = (
            Match(game(key), SHORT.get(key, {}), seats, deal=Deal(f"a {number}")),
            Random(number),
            number % seats,
        )
        while not match.over:
            seat = match.state.board.turn
            view = match.state.view(seat)
            move = first.choose(view, Clock(seat, None, 0, 1000), own) if seat == mine else view.moves.sample(own)
            match.play(str(move))
        places = match.over.places
        behind = [(place > places[mine]) + (place == places[mine]) / 2 for place in places]
        points += (sum(behind) - 0.5) / (seats - 1)
    assert points >= 10
