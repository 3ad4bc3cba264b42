"""Many neighbourhoods at once, in virtual time: meeting, losing, restarting, and that it always comes right again."""

import pytest

from quadrille.net.neighbours.neighbour import Endpoint, LossReason
from quadrille.net.trust.identity import Identity
from tests.net.network import CALM, Weather
from tests.net.street import House, Street


def all_met(houses: list[House]) -> bool:
    return all(house.peers() == {other.name for other in houses if other is not house} for house in houses)


@pytest.mark.parametrize("count", [2, 8])
def test_all_meet_with_one_call_each_whoever_is_first(count: int) -> None:
    street = Street()
    houses = [street.build("h0", "10.0.0.1")]
    street.run(300)
    houses += [street.build(f"h{number}", f"10.0.0.{number + 1}") for number in range(1, count)]
    assert street.run_until(lambda: all_met(houses), 100) <= 20
    street.run(60_000)
    assert street.dials == count * (count - 1)
    assert all(len(house.events) == count - 1 for house in houses)


def test_a_process_killed_and_started_again() -> None:
    street = Street()
    houses = [street.build(f"h{number}", f"10.0.0.{number}") for number in range(4)]
    street.run_until(lambda: all_met(houses), 100)
    street.run(20_000)
    street.kill(houses[0])
    assert street.run_until(lambda: all_met(houses[1:]), 1000) <= 20
    assert houses[1].losses() == [LossReason.LOST]
    again = street.build("h0", "10.0.0.0", id=houses[0].id)
    assert street.run_until(lambda: all_met([again, *houses[1:]]), 2000) <= 1500
    events = [len(house.events) for house in houses[1:]]
    street.run(60_000)
    assert events == [len(house.events) for house in houses[1:]], "and then there is peace"


@pytest.mark.parametrize("id", [b"i" * 16, None])
def test_started_again_at_once_at_the_same_port(id: bytes | None) -> None:
    street = Street()
    other = street.build("other", "10.0.0.1")
    first = street.build("x", "10.0.0.2", port=5000, id=b"i" * 16)
    street.run_until(lambda: all_met([other, first]), 100)
    street.kill(first)
    again = street.build("x", "10.0.0.2", port=5000, id=id)
    street.run_until(lambda: all_met([other, again]), 3000)
    events = len(other.events)
    street.run(60_000)
    assert len(other.events) == events


def test_a_cable_pulled_and_put_back() -> None:
    street = Street()
    houses = [street.build(f"h{number}", f"10.0.0.{number}") for number in range(3)]
    street.run_until(lambda: all_met(houses), 100)
    street.pull(houses[0])
    assert street.run_until(lambda: all_met(houses[1:]) and not houses[0].peers(), 5000) < 5000
    street.run(300_000)
    street.plug(houses[0])
    assert street.run_until(lambda: all_met(houses), 5000) < 2000


def test_broadcast_blocked_and_one_seed_that_introduces() -> None:
    street = Street()
    street.deaf.add("10.0.0")
    hub = street.build("hub", "10.0.0.1", port=5000)
    houses = [hub] + [street.build(f"h{n}", f"10.0.0.{n}", seeds=[Endpoint("10.0.0.1", 5000)]) for n in range(2, 5)]
    assert street.run_until(lambda: len(hub.peers()) == 3, 2000) < 1000
    street.run(2000)
    assert not all_met(houses)
    for house in houses[1:]:
        street.introduce(house, hub)
    assert street.run_until(lambda: all_met(houses), 2000) < 1000
    calls = street.dials
    street.run(120_000)
    assert street.dials == calls and all_met(houses), "quiet peers are pinged, not called again"


def test_a_seed_that_comes_later_goes_and_comes_again() -> None:
    street = Street()
    street.deaf.add("10.0.0")
    house = street.build("house", "10.0.0.2", seeds=[Endpoint("10.0.0.1", 5000)])
    street.run(45_000)
    seed = street.build("seed", "10.0.0.1", port=5000)
    assert street.run_until(lambda: all_met([house, seed]), 40_000) <= 36_300
    street.run(15_000)
    street.kill(seed)
    street.run(15_000)
    again = street.build("seed", "10.0.0.1", port=5000)
    street.run_until(lambda: all_met([house, again]), 40_000)


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
    street.run_until(lambda: all_met(houses), 70_000)
    street.run(120_000)  # until the dead are forgotten
    events, calls = [len(house.events) for house in houses], street.dials
    street.run(60_000)
    assert all_met(houses) and events == [len(house.events) for house in houses]
    assert street.dials == calls
