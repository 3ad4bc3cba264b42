"""CPace against the test vectors of its draft, and against bad shares."""

import hashlib
import itertools

from quadrille.net.cards import group
from quadrille.net.cards.group import IDENTITY, ORDER
from quadrille.net.private_room import pake
from tests.net.cards.recorded import REFUSED

#: draft-irtf-cfrg-cpace-21, appendix "Test vector for CPace using group ristretto255 and hash SHA-512".
PASSWORD = b"Password"
CHANNEL = bytes.fromhex("6f630b425f726573706f6e6465720b415f696e69746961746f72")
SESSION = bytes.fromhex("7e4b4791d6a8ef019b936c79fb7f2c57")
STRING = (
    "11435061636552697374726574746f3235350850617373776f726464"
    + "00" * 100
    + ("1a6f630b425f726573706f6e6465720b415f696e69746961746f72107e4b4791d6a8ef019b936c79fb7f2c57")
)
HASH = (
    "c63a5750e2439c17ccd8213be14fde2f87e1bc637001a97f5929c77b30ea0e08"
    "afbc75ace5d3d73b2842a79d01488c5fd7ea30d475ee609545af1bfd1ff77c8e"
)
GENERATOR = "a6fc82c3b8968fbb2e06fee81ca858586dea50d248f0c7ca6a18b0902a30b36b"
SCALARS = tuple(
    int.from_bytes(bytes.fromhex(digits), "little")
    for digits in (
        "da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08",
        "d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d",
    )
)
A = pake.PakeMessage(bytes.fromhex("d40fb265a7abeaee7939d91a585fe59f7053f982c296ec413c624c669308f87a"), b"ADa")
B = pake.PakeMessage(bytes.fromhex("08bcf6e9777a9c313a3db6daa510f2d398403319c2341bd506a92e672eb7e307"), b"ADb")
COMMON = "e22b1ef7788f661478f3cddd4c600774fc0f41e6b711569190ff88fa0e607e09"
KEY = (
    "980dcc5a1c52ceea031e75f38ed266586616488c5c5780285fcbcf79087c7bcd"
    "bd993502eee606b718ba31e840a000a7b7befe15ea427c5cfe88344fa1237f35"
)


class TestVectorsOfTheDraft:
    def test_the_generator(self) -> None:
        assert pake.generator_string(PASSWORD, CHANNEL, SESSION).hex() == STRING
        assert hashlib.sha512(bytes.fromhex(STRING)).hexdigest() == HASH
        assert pake.generator(PASSWORD, CHANNEL, SESSION).hex() == GENERATOR

    def test_the_shares(self) -> None:
        for secret, sent in zip(SCALARS, (A, B), strict=True):
            assert group.times(secret, bytes.fromhex(GENERATOR)) == sent.share

    def test_the_key_of_the_run(self) -> None:
        assert group.times(SCALARS[0], B.share).hex() == group.times(SCALARS[1], A.share).hex() == COMMON
        for secret, mine, theirs in ((SCALARS[0], A, B), (SCALARS[1], B, A)):
            key = pake.session_key(secret, SESSION, mine, theirs)
            assert key is not None and key.hex() == KEY

    def test_a_bad_share_ends_the_run(self) -> None:
        secret = int.from_bytes(
            bytes.fromhex("7cd0e075fa7955ba52c02759a6c90dbbfc10e6d40aea8d283e407d88cf538a05"), "little"
        )
        good = bytes.fromhex("2c3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c")
        product = "7c13645fe790a468f62c39beb7388e541d8405d1ade69d1778c5fe3e7f6b600e"
        assert group.times(secret, good).hex() == product
        assert pake.session_key(secret, SESSION, A, pake.PakeMessage(good, b"")) is not None
        bad = bytes.fromhex("2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c")
        for share in (bad, *REFUSED, IDENTITY, b"", bytes(31), bytes(33), b"\xff" * 32):
            assert pake.session_key(secret, SESSION, A, pake.PakeMessage(share, b"x")) is None


class TestShares:
    def test_a_share_sent_back_ends_the_run(self) -> None:
        for data in (b"ADa", b"ADb"):
            assert pake.session_key(SCALARS[0], SESSION, A, pake.PakeMessage(A.share, data)) is None

    def test_everything_in_a_run_counts(self) -> None:
        keys = {
            pake.session_key(secret, session, mine, theirs)
            for secret, session in itertools.product(SCALARS, (SESSION, b""))
            for mine in (A, pake.PakeMessage(A.share, b"other"))
            for theirs in (B, pake.PakeMessage(B.share, b"other"))
        }
        assert len(keys) == 16 and None not in keys

    def test_a_tag_is_of_its_sender(self) -> None:
        key = bytes.fromhex(KEY)
        made = {
            pake.tag(*of)
            for of in itertools.product((key, bytes(64)), (SESSION, b""), (A, B, pake.PakeMessage(A.share, b"")))
        }
        assert len(made) == 12 and {len(one) for one in made} == {pake.TAG_BYTES}

    def test_a_scalar_is_of_sixty_four_bytes_and_never_nought(self) -> None:
        drawn = iter([bytes(64), ORDER.to_bytes(64, "little"), (ORDER + 7).to_bytes(64, "little"), b"\xff" * 64])
        asked: list[int] = []

        def draw(length: int) -> bytes:
            asked.append(length)
            return next(drawn)

        assert pake.scalar(draw) == 7 and asked == [64, 64, 64]
        assert 0 < pake.scalar(draw) < ORDER


def test_long_parts_have_long_lengths() -> None:
    assert pake.lv_cat(b"", b"ab") == b"\0\x02ab"
    assert pake.lv_cat(bytes(127))[:2] == b"\x7f\0" and pake.lv_cat(bytes(128))[:3] == b"\x80\x01\0"
    assert pake.lv_cat(bytes(300))[:2] == b"\xac\x02"


def test_a_long_secret_needs_no_padding() -> None:
    string = pake.generator_string(bytes(200), b"c", b"s")
    assert string == pake.lv_cat(b"CPaceRistretto255", bytes(200), b"", b"c", b"s")
