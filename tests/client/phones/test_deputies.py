"""Bots that play for guests whose phones are asleep, at a table of one peer."""

import json
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.phones.deputies import Deputies
from quadrille.net.core.errors import LocalError
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

    def __init__(self) -> None:
        self.names: dict[tuple[bytes, int], str] = {}
        self.stopped: list[tuple[str, ...]] = []
        self.woken = threading.Event()
        station: Any = SimpleNamespace(node=SimpleNamespace(wake_up=self.woken.set))
        options: Any = SimpleNamespace(isolate="none")
        self.deputies = Deputies(station, options, self.names, lambda *told: self.stopped.append(told))
        agreed = terms("maze", 2, {"size": 2}, lot=False)  # Ann makes the last of three moves
        chairs = Chair(ANN.key, "Ann", "person"), Chair(ANN.key, "Dora", "guest", "Ann")
        self.table: Table = own_table(ANN, MemoryShelf(), agreed, chairs, now())

    def goes_on(self) -> bool:
        """Let the bot do what is due, and Ann make the first move of the list."""
        self.deputies.act(self.table)
        if self.table.is_my_turn and self.table.log.now.turn == 0:
            self.table.play(str(next(iter(self.table.view.moves))), now())
        return not self.names


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bot_plays_for_a_guest_and_hears_the_end(here: Path) -> None:
    program(here, "bot", FIRST)
    asleep, lines = Asleep(), list[bytes]()
    asleep.deputies.let(asleep.table, 1, f"python3 {here / 'bot.py'}")
    [bot] = asleep.deputies._bots.values()
    assert bot.player.talk is not None
    bot.player.talk.listen(lambda _, told, line: lines.append(line) if told else None)
    assert soon(asleep.goes_on)
    assert asleep.table.over
    ends = [told["places"] for line in lines if (told := json.loads(line))["do"] == "over"]
    assert ends == [list(asleep.table.over.places)]


def test_a_bot_that_fails_leaves_the_seat_to_its_guest(here: Path) -> None:
    program(here, "bot", "sys.exit(3)")
    asleep = Asleep()
    asleep.deputies.let(asleep.table, 1, f"python3 {here / 'bot.py'}")
    assert soon(asleep.goes_on)
    assert not asleep.table.over and asleep.table.log.now.turn == 1
    [(bot, guest, why)] = asleep.stopped
    assert bot and guest == "Dora" and why


def test_a_bot_that_can_not_be_started_is_refused(here: Path) -> None:
    asleep = Asleep()
    with pytest.raises(LocalError, match="can't be started"):
        asleep.deputies.let(asleep.table, 1, "./no-such-bot")
    assert asleep.names == {}
