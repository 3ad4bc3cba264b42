"""Whoever computes, libsodium or plain Python, whole games come to the same bytes, and both play at one table.

The same world, from the same seed, with other back ends at the seats: every log is the same, entry by entry.
"""

from collections.abc import Sequence

import pytest

from quadrille.net.cards.group import Group
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.entries.terms import Terms
from tests.net.cards.by_hand import answer, dotter, owner, play, serve, signed
from tests.net.cards.dotter_world import CALM, DotterWorld, small
from tests.net.cards.groups import BEST, PURE
from tests.net.simulation import Peer, Weather

STORM = Weather(loss=50, twice=50, delay=200, cuts=3, crashes=3)

pytestmark = pytest.mark.skipif(BEST is PURE, reason="this machine has no libsodium")


class MixedWorld(DotterWorld):
    """Each seat has a back end of its own."""

    def __init__(self, seed: str, terms: Terms, groups: Sequence[Group], weather: Weather = CALM) -> None:
        self.groups = groups
        super().__init__(seed, terms, weather, group=groups[0])

    def start(self, peer: Peer) -> None:
        self.checker = ProofChecker(self.groups[list(self.peers.values()).index(peer)])
        super().start(peer)


def log_bytes(groups: Sequence[Group], weather: Weather = CALM, **options: int) -> list[list[bytes]]:
    """What is in each seat's log when the game is over."""
    world = MixedWorld("back ends", small(len(groups), **options), groups, weather)
    world.run(world.settled)
    assert world.blamed == []
    assert [table.log.checker.group.name for table in world.tables()] == [group.name for group in groups]
    assert all(log.now.over for log in world.logs())
    return [[entry.data for entry in log.entries] for log in world.logs()]


@pytest.mark.slow
def test_a_mixed_table_plays_to_the_end_with_the_same_bytes() -> None:
    mixed = log_bytes([PURE, BEST])
    assert mixed == log_bytes([BEST, BEST])
    assert len(mixed[0]) > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weather", "mixtures"),
    [(CALM, ([PURE, BEST, BEST],)), (STORM, ([BEST, PURE, PURE],))],
    ids=["calm", "storm"],
)
def test_mixtures_of_three_come_to_the_same_bytes(weather: Weather, mixtures: Sequence[Sequence[Group]]) -> None:
    """Of two rounds, in calm weather and not."""
    first = log_bytes([BEST] * 3, weather, lap_points=300, max_rounds=2)
    for groups in mixtures:
        assert log_bytes(groups, weather, lap_points=300, max_rounds=2) == first


def test_each_says_what_the_other_would() -> None:
    """Entry by entry: what every seat owes, by one back end and by the other, after the same entries."""
    here, there = dotter(2, BEST), dotter(2, PURE)
    for moves in ([], ["draw"], ["peek p1 1a 1b"], ["score p1 1a 1b 1c"]):
        for log in (here, there):
            play(log, *moves)
        while here.now.owed != "move":
            assert answer(here) == answer(there)
            turn = here.now.turn or 0
            entry = signed(here, turn, here.now.owed, answer(here))
            for log in (here, there):
                log.take(log.write(entry.body, owner(turn)))
            assert here.head == there.head
    assert {entry.kind for entry in here.entries} == {"begin", "key", "shuffle", "move", "look", "share"}
    assert serve(here).now.deck.digest() == serve(there).now.deck.digest()
