"""What neighbours do in a hall: beacons heard without a link, calls only where a link is wanted, links that end."""

from pathlib import Path

import pytest

from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Advert, Offer
from quadrille.net.hall.hall import Origin
from quadrille.net.hall.posting import content_of, parts_of
from quadrille.net.neighbours.neighbour import CallEnd, Dial, Endpoint, LossReason
from quadrille.net.neighbours.neighbours import LONGEST_BEACON, MOST_HEARD, BeaconLog
from quadrille.net.program.hall_desk import FIRST, LISTENS, LOOK, SAID, SMALL, UNPOSTED
from quadrille.net.program.station import Station, now
from quadrille.net.seating.gathering import PATIENCE, ChairRefused
from quadrille.net.seating.lobby import At
from quadrille.net.trust.guard import BAN
from quadrille.net.zeromq.zre import Beacon
from tests.net.strangers import Desk
from tests.net.street import House, Street
from tests.net.tables import identity, terms
from tests.net.test_hall import words


def hall(count: int) -> tuple[Street, list[House]]:
    """Where everybody is known to post."""
    street = Street()
    ours = {identity(number).peer for number in range(1, count + 1)}
    for number in range(1, count + 1):
        street.build(
            f"h{number}", f"10.0.0.{number}", identity=identity(number), calls=lambda peer, _: peer not in ours
        )
    return street, street.houses


def test_who_posts_is_heard_and_not_called_until_a_link_is_wanted() -> None:
    street, houses = hall(20)
    street.run(5000)
    assert street.dials == 0 and all(house.machine.beacons_heard.count(street.now) == 19 for house in houses)
    one, other = houses[0], houses[7]
    one.machine._calls = lambda peer, _: peer == other.id
    one.machine.seek(other.id, [Endpoint(other.addresses[0], other.machine.port)], street.now)
    street.settle(one)
    street.run(500)
    assert one.peers() == {other.name} and other.peers() == {one.name}
    assert street.dials == 1, "a peer that calls is answered on its own connection"
    one.machine._calls = lambda *_: False
    one.machine.spare(other.id, street.now)
    street.settle(one)
    street.run(10_000)
    assert not one.peers() and not other.peers() and street.dials == 1
    assert one.losses() == [LossReason.SPARED]


def test_programs_of_another_kind_are_met_in_a_hall() -> None:
    street, houses = hall(3)
    foreign = [street.build(f"z{number}", f"10.0.0.{number}") for number in range(10, 22)]
    street.run(3000)
    assert all({one.name for one in foreign} == house.peers() for house in houses[:3])


def test_whom_a_program_calls(tmp_path: Path) -> None:
    with Station("me", "bot", folder=tmp_path, interfaces=["127.0.0.1"], port=0) as station:
        desk, machine, began = station._hall, station.node.neighbours, now()
        machine.limits = machine.limits.__class__(calls=0)

        def hear(number: int) -> bytes:
            peer = identity(number).peer
            machine.heard_beacon(f"10.0.0.{number}", Beacon(peer, 50_000).encode(), began)
            return peer

        def calls(peer: bytes, after: int) -> bool:
            return desk.calls(peer, began + after)

        desk.beat(began)
        first = [hear(number) for number in range(1, FIRST + 1)]
        assert all(calls(peer, 0) for peer in first), "two programs call each other at once"
        third = hear(FIRST + 1)
        assert not calls(third, 0) and calls(third, LISTENS), "nobody knows yet how many there are"
        for number in range(FIRST + 2, SMALL + 2):
            hear(number)
        assert not calls(third, LISTENS), "it may post"
        assert calls(third, UNPOSTED), "it does not"
        [part] = parts_of(identity(FIRST + 1), b"", 7, 28, 50_000, content_of(words()))
        assert desk.heard("10.0.0.3", part, began)
        assert not calls(third, UNPOSTED)
        desk.need(identity(FIRST + 1).key, began)
        desk._look(began)
        assert calls(third, UNPOSTED)
        desk.need(identity(FIRST + 1).key, began - SAID)
        desk._look(began)
        assert not calls(third, UNPOSTED)


def test_a_banned_peer_is_not_listed_by_its_postings_either(tmp_path: Path) -> None:
    """It was: only a block by the person ended that, and a tournament of strangers stayed on the screen."""
    with Station("me", "bot", folder=tmp_path, interfaces=["127.0.0.1"], port=0) as station:
        desk, began, eve = station._hall, now(), identity(1)

        def is_listed(serial: int, after: int) -> bool:
            [part] = parts_of(eve, b"", serial, 3600, 50_000, content_of(words()))
            desk.heard("10.0.0.1", part, began + after)
            for _ in range(2):  # what it forgets it tells the lobby at its next turn
                desk.wake(began + after)
            return eve.key in station.lobby.peers

        assert is_listed(1, 0)
        station.node.neighbours.ban(eve.peer, began, BAN)
        desk.went(eve.key, LossReason.BANNED, began)
        desk.wake(began)
        assert eve.key not in station.lobby.peers
        assert not is_listed(2, 1000) and not is_listed(3, BAN - 1)
        assert is_listed(4, BAN)


def test_all_beacons_together_stay_few() -> None:
    ear = BeaconLog(1000)
    for number in range(1000):
        ear.note(number.to_bytes(16, "big"), Endpoint("10.0.0.1", 5000), 0)
    assert ear.beacon_every(1) == 40_000
    assert ear.count(60_000) == 1000 and ear.count(500_000) == 0 and ear.beacon_every(500_000) == 1000
    for number in range(MOST_HEARD + 10):
        ear.note(number.to_bytes(16, "big"), Endpoint(f"10.0.{number % 4}.1", 5000), 600_000)
    assert ear.count(601_000) == MOST_HEARD and ear.beacon_every(601_000) == LONGEST_BEACON
    assert ear.where(bytes(16)) is None and ear.where((12).to_bytes(16, "big")) == Endpoint("10.0.0.1", 5000)


@pytest.mark.parametrize("host", ["10.0.0.1", "fe80::1%2"])
def test_a_peer_is_counted_as_long_as_it_is_heard_and_not_after_its_farewell(host: str) -> None:
    desk, peer = Desk(), bytes(16)
    ear = desk.machine.beacons_heard
    for at in range(1000, 20_000, 4000):
        desk.machine.heard_beacon(host, Beacon(peer, 50_000).encode(), at)
        assert ear.count(at + 4000) == 1 and ear.since(peer) == 1000
    desk.machine.heard_beacon(host, Beacon(peer, 0).encode(), 20_000)
    assert ear.count(20_000) == 0 and ear.where(peer) is None


def test_invented_beacons_of_one_address_push_nobody_out_who_is_heard_elsewhere() -> None:
    ear, honest = BeaconLog(1000), Endpoint("10.0.0.2", 5000)
    ear.note(b"honest", honest, 0)
    for number in range(2 * MOST_HEARD):
        ear.note(number.to_bytes(16, "big"), Endpoint("10.0.0.1", 5000), 1)
    assert ear.where(b"honest") == honest and ear.count(2) == MOST_HEARD // 2 + 1


def test_what_is_said_to_a_peer_that_answers_slowly_waits_for_a_second_call_and_not_without_end(tmp_path: Path) -> None:
    """Twenty-four programs on a busy machine: the first call was not answered in time, and the host counted as gone."""
    with Station("me", "bot", folder=tmp_path, interfaces=["127.0.0.1"], port=0) as station:
        desk, machine, began = station._hall, station.node.neighbours, now()
        slow, gone = identity(1), list[bytes]()
        station.lobby.went = lambda key, _, is_gone: gone.append(key)  # type: ignore[method-assign]
        [part] = parts_of(slow, b"", 7, 3600, 50_000, content_of(words()))
        desk.hall.receive(Origin("10.0.0.1"), part, began)
        desk.hold(slow.key, b"may I sit down?", began)
        at, dials = began, 0
        while not gone:
            desk._look(at)
            for dial in [one for one in machine.outgoing if isinstance(one, Dial)]:
                machine.reached(dial.link)
                dials += 1
            machine.outgoing.clear()
            machine.wake(at)
            at += LOOK
            assert at < began + 60_000
        assert gone == [slow.key] and dials > 1 and not desk._held


@pytest.mark.parametrize("is_heard", [False, True])
def test_a_host_that_was_killed_is_gone_and_one_whose_firewall_refuses_calls_is_not(
    tmp_path: Path, *, is_heard: bool
) -> None:
    """The system refuses a call in both cases. Only the next beacons tell the two apart."""
    with Station("me", "bot", folder=tmp_path, interfaces=["127.0.0.1"], port=0) as station:
        desk, machine, lobby, host, began = station._hall, station.node.neighbours, station.lobby, identity(1), now()
        offer = Offer(bytes(16), host.key, terms("maze", 2), (Chair(host.key, "Ann", "person"),), "open", 0)
        [part] = parts_of(host, b"", 7, 3600, 50_000, content_of(Advert("Ann", "person", (offer,))))
        desk.hall.receive(Origin("10.0.0.1"), part, began)
        desk.wake(began)
        gathering, at, told = lobby.join(lobby.peers[host.key].tables[0], began), began, list[str]()
        station.flush()
        while not told and at < began + 6 * PATIENCE:
            at += LOOK
            if is_heard:
                machine.heard_beacon("10.0.0.1", Beacon(host.peer, 50_000).encode(), at)
            for dial in [one for one in machine.outgoing if isinstance(one, Dial)]:
                machine.lost(dial.link, at, CallEnd.REFUSED)
            machine.wake(at)
            desk.wake(at)
            lobby.wake(at)
            told = [
                one.event.why for one in lobby.events if isinstance(one, At) and isinstance(one.event, ChairRefused)
            ]
        if is_heard:
            assert not told and host.key in lobby.peers and gathering.table in lobby.gatherings
        else:
            desk.wake(at)
            assert told == ["the host is gone"] and host.key not in lobby.peers
            assert 2 * machine.limits.beacon_every <= at - began < PATIENCE
