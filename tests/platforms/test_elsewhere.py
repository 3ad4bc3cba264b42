"""Our code where it can't be tried: with what Windows and macOS lack taken away (elsewhere.py), and words and paths."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.ai.bots import notes
from quadrille.ai.bots.process import executable
from quadrille.client.bots import names
from quadrille.client.tournament.runs import _seen_from
from quadrille.net.trust import guard
from tests.client import programs
from tests.client.programs import Program, play_on
from tests.net.ports import udp_port
from tests.waiting import DEADLINE

ELSEWHERE = [sys.executable, "-m", "tests.platforms.elsewhere"]
ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--set", "width=3", "--set", "height=3")


def done(*words: str, input: str = "") -> str:
    ended = subprocess.run(
        [*ELSEWHERE, *words], capture_output=True, text=True, check=False, timeout=DEADLINE, input=input, cwd=ROOT
    )
    assert not ended.returncode and "Traceback" not in ended.stderr, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("system", ["win32", pytest.param("darwin", marks=pytest.mark.slow)])
def test_every_module_can_be_imported(system: str) -> None:
    done(system, "imports")


# A bot's warden is a program, which would find itself on this system: only without a box does it ask for nothing else.
@pytest.mark.slow
@pytest.mark.parametrize(("system", "isolate"), [("win32", "if possible"), ("darwin", "none")])
def test_a_game_with_bots_at_one_keyboard_comes_to_its_end(system: str, isolate: str, tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text((ROOT / "examples/first_bot.py").read_text("utf-8"), "utf-8")
    words = ["play", "barons", "--seats", "3", *SMALL, "--seed", "s", "--isolate", isolate]
    words += ["--against", f"random,{bot}", "--plain", "--home", str(tmp_path / "home")]
    squares = [f"{column}{row}" for column in "abc" for row in "123"]
    assert "The game is over" in done(system, "run", *words, input="\n".join([*squares, "quit"]))


@pytest.mark.slow
def test_a_table_of_two_stations_comes_to_its_end_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(programs, "COMMAND", [*ELSEWHERE, "win32", "run"])
    port = udp_port()
    with (
        Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann,
        Program("join", "Ann", home=tmp_path / "b", port=port, name="Bob") as bob,
    ):
        ann.wait(r"^Bob sits down: 2 of 2 seats are taken")
        play_on(ann, bob, plies=9)
        for each in (ann, bob):
            each.wait(r"^The game is over")
            each.enter("quit")
        assert (ann.end(), bob.end()) == (0, 0)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths stay those of this system."""
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.usefixtures("windows")
def test_a_backslash_in_a_command_is_part_of_a_path_on_windows() -> None:
    words = [r"C:\Program Files\node\node.exe", r"bots\mine.js", "--fast", "it's"]
    assert executable.split_words(r'"C:\Program Files\node\node.exe" bots\mine.js --fast "it' + "'" + 's"') == words
    with pytest.raises(ValueError, match="quotation"):
        executable.split_words('node "bot.js')


def test_elsewhere_a_backslash_takes_the_meaning_of_what_follows() -> None:
    assert executable.split_words(r"a\ b 'c d' #e") == ["a b", "c d", "#e"]


@pytest.mark.usefixtures("windows")
def test_windows_is_told_by_what_a_script_is_run(tmp_path: Path) -> None:
    for name in ("mine.py", "mine.js", "mine.sh", "mine.exe", "mine"):
        (tmp_path / name).write_bytes(b"#!/nowhere")
        (tmp_path / name).chmod(0o755)
    assert executable.why_not(["./mine.py"], tmp_path) == (
        '"./mine.py" can\'t be started by itself on Windows: name what runs it, as in python ./mine.py'
    )
    assert "as in node ./mine.js" in executable.why_not(["./mine.js"], tmp_path)
    assert "as in PROGRAM ./mine.sh" in executable.why_not(["./mine.sh"], tmp_path)
    assert executable.why_not(["./mine.exe"], tmp_path) == executable.why_not(["./mine"], tmp_path) == ""


def test_notes_and_faults_are_written_byte_for_byte_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There a file that is opened by its flags is one of text, unless they say otherwise."""
    opened: list[int] = []

    def noted(path: str, flags: int, mode: int = 0o777) -> int:
        opened.append(flags)
        return before(path, flags, mode)

    before = os.open
    monkeypatch.setattr(os, "O_BINARY", os.O_SYNC, raising=False)
    monkeypatch.setattr(os, "open", noted)
    notes._new_file(tmp_path, "table")[1].close()
    guard.Guard(tmp_path)._write("here", ValueError("no"), None)
    assert len(opened) == 2 and all(flags & os.O_SYNC for flags in opened)


def test_a_bot_on_another_drive_is_named_by_its_whole_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def other_drive(path: str, start: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    (tmp_path / "mine.py").touch()
    (tmp_path / "plans").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os.path, "relpath", other_drive)
    assert _seen_from("./mine.py", tmp_path / "plans") == str(tmp_path / "mine.py")
    assert names.split_file(_seen_from("mine.py:Mine", tmp_path / "plans")) == (str(tmp_path / "mine.py"), "Mine")


RAISED = """
import resource as r
from quadrille.net.link.file_limit import raise_file_limit
for soft, hard, needed in ((90, 200, 120), (90, 200, 90), (90, 200, 80), (90, 200, 300)):
    r.setrlimit(r.RLIMIT_NOFILE, (soft, hard))
    print(raise_file_limit(needed), *r.getrlimit(r.RLIMIT_NOFILE))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX tells how many files may be open")
def test_the_limit_is_raised_to_what_is_needed_or_as_far_as_it_goes_and_never_lowered() -> None:
    """Of open files, where it is too low; in a program of its own, as it can't be raised again here."""
    told = subprocess.run([sys.executable, "-c", RAISED], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["120 120 200", "90 90 200", "80 90 200", "200 200 200"]
