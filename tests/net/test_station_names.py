"""Names at a station: who goes by another name than before, or by the name of somebody we know, is remarked upon."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.net.entries.terms import LOOKOUT
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.seating.lobby import Arrived, Departed
from quadrille.net.trust import known
from quadrille.net.trust.identity import fingerprint
from tests.net.company import Company
from tests.net.tables import terms

pytestmark = [
    pytest.mark.usefixtures("unhurried"),
    pytest.mark.parametrize("passphrase", ["", "four words that rhyme"], ids=["open", "private"]),
]


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Company]:
    with Company(tmp_path) as it:
        yield it


def digits(station: Station) -> str:
    return fingerprint(station.identity.key)


def test_those_who_meet_for_the_first_time_and_again_are_not_remarked_upon(company: Company, passphrase: str) -> None:
    ann, bob = company.enter("Ann", passphrase), company.enter("Bob", passphrase)
    company.until_all_met()
    company.leave(bob)
    again = company.enter("Bob", passphrase)
    company.until_all_met()
    assert not company.remarks(ann) + company.remarks(bob) + company.remarks(again)


def test_another_name_than_before(company: Company, passphrase: str) -> None:
    """Also after a night: who was known is on the disk."""
    ann, bob = company.enter("Ann", passphrase), company.enter("Bob", passphrase)
    company.until_all_met()
    company.leave(bob)
    company.leave(ann)
    ann, rob = company.enter("Ann", passphrase), company.enter("Rob", passphrase, home="Bob")
    assert rob.identity.key == bob.identity.key
    company.until_all_met()
    remark = Remark(rob.identity.key, f'Bob ({digits(rob)}) now goes by "Rob"')
    assert company.remarks(ann) == [remark] and not company.remarks(rob)
    arrived = next(event for event in company.heard(ann) if isinstance(event, Arrived))
    assert company.heard(ann).index(remark) < company.heard(ann).index(arrived), "before anything is shown of it"


def test_the_name_of_somebody_whom_we_know(company: Company, passphrase: str) -> None:
    ann, bob = company.enter("Ann", passphrase), company.enter("Bob", passphrase)
    company.until_all_met()
    company.leave(bob)
    other = company.enter("bob", passphrase, home="elsewhere")
    company.until_all_met()
    text = f'this "bob" ({digits(other)}) is not Bob ({digits(bob)}), whom you know'
    assert company.remarks(ann) == [Remark(other.identity.key, text)]
    assert not company.remarks(other)


def test_it_is_said_once_however_often_the_advert_comes(company: Company, passphrase: str) -> None:
    """Once it was said again with each advert: with every table opened, and every few seconds while one waits."""
    ann, bob = company.enter("Ann", passphrase), company.enter("Bob", passphrase)
    company.until_all_met()
    company.leave(bob)
    other = company.enter("Bob", passphrase, home="elsewhere")
    company.until_all_met()
    for number in range(1, 4):
        other.lobby.host(terms(), bytes([number]), now())
        company.until(lambda so_many=number: len(ann.lobby.peers[other.identity.key].tables) == so_many)
    assert len(company.remarks(ann)) == 1
    company.leave(other)
    company.enter("Bob", passphrase, home="elsewhere")
    company.until_all_met()
    assert len(company.remarks(ann)) == 2


def test_who_only_looks_around_hosts_nothing_is_not_remembered_and_can_be_blocked_all_the_same(
    company: Company, passphrase: str
) -> None:
    ann, eve = company.enter("Ann", passphrase), company.enter("Eve (looking)", passphrase, kind=LOOKOUT)
    eve.lobby.host(terms(), b"1", now(), sits=False)  # as no honest one does
    company.enter("Bob", passphrase)
    company.until_all_met()
    company.until(lambda: known.peers(ann.store))
    assert [one.name for one in known.peers(ann.store)] == ["Bob"] and not ann.lobby.peers[eve.identity.key].tables
    ann.block(eve.identity.key)
    assert known.is_blocked(ann.store, eve.identity.key)


def test_one_who_is_blocked_is_gone_at_once_and_stays_away(company: Company, passphrase: str) -> None:
    ann, bob = company.enter("Ann", passphrase), company.enter("Bob", passphrase)
    company.until_all_met()
    key = bob.identity.key
    ann.block(key)
    assert key not in ann.lobby.here and key not in ann.lobby.peers
    before = len(company.heard(ann))
    carol = company.enter("Carol", passphrase)
    company.until(lambda: {carol.identity.key} == ann.lobby.peers.keys() and key in carol.lobby.peers)
    told = company.heard(ann)[before:]
    assert not [event for event in told if isinstance(event, Arrived) and event.peer.key == key]
    assert [event.peer.key for event in told if isinstance(event, Departed)] == [key]
    assert known.is_blocked(ann.store, key)
