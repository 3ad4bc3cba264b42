"""Real stations on loopback in one thread: whom they hear and show, and what a person is told.

And the clock of the network: a program that was stopped calls nobody silent, late or gone.
"""

import secrets
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from quadrille.net.core import machine
from quadrille.net.core.errors import LocalError
from quadrille.net.core.machine import LONGEST_GAP, RunningClock
from quadrille.net.entries.entry import NOBODY
from quadrille.net.entries.terms import LOOKOUT, Chair, TimeControl
from quadrille.net.entries.wire import Advert
from quadrille.net.game_log.log import Log
from quadrille.net.hall.posting import content_of, parts_of
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Doubled, Endpoint, NeighbourLimits, Peer, PeerMet
from quadrille.net.private_room.door import Admitted
from quadrille.net.program import station as station_module
from quadrille.net.program.hall_desk import SMALL
from quadrille.net.program.station import IncompatibleProgram, Remark, Station, now
from quadrille.net.seating.lobby import Arrived, Departed, Dropped
from quadrille.net.seating.offers import offers
from quadrille.net.trust import known
from quadrille.net.trust.identity import Identity, fingerprint, peer_of
from tests.net.party import Company, Party
from tests.net.ports import udp_port
from tests.net.tables import terms

LOOPBACK = ["127.0.0.1"]
TERMS = terms("maze", 2, {"size": 3})


def digits(station: Station) -> str:
    return fingerprint(station.identity.key)


def play(host: Station, guest: Station, moves: int) -> Callable[[], bool]:
    """A turn of a game of two at the host's only table, which begins; True after so many entries, or at its end."""

    def turn() -> bool:
        for gathering in host.lobby.gatherings.values():
            if len(gathering.chairs) == 2:
                gathering.start(now())
        tables = [table for one in (host, guest) for table in one.lobby.tables.values()]
        for table in tables:
            if table.is_my_turn:
                table.play(str(next(iter(table.view.moves))), now())
        return len(tables) == 2 and all(table.over or len(table.log.entries) > moves for table in tables)

    return turn


def test_a_program_that_proves_nothing_is_not_heard_even_with_signed_words(tmp_path: Path) -> None:
    """A posting that its author signed once, said again by somebody that takes the author's identity."""
    absent = Identity(secrets.token_bytes(32))
    [posting] = parts_of(absent, b"", 1, 100, 5000, content_of(Advert("Cid", "person", ())))
    port = udp_port()
    headers = {"X-GAME": "quadrille/1", "X-KEY": absent.key.hex()}
    with (
        Station("Ann", "person", folder=tmp_path, port=port, interfaces=LOOPBACK) as ann,
        Node(absent.peer, "Cid", headers, port=port, interfaces=LOOPBACK) as thief,
    ):
        said: list[object] = []
        while not ann.incompatible():
            said += ann.turn(20)
            thief.turn(5)
            thief.neighbours.whisper(ann.identity.peer, posting)
        for _ in range(20):
            thief.neighbours.whisper(ann.identity.peer, posting)
            thief.turn(5)
            said += ann.turn(20)
        assert ann.lobby.peers == {} and ann.lobby.here == set()
        assert not [event for event in said if isinstance(event, Arrived)]
        assert ann.incompatible() == [IncompatibleProgram("Cid", absent.key, "127.0.0.1", 1)]
        assert [event.key for event in said if isinstance(event, Remark)] == [absent.key]


def test_the_person_is_told_where_the_same_identity_is_in_use(company: Company) -> None:
    ann, bob = company.meet("ann", "bob")
    there = Endpoint("10.0.0.9", 5000)
    ann._hear(Doubled(bob.identity.peer, "bob", "127.0.0.1", there))
    bob._hear(Doubled(bob.identity.peer, "bob", "127.0.0.1", there))
    company.until(lambda: company.remarks(ann) and company.remarks(bob))
    assert [remark.text for remark in company.remarks(ann)] == [
        f"bob ({digits(bob)}): the same identity is in use on another machine (10.0.0.9): close one of them"
    ]
    assert [remark.text for remark in company.remarks(bob)] == [
        "your identity is in use on another machine (10.0.0.9) too: close one of them"
    ]


def test_seats_guests_and_known_keys_keep_their_places(company: Company) -> None:
    ann, bob, cid = company.meet("ann", "bob", "cid")
    assert ann.census().met == 2 and ann.census().refused == 0 and ann.census().limit == 64
    assert ann._priority_peers() == set()
    known.rename(ann.store, bob.identity.key, "Bobby")
    assert ann._priority_peers() == {peer_of(bob.identity.key)}
    ann.lobby.host(terms("barons", 2), b"nonce", 0).reserved = (Chair(cid.identity.key, "Cid", "person"),)
    assert {one.identity.peer for one in (ann, bob, cid)} == ann._priority_peers()


class TestNames:
    def test_another_name_than_before_is_remarked_upon_and_the_same_is_not(self, company: Company) -> None:
        """Also after a night: who was known is on the disk."""
        ann, bob = company.meet("Ann", "Bob")
        company.leave(bob)
        bob = company.enter("Bob")
        company.until_all_met()
        assert not company.remarks(ann) and not company.remarks(bob)
        company.leave(bob)
        company.leave(ann)
        ann, rob = company.enter("Ann"), company.enter("Rob", home="Bob")
        assert rob.identity.key == bob.identity.key
        company.until_all_met()
        remark = Remark(rob.identity.key, f'Bob ({digits(rob)}) now goes by "Rob"')
        assert company.remarks(ann) == [remark] and not company.remarks(rob)
        arrived = next(event for event in company.heard(ann) if isinstance(event, Arrived))
        assert company.heard(ann).index(remark) < company.heard(ann).index(arrived), "before anything is shown of it"

    def test_the_name_of_somebody_whom_we_know_is_remarked_upon_once_however_often_the_advert_comes(
        self, company: Company
    ) -> None:
        """Once it was said again with each advert: with every table opened, and every few seconds while one waits."""
        ann, bob = company.meet("Ann", "Bob")
        company.leave(bob)
        other = company.enter("bob", home="elsewhere")
        company.until_all_met()
        for number in range(1, 4):
            other.lobby.host(terms(), bytes([number]), now())
            company.until(lambda so_many=number: len(ann.lobby.peers[other.identity.key].tables) == so_many)
        text = f'this "bob" ({digits(other)}) is not Bob ({digits(bob)}), whom you know'
        assert company.remarks(ann) == [Remark(other.identity.key, text)] and not company.remarks(other)
        company.leave(other)
        company.enter("bob", home="elsewhere")
        company.until_all_met()
        assert [remark.text for remark in company.remarks(ann)] == [text] * 2

    def test_who_only_looks_around_hosts_nothing_is_not_remembered_and_can_be_blocked_all_the_same(
        self, company: Company
    ) -> None:
        ann, eve = company.enter("Ann"), company.enter("Eve (looking)", kind=LOOKOUT)
        eve.lobby.host(terms(), b"1", now(), sits=False)  # as no honest one does
        company.enter("Bob")
        company.until_all_met()
        company.until(lambda: known.peers(ann.store))
        assert [one.name for one in known.peers(ann.store)] == ["Bob"] and not ann.lobby.peers[eve.identity.key].tables
        ann.block(eve.identity.key)
        assert known.is_blocked(ann.store, eve.identity.key)

    def test_one_who_is_blocked_is_gone_at_once_and_stays_away(self, company: Company) -> None:
        ann, bob = company.meet("Ann", "Bob")
        key = bob.identity.key
        ann.block(key)
        assert key not in ann.lobby.here and key not in ann.lobby.peers
        before = len(company.heard(ann))
        carol = company.enter("Carol")
        company.until(lambda: {carol.identity.key} == ann.lobby.peers.keys() and key in carol.lobby.peers)
        told = company.heard(ann)[before:]
        assert not [event for event in told if isinstance(event, Arrived) and event.peer.key == key]
        assert [event.peer.key for event in told if isinstance(event, Departed)] == [key]


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried")
def test_members_of_a_private_room_play_and_a_stranger_hears_of_its_passphrase_and_of_nobody(company: Company) -> None:
    phrase = "four words that rhyme"
    host, guest = company.enter("host", phrase), company.enter("guest", phrase)
    stranger = company.enter("stranger", "another phrase")
    company.sit_down(host, guest, terms("maze", options={"size": 2}))
    company.until(play(host, guest, 10_000))
    company.until(lambda: company.heard(stranger))
    assert len({table.log.head for one in (host, guest) for table in one.lobby.tables.values()}) == 1
    assert {event.peer.name for event in company.heard(host) if isinstance(event, Arrived)} == {"guest"}
    assert company.heard(stranger) == [Remark(NOBODY, "somebody in this room has another passphrase than you")]
    met = [peer for one in (host, guest) for peer in one.node.neighbours.peers()]
    assert met and not any(peer.name for peer in met), "HELLO comes before the door, and names nobody"
    assert not stranger.lobby.peers


@pytest.mark.slow
def test_a_newer_program_is_told_of_in_a_private_room_before_its_passphrase(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = company.enter("ours", "a phrase")
    monkeypatch.setattr(station_module, "SPEAKS", 4)
    company.enter("newer", "another phrase")
    company.until(lambda: company.heard(ours))
    [first, *_] = company.heard(ours)
    assert isinstance(first, Remark) and "speaks protocol 4, yours 3" in first.text


def test_at_the_door_of_a_private_room_neither_a_key_nor_another_protocol_lets_anybody_in(company: Company) -> None:
    ann, eve = company.enter("ann", "four words that rhyme"), Identity(bytes(32))
    headers = {"X-GAME": "quadrille/1", "X-SPEAKS": "3", "X-KEY": eve.key.hex()}
    ann._hear(PeerMet(Peer(eve.peer, "", headers, "127.0.0.1", eve.curve().public, proved=True)))
    assert not ann.lobby.here
    other = Identity(bytes([1]) * 32)
    ann._door.events.append(Admitted(other.peer, other.key))
    ann._keep_door()
    assert not ann.lobby.here


def hall(company: Company, count: int = SMALL + 4) -> list[Station]:
    found = [company.enter(f"p{number}") for number in range(count)]
    company.until_all_met()
    company.until(lambda: all(station.census().there >= count - 1 for station in found))
    return found


def unlinked(station: Station, others: list[Station]) -> list[Station]:
    return [one for one in others if one is not station and one.identity.key not in station.lobby.here]


@pytest.mark.slow
def test_more_than_may_be_linked_know_each_other_and_all_tables(company: Company) -> None:
    count = NeighbourLimits().peers + 2
    there = hall(company, count)
    hosts = there[::10]
    for one in hosts:
        one.lobby.host(TERMS, b"nonce", now())
    company.until(lambda: all(len(offers(one.lobby, "open")) >= len(hosts) - (one in hosts) for one in there))
    gone = there[10]
    company.stations.remove(gone)
    gone.close()
    company.until(lambda: all(gone.identity.key not in one.lobby.peers for one in company.stations))
    assert not [event for _, event in company.told if isinstance(event, Dropped)]
    assert sum(len(one.lobby.here) for one in company.stations) < 20 * count, "few are linked"


@pytest.mark.slow
def test_a_game_between_two_who_had_no_link(company: Company) -> None:
    there = hall(company, 2 * SMALL)
    host = next(one for one in there if unlinked(one, there))
    guest = unlinked(host, there)[0]
    company.sit_down(host, guest, TERMS)
    company.until(play(host, guest, 6))
    assert guest.identity.key in host.lobby.here
    company.leave(guest)
    company.until(lambda: all(guest.identity.key not in one.lobby.peers for one in there if one is not guest))
    assert not [event for _, event in company.told if isinstance(event, Dropped)]


def test_a_peer_that_was_killed_is_gone_from_a_small_room(company: Company) -> None:
    one, other, third = (company.enter(name) for name in ("one", "other", "third"))
    company.until_all_met()
    other.lobby.host(TERMS, b"nonce", now())
    company.until(lambda: offers(one.lobby, "open") and offers(third.lobby, "open"))
    company.stations.remove(other)
    other._hall.hall.leave = lambda now: None  # type: ignore[method-assign]
    other.node.neighbours.close = lambda: None  # type: ignore[method-assign]
    other.close()
    company.until(lambda: all(other.identity.key not in left.lobby.peers for left in (one, third)))
    assert not offers(one.lobby)


def log_of(station: Station) -> Log:
    return next(iter(station.lobby.tables.values())).log


@pytest.mark.usefixtures("guards_on")
def test_a_full_disk_keeps_a_game_waiting_and_ends_nothing(company: Company) -> None:
    ann, bob = (company.enter(name) for name in ("ann", "bob"))
    company.until_all_met()
    company.sit_down(ann, bob, terms("maze", 2, {"size": 6}))
    company.until(play(ann, bob, 2))
    ann.store.rows("PRAGMA max_page_count = 1")  # as many as there are
    refused: list[str] = []

    def goes_on() -> bool:
        try:
            return play(ann, bob, 1000)()
        except LocalError as error:
            refused.append(str(error))
        return len(refused) > 2

    company.until(goes_on)
    assert refused and all("the disk is full. Free some space" in text for text in refused)
    with ann.watch("a table"):
        ann.store.keep_secret(log_of(ann).table, "note", bytes(10_000))
    company.until(lambda: company.remarks(ann))
    assert [remark.text for remark in company.remarks(ann)] == refused[:1] and not company.remarks(bob)
    ann.store.rows("PRAGMA max_page_count = 100000")
    company.until(play(ann, bob, 1000))
    log = log_of(ann)
    company.until(lambda: ann.shelf.entries(log.table) == [entry.data for entry in log.entries])


@pytest.mark.usefixtures("guards_on")
def test_a_game_whose_beginning_the_disk_refuses_begins_once_it_takes_it(company: Company) -> None:
    ann, bob = (company.enter(name, resumes=False) for name in ("ann", "bob"))
    company.until_all_met()
    company.sit_down(ann, bob, terms())
    ann.store.rows("PRAGMA query_only = 1")
    company.until(lambda: play(ann, bob, 1)() or company.remarks(ann))
    company.until(lambda: bob.lobby.tables)
    ann.store.rows("PRAGMA query_only = 0")
    company.until(play(ann, bob, 6))


# Peers that tell each other of third ones, where none hears another's beacons


def island(company: Company, name: str, *seeds: Station) -> Station:
    return company.enter(name, port=udp_port(), seeds=[f"127.0.0.1:{seed.node.tcp_port}" for seed in seeds])


@pytest.mark.first(1)
@pytest.mark.parametrize("comes_first", [False, True])
def test_who_comes_is_told_of_those_who_are_there_and_they_of_it(
    company: Company, monkeypatch: pytest.MonkeyPatch, *, comes_first: bool
) -> None:
    """Either may be unable to call the other: a firewall may let calls in, and not out."""
    hub = island(company, "hub")
    old = island(company, "old", hub)
    company.until_all_met()
    new = island(company, "new", hub)
    called: list[bytes] = []
    deaf = new if comes_first else old
    monkeypatch.setattr(deaf.node.neighbours, "introduce", lambda peer, *_: called.append(peer))
    company.until_all_met()
    peer = hub.identity.peer
    assert new.node.neighbours.is_at(peer, Endpoint("127.0.0.1", hub.node.tcp_port))
    assert not new.node.neighbours.is_at(peer, Endpoint("127.0.0.1", new.node.tcp_port))
    assert not new.node.neighbours.is_at(bytes(16), Endpoint("127.0.0.1", hub.node.tcp_port))
    assert not [event for _, event in company.told if isinstance(event, Dropped)]
    other = old if comes_first else new
    company.until(lambda: other.identity.peer in called)


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


def test_a_screen_s_clock_is_apart_by_what_was_skipped_and_by_no_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    system, awake = [9000], [5000]  # the machine has slept before
    monkeypatch.setattr(machine, "_system", lambda: system[0])
    monkeypatch.setattr(machine, "awake", lambda: awake[0])
    clock = RunningClock()
    for system[0], awake[0] in ((9000, 5000), (70_000, 66_000), (170_000, 66_200)):  # stopped once, then asleep
        clock.look()
        assert clock() + clock.apart == awake[0]


def test_a_connection_that_has_said_nothing_yet_outlives_the_stop(party: Party, stop: Callable[[], None]) -> None:
    ann = party.invite("ann")
    party.turn(ann, 0)
    with closing(socket.create_connection(("127.0.0.1", ann.node.tcp_port))):
        party.until(lambda: len([*ann.node._lines._doors]) == 1)
        stop()
        for _ in range(3):
            party.turn(ann, 0)
        assert len([*ann.node._lines._doors]) == 1


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
    told = {remark.text for one in (ann, bob) for remark in company.remarks(one)}
    assert f"this program stood still for {LONG // 1000} s" in told and all("stood still" in one for one in told)
    used = [entry.used for entry in tables[0].log.entries]
    assert not any(table.gone or table.overdue(now()) for table in tables)
    assert sum(used) >= LONG - LONGEST_GAP > sum(used) - max(used), "one seat was to move, and its clock ran on"
