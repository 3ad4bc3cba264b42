"""What a station makes of whose a link is: whom it hears, who keeps a place, what a person is told."""

import secrets
from pathlib import Path

from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Advert
from quadrille.net.hall.posting import content_of, parts_of
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Doubled, Endpoint
from quadrille.net.program.station import Remark, Station, Unlike
from quadrille.net.seating.lobby import Arrived
from quadrille.net.trust import known
from quadrille.net.trust.identity import Identity, fingerprint, peer_of
from tests.net.company import Company
from tests.net.ports import udp_port
from tests.net.tables import terms

LOOPBACK = ["127.0.0.1"]


def test_a_station_hears_peers_that_have_proved_their_links_and_knows_what_they_speak(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        ann, bob = company.enter("ann"), company.enter("bob")
        company.until_all_met()
        assert ann.speaks(bob.identity.key) == bob.speaks(ann.identity.key) == 2
        assert ann.crowd().met == 1 and ann.crowd().refused == 0 and ann.crowd().limit == 64
        company.leave(bob)
        assert ann.speaks(bob.identity.key) == 0


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
        while not ann.unlike():
            said += ann.turn(20)
            thief.turn(5)
            thief.whisper(ann.identity.peer, posting)
        for _ in range(20):
            thief.whisper(ann.identity.peer, posting)
            thief.turn(5)
            said += ann.turn(20)
        assert ann.lobby.peers == {} and ann.lobby.here == set() and ann.speaks(absent.key) == 0
        assert not [event for event in said if isinstance(event, Arrived)]
        assert ann.unlike() == [Unlike("Cid", absent.key, "127.0.0.1", 1)]
        assert [event.key for event in said if isinstance(event, Remark)] == [absent.key]


def test_the_person_is_told_where_the_same_identity_is_in_use(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        ann, bob = company.enter("ann"), company.enter("bob")
        company.until_all_met()
        there = Endpoint("10.0.0.9", 5000)
        ann._hear(Doubled(bob.identity.peer, "bob", "127.0.0.1", there))
        bob._hear(Doubled(bob.identity.peer, "bob", "127.0.0.1", there))
        company.until(lambda: company.remarks(ann) and company.remarks(bob))
        assert [remark.text for remark in company.remarks(ann)] == [
            f"bob ({fingerprint(bob.identity.key)}): the same identity is in use on another machine (10.0.0.9): "
            "close one of them"
        ]
        assert [remark.text for remark in company.remarks(bob)] == [
            "your identity is in use on another machine (10.0.0.9) too: close one of them"
        ]


def test_seats_guests_and_known_keys_keep_their_places(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        ann, bob, cid = company.enter("ann"), company.enter("bob"), company.enter("cid")
        company.until_all_met()
        assert ann._mattering() == set()
        known.rename(ann.store, bob.identity.key, "Bobby")
        assert ann._mattering() == {peer_of(bob.identity.key)}
        agreed: Terms = terms("barons", 2)
        gathering = ann.lobby.host(agreed, b"nonce", 0)
        gathering.reserved = (cid.identity.key,)
        assert {one.identity.peer for one in (ann, bob, cid)} == ann._mattering()
