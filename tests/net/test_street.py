"""Many neighbourhoods at once, in virtual time: meeting, losing, restarting, and that it always comes right again.

Who has a place where places are short, and whose word for where others are is followed.
"""

import pytest

from quadrille.net.neighbours.neighbour import Endpoint, LossReason, NeighbourLimits, Trouble
from quadrille.net.neighbours.neighbours import INTRODUCTIONS
from quadrille.net.trust.identity import Identity
from tests.net.network import CALM, Weather
from tests.net.street import House, Street, all_met, met


@pytest.mark.first(1)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("proving", [True, False])
def test_whatever_happens_it_comes_right(seed: int, proving: bool) -> None:
    """Kills, restarts with old and new identities and ports, farewells, cables, silent broadcasts, datagrams that are
    lost or come twice; then peace.
    """
    street = Street(seed, Weather(loss=400, twice=200) if seed % 2 else CALM)
    random = street.random
    numbers = iter(range(1, 200))

    def build(name: str, addresses: tuple[str, ...], port: int, before: House | None) -> House:
        identity = identities.get(before.id) if before else None
        if proving and identity is None:
            identity = Identity(bytes([next(numbers)]) * 32)
            identities[identity.peer] = identity
        return street.build(name, *addresses, port=port, id=before and before.id, identity=identity)

    identities: dict[bytes, Identity] = {}
    houses = [build(f"h{number}", (f"10.0.0.{number}", f"10.0.1.{number}"), 0, None) for number in range(5)]
    for _ in range(30):
        street.run(random.choice([5, 50, 500, 3000]))
        house = random.choice(houses)
        match random.randrange(6):
            case 0 | 1:
                (street.kill if random.randrange(2) else street.leave)(house)
                street.run(random.choice([0, 5, 700]))
                port = random.choice([house.machine.port, 0])
                before = random.choice([house, house, None])
                houses[houses.index(house)] = build(house.name, house.addresses, port, before)
            case 2:
                street.pull(house)
            case 3:
                street.plug(house)
            case 4:
                street.deaf = set(random.sample(["10.0.0", "10.0.1"], random.randrange(3)))
            case 5:
                one, other = random.sample(houses, 2)
                street.introduce(one, other)
    street.deaf.clear()
    street.pulled.clear()
    street.run_until(lambda: all_met(*houses), 70_000)
    street.run(120_000)  # until the dead are forgotten
    events, calls = [len(house.events) for house in houses], street.dials
    street.run(60_000)
    assert all_met(*houses) and events == [len(house.events) for house in houses]
    assert street.dials == calls


HOST, FRIEND, NEW = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
DOOR = Endpoint("10.0.0.1", 5000)


def squat(street: Street, number: int, address: str, *, proves: bool = False) -> House:
    """Somebody that says HELLO to the host and answers its PINGs, and does nothing else."""
    identity = Identity(number.to_bytes(32, "big")) if proves else None
    return street.build(f"squatter{number}", address, port=1024 + number, identity=identity, seeds=[DOOR])


def crowded(many: int, addresses: int, *, proves: bool = False) -> tuple[Street, House, House]:
    """A host, a friend that matters to it, and so many squatters at so many addresses that nobody hears."""
    street = Street()
    street.deaf.add("10.0.0")
    host = street.build("host", DOOR.host, port=DOOR.port, identity=HOST, priority_peers=lambda: {FRIEND.peer})
    friend = street.build("friend", "10.0.0.2", identity=FRIEND, seeds=[DOOR])
    street.run_until(lambda: host.peers() == {"friend"}, 1000)
    for number in range(many):
        squat(street, 1000 + number, f"10.0.0.{100 + number % addresses}", proves=proves)
        street.run(2)
    street.run_until(lambda: len(host.peers()) == 64, 10_000)
    return street, host, friend


@pytest.mark.parametrize(
    ("many", "addresses", "proves"),
    [
        (64, 1, True),
        pytest.param(64, 100, False, marks=pytest.mark.slow),
        pytest.param(200, 4, True, marks=pytest.mark.slow),
    ],
)
def test_squatters_do_not_shut_the_door(many: int, addresses: int, proves: bool) -> None:
    street, host, friend = crowded(many, addresses, proves=proves)
    new = street.build("new", "10.0.0.3", identity=NEW, seeds=[DOOR])
    street.run_until(lambda: "new" in host.peers() and "host" in new.peers(), 3000)
    street.run(5000)
    assert {"friend", "new"} <= host.peers() and len(host.peers()) <= 64
    assert not friend.losses()
    assert len(host.machine.peers()) == len(host.peers())


def test_who_calls_a_full_house_reads_so_and_comes_in_when_somebody_goes() -> None:
    street = Street()
    street.deaf.add("10.0.0")
    limits = NeighbourLimits(peers=1, calls=1)
    host = street.build(
        "host", DOOR.host, port=DOOR.port, identity=HOST, limits=limits, priority_peers=lambda: {FRIEND.peer}
    )
    friend = street.build("friend", "10.0.0.2", identity=FRIEND, seeds=[DOOR])
    street.run_until(lambda: host.peers() == {"friend"}, 1000)
    new = street.build("new", "10.0.0.3", identity=NEW, seeds=[DOOR])
    street.run_until(lambda: [known.trouble for known in new.machine.halfway()] == [Trouble.FULL], 10_000)
    assert host.peers() == {"friend"} and not new.peers()
    street.leave(friend)
    street.run_until(lambda: host.peers() == {"new"} and new.peers() == {"host"}, 60_000)


def test_a_full_house_looks_up_few_times_who_matters() -> None:
    """A person may know thousands: once all were read for each of the 64 places, at each HELLO of a stranger."""
    street, host, _ = crowded(64, 1, proves=True)
    looks = [0]

    def priority_peers() -> set[bytes]:
        looks[0] += 1
        return {FRIEND.peer}

    host.machine._priority_peers = priority_peers
    before = host.machine.counts["no room"]
    squat(street, 2000, "10.0.0.100", proves=True)
    street.run(100)
    assert host.machine.counts["no room"] > before and 0 < looks[0] <= 2


def test_those_that_matter_find_a_place_among_strangers_that_have_proved_who_they_are() -> None:
    street, host, friend = crowded(70, 100, proves=True)
    street.kill(friend)
    street.run(3000)
    assert "friend" not in host.peers() and len(host.peers()) == 64
    street.build("friend", "10.0.0.2", identity=FRIEND, seeds=[DOOR])
    assert street.run_until(lambda: "friend" in host.peers(), 3000) < 1500
    assert LossReason.CROWDED in host.losses()


@pytest.mark.parametrize(("near", "far"), [("10.0.0.9", "198.51.100.{}"), ("fd77::9", "fd78::{}")])
def test_introductions_to_foreign_networks_are_not_called(near: str, far: str) -> None:
    """63 Internet hosts at port 25, in one message of a stranger."""
    desk, friend = met(near=lambda host: host[:4] == near[:4])
    desk.hears_of(b"x" * 16, Endpoint(near, 5), friend)
    for number in range(63):
        desk.hears_of(bytes([number + 100]) * 16, Endpoint(far.format(number + 1), 25), friend)
    desk.run(4_000)
    assert {*desk.dialled()} == {Endpoint(near, 5)}
    assert desk.machine.counts["introduction to another network"] == 63


def test_a_peer_may_tell_of_others_at_its_own_address() -> None:
    desk, far = met(near=lambda host: host.startswith("10.0."), address="192.0.2.7")
    desk.hears_of(b"x" * 16, Endpoint("192.0.2.7", 5000), far)
    assert desk.dialled() == [Endpoint("192.0.2.7", 5000)]


def test_introductions_are_few_a_minute() -> None:
    desk, friend = met(NeighbourLimits(peers=1000, calls=1000))
    hosts = iter(range(10_000))

    def tell(many: int) -> int:
        for _ in range(many):
            number = next(hosts)
            place = Endpoint(f"10.7.{number // 250}.{number % 250 + 1}", 25)
            desk.hears_of(number.to_bytes(16, "big"), place, friend)
        return len(set(desk.dialled()))

    assert tell(64) == INTRODUCTIONS.burst
    for _ in range(6):
        desk.run(9000)
        friend.beacon()
        desk.dialled()
        assert tell(30) <= 2


def test_only_proved_peers_introduce() -> None:
    street = Street()
    host = street.build("host", DOOR.host, port=DOOR.port, identity=HOST)
    old = street.build("old", "10.0.0.2")
    street.run_until(lambda: host.peers() == {"old"}, 2000)
    dials = street.dials
    host.machine.introduce(b"x" * 16, Endpoint("10.0.0.9", 5000), None, old.id, street.now)
    street.settle(host)
    assert street.dials == dials and host.machine.counts["introduction by an unproved peer"] == 1
