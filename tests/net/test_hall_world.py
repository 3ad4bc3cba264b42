"""Laws of halls in virtual time: who knows what, how soon, and at which price; also among liars."""

import pytest

from quadrille.net.hall.directory import DirectoryLimits
from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.hall.missing import ANSWER_EVERY
from tests.net.coarse_hall import coarse
from tests.net.hall_liars import LIARS, Accuser
from tests.net.hall_world import HallPeer, HallWorld
from tests.net.virtual_time import signatures_checked_once

KNOWN = 5000  # ms until everybody knows all tables
SITS = 2000  # ms until a newcomer can sit down
MOST = 2.0  # messages a second of an idle peer


def hall(seed: str, count: int, every: int = 10, limits: DirectoryLimits | None = None) -> HallWorld:
    """So many peers that start at once; every so many of them host a table."""
    world = HallWorld(seed, limits)
    for number in range(count):
        world.start(tables=number % every == 0)
    return world


def hosts(world: HallWorld) -> list[HallPeer]:
    return [peer for peer in world.honest() if peer.hall.directory.get(peer.key) and peer.shows(peer.key, 1)]


def is_shown(world: HallWorld, gone: HallPeer) -> bool:
    return any(peer.hall.directory.shown(gone.key) is not None for peer in world.peers.values())


def check_hall(world: HallWorld, seconds: int = 10) -> None:
    """All that a hall promises, from its first second on."""
    hosting = hosts(world)
    assert world.until(lambda: world.know(hosting), KNOWN) <= KNOWN
    world.run(15_000)
    average, most = world.rates(seconds)
    assert average <= MOST and most <= 1.5 * MOST, "an idle peer says little, however many are there"
    opened = world.honest()[1]
    opened.post(2)
    assert world.until(lambda: world.know([opened], 2), KNOWN, 50) <= KNOWN
    newcomer = world.start()
    assert world.until(lambda: all(newcomer.shows(one.key) for one in hosting if one is not opened), SITS, 20) <= SITS
    assert not world.blamed & {peer.key for peer in world.honest()}


@pytest.mark.parametrize("count", [SMALL + 2, 40])
def test_everybody_knows_all_tables_soon_and_an_idle_peer_says_little(count: int) -> None:
    with signatures_checked_once():
        world = hall(f"hall of {count}", count)
        check_hall(world)
        assert max(len(peer.links) for peer in world.peers.values()) <= 24


@pytest.mark.slow
@pytest.mark.parametrize("crowd", [20, 100])
def test_a_crowd_comes_and_goes_at_once(crowd: int) -> None:
    with signatures_checked_once():
        world = hall("crowds", 40)
        world.run(5000)
        came = [world.start(tables=1) for _ in range(crowd)]
        assert world.until(lambda: world.know(came), KNOWN) <= KNOWN
        leaving = {peer.key for peer in came}
        heard = [peer for peer in came if not peer.links <= leaving]  # the others end with all who heard them
        assert len(heard) > crowd * 3 // 4
        for peer in came:
            world.end(peer)
        assert world.until(lambda: not any(is_shown(world, peer) for peer in heard), KNOWN) <= KNOWN
        world.run(150_000)
        assert not any(is_shown(world, peer) for peer in came)
        check_hall(world)


def test_a_peer_that_was_killed_is_forgotten_in_time_and_by_its_links_at_once() -> None:
    with signatures_checked_once():
        world = hall("killed", 30)
        world.run(5000)
        killed = hosts(world)[1]
        linked = [world.peers[key] for key in killed.links]
        world.end(killed, farewell=False)
        world.run(200)
        assert not any(peer.hall.directory.shown(killed.key) for peer in linked)
        world.run(150_000)
        assert not is_shown(world, killed)
        check_hall(world)


@pytest.mark.parametrize(
    ("count", "seed"), [(30, "liars"), *(pytest.param(100, seed, marks=pytest.mark.slow) for seed in ("liars", "more"))]
)
def test_a_tenth_of_liars_can_withhold_and_no_more(count: int, seed: str) -> None:
    with signatures_checked_once():
        world = HallWorld(seed, DirectoryLimits(postings=2 * count))
        for number in range(count):
            world.start(LIARS[number // 10 % len(LIARS)] if number % 10 == 3 else None, tables=number % 10 == 0)
        check_hall(world)
        world.run(40_000)
        for peer in world.honest():
            assert len(peer.hall.directory) <= 2 * count
            for other in world.honest():
                posting = peer.hall.directory.get(other.key)
                assert posting is not None and posting.hash == other.hall.directory.get(other.key).hash  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_hundred_tables_opened_at_once_are_known_to_thousands_in_time(count: int) -> None:
    """In the coarse form (tests/net/coarse_hall.py), with a tenth that tells nothing."""
    found = coarse(count)
    assert found["all known after ms"] <= KNOWN
    assert found["one more table after ms"] <= KNOWN // 5 and found["messages of each for it"] < 12


@pytest.mark.parametrize("farewell", [True, False])
def test_a_peer_that_starts_anew_is_shown_as_it_is_now(*, farewell: bool) -> None:
    with signatures_checked_once():
        world = hall("anew", 30)
        world.run(10_000)
        before = hosts(world)[1]
        before.post(2)
        world.run(3000)
        world.end(before, farewell=farewell)
        world.run(2000)
        numbers, world.numbers = world.numbers, before.number - 1
        anew = world.start(tables=1)
        world.numbers = numbers
        assert anew.key == before.key
        assert world.until(lambda: world.know([anew], 1), KNOWN) <= KNOWN


def killed_and_asked_for(count: int, liars: int) -> tuple[HallWorld, HallPeer]:
    world = HallWorld("missing", DirectoryLimits(postings=2 * count))
    for number in range(count):
        world.start(Accuser if number < liars else None, tables=number % 5 == 4)
    world.run(20_000)
    killed = hosts(world)[1]
    world.end(killed, farewell=False)
    return world, killed


def test_a_table_whose_host_was_killed_vanishes_everywhere_within_half_a_minute() -> None:
    """It stayed listed for two minutes, and for sixteen in a hall of thousands."""
    with signatures_checked_once():
        world, killed = killed_and_asked_for(24, 0)
        assert world.until(lambda: not is_shown(world, killed), 30_000) > 5000, "the living have time to answer"


def test_nobody_who_lives_vanishes_because_liars_ask_for_it() -> None:
    with signatures_checked_once():
        world, _ = killed_and_asked_for(24, 3)
        honest = world.honest()
        for _ in range(40):
            world.run(1000)
            lost = [one.number for peer in honest for one in honest if peer.hall.directory.shown(one.key) is None]
            assert not lost
        beats = [peer.hall.directory.get(peer.key).beat for peer in honest]  # type: ignore[union-attr]
        assert max(beats) <= 60_000 / ANSWER_EVERY + 2, "a liar costs a beat in eight seconds, and no more"
