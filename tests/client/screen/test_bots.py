"""Whole games against bots that are programs of their own, at an emulated terminal."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.screen.table.model import Model
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.screen.keyboard import begin_model
from tests.client.screen.terminal import at_screen
from tests.client.test_play import WAITS

SMALL: dict[str, tuple[int, dict[str, object]]] = {"barons": (3, {"width": 3, "height": 3}), "maze": (2, {"size": 3})}


def table(key: str, bot: str = "random", seats: int = 0) -> Model:
    usual, options = SMALL[key]
    seats = seats or usual
    match = Match(game(key), options, seats, deal=Deal("s"))
    return replace(begin_model(match, ["", *[bot] * (seats - 1)]), notice="")


@pytest.mark.slow
async def test_a_hint_of_a_bot_is_asked_for_and_played_by_the_mouse() -> None:
    async with at_screen(replace(table("barons"), bot="greedy")) as person:
        person.click_at("f2", "key")
        await person.sees("greedy would play")
        person.click_at(person.model.line.text)
        await person.sees("last: C")


@pytest.mark.parametrize("bot", [pytest.param("mcts:9", marks=pytest.mark.slow), "/nowhere/bot.py"])
async def test_a_bot_that_does_not_start(bot: str) -> None:
    async with at_screen(table("maze", bot)) as person:
        person.press("b3", "enter")
        await person.sees("stand-in 2 (another bot) or quit.")
        person.press("wait", "enter")
        await person.sees("stand-in 2 (another bot) or quit.")
        person.press("stand-in random", "enter")
        await person.sees("YOUR TURN", "last: B")


async def test_a_game_at_one_keyboard_is_lost_on_time_without_a_key() -> None:
    match = Match(game("barons"), SMALL["barons"][1], 2, deal=Deal("s"))
    async with at_screen(begin_model(match, ["", ""], clock=TimeControl(1000, 0))) as person:
        await person.until(lambda who: who.model.table.match.over is not None)


def test_a_draw_that_is_offered_to_a_bot_while_it_thinks_costs_it_no_move(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(WAITS)

    async def play() -> Match:
        async with at_screen(table("barons", str(tmp_path / "slow.py"), seats=2), isolate="none") as person:
            person.press("b3", "enter")
            await person.sees("slow is thinking")
            while not (tmp_path / "thinks").exists():
                await asyncio.sleep(0.01)
            person.press("f4", "y")
            await person.sees("You propose a draw.")
            (tmp_path / "go").touch()
            await person.sees("YOUR TURN", "last: B")
            return person.model.table.match

    assert asyncio.run(play()).ply == 2


async def test_files_are_written_and_read(tmp_path: object) -> None:
    async with at_screen(table("barons", "")) as person:
        person.press("a1", "enter")
        await person.sees("last: A")
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
