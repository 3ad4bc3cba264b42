"""Real stations in a hall, on loopback in one thread; tests/bench/hall.py has two hundred of them."""

import sys
from pathlib import Path

import pytest

from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.link.node import Node
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import Arrived, Departed, Dropped
from quadrille.net.seating.offers import offers
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import Prover
from tests.net.company import Company
from tests.net.programs import Program
from tests.net.tables import identity, terms

TERMS = terms("maze", 2, {"size": 3})


def hall(company: Company, count: int = SMALL + 4) -> list[Station]:
    found = [company.enter(f"p{number}") for number in range(count)]
    company.until_all_met()
    company.until(lambda: all(station.crowd().there >= count - 1 for station in found))
    return found


def unlinked(station: Station, others: list[Station]) -> list[Station]:
    return [one for one in others if one is not station and one.identity.key not in station.lobby.here]


@pytest.mark.slow
def test_a_game_between_two_who_had_no_link(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company, 2 * SMALL)
        company.until(lambda: all(len(one.lobby.here) <= SMALL + 4 for one in there))
        host = next(one for one in there if unlinked(one, there))
        guest = unlinked(host, there)[0]
        host.lobby.host(TERMS, b"nonce", now())
        company.until(lambda: all(offers(one.lobby, "open") for one in there if one is not host))
        [offer] = offers(guest.lobby, "open")
        guest.lobby.join(offer, now())
        company.until(lambda: host.lobby.gatherings and len(host.lobby.gatherings[offer.table].chairs) == 2)
        host.lobby.gatherings[offer.table].start(now())
        company.until(lambda: host.lobby.tables and guest.lobby.tables)

        def move() -> bool:
            for one in (host, guest):
                if (table := one.lobby.tables[offer.table]).is_my_turn:
                    table.play(str(next(iter(table.view.moves))), now())
            return len(host.lobby.tables[offer.table].log.entries) > 6

        company.until(move)
        assert guest.identity.key in host.lobby.here
        company.leave(guest)
        company.until(lambda: all(guest.identity.key not in one.lobby.peers for one in there if one is not guest))
        assert not [event for _, event in company.told if isinstance(event, Dropped)]


@pytest.mark.slow
def test_a_table_whose_program_was_killed_vanishes_from_every_list_within_a_minute(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company, 2 * SMALL)
        port, folder = str(company.port), str(tmp_path / "killed")
        hosting = ("--host", '{"game": "maze", "seats": 2}', "--interfaces", "127.0.0.1")
        host = Program("killed", sys.executable, "-m", "tests.net.player", "killed", folder, port, *hosting)
        company.until(lambda: all(offers(one.lobby, "open") for one in there))
        host.kill()
        killed_at = now()
        company.until(lambda: not any(offers(one.lobby) for one in there))
        # The simulation shows half a minute (test_hall_world.py); a busy machine may need longer.
        assert now() - killed_at < 60_000
        assert len(there) == 2 * SMALL and all(len(one.lobby.peers) == len(there) - 1 for one in there)
        assert not [event for _, event in company.told if isinstance(event, Dropped)]


def test_in_a_hall_all_know_each_other_and_nobody_flickers(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company)
        assert not [event for _, event in company.told if isinstance(event, Departed | Dropped)]
        assert {type(event) for _, event in company.told} == {Arrived}
        assert all(one.crowd().refused == 0 for one in there)


@pytest.mark.slow
def test_an_older_peer_and_a_foreign_one_meet_us_in_a_hall(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company)
        own: Identity = identity(1)
        headers = {"X-GAME": "quadrille/1", "X-SPEAKS": "2", "X-KEY": own.key.hex()}
        old = Node(own.peer, "old", headers, port=company.port, interfaces=["127.0.0.1"], prover=Prover(own))
        foreign = Node(bytes(range(16)), "zyre", {}, port=company.port, interfaces=["127.0.0.1"])
        with old, foreign:
            company.until(
                lambda: (
                    (old.turn(5), foreign.turn(5))
                    and len(old.peers()) > len(there) // 2
                    and len(foreign.peers()) > len(there) // 2
                )
            )
            assert not [event for _, event in company.told if isinstance(event, Dropped)]


@pytest.mark.slow
def test_a_blocked_peer_is_not_shown_in_a_hall_either(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company)
        one = there[0]
        other = (unlinked(one, there) or there[1:])[0]
        key = other.identity.key
        one.block(key)
        assert key not in one.lobby.peers
        other.lobby.host(TERMS, b"nonce", now())
        company.until(lambda: all(offers(station.lobby, "open") for station in there if station not in (one, other)))
        company.until(lambda: (found := one._hall.machine.directory.get(key)) is not None and found.words.tables)  # type: ignore[union-attr]
        assert key not in one.lobby.peers and not offers(one.lobby)
