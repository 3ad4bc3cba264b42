"""A data folder that is none, disks that are full or may not be written to: real programs on real terminals.

One line says what is the matter, the game goes on, nothing is lost.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.wishes import PlayMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read
from quadrille.rules.registry import game
from tests.net.ports import udp_port

if not sys.platform.startswith("linux"):
    pytest.skip("it takes away what a program stands on, in ways of Linux", allow_module_level=True)

from tests.client.programs import COMMAND, at_home
from tests.client.screen.pseudo_terminal import Program
from tests.client.sittings import moves_of

MAZE = ("play", "maze", "--two-people", "--set", "size=4", "--seed", "s")


def _may_mount() -> bool:
    found = shutil.which("unshare")
    words = ["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    return bool(found) and subprocess.run([str(found), *words], check=False, capture_output=True).returncode == 0


mounted = pytest.mark.skipif(not _may_mount(), reason="only root may mount a small disk of its own (unshare -m)")


def on_disk(options: str, *words: str, home: Path, bot: Path | None = None, **env: str) -> Program:
    """A program whose home is a disk of its own, mounted with these options; nobody else sees it. Its bot may have its
    home elsewhere.
    """
    link = "" if bot is None else f'ln -s {shlex.quote(str(bot))} "$0/bot-random-1" && '
    script = f'mount -t tmpfs -o {options} tmpfs "$0" && {link}exec "$@"'
    return Program(
        str(shutil.which("unshare")), "-m", "sh", "-c", script, str(home), *COMMAND, *words, home=home, **env
    )  # fmt: skip


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose name leaves room on a line for what is said about it."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def filled(program: Program, home: Path) -> Path:
    """A file that takes all there is left of the program's disk."""
    path = Path(f"/proc/{program.process.pid}/root{home}/all-the-rest")
    file = os.open(path, os.O_CREAT | os.O_WRONLY)
    try:
        for size in (4096, 64, 1):
            try:
                while os.write(file, b"x" * size):
                    pass
            except OSError:
                continue  # full, to that size
    finally:
        os.close(file)
    return path


def ended(program: Program) -> str:
    program.process.send_signal(signal.SIGTERM)
    assert program.ends() == 128 + signal.SIGTERM
    assert program.is_clean()
    return program.written.decode()


# A game of one's own


def test_a_game_that_can_be_kept_nowhere_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr("tempfile.tempdir", str(file))
    match = Match(game("maze"), {"size": 4}, deal=Deal("s"))
    own = OwnTables(str(file))
    seat = own.sit(GameSetup.of(match, ("", "")), lambda _: None)
    seat.wish(PlayMove("b4"))
    own.look(seat)
    [told] = own.close()
    said, record = told.split("This is its record:\n")
    assert said.startswith(f"This game can't be kept: {file}")
    assert moves_of(read(record)) == ["a4-b4"]


@mounted
@pytest.mark.parametrize("options", ["ro,size=64k", "size=64k"], ids=["may not be written to", "full"])
@pytest.mark.slow
def test_a_disk_that_takes_nothing(options: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    why = "it is read-only" if "ro" in options else "the disk is full"
    other = tmp_path_factory.mktemp("for-now")
    with on_disk(options, *MAZE, home=tmp_path, TMPDIR=str(other)) as program:
        if "ro" not in options:
            program.sees("TURN OF A")
            filled(program, tmp_path)
        program.moved()
        program.sees("This game isn't kept")
        program.press("theme paper", "enter")
        program.sees(f"This holds for now only: {why}")
        program.press(f"save {tmp_path}/x", "enter")
        program.sees(f"Not saved: {why}")
        program.press("c4", "enter")
        program.sees("last: B b4-c4")
        ended(program)
    [kept] = other.glob("quadrille-maze-*.txt")
    assert moves_of(read(kept.read_text("ascii"))) == ["a4-b4", "b4-c4"]


# The lobby and the network


@pytest.mark.slow
@pytest.mark.parametrize("words", [["host", "maze"], ["resume"], ["host", "maze", "--plain"]], ids=str)
def test_what_needs_a_data_folder_says_what_is_in_the_way(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with Program(*COMMAND, *words, *at_home(tmp_path / "file", udp_port(), "Ann"), home=tmp_path) as program:
        assert program.ends() == 1 and ("--plain" in words or program.is_clean())
        last = program.written.decode().replace("\r\n", "").rpartition("\x1b")[2]
        assert "can't be used: a file stands where a folder is needed. Move it away" in last


@mounted
@pytest.mark.parametrize("plain", [[], pytest.param(["--plain"], marks=pytest.mark.slow)], ids=["screen", "plain"])
@pytest.mark.slow
def test_a_disk_that_becomes_full_in_the_middle_of_a_game_on_the_network(
    plain: list[str], short: Path, tmp_path: Path
) -> None:
    """The move is refused in a sentence and stays typed; when there is room again it is made. The bot, a program of its
    own that may have something to write at any moment, has another disk.
    """
    words = ["host", "barons", "--against", "random", "--no-lot", *plain, *at_home(short, udp_port(), "Ann")]
    with on_disk("size=4m", *words, home=short, bot=tmp_path) as program:
        yours = "player 1>" if plain else "YOUR TURN"
        program.sees(yours)
        full = filled(program, short)
        program.press("a1", "enter")
        program.until(lambda: "the disk is full" in " ".join(program.text.split()), "why not")
        full.unlink()
        program.press(*(["a1"] if plain else []), "enter")
        program.sees(*(["player 2 ("] if plain else ["1 A a1", "2 B"]), yours)
