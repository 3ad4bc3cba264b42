"""Patience that follows what is measured: of neighbours, and of a gathering."""

from quadrille.net.entries.terms import Chair
from quadrille.net.neighbours.neighbour import LossReason, NeighbourLimits
from quadrille.net.seating.gathering import LAGS, MOST_PATIENCE, PATIENCE, ChairRefused, Gathering
from quadrille.net.trust.identity import Identity
from tests.net.street import Street
from tests.net.tables import TABLE, identity, terms

LIMITS = NeighbourLimits()
TERMS = terms("maze", 2, {"size": 3})


def waits(lag: int) -> int:
    """How long a host waits for a guest that says nothing, whose link has this lag."""
    host, guest = identity(1), identity(2)
    made = Gathering(TABLE, host.key, TERMS, host, 0, lags=lambda key: lag if key == guest.key else 0)
    made.sit(Chair(host.key, "host", "bot"))
    made.sit(Chair(guest.key, "guest", "bot"))
    made.start(0)
    while len(made.chairs) == 2:
        now = made.deadline
        made.wake(now)
    return now


def test_a_host_waits_longer_for_a_chair_with_a_slow_link() -> None:
    assert waits(4) == PATIENCE and waits(PATIENCE // LAGS) == PATIENCE
    assert waits(3000) == LAGS * 3000 and waits(60_000) == MOST_PATIENCE


def test_a_guest_waits_longer_for_a_host_with_a_slow_link_though_that_is_gone() -> None:
    host, guest = identity(1), identity(2)
    lags = {host.key: 2500}
    made = Gathering(TABLE, host.key, TERMS, guest, 0, lags=lambda key: lags.get(key, 0))
    made.ask("guest", "bot")
    made.went(host.key, 1000)
    lags.clear()
    assert made.deadline == 1000 + LAGS * 2500
    made.wake(made.deadline)
    assert made.events == [ChairRefused("the host is gone")]


def test_a_peer_whose_answers_are_late_may_be_silent_for_longer() -> None:
    street = Street()
    houses = [street.build(f"h{n}", f"10.0.0.{n}", identity=Identity(bytes([n]) * 32)) for n in (1, 2)]
    street.run(1000)
    for house in houses:
        [one] = house.machine.all()
        assert one.lag <= 50, "it is the time of the first PING"
        one.asked_at = street.now - 2500
        one.answered(street.now)
        assert one.lag == 2500
        one.asked_at = street.now - 10
        one.answered(street.now)
        assert one.lag == 2500 * 7 // 8
    street.pull(houses[1])
    street.pulled.discard(houses[0])
    for wire in houses[0].wires.values():
        wire.is_open = True
    start = street.now
    for house in houses:
        house.machine.lost = lambda *_: None  # type: ignore[method-assign]
        house.machine.cut = lambda *_: None  # type: ignore[method-assign]
    street.run_until(lambda: not houses[0].peers(), 30_000)
    assert LIMITS.lags * 2000 < street.now - start < LIMITS.most_silent
    assert houses[0].losses() == [LossReason.SILENT]


def test_a_peer_that_was_reached_and_answers_late_is_given_longer_at_each_call() -> None:
    street = Street()
    house = street.build("h1", "10.0.0.1", identity=identity(1))
    house.machine.heard_beacon("10.0.0.2", b"ZRE\x01" + identity(2).peer + b"\xc0\x01", street.now)
    given = []
    for _ in range(4):
        one = house.machine.get(identity(2).peer)
        while not one.is_called:
            house.machine.heard_beacon("10.0.0.2", b"ZRE\x01" + identity(2).peer + b"\xc0\x01", street.now)
            house.machine.outgoing.clear()
            street.time.now += 250
            house.machine.wake(street.now)
        house.machine.reached(one.line.link)
        start, line = street.now, one.line
        while one.line == line:
            street.time.now += 250
            house.machine.wake(street.now)
        given.append(street.now - start)
        house.machine.outgoing.clear()
    assert given[0] <= LIMITS.slowness + 500 and given[1] > 1.8 * given[0] and given[2] > 1.8 * given[1]
    assert given[3] < 1.2 * given[2], "four times, and no more"
