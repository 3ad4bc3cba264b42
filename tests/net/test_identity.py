"""Keys: what follows from one, that nobody can claim another's, and that the file of it is whole, private, and kept."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st
from zmq.utils import z85

from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home, own_folder
from quadrille.net.trust.identity import Identity, owner_of, peer_of, verified
from tests.net.test_store import POSIX

ORDER = 2**252 + 27742317777372353535851937790883648493  # of the group of Ed25519
FIELD = 2**255 - 19
ONE, TWO = Identity(bytes([1]) * 32), Identity(bytes([2]) * 32)


# The key. docs/protocols/identity.md has vectors (tests/net/test_protocols.py).


def test_the_key_and_the_signature_are_those_of_rfc_8032() -> None:
    sign_key = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    identity = Identity(sign_key)
    assert identity.key.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert identity.sign(b"").hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b"
    )


def test_nothing_secret_is_shown() -> None:
    shown = repr(ONE) + repr(ONE.curve())
    assert "ccf7 7c94 730e 0988" in shown
    assert bytes([1] * 32).hex() not in shown and repr(ONE.curve().secret) not in shown


def test_a_signature_has_one_form() -> None:
    """S + L is as good as S to a careless verifier: then one entry would have two signatures."""
    said = ONE.sign(b"e4")
    other = int.from_bytes(said[32:], "little") + ORDER
    assert not verified(ONE.key, said[:32] + other.to_bytes(32, "little"), b"e4")
    assert not verified(ONE.key, said + b"e", b"4")
    assert not verified(ONE.key + b"x", said, b"e4")


def test_a_key_that_would_verify_anything_is_none() -> None:
    """Points of small order: with them (R = identity, S = 0) would sign every message."""
    for key in (bytes([1]) + bytes(31), bytes(32), bytes(31) + b"\x80"):
        assert not verified(key, bytes([1]) + bytes(63), b"e4")


@given(st.binary(max_size=33) | st.binary(min_size=32, max_size=32), st.binary(max_size=65), st.binary(max_size=9))
def test_whatever_it_is_it_is_no_more_than_wrong(key: bytes, signature: bytes, data: bytes) -> None:
    assert not verified(key, signature.ljust(64, b"\0") if len(signature) > 40 else signature, data)
    assert owner_of(ONE.peer, key) is None


def test_no_two_askings_for_a_secret_give_the_same() -> None:
    asked = [
        ("seed",), ("seed", b""), ("seed", b"", b""), ("see", b"d"), ("seed", b"ab"), ("seed", b"a", b"b"),
        ("seed", b"", b"ab"), ("seeda", b"b"), ("", b"seed"), ("seed\0\0\0\0",),
    ]  # fmt: skip
    found = {identity.secret(*words) for identity in (ONE, TWO) for words in asked}
    assert len(found) == 2 * len(asked)
    assert not found & {ONE.curve().public, ONE.curve().secret, ONE.key, bytes([1]) * 32}


class TestCurve:
    def test_it_is_a_key_pair_to_zmq_too_and_its_owner_is_found(self) -> None:
        for number in range(40):
            identity = Identity(bytes([number]) * 32)
            curve = identity.curve()
            assert z85.decode(zmq.curve_public(z85.encode(curve.secret))) == curve.public
            assert owner_of(identity.peer, curve.public) == identity.key

    def test_nobody_can_put_their_curve_key_beside_the_peer_of_another(self) -> None:
        assert owner_of(ONE.peer, TWO.curve().public) is None

    def test_another_form_of_the_key_is_none(self) -> None:
        public = ONE.curve().public
        assert owner_of(ONE.peer, public[:31] + bytes([public[31] | 0x80])) is None
        for length in (0, 31, 33):
            assert owner_of(ONE.peer, (public + b"\0")[:length]) is None
        # 9 is the base point of Curve25519 and 4/5 that of Ed25519; 9 + p is the same number to a careless reader.
        base = (4 * pow(5, -1, FIELD) % FIELD).to_bytes(32, "little")
        assert owner_of(peer_of(base), (9).to_bytes(32, "little")) == base
        assert owner_of(peer_of(base), (9 + FIELD).to_bytes(32, "little")) is None

    def test_points_of_small_order_have_no_owner(self) -> None:
        zero = bytes(32)  # y = 0 is of order 4, and u = 1
        for u in (0, 1, FIELD - 1, FIELD, 2 * FIELD - 1):
            assert owner_of(peer_of(zero), u.to_bytes(32, "little")) is None


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(folder: Path) -> str:
    with pytest.raises(LocalError) as caught:
        Identity.open(folder)
    assert str(folder / "identity.key") in str(caught.value)
    return str(caught.value)


class TestFile:
    def test_it_is_made_once_and_then_read(self, tmp_path: Path) -> None:
        first = Identity.open(tmp_path)
        assert Identity.open(tmp_path).key == first.key
        assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]
        assert Identity((tmp_path / "identity.key").read_bytes()).key == first.key
        assert Identity.open(own_folder(tmp_path, "ann")).key != first.key

    @POSIX
    def test_nobody_else_can_read_it_at_any_moment(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        opened, real = [], os.open

        def watched(path: object, flags: int, permissions: int = 0o777) -> int:
            file = real(path, flags, permissions)
            if flags & os.O_CREAT:
                opened.append((bool(flags & os.O_EXCL), stat.S_IMODE(os.fstat(file).st_mode)))
            return file

        monkeypatch.setattr(os, "open", watched)
        before = os.umask(0)
        try:
            Identity.open(tmp_path)
        finally:
            os.umask(before)
        assert opened == [(True, 0o600)]
        assert mode(tmp_path / "identity.key") == 0o600

    @pytest.mark.parametrize("content", [b"", bytes(range(31)), bytes(range(33)), bytes(32)])
    def test_a_damaged_one_is_refused_and_left_alone(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "identity.key"
        path.write_bytes(content)
        path.chmod(0o600)
        assert "is damaged: it should hold 32 secret bytes. Restore it from a backup" in refused(tmp_path)
        assert path.read_bytes() == content

    @POSIX
    def test_one_that_others_can_read_is_refused(self, tmp_path: Path) -> None:
        Identity.open(tmp_path)
        for permissions in (0o640, 0o604, 0o620, 0o601):
            (tmp_path / "identity.key").chmod(permissions)
            told = refused(tmp_path)
            assert "can be read by others on this machine" in told and "chmod 600" in told
            assert mode(tmp_path / "identity.key") == permissions

    @POSIX
    def test_one_that_belongs_to_another_user_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        Identity.open(tmp_path)
        me = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: me + 1)
        assert "belongs to another user of this machine" in refused(tmp_path)

    @POSIX
    def test_a_folder_in_its_place_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "identity.key").mkdir()
        assert "is not an ordinary file: move it away" in refused(tmp_path)

    def test_where_two_programs_make_one_at_once_the_first_stays(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, rival = os.link, []

        def late(part: Path, path: Path) -> None:
            monkeypatch.setattr(os, "link", real)
            rival.append(Identity.open(tmp_path))
            real(part, path)

        monkeypatch.setattr(os, "link", late)
        assert Identity.open(tmp_path).key == rival[0].key == Identity.open(tmp_path).key
        assert len(list(tmp_path.iterdir())) == 1

    @pytest.mark.parametrize("rivals", [0, 1])
    def test_a_file_system_where_no_file_has_two_names_will_do(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rivals: int
    ) -> None:
        theirs = bytes(range(32))

        def impossible(part: Path, path: Path) -> None:
            if rivals:
                path.write_bytes(theirs)
                path.chmod(0o600)
            raise PermissionError(errno.EPERM, "no links here")

        monkeypatch.setattr(os, "link", impossible)
        made = Identity.open(tmp_path)
        assert made.key == Identity.open(tmp_path).key
        assert (made.key == Identity(theirs).key) is bool(rivals)
        assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]
        if sys.platform != "win32":
            assert mode(tmp_path / "identity.key") == 0o600

    @pytest.mark.parametrize(
        ("number", "said"),
        [
            (errno.ENOSPC, "the disk is full. Free some space"),
            (errno.EROFS, "is read-only: make it writable for yourself"),
            (errno.EACCES, "is read-only: make it writable for yourself"),
            (errno.EIO, "QUADRILLE_HOME"),
        ],
    )
    def test_a_disk_that_does_not_take_it_is_named_and_nothing_is_left(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
    ) -> None:
        def failing(file: int) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", failing)
        assert said in refused(tmp_path)
        assert not list(tmp_path.iterdir())

    def test_it_is_on_the_disk_before_it_has_its_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told, sync, link = [], os.fsync, os.link
        monkeypatch.setattr(os, "fsync", lambda file: (told.append(os.fstat(file).st_size), sync(file)))
        monkeypatch.setattr(os, "link", lambda part, path: (told.append("named"), link(part, path)))
        Identity.open(tmp_path)
        assert told[:2] == [32, "named"]
        assert len(told) == (2 if sys.platform == "win32" else 3), "and the name too"


class TestFolder:
    def test_an_argument_goes_before_the_environment_and_that_before_the_platform(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("QUADRILLE_HOME", str(tmp_path / "told"))
        assert home("given") == tmp_path / "given", "absolute wherever we are"
        assert home() == tmp_path / "told"
        monkeypatch.setenv("QUADRILLE_HOME", "")
        assert home().name == "quadrille" and home().is_absolute()

    def test_no_home_at_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("QUADRILLE_HOME", raising=False)
        monkeypatch.setattr("platformdirs.user_data_path", lambda *_: Path("~/share/quadrille"))
        for folder in (None, "~nobody-of-this-name/games"):
            with pytest.raises(LocalError, match="there is no home folder on this machine: name a folder"):
                home(folder)

    def test_each_bot_has_its_own_and_a_home_that_it_brings_is_as_private(self, tmp_path: Path) -> None:
        assert own_folder(tmp_path) == tmp_path
        assert own_folder(tmp_path / "home", "con") == tmp_path / "home" / "bot-con"
        if sys.platform != "win32":
            assert mode(tmp_path / "home") == mode(tmp_path / "home" / "bot-con") == 0o700

    @pytest.mark.parametrize("name", ["..", "a/b", "a\\b", "Ann", "-x", "a" * 41, "ä", "a\n", "a b", "a."])
    def test_a_bot_has_a_plain_name(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(LocalError, match="can't be the name of a bot's identity"):
            own_folder(tmp_path, name)
        assert not list(tmp_path.iterdir())

    def test_a_file_in_its_place_and_a_folder_that_vanished(self, tmp_path: Path) -> None:
        (tmp_path / "games").write_text("mine")
        for inside in ("games", "games/deeper"):
            with pytest.raises(LocalError, match="a file stands where a folder is needed"):
                own_folder(tmp_path / inside)
        assert (tmp_path / "games").read_text() == "mine"
        assert "its folder is gone" in refused(tmp_path / "nowhere")
