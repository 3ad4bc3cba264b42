"""The bots of a program at a table that it holds: they start, play, fail and go, as for a guest who is asleep."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.ai.bots.lines.time_terms import PATIENCE
from quadrille.client.bots.table_bots import TableBots
from quadrille.client.phones.guests import Guests
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import Chair
from quadrille.net.program.station import now
from quadrille.net.seating.own_table import own_table
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from tests.ai.tournament.programs import FIRST, program
from tests.net.tables import terms
from tests.waiting import soon

ANN = Identity(bytes(32))


class Asleep:
    """Ann's program, in which Dora's phone is asleep in the second seat."""

    def __init__(self, bot: str) -> None:
        self.row = {1: bot}
        self.bots = TableBots(lambda: None, "none", patience=PATIENCE)
        self.table = self.begin()

    def begin(self) -> Table:
        agreed = terms("maze", 2, {"size": 2}, lot=False)  # Ann makes the last of three moves
        chairs = Chair(ANN.key, "Ann", "person"), Chair(ANN.key, "Dora", "guest", "Ann")
        return own_table(ANN, MemoryShelf(), agreed, chairs, now())

    def goes_on(self) -> bool:
        """Let the bot do what is due, and Ann make the first move of the list, to the end or a fault."""
        [*self.bots.act(self.table, self.row, now())]
        if self.table.is_my_turn and self.table.log.now.turn == 0:
            self.table.play(str(next(iter(self.table.view.moves))), now())
        return self.bots.fault(1) is not None or self.table.over is not None


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bot_starts_in_its_turn_hears_the_end_and_goes_on_to_the_next_table(here: Path) -> None:
    program(here, "bot", FIRST)
    asleep, lines = Asleep(f"python3 {here / 'bot.py'}"), list[bytes]()
    asleep.goes_on()
    assert not asleep.bots.is_asked(1)
    asleep.goes_on()
    [(_, bot)] = asleep.bots._seated.values()
    talk = bot.player.talk
    assert talk is not None
    talk.listen(lambda _, told, line: lines.append(line) if told else None)
    for _ in range(2):
        assert soon(asleep.goes_on) and asleep.table.over
        asleep.goes_on()
        asleep.table = asleep.begin()
    ends = [told["places"] for line in lines if (told := json.loads(line))["do"] == "over"]
    assert len(ends) == 2
    asleep.row = {}
    asleep.goes_on()
    assert soon(lambda: talk.program._process.poll() is not None)


@pytest.mark.parametrize("bot", ["python3 bot.py", "./no-such-bot"])
def test_a_bot_that_fails_or_does_not_start_leaves_the_seat_and_can_be_started_again(here: Path, bot: str) -> None:
    program(here, "bot", "sys.exit(3)")
    asleep = Asleep(bot)
    for _ in range(2):
        assert soon(asleep.goes_on) and not asleep.table.over and asleep.table.log.now.turn == 1
        asleep.bots.drop(1)


def test_the_host_is_told_of_a_bot_that_fails_and_the_guest_has_the_seat(here: Path) -> None:
    asleep, playing = Asleep("./no-such-bot"), dict[tuple[bytes, int], str]()
    host: Any = SimpleNamespace(_context=SimpleNamespace(deputies=playing), news=[])
    asleep.goes_on()
    playing[asleep.table.log.table, 1] = "./no-such-bot"
    Guests._let_play(host, asleep.bots, asleep.table)
    assert playing == {} and asleep.table.log.now.turn == 1 and asleep.bots.deadline is None
    [told] = host.news
    assert "Dora" in told and "can't be started" in told
