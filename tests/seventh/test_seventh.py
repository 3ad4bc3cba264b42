"""A seventh game, of hidden cards, is one file: the example of the guide works wherever the five work.

What the guide says of it: tests/guides/test_card_game.py. Moves of many steps: Dotter and Coin Isolation, everywhere.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quadrille import plugs
from quadrille.ai.bot import Clock
from quadrille.ai.opponents.names import opponent
from quadrille.client.documents import example
from quadrille.client.screen.table.draw import draw
from quadrille.laws import settings, test_boards, test_games, test_records, test_steps
from quadrille.laws.settings import Setting, setting
from quadrille.rules.chance import Stream
from quadrille.rules.core import HIDDEN, Over, ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.ai.inside import play as play_out
from tests.ai.inside import talk as inside
from tests.client.conftest import Run, run  # noqa: F401
from tests.client.screen.keyboard import begun, click, model_of, moved_to, press, typed
from tests.net.simulation import Weather, World, gather
from tests.net.tables import terms
from tests.test_plugs import forget

KEY = "kuhn@file"
CLOCK = Clock(0, None, 0, 1000)


@pytest.fixture(autouse=True, scope="module")
def _plugged_in() -> Iterator[None]:
    """Once: a file that is run again has other moves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(plugs.GAME_FILE, "")
        assert plugs.game_name(str(example("kuhn.py"))) == KEY
        yield
    forget()


def match(seed: str = "s", moves: int = 0) -> Match:
    found, dice = Match(game(KEY), {}, 2, deal=Deal(seed)), Stream(seed, "moves")
    for _ in range(moves):
        found.play(found.state.moves.sample(dice))
    return found


LAWS = [
    test_boards.test_undo_restores_every_slot, test_boards.test_reset_is_the_start, test_games.test_undo_takes_back,
    test_games.test_a_guess_deals_each_face_once, test_records.test_a_loaded_match_goes_on,
    test_steps.test_steps_at_random_make_a_legal_move,
    test_steps.test_the_prefixes_of_all_legal_moves_are_what_next_steps_gives,
]  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_it_obeys_the_laws(law: Callable[[Setting], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.GAMES, KEY, game(KEY))
    law(setting(KEY, {}, 2))


@pytest.mark.parametrize("way", ["words", "arrows", "mouse"])
def test_it_is_played_on_the_screen_in_three_ways(way: str) -> None:
    model = begun(model_of(match(), people=True))
    assert draw(model)
    match way:
        case "words":
            model = typed(model, "bet")[0]
        case "arrows":
            model = press(press(moved_to(model, "bet"), "enter")[0], "enter")[0]
        case _:
            model = click(click(model, "bet")[0], "bet")[0]
    assert [str(getattr(entry, "move", "")) for entry in model.table.match.entries][-1:] == ["bet"]


def test_it_is_played_in_plain_lines(run: Run) -> None:  # noqa: F811
    said = run(f"play {example('kuhn.py')} --seats 2 --seed s", *["bet"] * 8)
    assert said.code == 0 and "The game is over: all hands are played." in said.out


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:1", "ismcts:1", "2"])
def test_bots_of_the_house_play_it(kind: str) -> None:
    table, bot = match("bots"), opponent(kind)
    while isinstance(pending := table.pending, ToMove):
        table.play(bot.choose(table.state.view(pending.seat), CLOCK, random.Random(1)))
    assert table.over


def test_a_game_of_it_between_bots_that_hear_lines() -> None:
    ended = play_out(match("lines"), [inside(), inside()])
    assert isinstance(ended.match.over, Over) and not ended.faults


def test_a_search_of_it_tells_moves() -> None:
    position = Position(match("search", 2).state)
    found = position.search(60, seed=1)
    move = position.move([found.move])
    assert position.steps(move) == [found.move] and position.text(found.move) == str(move)


@pytest.mark.first(1)
@pytest.mark.parametrize("weather", [Weather(), Weather(loss=50, twice=50, delay=200, cuts=2, crashes=2)])
def test_it_is_played_by_peers_with_a_deck_that_nobody_holds(weather: Weather) -> None:
    world = World("seventh", terms(KEY, takebacks=False, grace=5000), weather)
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
    assert floors and not [path for path in floors if "kuhn" in path.read_text("utf-8").lower()]
