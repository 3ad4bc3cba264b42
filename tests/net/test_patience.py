"""Patience that follows what is measured: of neighbours, and of a gathering."""

from quadrille.net.entries.terms import Chair
from quadrille.net.neighbours.neighbour import LossReason, NeighbourLimits
from quadrille.net.seating.gathering import LAGS, MOST_PATIENCE, PATIENCE, ChairRefused, Gathering
from tests.net.strangers import alone, left, met
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


def test_a_peer_whose_answers_are_late_may_be_silent_for_longer_and_not_for_ever() -> None:
    """How long after one late answer, tests/net/test_neighbours.py says."""
    desk, stranger = met()
    one = desk.machine.get(stranger.id)
    for late, lag in ((9000, 9000), (10, 9000 * 7 // 8)):
        one.asked_at = desk.now - late
        one.answered(desk.now)
        assert one.lag == lag
    desk.wait(LIMITS.most_silent - 500)
    assert desk.events() == []
    desk.wait(1000)
    assert left(desk) == [LossReason.SILENT]


def test_a_peer_that_was_reached_and_answers_late_is_given_longer_at_each_call() -> None:
    desk, stranger = alone()
    given = []
    for _ in range(4):
        while (link := stranger.link) is None:
            stranger.beacon()
            desk.wait(250)
        desk.machine.reached(link)
        start = desk.now
        while stranger.link == link:
            desk.wait(250)
        given.append(desk.now - start)
    assert given[0] <= LIMITS.slowness + 500 and given[1] > 1.8 * given[0] and given[2] > 1.8 * given[1]
    assert given[3] < 1.2 * given[2], "four times, and no more"
