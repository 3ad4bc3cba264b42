"""A first game of each game: its aim fits a line, its tips fit the message of a table, and it is a short one."""

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys

#: Maximum characters of an aim beside the title in a lobby of 80 columns, and of a tip above the prompt.
AIM, TIP = 59, 100


@pytest.mark.parametrize("key", keys())
def test_the_aim_and_three_tips_fit_their_lines(key: str) -> None:
    found = game(key)
    assert 0 < len(found.lesson.goal) <= AIM and found.lesson.goal.endswith(".")
    assert len(found.lesson.tips) == 3 and all(len(tip) <= TIP and tip.endswith(".") for tip in found.lesson.tips)


@pytest.mark.parametrize("key", keys())
def test_a_first_game_can_be_played_and_is_no_longer_than_a_usual_one(key: str) -> None:
    def moves(options: dict[str, object]) -> int:
        match, dice = Match(game(key), options, deal=Deal("first")), Stream("first", key)
        while match.over is None:
            match.play(match.state.moves.sample(dice))
        return match.ply

    assert moves(dict(game(key).lesson.options)) <= moves({})
    assert game(key).read_options(dict(game(key).lesson.options)).changed() == dict(game(key).lesson.options)
