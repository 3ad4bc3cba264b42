"""Real stations in a hall, on loopback in one thread."""

from pathlib import Path

import pytest

from quadrille.net.program.hall_desk import SMALL
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import Arrived, Departed, Dropped
from quadrille.net.seating.offers import offers
from tests.net.company import Company
from tests.net.tables import terms

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


def test_in_a_hall_all_know_each_other_and_nobody_flickers(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company)
        assert not [event for _, event in company.told if isinstance(event, Departed | Dropped)]
        assert {type(event) for _, event in company.told} == {Arrived}
        assert all(one.crowd().refused == 0 for one in there)


@pytest.mark.slow
def test_a_blocked_peer_is_not_shown_in_a_hall_either(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        there = hall(company)
        one = there[0]
        other = (unlinked(one, there) or there[1:])[0]
        key = other.identity.key
        one.block(key)
        assert key not in one.lobby.peers and key not in one._hall.hall.links
        other.lobby.host(TERMS, b"nonce", now())
        company.until(lambda: all(offers(station.lobby, "open") for station in there if station not in (one, other)))
        company.until(lambda: (found := one._hall.hall.get(key)) is not None and found.words.tables)
        assert key not in one.lobby.peers and not offers(one.lobby)


@pytest.mark.slow
@pytest.mark.parametrize("count", [66, 100])
def test_so_many_know_each_other_and_all_tables(tmp_path: Path, count: int) -> None:
    with Company(tmp_path) as company:
        there = hall(company, count)
        for one in there[::10]:
            one.lobby.host(TERMS, b"nonce", now())
        hosts = len(there[::10])
        company.until(lambda: all(len(offers(one.lobby, "open")) >= hosts - (one in there[::10]) for one in there))
        gone = there[10]
        company.stations.remove(gone)
        gone.close()
        company.until(lambda: all(gone.identity.key not in one.lobby.peers for one in company.stations))
        assert not [event for _, event in company.told if isinstance(event, Dropped)]
        assert sum(len(one.lobby.here) for one in company.stations) < 20 * count, "few are linked"


def test_a_peer_that_was_killed_is_gone_from_a_small_room_within_a_second(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        one, other, third = (company.enter(name) for name in ("one", "other", "third"))
        company.until_all_met()
        other.lobby.host(TERMS, b"nonce", now())
        company.until(lambda: offers(one.lobby, "open") and offers(third.lobby, "open"))
        company.stations.remove(other)
        other._hall.hall.leave = lambda now: None  # type: ignore[method-assign]
        other.node._machine.close = lambda: None  # type: ignore[method-assign]
        killed = now()
        other.close()
        company.until(lambda: all(other.identity.key not in left.lobby.peers for left in (one, third)))
        assert not offers(one.lobby) and now() - killed < 5000, "a second on a machine that has the time"
