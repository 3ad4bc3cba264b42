"""A seventh game, of steps and of hidden cards, is one file: it works wherever the five work, and no floor knows it.

The file is put on the menu by lengthening the path of `quadrille.rules.games`, and taken off it again.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.opponents.names import opponent
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import draft, drop, pick
from quadrille.laws import settings, test_boards, test_games, test_records, test_steps
from quadrille.laws.settings import Setting, setting
from quadrille.rules import games as folder
from quadrille.rules import registry
from quadrille.rules.chance import Stream
from quadrille.rules.core import HIDDEN, Over, ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.search import Position
from tests.ai.bots.programs import play as play_out
from tests.ai.inside import talk as inside
from tests.client.conftest import Run, run  # noqa: F401
from tests.client.screen.keyboard import begun, click, moved_to, press, typed
from tests.client.screen.positions import model_of
from tests.net.simulation import Weather, World, gather
from tests.net.tables import terms

#: A folder with nothing but the game.
FOLDER = str(Path(__file__).parent / "menu")
CLOCK = Clock(0, None, 0, 1000)


@pytest.fixture(autouse=True)
def _on_the_menu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, FOLDER])
    registry.own_keys.cache_clear()
    registry.keys.cache_clear()
    yield
    registry.own_keys.cache_clear()
    registry.keys.cache_clear()


def match(seed: str = "s", seats: int = 2, moves: int = 0, rows: int = 2) -> Match:
    found, rng = Match(registry.game("snoop"), {"rows": rows}, seats, deal=Deal(seed)), Stream(seed, "moves")
    for _ in range(moves):
        if found.over is None:
            found.play(found.state.moves.sample(rng))
    return found


LAWS = [
    test_boards.test_undo_restores_every_slot, test_boards.test_reset_is_the_start, test_games.test_undo_takes_back,
    test_games.test_a_guess_deals_each_face_once, test_records.test_a_loaded_match_goes_on,
    test_steps.test_steps_at_random_make_a_legal_move,
    test_steps.test_the_prefixes_of_all_legal_moves_are_what_next_steps_gives,
]  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_it_obeys_the_laws(law: Callable[[Setting], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.GAMES, "snoop", registry.game("snoop"))
    law(setting("snoop", {"rows": 1}, 3))


# The screen's half-made moves


def test_a_half_made_move_is_picked_square_by_square() -> None:
    state = match(moves=0).state
    assert draft(state, "").choices == (("look", "look"), ("take", "take"))
    line = pick(state, "look", "b1")
    assert line == "look b1" and draft(state, line).stage == "begun" and draft(state, line).path == ("b1",)
    assert draft(state, line).nexts == {"b2", "c1", "c2"}
    whole = pick(state, line, "c2")
    assert whole == "look b1 c2" and draft(state, whole).stage == "legal"
    assert pick(state, whole, "b1") == "look b1" == drop(state, whole) and drop(state, "take") == ""
    assert draft(state, "take a").words == ("take a1", "take a2") and draft(state, "ta").words == ("take",)
    assert draft(state, "take z9").stage == draft(state, "hello").stage == "foreign"
    assert draft(state, "look c2 b1").stage == "legal", "as it may be typed"
    taken = match()
    taken.play("take a1")
    assert "taken already" in draft(taken.state, "take a1").says


@pytest.mark.parametrize("way", ["words", "arrows", "mouse"])
def test_it_is_played_on_the_screen_in_three_ways(way: str) -> None:
    model = begun(model_of(match(), people=True))
    assert draw(model)
    if way == "words":
        model = typed(model, "look b1 c2")[0]
    else:
        for name in ("look", "b1", "c2"):
            model = press(moved_to(model, name), "enter")[0] if way == "arrows" else click(model, name)[0]
        model = press(model, "enter")[0] if way == "arrows" else click(model, "c2")[0]
    assert [str(getattr(entry, "move", "")) for entry in model.table.match.entries][:1] == ["look b1 c2"]


# Plain lines


def test_it_is_played_in_plain_lines(run: Run) -> None:  # noqa: F811
    said = run("play snoop --seats 2 --set rows=1 --seed s", "look a1 b1", "board", "take c1", "take b1", "take a1")
    assert said.code == 0 and "The game is over: every card is taken." in said.out
    assert "snoop" in run("rules").out.lower()


# Bots


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:1", "ismcts:1", "2"])
def test_bots_of_the_house_play_it(kind: str) -> None:
    table, bot = match("bots", 3, rows=1), opponent(kind)
    while isinstance(pending := table.pending, ToMove):
        table.play(bot.choose(table.state.view(pending.seat), CLOCK, random.Random(1)))
    assert table.over


def test_a_game_of_it_between_bots_that_hear_lines() -> None:
    ended = play_out(match("lines"), [inside(), inside()])
    assert isinstance(ended.over, Over) and not ended.faults


def test_a_search_of_it_tells_moves() -> None:
    position = Position(match("search", 2, 2).state)
    found = position.search(60, seed=1)
    move = position.move([found.move])
    assert position.steps(move) == [found.move] and position.text(found.move) == str(move)


# The network


@pytest.mark.first(1)
@pytest.mark.parametrize("weather", [Weather(), Weather(loss=50, twice=50, delay=200, cuts=2, crashes=2)])
def test_it_is_played_by_peers_with_a_deck_that_nobody_holds(weather: Weather) -> None:
    world = World("seventh", terms("snoop", 3, {"rows": 2}, takebacks=False, grace=5000), weather)
    gather(world)
    world.run(world.settled)
    assert world.blamed == []
    logs = world.logs()
    assert all(log.now.over for log in logs) and len({log.head for log in logs}) == 1
    hidden = [face for entry in logs[0].now.match.entries for face in getattr(entry, "faces", ())]
    assert HIDDEN in hidden and any(face != HIDDEN for face in hidden)


def test_no_floor_has_heard_of_it() -> None:
    root = Path(__file__).parents[2]
    floors = [path for floor in ("rules", "net", "ai", "client") for path in (root / floor).rglob("*.py")]
    assert floors and not [path for path in floors if "snoop" in path.read_text("utf-8").lower()]
