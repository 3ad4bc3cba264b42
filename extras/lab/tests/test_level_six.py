"""Level 6: what it has learned, how it plays with it, and that it is level 5 elsewhere."""

import os
import random
import zlib

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.bots.process.isolation import sight
from quadrille.ai.bots.process.program import kit_command
from quadrille.ai.opponents import opponent
from quadrille.extras.lab.opponents import WEIGHTS, Learned, evaluation, evaluation_for, learned
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import State, settle
from quadrille.rules.core.thoughts import thought
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof

NINE = {"width": 9, "height": 9}
TEN = {"width": 10, "height": 10}
#: Maximum bytes of all weights in a wheel, which is compressed.
MOST_BYTES = 1 << 20


def chosen(name: str, state: State, work: int) -> str:
    bot = opponent(name)
    bot.starts(state, state.board.turn)
    return str(bot.choose(state, Clock(state.board.turn, None, 0, 600_000, work), random.Random("level 6")))


@pytest.mark.first(1)
@pytest.mark.parametrize("name", learned())
def test_shipped_weights_fit_the_table_of_their_name(name: str) -> None:
    key, size, seats = name.removesuffix(".weights").rsplit("-", 2)
    width, height = map(int, size.split("x"))
    found = evaluation_for(game(key).start({"width": width, "height": height}, int(seats)))
    assert found is evaluation(name)
    assert found.games >= 200_000


def test_all_weights_together_are_small() -> None:
    assert len(learned()) == 4
    assert sum(len(zlib.compress((WEIGHTS / name).read_bytes())) for name in learned()) <= MOST_BYTES


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("key", "options"),
    [("maze", {"size": 4}), ("barons", {"width": 4, "height": 4}), ("barons", TEN), ("dollar-draw", NINE)],
)
def test_level_six_is_level_five_elsewhere(key: str, options: dict[str, int]) -> None:
    state = game(key).start(options, 2)
    for _ in range(2):
        assert chosen("6", state, 200) == chosen("5", state, 200)
        state = state.play(state.game.parse(chosen("6", state, 200), state))


def test_a_whole_row_is_prevented_without_a_search() -> None:
    """The first seat has eight squares of row 5, worth 40 points with the ninth; one simulation is no search."""
    state = game("barons").start(NINE, 2)
    for move in ("a5", "a1", "b5", "c1", "c5", "e1", "d5", "g1", "e5", "i1", "f5", "a9", "g5", "c9", "h5"):
        state = state.play(state.game.parse(move, state))
    assert state.board.turn == 1
    assert chosen("6", state, 1) == "i5"


def test_weights_are_read_before_the_clock_runs() -> None:
    state, bot = game("barons").start(NINE, 2), opponent("6")
    evaluation.cache_clear()
    bot.starts(state, 0)
    assert evaluation.cache_info().misses == 1
    bot.choose(state, Clock(0, None, 0, 600_000, 1), random.Random("read"))
    assert evaluation.cache_info().misses == 1


def seated(state: State) -> Learned:
    bot = Learned()
    bot.starts(state, 0)
    return bot


def note(bot: Learned, state: State, work: int = 200) -> tuple[State, str]:
    """Return the position after a move of level 6, and its note beside it."""
    move = bot.choose(state, Clock(state.board.turn, None, 0, 600_000, work), random.Random("level 6"))
    found = thought(bot.thought(state) or {}, state)
    assert found is None or not found.dropped
    return state.play(move), found.note if found else ""


def test_notes_say_what_is_proved_and_nothing_else() -> None:
    state, notes = game("maze").start({"size": 4}), []
    bot = seated(state)
    while state.moves:
        proof = Proof(Position(state), 1 << 12)
        proof.go_on(1_000_000)
        after, told = note(bot, state, 2000)
        if told:
            assert told == {1: "proved to win", -1: "every move is proved to lose"}[proof.found.value]
        notes.append(told)
        state = after
    assert notes[-1] == "proved to win"


def test_the_note_of_the_answer_turned_by_180_degrees_is_level_six_s_alone() -> None:
    state = game("dollar-draw").start({"width": 6, "height": 6})
    bot = seated(state)
    state, told = note(bot, state)
    assert not told
    _, told = note(bot, state)
    assert told == "the last move turned by 180 degrees: proved to win"
    other = opponent("5")
    other.choose(state, Clock(1, None, 0, 600_000, 200), random.Random("level 6"))
    assert other.thought(state) == {"value": 1}


def stolen(seed: str) -> State:
    """Seat 1 has scored each row that seat 0 drew, but for the last one, and is to move; no card is unknown to it."""
    dealer = SeedDealer(seed)
    state = settle(game("dotter").start({"lap_points": 200, "looks": 0}, 2), dealer)
    for row in range(1, 19):
        state = settle(state.play(game("dotter").parse("draw", state)), dealer)
        if row < 18:
            state = settle(state.play(game("dotter").parse(f"score p1 {row}a {row}b {row}c", state)), dealer)
    assert state.board.turn == 1
    return state.view(1)


@pytest.mark.slow
def test_level_six_counts_cards_in_dotter_and_level_five_does_not() -> None:
    """Of the last three cards every guess is sure: the named hand scores twice."""
    kinds = ("double", "triple", "difference", "quotient")
    states = [stolen(f"the last row {deal}") for deal in range(12)]
    assert sum(chosen("6", state, 100).endswith(kinds) for state in states) >= 3
    assert not any(chosen("5", state, 100).endswith(kinds) for state in states)


def test_its_box_shows_it_the_weights() -> None:
    place = os.path.realpath(str(WEIGHTS))
    seen = [path[1:] for path in sight(kit_command("6"), "/", dict(os.environ))]
    assert any(place.startswith(f"{path}/") for path in seen)
