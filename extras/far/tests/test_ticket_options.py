"""Tickets on command lines: made, read, handed to other programs, kept for `resume`, and shown with a code."""

import argparse
import ipaddress
import signal
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from extras.far.tests.relays import Running
from quadrille.client.network.options import add_network, network_options
from quadrille.client.presence.place import _way
from quadrille.extras.far.relay import RelayLimits
from quadrille.extras.far.relay_line import relay_finding
from quadrille.extras.far.table_ticket import chosen_ticket, kept_ticket, place_of, way_of
from quadrille.extras.far.ticket import RELAY_PORT, MeetingPlace, Ticket, new_ticket, read
from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import present
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.trust.store import Store
from quadrille.rules.errors import RulesError
from tests.client.conftest import Run
from tests.client.programs import Program
from tests.net.ports import tcp_port
from tests.net.tables import TABLE, identity, terms

PLACE = MeetingPlace(ipaddress.ip_address("203.0.113.7"))
OTHER = MeetingPlace(PLACE.address, 9)
TICKET = Ticket((PLACE,), 0x0123456789ABCDE)
HERE = ipaddress.ip_address("127.0.0.1")
PORT_HERE = tcp_port()
TICKET_HERE = new_ticket([MeetingPlace(ipaddress.ip_address("127.0.0.1"), PORT_HERE)]).text


def settings(*words: str, makes: bool = True) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_network(parser, makes_ticket=makes, returns=True)
    return parser.parse_args(list(words))


def chosen(*words: str, makes: bool = True) -> tuple[Ticket, MeetingPlace | None]:
    return chosen_ticket(settings(*words, makes=makes))


def test_a_new_ticket_leads_to_the_named_relays_in_their_order() -> None:
    found, own = chosen("--relay", "203.0.113.9:80", "--relay", "203.0.113.7", "--ticket")
    assert own is None and [str(place) for place in found.places] == ["203.0.113.9:80", "203.0.113.7"]
    assert chosen("--relay", "203.0.113.7", "--ticket")[0].secret != found.secret


def test_without_a_relay_a_ticket_leads_to_this_machine() -> None:
    if all(one.network.is_loopback for one in present()):
        with pytest.raises(LocalError, match="name a relay with --relay HOST"):
            network_options(settings("--ticket"))
        return
    found, own = chosen("--ticket")
    assert found.places == (own,)


def test_an_open_port_comes_before_the_relays() -> None:
    port = tcp_port()
    found, own = chosen("--ticket", "--direct", f"203.0.113.1:{port}", "--relay", "203.0.113.7")
    assert found.places == (own, PLACE) and str(own) == f"203.0.113.1:{port}"


@pytest.mark.first(1)
@pytest.mark.parametrize("host", ["203.0.113.1", "100.64.1.2", "10.8.0.2"])
def test_a_place_that_was_named_by_hand_is_never_called_ones_own_network(host: str) -> None:
    """Documentation, Tailscale, a VPN: whoever names it knows who reaches it."""
    words = settings("--ticket", "--direct", f"{host}:{tcp_port()}")
    assert "for your own network" not in _way(cast("Any", SimpleNamespace(options=network_options(words))))
    assert "for your own network" in way_of(*chosen_ticket(words)).way


@pytest.mark.parametrize("words", [("--ticket", "--direct", "203.0.113.1:{}"), ("--ticket", TICKET_HERE)])
def test_the_relay_and_the_table_of_one_program_need_two_ports(words: tuple[str, ...]) -> None:
    """It once said that another program has the port, and named an option of another command."""
    port = str(PORT_HERE if TICKET_HERE in words else tcp_port())
    given = [word.format(port) for word in words]
    with pytest.raises(RulesError, match=f"the relay and the table can't both have TCP port {port}: .*--tcp-port"):
        network_options(settings(*given, "--tcp-port", port, makes=TICKET_HERE not in words))


def test_a_ticket_that_is_used_again_has_its_relay_again() -> None:
    assert chosen("--ticket", TICKET.text, makes=False) == (TICKET, None)
    with socket.create_server(("", 0)) as taken:
        own = MeetingPlace(ipaddress.ip_address("127.0.0.1"), taken.getsockname()[1])
        words = new_ticket([PLACE, own]).text
        assert chosen("--ticket", words, makes=False)[1] is None, "another program has it"
    assert chosen("--ticket", words, makes=False)[1] == own


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--relay", "203.0.113.7"), "add --ticket"),
        (("--direct", "203.0.113.7"), "add --ticket"),
        (("--ticket", "--room", "attic"), "a ticket is a room of its own"),
        (("--ticket", "--relay", "203.0.113.7:70000"), "with a port from 1 to 65535"),
        (("--ticket", "--relay", ":80"), "with a port from 1 to 65535"),
        (("--ticket", "--relay", "[]"), "with a port from 1 to 65535"),
    ],
)
def test_options_that_do_not_fit_are_refused(words: tuple[str, ...], why: str) -> None:
    with pytest.raises((RulesError, LocalError), match=why):
        network_options(settings(*words))


def test_a_machine_that_nobody_knows_is_named() -> None:
    with pytest.raises(LocalError, match=r'no machine called "nowhere\.invalid" is found'):
        network_options(settings("--ticket", "--relay", "nowhere.invalid"))


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("203.0.113.7", "203.0.113.7", RELAY_PORT),
        ("203.0.113.7:1", "203.0.113.7", 1),
        ("2001:db8::1", "2001:db8::1", RELAY_PORT),
        ("[2001:db8::1]", "2001:db8::1", RELAY_PORT),
        ("[2001:db8::1]:65535", "2001:db8::1", 65535),
        ("localhost:7", "127.0.0.1", 7),
    ],
)
def test_places_are_read_by_name_and_by_address(text: str, address: str, port: int) -> None:
    assert place_of(text) == MeetingPlace(ipaddress.ip_address(address), port)


def test_join_tells_a_ticket_from_a_table(run: Run) -> None:
    words = TICKET.text.split("-")
    wrong = run(["join", *words[:4], "tigre", *words[5:]])
    assert wrong.code == 1 and 'word 5 of the ticket, "tigre"' in wrong.err and '"tiger"' in wrong.err
    assert "neither one table nor the words of a ticket" in run("join Ann Bob").err
    assert "two tickets" in run(["join", *words, "--ticket", TICKET.text]).err


def test_the_host_reads_how_others_come() -> None:
    host = way_of(TICKET, None)
    assert host.way.split("\n")[-1].strip() == host.command
    own = MeetingPlace(ipaddress.ip_address("192.168.1.5"))
    assert "for your own network" in way_of(Ticket((own,), 1), own).way
    assert "for your own network" not in way_of(Ticket((own, PLACE), 1), own).way
    public = MeetingPlace(ipaddress.ip_address("9.9.9.9"))
    assert "for your own network" not in way_of(Ticket((public,), 1), public).way
    assert read(host.command.split()[2:]) == TICKET


def test_a_ticket_is_kept_until_its_game_is_over(tmp_path: Path) -> None:
    with Store(tmp_path, identity(1).key) as store:
        agreed = terms("maze", 2, {"size": 3})
        shelf = StoredTables(store, identity(1))
        store.keep_table(TABLE, "maze", "seat", 1)
        assert agreed.seats == 2 and shelf.far(TABLE) is None
        for ticket, own in ((TICKET, None), (two := new_ticket([PLACE, OTHER]), OTHER)):
            shelf.keep_far(TABLE, way_of(ticket, own).far.text)
            again = kept_ticket(shelf.far(TABLE) or "")
            assert again.far.room == ticket.keys.room and again.far.text == way_of(ticket, own).far.text
        assert again.words == two.text and again.far.text.endswith(",1")
        shelf.mark_over(TABLE)
        assert shelf.far(TABLE) is None


def test_a_relay_says_where_it_listens_and_what_it_did() -> None:
    port = tcp_port()
    with Program("relay", "--port", str(port)) as relay:
        relay.wait(f"This relay listens at TCP port {port}")
        assert relay.end(signal.SIGINT) == 0
        assert "Meetings served: 0." in relay.text


def test_doctor_examines_a_relay() -> None:
    with Running() as server:
        port = server.port
        text, fine = relay_finding(MeetingPlace(HERE, port))
        assert fine and f"The relay at 127.0.0.1:{port} answers in" in text
    text, fine = relay_finding(MeetingPlace(HERE, port))
    assert not fine and text.endswith("no program listens there.")
    with Running(RelayLimits(of_an_address=0)) as server:
        text, _ = relay_finding(MeetingPlace(HERE, server.port))
        assert "it takes no more connections from your address" in text


@pytest.mark.slow
def test_host_and_join_by_a_ticket_and_resume_without_it(tmp_path: Path) -> None:
    port = tcp_port()
    network = ("--interface", "127.0.0.1", "--plain")
    with Program("relay", "--port", str(port)) as relay:
        relay.wait("listens")
        more = ("--ticket", "--relay", f"127.0.0.1:{port}", *network, "--name", "Ann", "--home", str(tmp_path / "a"))
        with Program("host", "maze", "--set", "size=3", "--no-lot", *more) as host:
            words = host.wait("quadrille join (.+)")[1].split()
            guest_words = ("--name", "Bob", "--home", str(tmp_path / "b"), *network)
            with Program("join", *words, *guest_words) as guest:
                guest.wait(r"It is the turn of player 1 \(Ann\)")
                host.wait("Your turn")
                host.enter("moves")
                host.enter(host.wait(r"^  ([a-z]\d-[a-z]\d)")[1])
                guest.wait("Your turn")
                guest.end(signal.SIGKILL)
                host.wait("is away")
                with Program("resume", *guest_words) as again:
                    again.wait("Your turn")
                    host.wait("is back")
                    again.enter("quit")
                    assert again.end() == 0
            host.enter("quit")
            assert host.end() == 0
