"""Guests from the host's side: who has a chair, who is asked about, which address is shown first."""

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.guests import MOST_A_TURN, Lead, Visitor
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.screen.evening import Evening as Screen
from quadrille.client.screen.evening import update_evening
from quadrille.client.screen.network.news import Around, News
from quadrille.client.screen.table.terminal import Key, Ring
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import GuestAsks, Seats
from quadrille.client.table.stage import NOBODY_YET, Bystander, NetworkStage, kept_names
from quadrille.client.table.wishes import BareWish, TextWish, Verb
from quadrille.client.table.wishes import Host as OpenTable
from quadrille.client.words.phones import KICKED, REFUSED
from quadrille.client.words.table import by_name
from quadrille.net.core.errors import LocalError
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.seating.gathering import OPEN
from quadrille.net.trust.store import Store
from tests.client.evening import Evening
from tests.client.phones.doors import ANN, HOST, HostAlone
from tests.client.phones.served import is_open
from tests.client.screen.keyboard import text
from tests.client.screen.network.scenes import ROOM, lobby
from tests.net.ports import tcp_port, udp_port
from tests.net.tables import terms


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


class Host(HostAlone):
    """A host whose pages are only told."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, terms("barons", 4))
        self._list.invitation = PhoneInvitation.new(4080)
        self.pages = Pages()

    def come(self, *names: str, here: bool = True) -> None:
        for name in names:
            if name not in (one.name for one in self.guests):
                self.sits(name, "10.0.0.7", lambda _: None, "")
            self.comes(name, here)

    @property
    def chairs(self) -> list[str]:
        return [chair.name for chair in self.gathering.chairs]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with closing(Store(tmp_path, ANN.key)) as store:
        yield Host(store)


def test_chairs_go_to_those_who_are_here_first_to_who_had_none_the_last_time(host: Host) -> None:
    host.come("asleep", here=False)
    host.come("ben", "cleo", "dora")
    host._seated = frozenset({"ben"})
    host.leads(2)
    assert host.chairs == ["cleo", "dora"] and not host.gathering.expected
    assert host.pages.lead.chairs == ("cleo", "dora") and host.pages.lead.free == 0


def test_a_chair_is_kept_until_a_guest_comes_and_who_sits_may_sleep(host: Host) -> None:
    host.leads(2)
    assert host.pages.lead.free == 2 and host.gathering.expected == {*kept_names(2)}
    host.come("ben")
    host.follow()
    assert host.chairs == ["ben", kept_names(2)[1]] and host.pages.lead.free == 1
    host.come("ben", here=False)
    host.come("cleo", "dora")
    host.follow()
    assert host.chairs == ["ben", "cleo"] and not host.gathering.expected


def test_a_guest_who_is_kicked_gets_no_chair_again_and_one_who_leaves_frees_it(host: Host) -> None:
    host.come("ben", "cleo", "dora")
    host.leads(2)
    host.turn_out("ben")
    host.follow()
    assert ("tell", "ben", KICKED) in host.pages.told
    assert host.chairs == ["cleo"] and host.pages.lead.chairs == ("cleo",), "kick frees the seat for others, too"
    host.leads(1)
    assert host.chairs == ["cleo", "ben"], "at the next table all come along"
    host.turn_out("ben", keeps=True)
    host.follow()
    assert host.chairs == ["cleo", "dora"]
    host.leaves("cleo")
    assert [one.name for one in host.guests] == ["ben", "dora"]
    assert ("dismiss", "cleo", "") in host.pages.told and host.chairs == ["dora", NOBODY_YET]
    host.come("eve")
    host.follow()
    assert host.chairs == ["dora", "eve"]


def test_in_the_waiting_room_who_has_a_chair_speaks_from_it_and_the_others_watch(host: Host) -> None:
    host.come("ben", "cleo")
    host.leads(1)
    for name in ("ben", "cleo"):
        host.wish(name, TextWish(Verb.SAY, "hello"))
    assert [chat.line for _, chat in host.gathering.lines] == ["ben: hello", "cleo (watching): hello"]


def test_a_table_that_closes_before_its_game_leads_back_to_the_evening(host: Host) -> None:
    host.leads(1)
    assert host.pages.lead.table == host.gathering.table.hex()
    host.gathering.leave()
    host.follow()
    assert host.pages.lead == Lead()


def test_guests_who_play_with_people_on_other_machines_are_not_sent_to_another_table_or_an_older_one(
    host: Host,
) -> None:
    chairs = (Chair(ANN.key, "Ann", "person"), Chair(ANN.key, "gus", GUEST, "Ann"))
    now = SimpleNamespace(chairs=chairs, over=None, terms=terms("barons", 2))
    host._station.lobby.tables = {b"t": SimpleNamespace(over=None, log=SimpleNamespace(table=b"t", now=now))}
    with pytest.raises(LocalError, match="people on other machines"):
        host.leads(1)
    with pytest.raises(LocalError, match="people on other machines"):
        host.come_back_to(SimpleNamespace(table=b"left", now=now))


def test_a_turn_of_the_station_carries_out_few_requests_however_many_pages_ask(host: Host) -> None:
    """So the host's own move waits for so many requests at most, and not for all."""
    done: list[int] = []
    for number in range(500):
        host.call(done.append, number)
    assert host.obey() and done == [*range(MOST_A_TURN)]
    while host.obey():
        pass
    assert done == [*range(500)]


def test_a_full_disk_refuses_a_guest_and_takes_no_name(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Visitor | str] = []
    with monkeypatch.context() as broken:
        broken.setattr(host._station.store, "change", full)
        host.sits("Ben", "10.0.0.7", told.append, "")
    host.sits("Ben", "10.0.0.7", told.append, "")
    assert told[0] == "the disk is full" and told[1].name == "Ben"


def test_a_full_disk_leaves_no_door_open_that_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = NetworkOptions(None, str(tmp_path), (HOST,), (), 0, 0, None, phone_port=tcp_port())
    with closing(Store(tmp_path, ANN.key)) as store:
        host = HostAlone(store)
        host._options = options
        monkeypatch.setattr(store, "change", full)
        with pytest.raises(LocalError, match="full"):
            host.open()
    assert host.pages is None and not is_open(options.phone_port)


def full(*_: object) -> None:
    raise LocalError("the disk is full")


def test_a_fault_in_serving_a_guest_ends_nothing(host: Host) -> None:
    done: list[int] = []
    host.call(host._list.check, "")  # which refuses, as a full disk does
    host.call(lambda: 1 // 0)
    host.call(done.append, 1)
    assert host.obey() and done == [1]
    assert [type(one) for one in host.faults] == [ZeroDivisionError] and host.news == ["Type your name."]


def test_the_host_is_asked_about_each_and_waits_for_nobody_any_more(host: Host) -> None:
    host.asks = True
    told: list[Visitor | str] = []
    answers = [told.append, lambda found: told.append(found), lambda found: told.append(found)]
    for name, answer in zip(("Ben", "\x1b[2J\nCid" + "n" * 99, "Dora"), answers, strict=True):
        host.sits(name, "192.168.1.7", answer, "")
    asking = host._context.asking
    ben, cid, _ = asking
    assert ben == GuestAsks(1, "Ben", "192.168.1.7") and cid.name.isprintable() and len(cid.name) < 60
    asking.pop(cid)(False)
    assert told == [REFUSED]
    host.asks_no_longer(answers[2])
    assert [*asking] == [ben]
    host.open(asks=False)
    assert not asking and told[1].name == "Ben"
    host.sits("Eve", "::1", told.append, "")
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


# A host who is asked about each guest: the waiting room before plain lines, and the screen


BEN, CID = GuestAsks(1, "Ben", "10.0.0.7"), GuestAsks(2, "Cid", "10.0.0.8")


class AskedHost:
    """A host in lines, and the answers that the guests get."""

    def __init__(self) -> None:
        self.evening = Evening(terms("barons", 3), guests=0)
        [(self.name, self.face)] = self.evening.talks.items()
        self.answers: list[tuple[int, bool]] = []
        self.asking = self.face.stage.context.asking

    def hears(self, *those: GuestAsks, stage: NetworkStage | None = None) -> None:
        """These guests ask from now on, and no others."""
        self.asking.clear()
        self.asking |= {asks: lambda yes, number=asks.number: self.answers.append((number, yes)) for asks in those}
        (stage or self.face).tick()

    def told(self) -> str:
        return self.evening.told(self.name)


def test_the_host_is_asked_about_one_after_another() -> None:
    host = AskedHost()
    host.told()
    host.hears(BEN, CID)
    assert "Ben, at 10.0.0.7, wants to sit down. Type yes or no." in (asked := host.told()) and "Cid" not in asked
    host.face.typed("no")
    assert host.answers == [(1, False)]
    told = host.told()
    assert "Ben is turned away." in told and "Cid, at 10.0.0.8, wants to sit down." in told
    host.face.typed("y")
    assert host.answers == [(1, False), (2, True)] and "Cid may sit down." in host.told()
    host.face.typed("yes")
    assert "Nothing awaits your answer." in host.told()


def test_guests_who_ask_in_the_lobby_or_at_play_wait_for_the_next_table() -> None:
    host = AskedHost()
    host.hears(BEN)
    host.face.leave()
    lobby = Bystander(host.face.stage.context)
    host.hears(BEN, CID, stage=lobby)
    host.hears(CID, stage=lobby)
    told = " ".join(by_name(notice, Seats.of(())) for notice in lobby.drain())
    assert told == "Ben no longer wants a seat. Cid wants to sit down: you are asked when a table of yours is open."
    room = WaitingRoom(lobby.context, lobby.context.lobby.host(terms("maze"), b"n" * 16, 0))
    room.begin()
    assert room.drain() == [CID]
    room.wish(BareWish.AGREE)
    assert host.answers == [(2, True)]


def test_an_answer_from_a_pipe_waits_for_its_question() -> None:
    host = AskedHost()
    assert host.face.holds("yes") and host.face.holds("n")
    host.hears(BEN)
    assert not host.face.holds("yes") and not host.face.holds("n")


def asked() -> tuple[Screen, tuple[object, ...]]:
    evening, _ = update_evening(Screen(lobby()), News(Around(), ROOM))
    return update_evening(evening, News(Around(), replace(ROOM, question=by_name(BEN, Seats.of(())))))


@pytest.mark.parametrize(("typed", "wish"), [("y", BareWish.AGREE), ("n", BareWish.DECLINE)])
def test_the_screen_rings_and_asks_for_one_letter(typed: str, wish: BareWish) -> None:
    evening, effects = asked()
    assert Ring() in effects
    assert "Ben, at 10.0.0.7, wants to sit down. y: yes. n: no." in text(evening)
    assert {BareWish.AGREE, BareWish.DECLINE}.isdisjoint(update_evening(evening, Key("enter"))[1])
    evening, effects = update_evening(evening, Key(typed))
    assert effects == (wish,)
    for key in "es" if typed == "y" else "o":  # the rest of the word is no line
        evening, effects = update_evening(evening, Key(key))
    assert "wants to sit down" not in text(evening)
    assert evening.front and not evening.front.line.text
