"""Whole games against bots that are programs of their own, at an emulated terminal."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.screen.stage import begin_model
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model
from quadrille.client.settings import Settings
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Left, Match, Played
from quadrille.rules.registry import game
from tests.client.screen.terminal import Person, at_screen

SMALL: dict[str, tuple[int, dict[str, object]]] = {
    "barons": (3, {"width": 3, "height": 3}),
    "coin-isolation": (2, {"layout": "pnd/ppn/dnp"}),
    "dollar-draw": (2, {"width": 3, "height": 3}),
    "dotter": (2, {"laps": 1, "lap_points": 21, "max_rounds": 1}),
    "maze": (2, {"size": 3}),
}


def table(key: str, bot: str = "random", clock: TimeControl | None = None, seats: int = 0) -> Model:
    usual, options = SMALL[key]
    seats = seats or usual
    match = Match(game(key), options, seats, deal=Deal("s"))
    return replace(begin_model(match, ["", *[bot] * (seats - 1)], Settings(), clock=clock), notice="")


def is_mine(person: Person) -> bool:
    """Whether the screen is up to date, and the bots have moved."""
    table = person.model.table
    shown = person.emulator.lines == draw(person.model).lines
    return shown and (table.is_mine or table.match.over is not None)


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=() if key == "coin-isolation" else pytest.mark.slow) for key in SMALL]
)
def test_a_whole_game(key: str) -> None:
    async def play() -> Match:
        async with at_screen(table(key)) as person:
            for number in range(300):
                await person.until(is_mine)
                match = person.model.table.match
                if match.over:
                    break
                # typed, then played by Enter or by a click, in turn
                moves = [str(move) for move in match.state.moves]
                move = moves[(7 * number) % len(moves)]
                count = len(match.entries)
                person.press(move)
                await person.sees(f"> {move}", "is legal")
                if number % 2:
                    person.press("enter")
                else:
                    person.click_at(move, "word")
                await person.until(lambda who, count=count: len(who.model.table.match.entries) > count)
            await person.sees("OVER", "F6")
            person.press("f6")
            await person.sees("Rematch: everybody moves up one seat.")
            return match

    match = asyncio.run(play())
    assert match.over and not any(isinstance(entry, Left) for entry in match.entries)


def test_a_hint_of_a_bot() -> None:
    async def ask() -> str:
        async with at_screen(replace(table("barons"), bot="greedy")) as person:
            person.press("f2")
            await person.sees("greedy would play")
            person.press("enter")
            await person.sees("last: C")
            return person.emulator.text

    assert "A " in asyncio.run(ask())


def test_a_takeback_and_another_game_with_the_same_bots() -> None:
    async def play() -> Match:
        async with at_screen(table("maze")) as person:
            person.press("b3", "enter")
            await person.sees("YOUR TURN", "last: B")
            person.press("f3")
            await person.until(lambda who: "last:" not in who.emulator.text)
            person.press("a2", "enter")
            await person.sees("YOUR TURN", "last: B")
            person.press("f9", "y")
            await person.sees("OVER")
            person.press("f6")
            await person.sees("YOUR TURN", "last: A")  # the bot has the first seat now
            return person.model.table.match

    assert isinstance(asyncio.run(play()).entries[0], Played)


@pytest.mark.parametrize("bot", ["mcts:9", "/nowhere/bot.py"])
def test_a_bot_that_does_not_start(bot: str) -> None:
    async def play() -> None:
        async with at_screen(table("maze", bot)) as person:
            person.press("b3", "enter")
            await person.sees("stand-in 2 (another bot) or quit.")
            person.press("wait", "enter")
            await person.sees("stand-in 2 (another bot) or quit.")
            person.press("stand-in random", "enter")
            await person.sees("YOUR TURN", "last: B")

    asyncio.run(play())


HANGS = """
import time
from quadrille.ai import Bot

class Hangs(Bot):
    def choose(self, view, clock, rng):
        time.sleep(3600)
"""
#: Moves when it is told to, by files beside it.
WAITS = """
import time
from pathlib import Path
from quadrille.ai import Bot

class Waits(Bot):
    def choose(self, view, clock, rng):
        Path(__file__).with_name("thinks").touch()
        while not Path(__file__).with_name("go").exists():
            time.sleep(0.01)
        return next(iter(view.moves))
"""


def with_one_that_hangs(
    folder: Path, typed: Callable[[Person], Awaitable[None]], clock: TimeControl | None = None, patience: int = 50
) -> Match:
    """A game of Maze against a bot that never moves; how it stands after what is typed."""
    (folder / "hangs.py").write_text(HANGS)

    async def play() -> Match:
        async with at_screen(table("maze", str(folder / "hangs.py"), clock)) as person:
            person.stage._bots._patience = patience
            await typed(person)
            return person.model.table.match

    return asyncio.run(play())


def test_of_a_bot_that_hangs_the_person_is_told_and_can_put_another_in_its_seat(tmp_path: Path) -> None:
    async def typed(person: Person) -> None:
        person.press("b3", "enter")
        await person.sees("hangs has been thinking for 0 s. Choose: wait, stand-in 2")
        person.press("wait", "enter")
        await person.sees("hangs has been thinking for 0 s. Choose: wait, stand-in 2")  # asked again
        person.press("stand-in random", "enter")
        await person.sees("YOUR TURN", "last: B", "random")

    assert with_one_that_hangs(tmp_path, typed).ply == 2


def test_a_hint_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    async def typed(person: Person) -> None:
        person.stage.shell.model = replace(person.model, bot=str(tmp_path / "hangs.py"))
        person.press("f2")
        await person.sees("hangs gives no hint")

    with_one_that_hangs(tmp_path, typed)


@pytest.mark.slow
def test_a_bot_that_hangs_loses_on_time(tmp_path: Path) -> None:
    async def typed(person: Person) -> None:
        person.press("b3", "enter")
        await person.sees("OVER", "has run out of time", "You win")

    assert with_one_that_hangs(tmp_path, typed, TimeControl(4000, 0)).entries[-1] == Left(1, "time")


def test_a_draw_that_is_offered_to_a_bot_while_it_thinks_costs_it_no_move(tmp_path: Path) -> None:
    """Its move was lost, and the game stood still."""
    (tmp_path / "slow.py").write_text(WAITS)

    async def play() -> Match:
        async with at_screen(table("barons", str(tmp_path / "slow.py"), seats=2), isolate="none") as person:
            person.press("b3", "enter")
            await person.sees("slow is thinking")
            while not (tmp_path / "thinks").exists():
                await asyncio.sleep(0.01)
            person.press("f4", "y")
            await person.sees("A draw is offered.")
            (tmp_path / "go").touch()
            await person.sees("YOUR TURN", "last: B")
            return person.model.table.match

    assert asyncio.run(play()).ply == 2


def test_a_draw_with_a_bot() -> None:
    async def play() -> None:
        async with at_screen(table("barons", seats=2)) as person:
            person.press("f4", "y")
            await person.sees("declines the draw")
            person.press("b3", "enter")
            await person.sees("YOUR TURN", "last: B")
            person.press("f4", "y")
            await person.until(lambda who: "declines the draw" in who.emulator.text or "OVER" in who.emulator.text)

    asyncio.run(play())


def test_files_are_written_and_read(tmp_path: object) -> None:
    async def play() -> None:
        async with at_screen(table("barons", "random")) as person:
            person.press("a1", "enter")
            await person.sees("last: C")
            person.press(f"save {tmp_path}/x.txt", "enter")
            await person.sees("Saved to")
            person.press("escape")
            await person.no_longer_sees("Saved to")
            person.press(f"save {tmp_path}/x.txt", "enter")
            await person.sees("Saved to")
            person.press(f"load {tmp_path}/x.txt", "enter")
            await person.sees("This is")
            person.press(f"load {tmp_path}/y.txt", "enter")
            await person.sees("Not read:")
            person.press(f"save {tmp_path}/no/z.txt", "enter")
            await person.sees("Not saved:")

    asyncio.run(play())
