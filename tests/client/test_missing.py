"""What is said of peers that should be here and are not, and what doctor says: real stations within this machine."""

import re
import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.client.cli import main
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence import diagnosis
from quadrille.client.presence.diagnosis import LOOK, Attempt, Diagnosis, Reach, not_met, verdict
from quadrille.client.presence.place import StationPresence
from quadrille.client.screen.evening_stage import EveningStage
from quadrille.client.screen.lobby.model import PageLine
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.stage import Absence
from quadrille.client.words.absent_peers import WORDS, absences, missing
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import CAUSES, CallEnd, Census, Endpoint, Halfway, Phase, Trouble
from quadrille.net.private_room.room import PrivateRoom
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.trust.identity import Identity
from tests.client.evening import Evening, Party, ScreenParty
from tests.client.lan_absences import SCENES
from tests.net.hosts import inside
from tests.net.ports import udp_port
from tests.net.tables import terms

PATIENCE = 120_000  # milliseconds; only a failing test waits so long
LOOPBACK = ["127.0.0.1"]


class Looking:
    def __init__(self, folder: Path, *seeds: str) -> None:
        seen = [f"127.0.0.1:{seed}" for seed in seeds]
        self.station = Station("Ann", "person", folder=folder, port=udp_port(), interfaces=LOOPBACK, seeds=seen)
        self.remarks: list[Remark] = []

    def until(self, condition: Callable[[], object], *others: Node) -> None:
        end = now() + PATIENCE
        while not condition():
            assert now() < end
            self.remarks += [event for event in self.station.turn(20) if isinstance(event, Remark)]
            for other in others:
                other.turn(5)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as made:
        yield made


def test_every_cause_has_words_and_every_end_of_a_call_has_a_cause() -> None:
    assert WORDS.keys() == set(Trouble) and len({words.text for words in WORDS.values()}) == len(Trouble)
    assert CAUSES.keys() == set(CallEnd)


def test_where_nobody_listens(tmp_path: Path, listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    listener.close()
    looking = Looking(tmp_path, str(port))
    with looking.station as station:
        looking.until(lambda: missing(station))
        text = f"Nobody listens at 127.0.0.1:{port}: is Quadrille running there, and is the port right?"
        assert missing(station) == [text]


@pytest.mark.parametrize("banner", [b"", b"220 mail.example ESMTP\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_where_another_program_answers(tmp_path: Path, listener: socket.socket, banner: bytes) -> None:
    port = listener.getsockname()[1]
    listener.settimeout(60)
    looking = Looking(tmp_path, str(port))
    with looking.station as station:
        station.turn(0)
        other, _ = listener.accept()
        with closing(other):
            other.sendall(banner)
            looking.until(lambda: missing(station))
        text = f"127.0.0.1:{port} accepts connections, but is not Quadrille: is the port right?"
        assert missing(station) == [text]


@pytest.mark.parametrize(
    ("headers", "name", "text"),
    [
        ({}, "zyre", "The program at 127.0.0.1:{} speaks the same protocol, but is not Quadrille"),
        ({"X-GAME": "quadrille/1"}, "Bob", "Bob's program speaks protocol 1, yours 3: ask Bob to update it (git pull"),
        ({"X-GAME": "quadrille/4"}, "Bob", "Bob's program speaks protocol 4, yours 3: yours is older, update it"),
        ({"X-GAME": "quadrille/1"}, "", "Somebody at 127.0.0.1's program speaks protocol 1, yours 3"),
    ],
)
def test_other_programs_and_other_versions_are_named(
    tmp_path: Path, headers: dict[str, str], name: str, text: str
) -> None:
    identity = Identity(secrets.token_bytes(32))
    headers = headers and headers | {"X-KEY": identity.key.hex()}
    with Node(identity.peer, name, headers, port=udp_port(), interfaces=LOOPBACK) as other:
        looking = Looking(tmp_path, str(other.tcp_port))
        with looking.station as station:
            looking.until(lambda: missing(station), other)
            [told] = missing(station)
            assert told.startswith(text.format(other.tcp_port))
            assert station.lobby.here == set()
            looking.until(lambda: not headers or looking.remarks, other)
            assert [remark.text[:20] for remark in looking.remarks] == [one.text[:20] for one in station.incompatible()]
            assert len(looking.remarks) == bool(headers)


@pytest.mark.parametrize(
    ("there", "room", "told"),
    [
        (False, "", "Nobody answers at 1.2.3.4:555 yet. Waiting for an answer. quadrille doctor says"),
        (True, "", "There is no table at 1.2.3.4:555 yet. Waiting for one. quadrille doctor says"),
        (True, " --room attic", "Waiting for one. Another passphrase leads to another room. quadrille doctor says"),
    ],
)
def test_where_nobody_answers_that_is_said_with_what_may_be_the_cause(*, there: bool, room: str, told: str) -> None:
    made = Evening(terms("barons", 2, lot=False), guests=0)
    for gathering in list(made.peers[0].lobby.gatherings.values()):
        gathering.leave()
    made.world.after(made.peers[0])
    guest = made.peers[1]
    context = replace(made.context(guest), room=room)
    made.sit(guest, TableSearch(context, sits=True, address="1.2.3.4:555", is_there=lambda _: there))
    made.settle(6000)
    assert told in made.told("p1")


def test_who_comes_to_watch_before_a_game_has_begun_hears_of_its_table_and_not_of_the_doctor() -> None:
    made = Evening(terms("barons", 2, lot=False), guests=0)
    made.choose("p1")
    made.settle(6000)
    told = r"\nThere is no game to watch yet. Waiting for one to begin. There is [0-9a-f]{8} \(p0\).\n$"
    assert re.search(told, made.told("p1"))


def counted(census: Census, *halfway: Halfway) -> Any:
    """A station that has met so many, and those half."""
    node = SimpleNamespace(overlay=None, own_troubles=list)
    return SimpleNamespace(node=node, census=lambda: census, halfway=lambda: [*halfway], incompatible=list)


def told_of(census: Census) -> list[str]:
    return missing(counted(census))


def heard(host: str, trouble: Trouble | None = Trouble.WALLED, peer: bytes = b"p", tries: int = 2) -> Halfway:
    return Halfway(Endpoint(host, 50000), Phase.AWAY, trouble, peer=peer, tries=tries)


@pytest.mark.parametrize("host", ["fe80::ec57:a8ff:fe60:fe91%2", "fd77::1", "10.77.0.2"])
def test_an_address_never_begins_with_a_capital_letter(host: str) -> None:
    one = counted(Census(0, 64, 0), heard(host))
    assert missing(one)[0].startswith(f"{host} is heard and")


def test_a_person_is_told_what_a_peer_types_that_lets_nobody_in() -> None:
    others = heard("10.77.0.3", None, b"q"), heard("10.77.0.5", peer=b"r", tries=1)
    one = counted(Census(0, 64, 0), heard("10.77.0.2"), *others)
    sure, unsure = absences(one, lambda host: f"type quadrille join {host}:1")
    assert (sure.of, sure.is_sure, unsure.is_sure) == (b"p", True, False)
    assert sure.text == (
        "10.77.0.2 is heard and lets nobody in: quadrille doctor there says how to open its firewall, or type "
        "quadrille join 10.77.0.2:1 there, unless a firewall stands here too."
    )
    assert missing(one)[0] == sure.text.split(", or ")[0] + "."


def test_the_command_for_such_a_peer_has_the_address_that_it_sees(tmp_path: Path) -> None:
    options = NetworkOptions("Ann", str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, None)
    with StationPresence(options) as place:
        port = place.station.node.tcp_port
        assert place._way_here("127.0.0.2") == f"add --connect 127.0.0.1:{port} to the command"
        place.station.lobby.host(terms("maze", 2), b"nonce", now())
        assert place._way_here("127.0.0.2") == f"type quadrille join 127.0.0.1:{port} --port {options.port}"
        place.options = replace(options, room=object())
        assert place._way_here("127.0.0.2") == "", "in a room it would have to be called"


def heard_by_a_host(shape: type[Party], *found: list[Absence]) -> str:
    """All that a host reads in lines or on the screen, while this is found absent, one after another."""
    party, now = shape(terms("barons", 2, lot=False), guests=0), list[Absence]()
    context = party.context(party.peer("p0")) if shape is ScreenParty else party.talks["p0"].stage.context
    object.__setattr__(context, "absent", lambda: now)
    for there in found:
        now[:] = there
        party.settle(3000)
    return "\n".join(party.lines + party.read("p0"))


@pytest.mark.parametrize("shape", [Party, ScreenParty])
def test_a_host_hears_once_of_each_absence_and_of_what_can_be_over_each_time(shape: type[Party]) -> None:
    """Not again of a peer that is heard at another address; of a relay that dies twice, twice, and that it works."""
    deaf = ([Absence(b"p", f"{address} is heard and lets nobody in.")] for address in ("10.77.0.2", "fe80::2%1"))
    told = heard_by_a_host(shape, *deaf)
    assert "10.77.0.2 is heard" in told and "fe80" not in told
    relay = Absence("a", "The relay at a can't be used: it is full.", over="The relay at a works again.")
    told = heard_by_a_host(shape, [relay], [], [relay], [])
    assert told.count("it is full.") == told.count("The relay at a works again.") >= 2


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_each_absence_has_one_cause_and_words_for_both_ends(tmp_path: Path, scene: str) -> None:
    inside("tests.client.lan_absences", str(tmp_path), scene, hosts=2)


def test_the_limits_of_rooms_and_halls_are_told() -> None:
    assert told_of(Census(12, 64, 0)) == told_of(Census(12, 64, 0, 900, 4096)) == []
    assert told_of(Census(64, 64, 2)) == [
        "This program has met 64 of at most 64 others, so 2 others found no place: close some that nobody "
        "uses, or meet in a private room."
    ]
    assert told_of(Census(64, 64, 1, 70, 4096)) == [
        "This program has met 64 of at most 64 others, so another one found no place: update older "
        "programs, which link with everybody, or meet in a private room."
    ]
    assert told_of(Census(12, 64, 0, 4096, 4096)) == [
        "4096 programs or more are here, and no more can be listed: some people and tables are missing in every list."
    ]


# What doctor says in the end: what it has seen, and what it can't know


@pytest.mark.parametrize(
    ("shown", "says", "never"),
    [
        ([Reach.LOOPBACK], "it is on no network: only programs on it can meet", "take two machines"),
        ([], "No other machine was heard, so whether one can be reached is unknown. To find", "were met"),
        ([Reach.HALFWAY], "those who are heard were not met", "No other machine"),
        ([Reach.HALFWAY, Reach.OTHERS], "programs on other machines were met", "unknown"),
    ],
)
def test_doctor_says_what_it_can_t_know(shown: list[Reach], says: str, never: str) -> None:
    said = verdict([Diagnosis("one"), *(Diagnosis("two", shows=reach) for reach in shown)])
    assert says in said and never not in said
    assert said != "Nothing is in the way."


IN_TIME, TOO_LATE = (Attempt(None, 1000 * (LOOK + seconds)) for seconds in (1, 30))


@pytest.mark.parametrize("slow", [(TOO_LATE, IN_TIME), (IN_TIME, TOO_LATE), (TOO_LATE, TOO_LATE)])
def test_a_second_program_that_starts_slowly_is_no_firewall(slow: tuple[Attempt, Attempt]) -> None:
    said = not_met(*slow, "Open the firewall.")
    assert said.fine and said.line.startswith("SLOW     This machine is busy: 34 s were too few")
    assert "firewall" not in said.text + verdict([said]) and "too busy to tell" in verdict([said])


def test_a_second_program_that_started_in_time_and_was_not_met_is_blocked() -> None:
    assert "do not meet at all. Open the firewall." in not_met(IN_TIME, IN_TIME, "Open the firewall.").text
    assert "only with the address of one" in not_met(IN_TIME, Attempt(200, 5000), "Open the firewall.").text
    assert not_met(IN_TIME, IN_TIME, "").line.startswith("BLOCKED  ")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal to wait for")
def test_a_second_program_that_never_says_a_word_is_slow_and_not_blocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "command", lambda: [sys.executable, "-c", "import signal; signal.pause()"])
    monkeypatch.setattr(diagnosis, "START", 0)
    monkeypatch.setattr(diagnosis, "LOOK", 0)
    options = NetworkOptions(None, str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, None)
    assert [finding.shows for finding in diagnosis._meeting(options)] == [Reach.BUSY]


@pytest.mark.slow
def test_programs_of_a_private_room_are_examined_outside_of_it(tmp_path: Path) -> None:
    options = NetworkOptions(None, str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, PrivateRoom("club", "a phrase"))
    tries = ([*diagnosis.examine(options)][-1].text for _ in range(5))  # a busy machine may be too slow to tell
    assert any("Two programs on this machine meet: " in text for text in tries)


def test_the_summary_is_laid_out_once_and_no_command_in_it_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(diagnosis, "examine", lambda _: iter([Diagnosis("All is well.")]))
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "`quadrille docs play-with-friends`" in " ".join(lines) and max(map(len, lines)) <= 40
    told: list[PageLine] = []
    EveningStage._examine(SimpleNamespace(_options=None, tell=told.append))  # type: ignore[arg-type]
    assert [row.line for row in told] == ["ok       All is well.", "", verdict([Diagnosis("All is well.")])]


def test_what_is_blocked_comes_first() -> None:
    said = verdict([Diagnosis("x", fine=False), Diagnosis("y", shows=Reach.OTHERS)])
    assert said.startswith("Something is in the way")
