"""Loops that drive what sits on top of a station: each is made to fail, counts it, bans the sender, and goes on."""

import argparse
import asyncio
import socket
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.network import bot_seat
from quadrille.client.network.options import add_network
from quadrille.client.plain.face import PlainFace, sit
from quadrille.client.screen import evening_stage
from quadrille.client.screen.evening_stage import StationTask
from quadrille.client.screen.network.news import News, Rename, StationLeft
from quadrille.client.screen.network.session import NetworkSession
from quadrille.client.table.stage import Bystander, NetworkContext
from quadrille.net.program.station import Remark, Station
from quadrille.net.seating.lobby import Dropped, Event
from quadrille.net.trust.guard import FILE
from quadrille.net.trust.identity import peer_of
from tests.client.screen.network.test_two_stations import network
from tests.client.sittings import Typist
from tests.net.ports import udp_port
from tests.net.tables import identity
from tests.waiting import DEADLINE

KEY = identity(3).key
SAID = Dropped(KEY, "nothing")

pytestmark = pytest.mark.usefixtures("guards_on")


class Scripted(Station):
    """A station without a network, to which the same event comes in each turn, for so many turns."""

    left = 4
    ends: Callable[[], object] = staticmethod(lambda: None)
    event: Event = SAID
    banned: list[bytes]

    def start(self) -> "Scripted":
        return self

    def turn(self, timeout: int = 0) -> list[Event | Remark]:
        self.left -= 1
        if self.left <= 0:
            self.ends()
        return [self.event]


@pytest.fixture
def station(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    made = Scripted("mine", "person", folder=tmp_path)
    made.banned = []
    monkeypatch.setattr(made.node.neighbours, "ban", lambda peer, now, time: made.banned.append(peer))
    yield made
    made.close()


def planted(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("planted")


def check(station: Scripted, counts: dict[str, int], banned: int) -> None:
    assert station.guard.counts == counts
    assert station.banned == [peer_of(KEY)] * banned
    assert "planted" in (station.guard.path.parent / FILE).read_text()


class Talk(PlainFace):
    """A face in which everything fails."""

    hear = tick = obey = planted


def context(station: Station) -> NetworkContext:
    return NetworkContext(station.lobby, lambda: 0)


def test_a_person_s_conversation(station: Scripted) -> None:
    stage = Bystander(context(station))
    talk = Talk(stage, Typist(lambda _: None))
    station.ends = lambda: setattr(stage, "done", True)
    place = SimpleNamespace(turn=station.turn, ended=lambda _: [], parting=list, watch=station.watch)
    assert sit(place, talk) == 0
    check(station, {"what is due here": 4, "the news here": 4}, 4)


def test_a_stay_on_the_screen(station: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    own, options = context(station), SimpleNamespace(room=None, evening=False)
    rest = {"ended": lambda _: [], "parting": list, "context": own, "options": options}
    session = NetworkSession(SimpleNamespace(station=station, turn=station.turn, **rest))
    for name in ("_go_on", "_show", "_hear"):
        monkeypatch.setattr(NetworkSession, name, planted)
    while station.left:
        assert session.turn(deque()) == []
    assert session.leave() == [StationLeft(0)]
    check(station, {"what is due here": 4, "what is shown": 4, "the news here": 4}, 4)


async def test_any_other_fault_of_the_network_goes_to_the_loop_which_restores_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: asyncio.Queue[object] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(lambda _, told: faults.put_nowait(told["exception"]))
    monkeypatch.setattr(NetworkSession, "begin", planted)
    task = StationTask(network(tmp_path, udp_port(), "Ann"), faults.put_nowait)
    task.start()
    assert isinstance(await faults.get(), ZeroDivisionError)
    await task.close()


async def test_a_name_taken_without_a_network_holds_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: asyncio.Queue[object] = asyncio.Queue()
    monkeypatch.setattr(evening_stage, "_RETRY", 1)
    with socket.create_server(("", 0)) as taken:
        options = network(tmp_path, udp_port(), "Ann", "--tcp-port", str(taken.getsockname()[1]))
        task = StationTask(options, told.put_nowait)
        task.start()
        shut = await told.get()
        assert isinstance(shut, News) and shut.around.shut
        task.ask(Rename("Bea"))
    async with asyncio.timeout(DEADLINE):
        while task._session is None or task._session.place.station.lobby.name != "Bea":
            await told.get()
    await task.close()


def test_a_bot(station: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    closed: list[bool] = []
    guest = SimpleNamespace(
        hear=planted, act=planted, done=False, news=[], failure=None, fault=None, close=lambda: closed.append(True)
    )
    station.ends = lambda: setattr(guest, "done", True)
    monkeypatch.setattr(bot_seat, "own_station", lambda *_, **__: station)
    monkeypatch.setattr(bot_seat, "policy_of", lambda settings: None)
    monkeypatch.setattr(bot_seat, "_guest", lambda *_: guest)
    parser = argparse.ArgumentParser()
    add_network(parser)
    settings = parser.parse_args([], argparse.Namespace(until_eof=False, serve=False))
    starter = SimpleNamespace(name="Rob", identity="", wake=None)
    monkeypatch.setattr(Scripted, "__exit__", lambda *_: None)
    assert bot_seat.play(settings, starter) == 0
    assert closed == [True]
    check(station, {"the bot's part": 8}, 4)
