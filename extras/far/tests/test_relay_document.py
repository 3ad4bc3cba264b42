"""The chapter "Relay" of the protocols, compared with the code: a ticket, frames, limits, parcels."""

import ipaddress
import re
from dataclasses import asdict
from pathlib import Path

from quadrille.extras.far.link import relay_link
from quadrille.extras.far.relay import frames, meeting, parcels, stream, ticket
from quadrille.extras.far.relay.exchange import RelayLimits
from quadrille.extras.far.relay.frames import FrameKind, RefusalReason
from quadrille.extras.far.relay.parcels import ParcelKind
from quadrille.extras.far.relay.ticket import MeetingPlace, Ticket, read
from tests.documents import chapter, table, values

TEXT = chapter("relay")
#: The words of the document for the reasons of a refusal.
REASONS = {
    RefusalReason.VERSION: "another version",
    RefusalReason.FULL: "the relay is full",
    RefusalReason.MEETING_FULL: "the meeting is full",
    RefusalReason.ADDRESS_FULL: "too many connections from this address",
    RefusalReason.ENDING: "the relay ends",
}


def test_the_example_of_a_ticket() -> None:
    told = values("ticket")
    example = Ticket((MeetingPlace(ipaddress.ip_address(told["place"])),), int(told["secret"], 16))
    assert read([told["words"]]) == example and example.text == told["words"]
    keys = example.keys
    assert (keys.number.hex(), keys.seal.hex(), keys.room.passphrase) == (
        told["meeting"], told["seal"], told["passphrase"],
    )  # fmt: skip
    assert keys.room.name == f"ticket {told['meeting']}"
    assert f"TCP port {ticket.RELAY_PORT}" in TEXT and f"1 to {ticket.MOST_PLACES} of them" in TEXT


def test_frames() -> None:
    rows = table(TEXT, "kind")
    assert {name: int(kind) for kind, name, _ in rows[1:]} == {kind.name: int(kind) for kind in FrameKind}
    said = re.search(r"^Reasons: ([^.]+)\.", TEXT, re.MULTILINE)
    assert said and " ".join(said[1].split()) == ", ".join(f"{int(why)} {words}" for why, words in REASONS.items())
    assert f"1 to {frames.MOST_PARCEL} bytes" in TEXT


def test_limits() -> None:
    told = {name: value for name, value, _ in table(TEXT, "limit")[1:]}
    real = {
        name: f"{value[0]}, {value[1]}" if isinstance(value, tuple) else str(value)
        for name, value in asdict(RelayLimits()).items()
    }
    assert told == real


def test_parcels() -> None:
    kinds = ", ".join(f"{int(kind)} {kind.name}" for kind in ParcelKind)
    assert f"| 1 | kind: {kinds} |" in TEXT and f"DATA: 1 to {parcels.MOST_DATA} bytes" in TEXT
    assert f"every {meeting.BEACON_EVERY // 1000} seconds" in TEXT
    retry = f"after {relay_link.FIRST_RETRY / 1000} seconds, doubled each time up to {relay_link.LAST_RETRY // 1000}"
    assert retry in " ".join(TEXT.split())
    patience = f"nothing for {relay_link.QUIET / 1000} seconds, and gives it up after {relay_link.SILENT / 1000}"
    assert patience in " ".join(TEXT.split())


def test_streams() -> None:
    rows = table(TEXT, "bound")[1:]
    told = {name: [int(number) for number in re.findall(r"\d+", value + what)] for name, value, what in rows}
    assert told == {
        "acknowledge after": [stream.ACKNOWLEDGE_AFTER],
        "say again": [stream.SAY_AGAIN, stream.LAST_AGAIN],
        "doubt": [meeting.DOUBT, 1 << meeting.MOST_DOUBLINGS],
        "missing": [stream.MISSING],
        "give up": [stream.GIVE_UP],
        "early": [stream.MOST_EARLY],
        "unheard": [stream.MOST_PARTS, stream.MOST_UNHEARD],
    }


def test_each_test_that_the_chapter_names_is_there() -> None:
    files = Path(__file__).parent.glob("test_*.py")
    there = {name for file in files for name in re.findall(r"^def (test_\w+)\(", file.read_text("utf-8"), re.MULTILINE)}
    named = set(re.findall(r"\btest_[a-z0-9_]+\b", TEXT))
    assert len(named) > 5 and named <= there
