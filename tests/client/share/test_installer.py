"""The program that another machine runs: it it takes what fits, and says what is missing."""

import ast
import hashlib
import shlex
from configparser import ConfigParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from quadrille.client.share import installer
from quadrille.client.share.installer import choice, ending, fetched, main
from quadrille.client.words.share import checking_line, short_line

SOURCE = files("quadrille.client.share").joinpath("installer.py").read_text("utf-8")
LINUX = ["cp311-cp311-manylinux_2_36_x86_64", "cp311-cp311-manylinux_2_17_x86_64", "cp38-abi3-manylinux_2_34_x86_64"]
WINDOWS = ["cp313-cp313-win_amd64", "cp38-abi3-win_amd64"]
NEEDS = {
    "cffi": "network", "librt": "engine", "msgpack": "", "pynacl": "network", "pyzmq": "cards", "quadrille-games": "",
}  # fmt: skip
NAMES = (
    "cffi-2-cp311-cp311-manylinux_2_17_x86_64", "librt-1-cp311-cp311-manylinux_2_17_x86_64",
    "msgpack-1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64", "msgpack-1-py3-none-any",
    "pip-25-py3-none-any", "pynacl-1-cp38-abi3-manylinux_2_34_x86_64",
    "pyzmq-27-cp311-cp311-manylinux_2_17_x86_64", "quadrille_games-1-cp311-cp311-manylinux_2_36_x86_64",
    "quadrille_games-1-py3-none-any",
)  # fmt: skip


def parcel(*names: str) -> dict[str, Any]:
    lines = [(name.partition("-")[0].replace("_", "-"), f"{name}.whl", 1, "") for name in names]
    return {"name": "quadrille-games", "version": "1", "needs": NEEDS, "files": lines}


def chosen(shared: dict[str, Any], tags: list[str]) -> tuple[list[str], list[str]]:
    found, missing = choice(shared, [*tags, "py3-none-any"])
    return [one[1].removesuffix(".whl") for one in found], missing


def test_a_python_that_is_too_old_reads_as_far_as_the_sentence_that_says_so() -> None:
    tree = ast.parse(SOURCE, feature_version=(3, 6))
    assert ast.unparse(tree.body[1]) == "import sys" and "Quadrille needs Python" in ast.unparse(tree.body[2])
    config = ConfigParser()
    config.read(Path(__file__).parents[3] / "setup.cfg", "utf-8")
    floor = config["options"]["python_requires"].removeprefix(">=")
    assert f"({floor.replace('.', ', ')})" in SOURCE and f"Python {floor} or later" in SOURCE
    assert SOURCE.isascii()


def test_a_machine_like_the_host_s_takes_what_is_compiled() -> None:
    found, missing = chosen(parcel(*NAMES), LINUX)
    assert missing == []
    plain = {"msgpack-1-py3-none-any", "quadrille_games-1-py3-none-any"}
    assert set(found) == set(NAMES) - {*plain, "pip-25-py3-none-any"}
    assert found[-1].startswith("quadrille_games")


def test_another_machine_takes_what_is_plain_and_hears_what_is_missing() -> None:
    found, missing = chosen(parcel(*NAMES), WINDOWS)
    assert found == ["msgpack-1-py3-none-any", "quadrille_games-1-py3-none-any"]
    assert missing == ["cffi", "pynacl", "pyzmq"]


def test_wheels_that_somebody_has_prepared_are_taken() -> None:
    more = ("cffi-2-cp313-cp313-win_amd64", "pynacl-1-cp38-abi3-win_amd64")
    found, missing = chosen(parcel(*NAMES, *more), WINDOWS)
    assert set(more) < set(found) and missing == ["pyzmq"]


def test_an_engine_that_could_not_start_is_left_out() -> None:
    found, missing = chosen(parcel(*(name for name in NAMES if "librt" not in name)), LINUX)
    assert missing == [] and found[-1] == "quadrille_games-1-py3-none-any"


def test_what_is_missing_is_said_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    ending(["cffi", "pyzmq"], NEEDS, "quadrille/bin")
    told = capsys.readouterr().out
    assert "The host has no cffi for this machine, " in told and "Tables on the network do not" in told
    assert "quadrille/bin/pip install cffi pyzmq" in told and "play maze --against 1" in told
    ending(["pyzmq"], NEEDS, "quadrille/bin")
    assert "shuffled decks take longer" in capsys.readouterr().out
    ending([], NEEDS, "quadrille/bin")
    assert capsys.readouterr().out == "Quadrille is installed. Start it: quadrille/bin/quadrille\n"


def test_a_file_with_another_hash_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "a-1-py3-none-any.whl").write_bytes(b"right")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    right = hashlib.sha256(b"right").hexdigest()
    path = fetched(tmp_path.as_uri(), ("a", "a-1-py3-none-any.whl", 5, right), scratch)
    assert Path(path).read_bytes() == b"right"
    (tmp_path / "a-1-py3-none-any.whl").write_bytes(b"right" * 100_000)
    with pytest.raises(ValueError, match="another hash"):
        fetched(tmp_path.as_uri(), ("a", "a-1-py3-none-any.whl", 5, right), scratch)
    assert (scratch / "a-1-py3-none-any.whl").stat().st_size == 6  # no more than was needed to see it


def test_a_folder_that_is_something_else_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quadrille").mkdir()
    (tmp_path / "quadrille/mine").write_text("mine")
    with pytest.raises(SystemExit, match="no environment of Python"):
        main(parcel(*NAMES), "http://10.77.0.1:8765", b"")
    assert (tmp_path / "quadrille/mine").exists()


def test_what_is_half_installed_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        (tmp_path / "quadrille").mkdir()
        raise ValueError("the host has no msgpack for this machine")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installer, "agreed", lambda: None)
    monkeypatch.setattr(installer, "install", fails)
    with pytest.raises(SystemExit, match="Nothing was installed: the host has no msgpack"):
        main(parcel(*NAMES), "http://10.77.0.1:8765", b"")
    assert not (tmp_path / "quadrille").exists()


def test_the_line_that_checks_runs_nothing_that_was_altered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = tmp_path / "install.py"
    there.write_bytes(b"print('it runs', len(s), r.url)")
    digits = hashlib.sha256(there.read_bytes()).hexdigest()[:16]
    short, checking = short_line(there.as_uri()), checking_line(there.as_uri(), digits)
    for line in (short, checking):
        exec(shlex.split(line)[2], {})
        assert capsys.readouterr().out.startswith("it runs 31 file:")
    there.write_bytes(b"print('it runs')")
    exec(shlex.split(checking)[2], {})
    assert capsys.readouterr().out == "Altered\n"


def test_the_lines_mean_the_same_to_every_shell() -> None:
    """One pair of double quotes, and between them nothing that sh, bash, cmd or PowerShell reads as its own."""
    for line in (short_line("http://192.168.178.123:8765"), checking_line("http://192.168.178.123:8765", "0" * 16)):
        assert line.count('"') == 2 and line.startswith('python3 -c "') and line.endswith('"')
        assert not set(line) & set("!$`%^&|<>\\") and line.isascii()
    assert len(short_line("http://192.168.178.123:8765")) <= 105
