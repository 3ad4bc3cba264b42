"""Guests from the host's side: who has a chair, who is asked about, which address is shown first."""

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.network import addresses
from quadrille.client.network.addresses import reachable
from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.guests import MOST_A_TURN, Lead, Visitor
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.table.notices import GuestAsks, GuestGone
from quadrille.client.table.stage import NOBODY_YET, kept_names
from quadrille.client.table.wishes import Host as OpenTable
from quadrille.client.words.phones import KICKED, REFUSED
from quadrille.net.core.errors import LocalError
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.link.interfaces import Interface
from quadrille.net.seating.gathering import OPEN
from quadrille.net.trust.store import Store
from tests.client.phones.doors import ANN, HostAlone
from tests.net.ports import udp_port
from tests.net.tables import terms


def at(name: str, network: str) -> Interface:
    return Interface(name, (ipaddress.IPv4Interface(network),))


def test_the_wifi_comes_before_bridges_and_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    nets = {"lo": "127.0.0.1/8", "tun0": "10.8.0.2/32", "docker0": "172.17.0.1/16", "wlan0": "192.168.1.5/24"}
    found = [at(name, network) for name, network in nets.items()]
    monkeypatch.setattr(addresses, "_gateway_address", lambda: "192.168.1.5")
    assert reachable(found) == ("192.168.1.5", "172.17.0.1", "10.8.0.2")
    monkeypatch.setattr(addresses, "_gateway_address", lambda: "10.8.0.2")  # all traffic goes through the tunnel
    assert reachable(found)[-1] == "10.8.0.2"
    assert reachable([at("lo", "127.0.0.1/8")]) == reachable([]) == ()


class Pages:
    """What the thread of the pages is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.door = SimpleNamespace(meet="meet")
        self.evening = SimpleNamespace(go_to="go_to", count="count", dismiss="dismiss", tell="tell")

    def call(self, *told: Any, **more: Any) -> None:
        self.told.append(told)

    @property
    def lead(self) -> Lead:
        return next(lead for what, *lead in reversed(self.told) if what == "go_to")[0]


class Host:
    """A host whose pages are only told."""

    def __init__(self, store: Store) -> None:
        self.guests = HostAlone(store, terms("barons", 4))
        self.guests._list.invitation = PhoneInvitation.new(4080)
        self.pages = self.guests.pages = Pages()
        self.gathering = self.guests.gathering

    def comes(self, *names: str, here: bool = True) -> None:
        for name in names:
            if name not in (one.name for one in self.guests.guests):
                self.guests.sits(name, "10.0.0.7", lambda _: None)
            self.guests.comes(name, here)

    def leads(self, seats: int) -> None:
        self.guests.leads(seats)

    @property
    def chairs(self) -> list[str]:
        return [chair.name for chair in self.gathering.chairs]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with closing(Store(tmp_path, ANN.key)) as store:
        yield Host(store)


def test_chairs_go_to_those_who_are_here_first_to_who_had_none_the_last_time(host: Host) -> None:
    host.comes("asleep", here=False)
    host.comes("ben", "cleo", "dora")
    host.guests._seated = frozenset({"ben"})
    host.leads(2)
    assert host.chairs == ["cleo", "dora"] and not host.gathering.expected
    assert host.pages.lead.chairs == ("cleo", "dora") and host.pages.lead.free == 0


def test_a_chair_is_kept_until_a_guest_comes_and_who_sits_may_sleep(host: Host) -> None:
    host.leads(2)
    assert host.pages.lead.free == 2 and host.gathering.expected == {*kept_names(2)}
    host.comes("ben")
    host.guests.follow()
    assert host.chairs == ["ben", kept_names(2)[1]] and host.pages.lead.free == 1
    host.comes("ben", here=False)
    host.comes("cleo", "dora")
    host.guests.follow()
    assert host.chairs == ["ben", "cleo"] and not host.gathering.expected


def test_a_guest_who_is_kicked_gets_no_chair_again_and_one_who_leaves_frees_it(host: Host) -> None:
    host.comes("ben", "cleo", "dora")
    host.leads(2)
    host.guests.turn_out("ben")
    host.guests.follow()
    assert ("tell", "ben", KICKED) in host.pages.told
    assert host.chairs == ["cleo"] and host.pages.lead.chairs == ("cleo",), "kick frees the seat for others, too"
    host.leads(1)
    assert host.chairs == ["cleo", "ben"], "at the next table all come along"
    host.guests.turn_out("ben", keeps=True)
    host.guests.follow()
    assert host.chairs == ["cleo", "dora"]
    host.guests.leaves("cleo")
    assert [one.name for one in host.guests.guests] == ["ben", "dora"]
    assert ("dismiss", "cleo", "") in host.pages.told and host.chairs == ["dora", NOBODY_YET]
    host.comes("eve")
    host.guests.follow()
    assert host.chairs == ["dora", "eve"]


def test_a_table_that_closes_before_its_game_leads_back_to_the_evening(host: Host) -> None:
    host.leads(1)
    assert host.pages.lead.table == host.gathering.table.hex()
    host.gathering.leave()
    host.guests.follow()
    assert host.pages.lead == Lead()


def test_guests_who_play_with_people_on_other_machines_are_not_sent_to_another_table_or_an_older_one(
    host: Host,
) -> None:
    chairs = (Chair(ANN.key, "Ann", "person"), Chair(ANN.key, "gus", GUEST, "Ann"))
    now = SimpleNamespace(chairs=chairs, over=None, terms=terms("barons", 2))
    host.guests._station.lobby.tables = {b"t": SimpleNamespace(over=None, log=SimpleNamespace(table=b"t", now=now))}
    with pytest.raises(LocalError, match="people on other machines"):
        host.leads(1)
    with pytest.raises(LocalError, match="people on other machines"):
        host.guests.come_back_to(SimpleNamespace(table=b"left", now=now))


def test_a_turn_of_the_station_carries_out_few_requests_however_many_pages_ask(host: Host) -> None:
    """So the host's own move waits for so many requests at most, and not for all."""
    done: list[int] = []
    for number in range(500):
        host.guests.call(done.append, number)
    assert host.guests.obey() and done == [*range(MOST_A_TURN)]
    while host.guests.obey():
        pass
    assert done == [*range(500)]


def test_a_fault_in_serving_a_guest_ends_nothing(host: Host) -> None:
    done: list[int] = []
    host.guests.call(host.guests._list.check, "")  # which refuses, as a full disk does
    host.guests.call(lambda: 1 // 0)
    host.guests.call(done.append, 1)
    assert host.guests.obey() and done == [1]
    assert [type(one) for one in host.guests.faults] == [ZeroDivisionError] and host.guests.news == ["Type your name."]


def test_the_host_is_asked_about_each_and_waits_for_nobody_any_more(host: Host) -> None:
    host.guests.asks = True
    told: list[Visitor | str] = []
    answers = [told.append, lambda found: told.append(found), lambda found: told.append(found)]
    for name, answer in zip(("Ben", "\x1b[2J\nCid" + "n" * 99, "Dora"), answers, strict=True):
        host.guests.sits(name, "192.168.1.7", answer)
    ben, cid, dora = host.guests.requests()
    assert ben == GuestAsks(1, "Ben", "192.168.1.7") and cid.name.isprintable() and len(cid.name) < 60
    host.guests.answer(2, yes=False)
    host.guests.answer(9, yes=True)
    assert told == [REFUSED]
    host.guests.asks_no_longer(answers[2])
    assert host.guests.requests() == [GuestGone(dora.number)]
    host.guests.open(asks=False)
    assert [*host.guests.requests()] == [GuestGone(1)] and told[1].name == "Ben"
    host.guests.sits("Eve", "::1", told.append)
    assert told[2].name == "Eve"


@pytest.mark.slow
def test_a_table_that_no_guest_can_come_to_is_not_left_open(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        mine = NetworkOptions("Ann", str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, None)
        with StationPresence(replace(mine, phone_port=taken.getsockname()[1])) as place:
            with pytest.raises(LocalError, match="--phone-port"):
                stage_of(place, OpenTable(terms("barons", 2), guests=1), {})
            assert all(one.phase != OPEN for one in place.station.lobby.gatherings.values())
            assert place.door.entrance() is None
