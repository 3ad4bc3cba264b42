"""The chapter "Relay" of the protocols, compared with the code: a ticket, lines, limits, times."""

import ipaddress
import re
from dataclasses import asdict
from pathlib import Path

from quadrille.extras.far import meeting, relay, relay_line, ticket
from quadrille.extras.far.relay import RelayLimits
from quadrille.extras.far.ticket import MeetingPlace, Ticket, read
from tests.documents import chapter, table, values

TEXT = chapter("relay")
PROSE = " ".join(TEXT.split())


def test_the_example_of_a_ticket() -> None:
    told = values("ticket")
    example = Ticket((MeetingPlace(ipaddress.ip_address(told["place"])),), int(told["secret"], 16))
    assert read([told["words"]]) == example and example.text == told["words"]
    keys = example.keys
    assert (keys.number.hex(), keys.room_at(example.places[0]), keys.seal.hex(), keys.room.passphrase) == (
        told["meeting"], told["room"], told["seal"], told["passphrase"],
    )  # fmt: skip
    assert keys.room.name == f"ticket {told['meeting']}"
    assert f"TCP port {ticket.RELAY_PORT}" in TEXT and f"1 to {ticket.MOST_PLACES} of them" in TEXT


def test_lines() -> None:
    """Each first line of the chapter is one of the relay; each reason that it gives is in the chapter."""
    samples = {"room": "0" * 32, "token": "0" * 32, "beacon": "00", "number": "1", "own number": "2"}
    for words, _ in table(TEXT, "first line")[1:]:
        line = re.sub(r"\*([a-z ]+)\*", lambda found: samples[found[1]], words.replace("`", ""))
        assert relay._FIRST.fullmatch(f"{line}\n"), line
    source = Path(relay.__file__).read_text("utf-8")
    given = set(re.findall(r'refuse\(f?"(\w+)', source)) | set(re.findall(r'"NO (\w+)"', source))
    given |= set(re.findall(r'refuse\("(\w+)" if .* else "(\w+)"', source).pop())
    given |= {"version", "malformed"}
    assert given == {re.findall(r"`(\w+)`", reason)[0] for reason, _ in table(TEXT, "reason")[1:]}
    assert f"at most {relay.MOST_LINE} bytes" in PROSE and f"after {relay.BEAT // 1000} seconds without" in PROSE


def test_limits() -> None:
    told = {name: value for name, value, _ in table(TEXT, "limit")[1:]}
    real = {
        name: f"{value[0]}, {value[1]}" if isinstance(value, tuple) else str(value)
        for name, value in asdict(RelayLimits()).items()
    }
    assert told == real
    for said in (
        f"within {relay.FIRST_WORDS} milliseconds, and a call is taken within {relay.PATIENCE}",
        f"A first line costs {relay._LINE_PRICE} bytes",
        f"at most {relay.CHUNK} bytes wait for a slow reader",
        f"for which {relay.MOST_UNSENT} bytes of lines wait, or any for {relay.BEAT // 1000} seconds",
    ):
        assert said in PROSE, said


def test_members() -> None:
    for said in (
        f"after {meeting.FIRST_RETRY} seconds, doubled each time up to {meeting.LAST_RETRY:.0f}",
        f"no line comes for {meeting.SILENT:.0f} seconds",
        f"An answer has to come within {relay_line.PATIENCE:.0f} seconds",
        f"follows another within {meeting.AGAIN // 1000} seconds",
    ):
        assert said in PROSE, said
