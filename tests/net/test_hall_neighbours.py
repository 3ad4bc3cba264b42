"""What neighbours do in a hall: beacons heard without a link, calls only where a link is wanted, links that end."""

import pytest

from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.neighbours.ear import LONGEST_BEACON, MOST_HEARD, Ear
from quadrille.net.neighbours.link_queue import Send
from quadrille.net.neighbours.neighbour import Endpoint, LossReason, NeighbourLimits, PeerLeft
from quadrille.net.trust.identity import Identity
from quadrille.net.zeromq.zre import Beacon
from tests.net.street import House, Street

LIMITS = NeighbourLimits()


def person(number: int) -> Identity:
    return Identity(number.to_bytes(32, "big"))


def hall(count: int, *, crowded: bool = True) -> tuple[Street, list[House]]:
    street, houses = Street(), []
    for number in range(1, count + 1):
        houses.append(street.build(f"h{number}", f"10.0.0.{number}", identity=person(number), halls=True))
        houses[-1].machine.is_hall = crowded
    return street, houses


def test_in_a_hall_few_are_called_and_all_are_heard() -> None:
    street, houses = hall(30)
    street.run(5000)
    assert all(house.machine.count_heard(street.now) == 29 for house in houses)
    assert all(len(house.machine.peers()) >= LIMITS.few for house in houses)
    assert sum(len(house.machine.peers()) for house in houses) < 30 * 4 * LIMITS.few
    assert street.dials < 30 * 2 * LIMITS.few, "a peer that calls is answered on its own connection"


def test_a_wanted_peer_is_called_at_its_beacon_s_place_or_at_the_one_it_posted() -> None:
    street, houses = hall(30)
    street.run(5000)
    one = houses[-1]
    far = [house for house in houses[:-1] if house.name not in one.peers()]
    one.machine.wanted = frozenset(house.id for house in far[:2])
    one.machine.seek(far[0].id, (), street.now)
    one.machine._ear.forget(far[1].id)
    place = Endpoint(far[1].addresses[0], far[1].machine.port)
    one.machine.seek(far[1].id, [Endpoint("10.9.9.9", 0), Endpoint("no host", 5), place], street.now)
    street.settle(one)
    street.run(200)
    assert {far[0].name, far[1].name} <= one.peers()


def test_a_link_without_a_table_is_tended_seldom_and_one_with_a_table_as_always() -> None:
    street, houses = hall(3)
    for house in houses:
        house.machine.announce = lambda **_: None  # type: ignore[method-assign]
    street.run(10_000)
    sent: list[object] = []
    perform = street._perform

    def watched(house: House) -> None:
        sent.extend(action for action in house.machine.outgoing if isinstance(action, Send))
        perform(house)

    houses[0].machine.wanted = houses[0].machine.at_tables = frozenset({houses[1].id})
    houses[0].machine.seek(houses[1].id, [Endpoint("10.0.0.2", houses[1].machine.port)], street.now)
    houses[0].machine.seek(houses[2].id, [Endpoint("10.0.0.3", houses[2].machine.port)], street.now)
    street.settle(houses[0])
    street.run(100)
    street._perform = watched  # type: ignore[method-assign]
    street.run(20_000)
    assert houses[0].peers() == {"h2", "h3"} and 10 < len(sent) < 60
    street.pull(houses[1])
    street.pull(houses[2])
    street.run(6000)
    assert houses[0].peers() in ({"h3"}, set())


def test_a_spared_link_ends_at_both_ends_and_is_not_made_again() -> None:
    street, houses = hall(20)
    street.run(10_000)
    one = houses[0]
    other = next(house for house in houses if house.name in one.peers())
    dials = street.dials
    one.machine.spare(other.id, street.now)
    street.settle(one)
    for house in houses:
        house.machine.limits = NeighbourLimits(few=0)
    street.run(10_000)
    assert other.name not in one.peers() and one.name not in other.peers() and street.dials == dials
    assert [event.why for event in one.events if isinstance(event, PeerLeft)] == [LossReason.SPARED]


def test_all_beacons_together_stay_few() -> None:
    ear = Ear(1000)
    for number in range(1000):
        ear.note(number.to_bytes(16, "big"), Endpoint("10.0.0.1", 5000), 0)
    assert ear.beacon_every(1) == 40_000
    assert ear.count(60_000) == 1000 and ear.count(500_000) == 0 and ear.beacon_every(500_000) == 1000
    for number in range(MOST_HEARD + 10):
        ear.note(number.to_bytes(16, "big"), Endpoint(f"10.0.{number % 4}.1", 5000), 600_000)
    assert ear.count(601_000) == MOST_HEARD and ear.beacon_every(601_000) == LONGEST_BEACON
    assert ear.where(bytes(16)) is None and ear.where((12).to_bytes(16, "big")) == Endpoint("10.0.0.1", 5000)


def test_invented_beacons_of_one_address_push_nobody_out_who_is_heard_elsewhere() -> None:
    ear, honest = Ear(1000), Endpoint("10.0.0.2", 5000)
    ear.note(b"honest", honest, 0)
    for number in range(2 * MOST_HEARD):
        ear.note(number.to_bytes(16, "big"), Endpoint("10.0.0.1", 5000), 1)
    assert ear.where(b"honest") == honest and ear.count(2) == MOST_HEARD // 2 + 1


@pytest.mark.slow
def test_false_beacons_make_nobody_deaf_to_a_true_newcomer() -> None:
    street, houses = hall(4, crowded=False)
    street.run(2000)
    for number in range(2000):
        beacon = Beacon(number.to_bytes(16, "little"), 49_152, None).encode()
        for house in houses:
            house.machine.heard_beacon("10.0.0.99", beacon, street.now)
            house.machine.is_hall = True
            street.settle(house)
    newcomer = street.build("new", "10.0.0.5", identity=person(5), halls=True)
    street.run(10_000)
    assert newcomer.peers() == {house.name for house in houses}


def test_two_of_us_meet_among_many_programs_of_another_kind() -> None:
    street = Street()
    ours = [
        street.build("ann", "10.0.1.1", identity=person(1), halls=True),
        street.build("bob", "10.0.1.2", identity=person(2), halls=True),
    ]
    for house in ours:
        house.addresses = (*house.addresses, house.addresses[0].replace("10.0.1", "10.0.0"))
        house.machine.is_hall = True
    foreign = [street.build(f"z{number}", f"10.0.0.{number}") for number in range(10, 22)]
    street.run(500)
    street.run_until(lambda: ours[1].name in ours[0].peers(), 10_000)
    street.run(3000)
    assert all({one.name for one in foreign} <= house.peers() for house in ours), "and all of these meet us"


def starting_together(count: int) -> tuple[Street, list[House]]:
    street, houses = hall(count, crowded=False)
    for house in houses:
        house.machine.small = SMALL
    return street, houses


def test_a_crowd_that_starts_at_once_makes_few_links() -> None:
    """Sixty programs began with fifty links each, because a room was small for the second until it was counted."""
    street, houses = starting_together(40)
    street.run(3000)
    links = [len(house.machine.peers()) for house in houses]
    assert min(links) >= LIMITS.few and sum(links) < 40 * 2 * LIMITS.few
    assert street.dials < 40 * 2 * LIMITS.few


def test_a_small_room_that_starts_at_once_is_linked_within_two_seconds() -> None:
    street, houses = starting_together(SMALL + 1)
    street.run(2000)
    assert all(len(house.machine.peers()) == SMALL for house in houses)
