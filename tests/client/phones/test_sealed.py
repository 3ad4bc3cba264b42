"""A phone's secrets: its invitation, the QR code that it scans, and the sealed channel of docs/protocols/phones.md."""

import json
import re
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from nacl.bindings import crypto_box_beforenm, crypto_box_keypair, crypto_secretbox

from quadrille.client.phones import requests, sealed
from quadrille.client.phones.connection import Dismissal
from quadrille.client.phones.sealed import SealedChannel, tidy_secret
from quadrille.client.presence.invitation import QUIET, PhoneInvitation, half_blocks, matrix, wifi_text
from quadrille.net.core.errors import PeerError
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from tests.client.phones.doors import guest_list
from tests.client.phones.page_client import page_keys
from tests.documents import block, chapter, section, values

# The invitation: its strength, its way to the host's program, and that it is never told by accident


def test_a_secret_has_80_bits_and_no_letter_that_looks_like_another() -> None:
    made = [PhoneInvitation.new(4080) for _ in range(300)]
    assert len({one.secret for one in made}) == len({one.code for one in made}) == 300
    assert all(len(one.secret) == 16 for one in made)
    letters = set("".join(one.secret for one in made))
    assert len(letters) == 32 and not letters & set("01lo")  # 5 bits each


def test_the_link_has_the_secret_in_its_fragment_alone() -> None:
    mine = PhoneInvitation(4080, "k7m29xqd4tzrw8bh", "bcdf-2345")
    assert mine.address("192.168.1.5") == "http://192.168.1.5:4080/"
    assert mine.link("192.168.1.5") == "http://192.168.1.5:4080/#k7m2-9xqd-4tzr-w8bh"
    assert "k7m2" not in repr(mine) and "bcdf" not in repr(mine)


def test_an_evening_is_in_the_store_and_after_a_day_only_its_port_and_its_guests_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(tmp_path, Identity.open(tmp_path).key)) as store:
        evening = guest_list(store)
        evening.invitation = mine = PhoneInvitation.new(4081)
        ben = evening.give("Ben", "0" * 32)
        assert guest_list(store).invitation == mine and guest_list(store).guests == (ben,)
        later = time.time_ns() + 25 * 3600 * 10**9
        monkeypatch.setattr(time, "time_ns", lambda: later)
        after = guest_list(store)
        assert after.invitation.port == 4081 and after.guests == (ben,)
        assert after.invitation.secret != mine.secret and after.invitation.code != mine.code
        after.invitation = None
        after.keep(())
        assert guest_list(store).invitation is None and not guest_list(store).guests


# QR codes: read again by a decoder that shares nothing with what made them, from the terminal's own signs


_HALVES = {" ": "00", "▀": "10", "▄": "01", "█": "11"}
PLAIN_SECRET, CODE = "k7m29xqd4tzrw8bh", "bcdf-2345"
LINK = PhoneInvitation(65535, PLAIN_SECRET, CODE).link("192.168.178.123")


def decoded(lines: tuple[str, ...]) -> Any:
    zxing = pytest.importorskip("zxingcpp")
    numpy = pytest.importorskip("numpy")
    rows = [[_HALVES[sign][half] == "0" for sign in line] for line in lines for half in (0, 1)]
    picture = numpy.kron(numpy.array(rows, dtype="uint8") * 255, numpy.ones((4, 4), dtype="uint8"))
    [found] = zxing.read_barcodes(picture)
    return found


@pytest.mark.parametrize("link", [LINK, PhoneInvitation(4080, PLAIN_SECRET, CODE).link("10.0.0.7")])
def test_the_terminal_shows_a_code_that_a_decoder_reads(link: str) -> None:
    assert decoded(half_blocks(matrix(link))).text == link


def test_the_quiet_zone_is_white_on_all_sides() -> None:
    rows = matrix(LINK)
    turned = ["".join(column) for column in zip(*rows, strict=True)]
    for edge in (rows[:QUIET], rows[-QUIET:], turned[:QUIET], turned[-QUIET:]):
        assert "1" not in "".join(edge)
    for line in (rows[QUIET], turned[QUIET]):
        assert line[QUIET : QUIET + 7] == "1111111"  # the finder pattern begins at once


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("Home", "open sesame", "WIFI:T:WPA;S:Home;P:open sesame;;"),
        ("Café", "", "WIFI:T:nopass;S:Café;;"),
        (r"a;b,c:d\e", r'"x"', r"WIFI:T:WPA;S:a\;b\,c\:d\\e;P:\"x\";;"),
    ],
)
def test_a_wifi_is_said_as_phones_read_it(name: str, key: str, text: str) -> None:
    assert wifi_text(name, key) == text
    assert decoded(half_blocks(matrix(text))).text == text


# The sealed channel


PHONES = chapter("phones")
SECRET = "k7m2-9xqd-4tzr-w8bh"


def met() -> tuple[SealedChannel, bytes, bytes]:
    channel, (public, private) = SealedChannel(), crypto_box_keypair()
    channel.meet(public)
    return channel, public, private


def test_a_secret_counts_however_it_is_typed() -> None:
    assert tidy_secret(" K7M2 9xqd-4TZR.w8bh\n") == "k7m29xqd4tzrw8bh"
    channel, _, private = met()
    to_program, _ = page_keys(channel.public, private, tidy_secret(SECRET))
    frame = crypto_secretbox(b"hello", bytes(24), to_program)
    assert channel.accept(frame, ["other", SECRET.upper()]) == (SECRET.upper(), b"hello")
    channel, _, private = met()
    frame = crypto_secretbox(b"hello", bytes(24), page_keys(channel.public, private, "wrong")[0])
    assert channel.accept(frame, [SECRET, "other"]) is None, "a wrong secret opens nothing"


def test_a_listener_who_learns_the_secret_reads_nothing() -> None:
    channel, public, private = met()
    frame = crypto_secretbox(b"my card is 7S", bytes(24), page_keys(channel.public, private, tidy_secret(SECRET))[0])
    listener = SealedChannel()  # she has both public keys, the secret and a key of her own
    listener.meet(public)
    assert listener.accept(frame, [SECRET]) is None


def test_frames_open_once_and_in_their_order() -> None:
    channel, _, private = met()
    key, _ = page_keys(channel.public, private, tidy_secret(SECRET))
    first, second, third = (crypto_secretbox(b"x", n.to_bytes(24, "big"), key) for n in range(3))
    assert channel.accept(first, [SECRET])
    for wrong in (first, third, b"", second[:-1], bytes([second[0] ^ 1]) + second[1:]):
        with pytest.raises(PeerError):
            channel.opened(wrong)
    assert channel.opened(second) == b"x"


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), bytes(32), b"\x01" + bytes(31)])
def test_keys_that_are_none(key: bytes) -> None:
    with pytest.raises(PeerError):
        SealedChannel().meet(key)


def test_protocols_md_lists_every_request_and_end_and_tells_the_limits() -> None:
    asked = re.findall(r"^\| `([a-z]+)` \|", PHONES, re.MULTILINE)
    assert asked[0] == "do" and sorted(asked[1:]) == sorted(requests._KINDS)
    ends = re.findall(r"^\| (4[0-9]{3}) \|", PHONES, re.MULTILINE)
    assert sorted(map(int, ends)) == sorted({one.value[0] for one in Dismissal})
    assert f"at most {requests.MOST_BYTES:,} bytes" in " ".join(PHONES.split())


def test_protocols_md_has_the_bytes_of_a_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    told = values("sealed")
    keys = {name: bytes.fromhex(value) for name, value in told.items() if name not in ("secret", "request")}
    monkeypatch.setattr(sealed, "crypto_box_keypair", lambda: (keys["program-key"], keys["program-private"]))
    channel = SealedChannel()
    channel.meet(keys["page-key"])
    assert channel.accept(keys["frame-3"], [told["secret"]]) == (told["secret"], told["request"].encode())
    assert crypto_box_beforenm(keys["program-key"], keys["page-private"]) == keys["shared"]
    to_program, to_page = page_keys(keys["program-key"], keys["page-private"], tidy_secret(told["secret"]))
    assert (to_program, to_page) == (keys["key-to-program"], keys["key-to-page"])


def test_the_game_in_protocols_md_is_read_by_the_code() -> None:
    parts = set(re.findall(r"`([a-z_]+)`", section("Parts", "phones")))
    for line in block("phone").splitlines():
        match line[0]:
            case ">":
                requests.read_request(line[2:].encode())
            case "<":
                assert json.loads(line[2:]).keys() <= parts
            case sign:
                assert sign == "#"
