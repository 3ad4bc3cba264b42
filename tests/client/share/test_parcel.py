"""What is shared: all that Quadrille needs, for which machines, under one fingerprint."""

import ast
import hashlib
import re
from importlib.resources import files
from ipaddress import IPv4Interface
from pathlib import Path

import pytest

from quadrille.client.cli import main
from quadrille.client.network import addresses
from quadrille.client.share import parcel as share
from quadrille.client.share.parcel import ENGINE_NEEDS, MachineKind, Parcel, SharedFile, _machines, parcel
from quadrille.client.words.share import ALONE, grouped, invitation, machines_text
from quadrille.net.core.errors import LocalError
from quadrille.net.link import interfaces
from quadrille.net.link.interfaces import Interface
from tests.net.ports import tcp_port


@pytest.fixture(scope="module")
def here() -> Parcel:
    return parcel()


def names(found: Parcel) -> list[str]:
    return [name for name, _ in found.wheels]


def test_all_that_quadrille_needs_is_there_and_nothing_that_it_does_not(here: Parcel) -> None:
    needed = {"ifaddr", "msgpack", "platformdirs", "prompt-toolkit", "pynacl", "pyzmq", "segno", "wcwidth"}
    assert needed | {"cffi", "pycparser", "quadrille-games", "websockets"} <= set(here.needs)
    assert set(names(here)) == set(here.needs) | {"pip"}
    assert not {"pytest", "mypy", "numpy"} & set(names(here))
    assert names(here)[-1] == "quadrille-games"
    assert here.is_for_all


def test_two_hosts_with_the_same_files_show_the_same_fingerprint(here: Parcel) -> None:
    again = parcel()
    assert again.installer == here.installer
    assert again.fingerprint == here.fingerprint == hashlib.sha256(here.installer).hexdigest()[:16]
    assert re.fullmatch(r"([0-9a-f]{4} ){3}[0-9a-f]{4}", grouped(here.fingerprint))


def test_the_installer_lists_each_file_with_its_hash(here: Parcel) -> None:
    text = here.installer.decode()
    for path, file in list(here.files.items())[1:]:
        assert isinstance(file.data, bytes)
        assert path == f"/{file.name}"
        assert hashlib.sha256(file.data).hexdigest() == file.sha256
        assert f"'{file.name}', {file.size}, '{file.sha256}'" in text


def test_whoever_got_it_without_the_network_shares_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = share._installed
    monkeypatch.setattr(share, "_installed", lambda name: None if name in ("cffi", "pyzmq") else installed(name))
    found = parcel()
    assert {"cffi", "pyzmq", "pynacl"} <= found.needs.keys() and not {"cffi", "pyzmq"} & set(names(found))
    assert found.machines() == () and found.is_for_all
    monkeypatch.setattr(share, "_installed", lambda name: None if name == "msgpack" else installed(name))
    with pytest.raises(LocalError, match="msgpack is not installed here"):
        parcel()


def test_pip_comes_with_python_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    if not list(files("ensurepip").joinpath("_bundled").glob("pip-*.whl")):  # type: ignore[attr-defined]
        pytest.skip("this Python has no pip of its own")
    monkeypatch.setattr(share, "_installed", lambda _: None)
    [wheel] = share._pip()
    assert wheel.file.startswith("pip-") and wheel.file.endswith("-py3-none-any.whl") and wheel.data[:2] == b"PK"


def test_the_needs_of_a_compiled_engine_are_those_of_its_build() -> None:
    """They are read, not imported: the build needs setuptools, which an environment may not have."""
    source = (Path(__file__).parents[3] / "build_engine.py").read_text("utf-8")
    run_time = ast.literal_eval(re.search(r"^RUN_TIME = (.*)$", source, re.MULTILINE)[1])  # type: ignore[index]
    assert {re.split("[>=<]", line)[0].replace("_", "-") for line in run_time} == ENGINE_NEEDS


def test_wheels_for_other_machines_come_from_a_folder(tmp_path: Path, here: Parcel) -> None:
    with pytest.raises(LocalError, match="there is no wheel"):
        parcel(tmp_path)
    (tmp_path / "notes.txt").write_text("no wheel")
    (tmp_path / "cffi-2.1.1-cp313-cp313-win_amd64.whl").write_bytes(b"cffi")
    (tmp_path / "pynacl-1.6.2-cp38-abi3-win_amd64.whl").write_bytes(b"pynacl")
    found = parcel(tmp_path)
    assert len(found.files) == len(here.files) + 2
    assert found.fingerprint != here.fingerprint
    assert MachineKind("win_amd64", 13) in found.machines()
    assert MachineKind("win_amd64", 12) not in found.machines()
    assert found.machines()[0] == here.machines()[0]


@pytest.mark.parametrize(
    ("tags", "fits"),
    [
        ("cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64", {("linux_x86_64", 11)}),
        ("cp312-cp312-linux_x86_64", {("linux_x86_64", 12)}),
        ("cp38-abi3-win_amd64", {("win_amd64", minor) for minor in range(11, 15)}),
        ("cp312-abi3-musllinux_1_2_aarch64", {("musllinux_aarch64", minor) for minor in (12, 13, 14)}),
        ("py3-none-any", {("", minor) for minor in range(11, 15)}),
        ("py2.py3-none-any", {("", minor) for minor in range(11, 15)}),
        ("cp313-cp313-macosx_10_13_universal2", {("macosx_arm64", 13), ("macosx_x86_64", 13)}),
        ("pp311-pypy311_pp73-win_amd64", set()),
        ("cp313-cp313t-win_amd64", set()),
    ],
)
def test_the_machines_that_a_wheel_fits(tags: str, fits: set[tuple[str, int]]) -> None:
    assert {(one.platform, one.python) for one in _machines(f"a-1-{tags}.whl")} == fits


def test_a_machine_needs_every_wheel_of_the_network() -> None:
    def shared(*files: str) -> Parcel:
        found = tuple((name.partition("-")[0], SharedFile(f"{name}.whl", 1, "", b"")) for name in files)
        return Parcel("1", {"a": "", "b": "network", "c": "cards"}, found, b"")

    every = shared("a-1-py3-none-any", "b-1-cp313-cp313-win_amd64", "b-1-cp311-cp311-manylinux1_x86_64")
    assert every.machines() == (MachineKind("linux_x86_64", 11), MachineKind("win_amd64", 13))
    assert every.is_for_all
    some = shared("a-1-cp313-cp313-win_amd64", "b-1-cp313-cp313-win_amd64", "b-1-cp311-cp311-manylinux1_x86_64")
    assert some.machines() == (MachineKind("win_amd64", 13),)
    assert not some.is_for_all


def test_the_sentence_for_the_host_says_which_machines() -> None:
    told = machines_text([("linux_x86_64", 11), ("linux_x86_64", 12), ("macosx_arm64", 13)], for_all=True)
    assert told == (
        "Linux x86-64 with Python 3.11 and 3.12; macOS ARM64 with Python 3.13: everything works. "
        "Other machines: games at one keyboard and against bots, but no network."
    )
    assert machines_text([], for_all=False).endswith("Other machines: nothing works.")


def test_the_host_reads_the_line_for_the_likeliest_network_and_the_addresses_on_others() -> None:
    networks = {"192.168.1.5": "wlan0 (192.168.1.0/24)", "10.8.0.2": "tun0 (10.8.0.2/32)"}
    told = invitation("1.0", "0123456789abcdef", 8765, networks, "quadrille.", "All machines.")
    first, *lines = told.splitlines()
    assert first.startswith("Quadrille 1.0 is shared with everybody on wlan0 (192.168.1.0/24) and tun0")
    assert lines.count("Fingerprint: 0123 4567 89ab cdef") == 1
    assert [line for line in lines if "10.8.0.2" in line] == [
        "(10.8.0.2/32), until Ctrl-C.",
        "For other networks type one of these addresses instead: 10.8.0.2.",
    ]
    assert all(len(line) <= 80 for line in lines if "python3 -c" not in line)
    assert sum("http://192.168.1.5:8765'" in line for line in lines) == 2


def test_a_machine_that_is_alone_shares_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = (Interface("lo", IPv4Interface("127.0.0.1/8")),)
    for module in (addresses, interfaces):
        monkeypatch.setattr(module, "present", lambda: alone)
    assert main(["share", "--port", str(tcp_port())]) == 1
    assert capsys.readouterr() == ("", f"quadrille: {ALONE}\n")
