"""The sealed channel of a phone, and that docs/protocols/phones.md tells what the code does."""

import hashlib
import json
import re

import pytest
from nacl.bindings import crypto_box_beforenm, crypto_box_keypair, crypto_secretbox

from quadrille.client.phones import requests, sealed
from quadrille.client.phones.connection import Dismissal
from quadrille.client.phones.sealed import SealedChannel, tidy_secret
from quadrille.net.core.errors import PeerError
from tests.documents import block, chapter, section, values

PHONES = chapter("phones")
SECRET = "k7m2-9xqd-4tzr-w8bh"


def page_keys(theirs: bytes, private: bytes, secret: str) -> tuple[bytes, bytes]:
    """The keys as a page makes them."""
    both = hashlib.sha512(b"quadrille phone" + crypto_box_beforenm(theirs, private) + secret.encode()).digest()
    return both[:32], both[32:]


def met() -> tuple[SealedChannel, bytes, bytes]:
    """A channel after the brief keys, with those of the page."""
    channel, (public, private) = SealedChannel(), crypto_box_keypair()
    channel.meet(public)
    return channel, public, private


def test_a_secret_counts_however_it_is_typed() -> None:
    assert tidy_secret(" K7M2 9xqd-4TZR.w8bh\n") == "k7m29xqd4tzrw8bh"
    channel, _, private = met()
    to_program, _ = page_keys(channel.public, private, tidy_secret(SECRET))
    frame = crypto_secretbox(b"hello", bytes(24), to_program)
    assert channel.accept(frame, ["other", SECRET.upper()]) == (SECRET.upper(), b"hello")


def test_a_wrong_secret_opens_nothing() -> None:
    channel, _, private = met()
    frame = crypto_secretbox(b"hello", bytes(24), page_keys(channel.public, private, "wrong")[0])
    assert channel.accept(frame, [SECRET, "other"]) is None


def test_a_listener_who_learns_the_secret_reads_nothing() -> None:
    channel, public, private = met()
    frame = crypto_secretbox(b"my card is 7S", bytes(24), page_keys(channel.public, private, tidy_secret(SECRET))[0])
    heard_public, heard_private = crypto_box_keypair()  # she has both public keys, the secret and a key of her own
    listener = SealedChannel()
    listener.meet(public)
    assert listener.accept(frame, [SECRET]) is None
    assert page_keys(channel.public, heard_private, tidy_secret(SECRET)) != page_keys(
        channel.public, private, tidy_secret(SECRET)
    )
    assert heard_public != public


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


def test_protocols_md_lists_every_request() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \|", PHONES, re.MULTILINE)
    assert rows[0] == "do"
    assert sorted(rows[1:]) == sorted(requests._KINDS)


def test_protocols_md_lists_every_end() -> None:
    rows = re.findall(r"^\| (4[0-9]{3}) \|", PHONES, re.MULTILINE)
    assert sorted(map(int, rows)) == sorted(one.value[0] for one in Dismissal)


def test_protocols_md_tells_the_limits() -> None:
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
