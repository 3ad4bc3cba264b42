"""Turns in bounded actions: as few as promised, chance as it should be. tests/laws/test_steps.py has their moves."""

import copy
import pickle
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import pytest

from quadrille.extras.lab.actions import steps_of
from quadrille.extras.lab.adapters.play import OVER, Play
from quadrille.laws.settings import Setting, setting, small, usual
from quadrille.rules.arrays import array
from quadrille.rules.board import CHANCE
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import WHOLE
from quadrille.rules.errors import GameOver, IllegalMove
from quadrille.rules.games._template import GAME as TEMPLATE
from quadrille.rules.registry import game, keys

TABLES = dict.fromkeys(table for key in keys() for table in (*usual(key), *small(key)))


def begun(key: str, options: dict[str, Any] | None = None, seats: int | None = None) -> Play:
    return Play.start(steps_of(game(key), options, seats))


def start(table: Setting) -> Play:
    return begun(table.key, dict(table.options), table.seats)


def walk(play: Play, seed: str, most: int) -> Iterator[Play]:
    """Random actions, and faces by their probabilities, one position after the other."""
    rng = Stream(seed, "walk")
    for _ in range(most):
        yield play
        if play.seat == OVER:
            return
        if play.seat == CHANCE:
            row = [face for face in play.legal() for _ in range(play.weight(face))]
        else:
            row = play.legal()
        play = play.after(row[rng.randrange(len(row))])
    yield play


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_actions_are_as_few_as_promised(table: Setting) -> None:
    play = start(table)
    steps, made, drawn = play.steps, 0, 0
    for at in walk(play, str(table), 120):
        legal = at.legal()
        assert legal == sorted(set(legal))
        assert bool(legal) == (at.seat != OVER)
        assert all(0 <= action < (steps.faces if at.seat == CHANCE else steps.count) for action in legal)
        assert len({at.text(action) for action in legal}) == len(legal), "two actions have one name"
        made += at.seat >= 0
        drawn += at.seat == CHANCE
        assert made <= steps.longest and drawn <= steps.draws


@pytest.mark.parametrize("table", [table for key in ("barons", "dollar-draw", "maze") for table in usual(key)], ids=str)
def test_where_a_turn_is_one_action_the_actions_are_the_moves(table: Setting) -> None:
    for at in walk(start(table), str(table), 6):
        moves = {str(move): at.state.play(move) for move in at.state.moves}
        assert {at.text(action): at.after(action).state for action in at.legal()} == moves


# Chance


def test_a_coin_is_as_likely_as_it_is_many() -> None:
    play = begun("coin-isolation")
    assert play.chances() == [(0, 24 / 64), (1, 24 / 64), (2, 12 / 64), (3, 4 / 64)]
    for _ in range(4):
        play = play.after(3)
    assert play.chances() == [(0, 24 / 60), (1, 24 / 60), (2, 12 / 60)]


def dotter(*words: str) -> Play:
    """Two at Dotter, and what happened there."""
    play = begun("dotter")
    for word in words:
        play = play.after(next(action for action in play.legal() if play.text(action) == word))
    return play


PEEKED = ("draw", "draw", "peek", "p2", "1a", "1c", "AS", "2S")


def test_a_card_that_somebody_has_seen_is_certain_and_any_other_equally_likely_each_of_the_others() -> None:
    play = dotter(*PEEKED[:-1])
    assert play.seat == CHANCE
    assert play.chances() == [(face, 1 / 53) for face in range(1, 54)]
    play = dotter(*PEEKED, "score", "p2", "1a", "1b", "1c", "no guess")
    assert [play.text(face) for face, chance in play.chances() if chance == 1] == ["AS"]


def test_a_seed_deals_the_cards_that_it_deals_at_tables() -> None:
    table, dealer, rng = setting("dotter", {"laps": 1}, 3), SeedDealer("seven"), Stream("seven", "moves")
    play, match, words = start(table), table.match("seven"), []
    while play.seat != OVER:
        legal = play.legal()
        action = legal[rng.randrange(len(legal))]
        words.append(play.text(action))
        play = play.after(action).dealt(dealer)
        if not play.made:
            match.play(" ".join(words).removesuffix(" no guess"))
            words = []
            assert match.state == play.state
    assert match.ply == play.turns > 20


# What is known


def test_a_look_is_heard_by_the_seat_that_looks() -> None:
    play = dotter(*PEEKED)
    assert play.heard(0) == list(PEEKED)
    assert play.heard(1) == play.heard(None) == [*PEEKED[:6], "?", "?"]
    assert play.heard(WHOLE) == list(PEEKED)
    assert (play.secrets(0), play.secrets(1)) == (["4 AS", "6 2S"], [])
    assert "AS" in play.picture(0) and "AS" not in play.picture(1) and "AS" in play.picture(WHOLE)


def test_what_is_turned_up_is_no_secret_any_more() -> None:
    play = dotter(*PEEKED, "score", "p2", "1a", "1b", "1c", "no guess", "AS", "9H", "2S")
    assert play.secrets(0) == []
    assert play.secrets(0, ever=True) == ["4 AS", "6 2S"]
    assert play.heard(1)[-3:] == ["AS", "9H", "2S"]


def test_a_guess_keeps_what_the_seat_knows_and_nothing_else() -> None:
    play = dotter(*PEEKED, "peek", "p1", "1a", "1b", "3S", "4S")
    worlds = set()
    for seed in range(40):
        actions = play.guessed(1, Stream(str(seed)))
        other = play.start(play.steps)
        for action in actions:
            other = other.after(action)
        assert other.heard(1) == play.heard(1)
        worlds.add(tuple(other.heard(0)[6:8]))
    assert len(worlds) > 30, "what the other seat has looked at can be nearly anything"
    assert not {face for world in worlds for face in world} & {"3S", "4S"}


def test_a_guess_in_a_later_round_leaves_the_earlier_one_as_it_was() -> None:
    play = None
    for play in walk(begun("dotter", {"laps": 20}), "rounds", 5000):
        if play.state.sealed().pile.name == "round 2" and any(play.secrets(0)) and play.seat == 1 and not play.made:
            break
    assert play and play.state.sealed().pile.name == "round 2", "the walk came to a second round"
    other = play.start(play.steps)
    for action in play.guessed(1, Stream("guess")):
        other = other.after(action)
    assert other.heard(1) == play.heard(1)
    assert other.state != play.state


def test_a_turn_in_the_making_is_told_in_65_numbers() -> None:
    play = dotter("draw", "peek", "p1")
    assert play.steps.count == 65 == 3 + 2 + 54 + 6
    made, last = play.turn_rows()
    assert [action for action, number in enumerate(made) if number] == [1, 3]
    assert [action for action, number in enumerate(last) if number] == [3]
    assert play.picture(None).endswith("Made of the turn: peek p1")
    assert play.after(play.legal()[0]).turns == 1 == dotter("draw").turns


# The end


def test_a_draw_is_worth_nothing() -> None:
    play = begun("barons", {"width": 2, "height": 2, "end": "full"}, 2)
    for action in (0, 1, 3, 2):
        assert play.payoffs() == [0, 0]
        play = play.after(action)
    assert play.payoffs() == [0, 0]


def test_more_seats_are_worth_who_is_behind_less_who_is_ahead() -> None:
    play = begun("barons", {"width": 4, "height": 2, "vertical": 1, "column_bonus": 0, "horizontal": 5}, 4)
    for square in ("a1", "b1", "c1", "d1", "a2", "c2", "b2", "d2"):
        play = play.after(next(action for action in play.legal() if play.text(action) == square))
    assert play.state.pending.places == (1, 3, 3, 1)  # type: ignore[union-attr]
    assert play.payoffs() == [2 / 3, -2 / 3, -2 / 3, 2 / 3]


# What is refused


@pytest.mark.parametrize(
    ("key", "action", "why"),
    [
        ("barons", 40, "an action here is a whole number from 0 to 39, not 40"),
        ("barons", -1, "an action here is a whole number from 0 to 39, not -1"),
        ("barons", True, "an action here is a whole number from 0 to 39, not true"),
        ("barons", 0.5, "an action here is a whole number from 0 to 39, not the fraction 0.5"),
        ("maze", 0, "the first segment starts from the upper left square, a6"),
        ("dotter", 1, "action 1 is not possible now"),
        ("coin-isolation", 4, "an action here is a whole number from 0 to 3, not 4"),
    ],
)
def test_an_action_is_refused_with_its_reason(key: str, action: Any, why: str) -> None:
    play = begun(key)
    with pytest.raises(IllegalMove) as refused:
        play.after(action)
    assert str(refused.value) == why


def test_a_face_that_lies_elsewhere_is_refused_and_anything_after_the_end() -> None:
    with pytest.raises(IllegalMove, match="face 0 can't be the one that is owed"):
        dotter(*PEEKED[:-1]).after(0)
    *_, last = walk(begun("maze", {"size": 2}), "any", 10)
    with pytest.raises(GameOver, match="the game is over: every square is taken"):
        last.after(0)


def test_a_game_that_the_adapters_have_never_seen_has_actions() -> None:
    """Until a game's steps were its own, this was refused: actions were written game by game."""
    play = Play.start(steps_of(TEMPLATE, {"width": 3, "height": 2}))
    assert (play.steps.count, play.steps.longest) == (6, 6)
    assert tuple(play.steps.observer.policy_shape(6)) == (1, 3, 2), "a plane of its squares"
    assert [play.text(action) for action in play.legal()] == ["a1", "a2", "b1", "b2", "c1", "c2"]
    assert play.after(2).objection(4) == "c1 is eaten already"


def test_a_board_may_replace_its_list_and_an_action_may_be_a_named_number(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, named = type(TEMPLATE.start().board), IntEnum("named", {"b1": 2})
    listed = kind.legal
    monkeypatch.setattr(kind, "legal", lambda board: setattr(board, "moves", array([-1] * 99)) or listed(board))
    play = Play.start(steps_of(TEMPLATE, {"width": 3, "height": 2}))
    assert play.after(named.b1).legal() == [0, 1]


# As others keep it


@pytest.mark.parametrize("key", keys())
def test_a_position_is_stored_as_its_actions(key: str) -> None:
    *_, play = walk(begun(key), "stored", 90)
    again = pickle.loads(pickle.dumps(play))
    assert again.state == play.state and again.made == play.made and again.turns == play.turns
    assert again.heard(WHOLE) == play.heard(WHOLE)
    assert copy.deepcopy(play) is play
