"""Lines of a tournament's bots at a model's server: a senseless one harms no other table, and nobody waits in vain."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quadrille.extras.models.outlet import listening
from quadrille.extras.models.tournament_seat import TournamentSeat
from quadrille.rules.errors import RulesError
from tests.waiting import DEADLINE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="outlets are for boxes, and boxes for Linux")

START = {"do": "start", "game": "maze", "options": {}, "names": ["a", "b"], "seat": 0, "news": []}
TURN = {"do": "turn", "turn": 1, "text": "t", "view": {}, "clock": None, "news": []}


class Line(NamedTuple):
    """A bot's line to the server."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def say(self, *lines: Any) -> None:
        self.writer.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))

    async def hear(self) -> Any:
        return json.loads(await asyncio.wait_for(self.reader.readline(), DEADLINE) or b"null")


@asynccontextmanager
async def seat(folder: Path) -> AsyncIterator[tuple[TournamentSeat, Line]]:
    """Yield a model's seat, and the line of one bot."""
    one, path = TournamentSeat("Mo"), folder / "m.outlet"
    async with listening(path, one.play):
        line = Line(*await asyncio.open_unix_connection(path))
        yield one, line
        line.writer.close()


@pytest.mark.parametrize("how", ["gone", "over"])
async def test_a_move_whose_table_ends_meanwhile_is_refused(how: str, tmp_path: Path) -> None:
    async with seat(tmp_path) as (one, line):
        line.say(START, TURN)
        assert await line.hear() == {"ready": True}
        assert (await one.turn(DEADLINE))["your_turn"]
        moves = asyncio.gather(*(one.move(1, "a1") for _ in range(2)), return_exceptions=True)
        assert (await line.hear())["ask"] == "legal"
        if how == "gone":
            line.writer.close()
        else:
            line.say({"do": "over", "places": [1, 2], "figures": {}, "reason": None, "news": []})
        errors = await asyncio.wait_for(moves, DEADLINE)
        assert {type(error) for error in errors} == {RulesError}


@pytest.mark.parametrize(
    "lines",
    [
        [{**START, "news": None}, TURN],
        [{"do": "start"}],
        [START, 7],
        [START, {**TURN, "news": 7}],
        [START, {"do": "turn"}],
        [START, {"do": "over"}],
    ],
)
async def test_a_senseless_line_ends_its_own_table_alone(lines: list[Any], tmp_path: Path) -> None:
    async with seat(tmp_path) as (one, line):
        line.say(*lines)
        while await line.hear() is not None:
            pass
        other = Line(*await asyncio.open_unix_connection(tmp_path / "m.outlet"))
        other.say(START, TURN)
        assert (await one.turn(DEADLINE))["your_turn"]
        other.writer.close()
