"""The clock of the network: a program that was stopped calls nobody silent, late or gone."""

import socket
from collections.abc import Callable
from contextlib import closing

import pytest

from quadrille.net.core import machine
from quadrille.net.core.machine import LONGEST_GAP, RunningClock
from quadrille.net.entries.terms import TimeControl
from quadrille.net.program.station import now
from quadrille.net.seating.lobby import Departed, Dropped
from tests.net.company import Company
from tests.net.party import Party
from tests.net.tables import terms
from tests.net.test_station import play

#: Longer than any timeout.
LONG = 3_600_000


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let an hour pass in which no program here runs."""
    skipped, real = [0], machine._system
    monkeypatch.setattr(machine, "_system", lambda: real() + skipped[0])
    return lambda: skipped.__setitem__(0, skipped[0] + LONG)


def test_it_skips_what_lies_between_two_looks_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    system = [5000]
    monkeypatch.setattr(machine, "_system", lambda: system[0])
    clock = RunningClock()
    system[0] += 400
    assert clock() == clock.look() == 5400
    system[0] += 60_000
    assert clock() == clock() == 5400 + LONGEST_GAP and clock.skipped == 0
    assert clock.look() == 5400 + LONGEST_GAP and clock.skipped == 60_000 - LONGEST_GAP
    system[0] -= 30_000
    assert clock() == clock.look() == 5400 + LONGEST_GAP and clock.skipped == 60_000 - LONGEST_GAP
    system[0] += 10
    assert clock() == 5410 + LONGEST_GAP


def test_a_connection_that_has_said_nothing_yet_outlives_the_stop(party: Party, stop: Callable[[], None]) -> None:
    ann = party.invite("ann")
    party.turn(ann, 0)
    with closing(socket.create_connection(("127.0.0.1", ann.node.tcp_port))):
        party.until(lambda: len(ann.node._lines._doors) == 1)
        stop()
        for _ in range(3):
            party.turn(ann, 0)
        assert len(ann.node._lines._doors) == 1


@pytest.mark.parametrize("passphrase", ["", "correct horse"])
def test_nobody_is_called_gone_or_late_after_a_stop_and_whose_turn_it_is_pays_for_it(
    company: Company, stop: Callable[[], None], passphrase: str
) -> None:
    ann, bob = (company.enter(name, passphrase) for name in ("ann", "bob"))
    company.until(lambda: ann.node.neighbours.peers())
    stop()  # where there is a passphrase, at the door
    company.until_all_met()
    company.sit_down(ann, bob, terms("maze", 2, {"size": 3}, clock=TimeControl(3 * LONG, 0)))
    company.until(play(ann, bob, 3))
    tables = [table for one in (ann, bob) for table in one.lobby.tables.values()]
    company.until(lambda: any(table.is_my_turn for table in tables))
    stop()
    for one in (ann, bob):
        company.turn(one, 0)
    company.until(play(ann, bob, 5))
    assert not [event for _, event in company.told if isinstance(event, Departed | Dropped)]
    assert {remark.text for one in (ann, bob) for remark in company.remarks(one)} == {
        f"this program stood still for {LONG // 1000} s"
    }
    used = [entry.used for entry in tables[0].log.entries]
    assert not any(table.gone or table.overdue(now()) for table in tables)
    assert sum(used) >= LONG - LONGEST_GAP > sum(used) - max(used), "one seat was to move, and its clock ran on"
