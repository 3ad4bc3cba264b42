"""A bot is named in the same way everywhere, and any program that a tournament takes can be played against."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan_file import named
from quadrille.client.bots.names import bot_name, called, command_name, program_words, slug
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.lobby.new_table import NewTable, request
from quadrille.client.screen.table.terminal import Pasted
from quadrille.client.table.notices import BotStopped, Seats
from quadrille.client.table.wishes import Host
from quadrille.client.words.table import by_seat
from quadrille.rules.errors import RulesError
from tests.ai.tournament.programs import source
from tests.client.conftest import Run
from tests.client.screen.test_new_table import at, press

FOLDER = Path(__file__).parents[2]
PYTHON = shlex.quote(sys.executable)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a bot is a script that can be run by itself, and a file of no kit that Python runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lines.txt").write_text(source())
    (tmp_path / "my.py").write_text(source())
    for name in ("bot", "with blank", "run.py"):
        (tmp_path / name).write_text(f"#!{sys.executable}\n{source()}")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def played(run: Run, *words: str) -> bool:
    done = run(["play", "maze", "--set", "size=2", "--plain", *words], "a2-a1")
    assert done.code == 0, done.err
    return re.search(r"^player 2 \(.+\): a1-b1", done.out.partition("player 1> a2-a1")[2], re.MULTILINE) is not None


NAMES = ["./bot", f"{PYTHON} lines.txt", f"{PYTHON} my.py", "./with blank", "/usr/bin/env ./bot"]


@pytest.mark.skipif(sys.platform == "win32", reason="scripts are run by their first lines on POSIX")
@pytest.mark.parametrize("name", [*NAMES[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES[2:])])
def test_play_takes_any_program(run: Run, folder: Path, name: str) -> None:
    shown = bot_name(name)
    assert bot_name(shown) == shown, "it means the same when it is read again, from any folder"
    assert Path(program_words(shown)[0]).is_absolute()
    assert played(run, "--against", name)
    assert called(shown) in ("bot", "lines", "my", "with blank") and slug(shown) != "bot-bot"


def test_a_command_with_commas_goes_by_exec(run: Run, folder: Path) -> None:
    assert played(run, "--exec", f"{PYTHON} lines.txt 1,2")
    assert played(run, "--exec", "./run.py"), "by its first line, and not by the kit"
    assert program_words(command_name("./run.py"))[-1] == str(folder / "run.py")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("./nothing", 'there is no file "./nothing"'),
        ("./lines.txt", "not executable"),
        ("no-such-program lines.txt", 'there is no program "no-such-program" on the PATH'),
        ("bot", "did you mean ./bot?"),
        ("mtcs", "did you mean mcts?"),
        ("gredy:3", "did you mean greedy:3?"),
        ("gredy:9", "did you mean greedy?"),
        ("run.yp", "did you mean run.py?"),
        ("rnu.py", 'there is no file "rnu.py": did you mean "run.py"?'),
        ("./lines.tx", 'there is no file "./lines.tx": did you mean "./lines.txt"?'),
        ("'unclosed quote", "is no command"),
        ("none.py", 'there is no file "none.py"'),
    ],
)
def test_what_can_t_be_started_is_refused_at_once_with_the_reason(folder: Path, name: str, why: str) -> None:
    with pytest.raises(ArgumentTypeError, match=re.escape(why)):
        bot_name(name)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mazer.js", '"node mazer.js"'),
        ("panic", "./panic"),
        ("panic.rs", "the program that is compiled from it, such as ./panic"),
    ],
)
def test_a_program_that_is_there_is_named_with_the_words_that_start_it(folder: Path, name: str, hint: str) -> None:
    (folder / name).write_text("")
    if "." not in name:
        (folder / name).chmod(0o755)
    with pytest.raises(TournamentError, match=re.escape(f"(did you mean {hint}?)")):
        named(name, str(folder))
    with pytest.raises(ArgumentTypeError, match=re.escape(f"did you mean {hint}?")):
        bot_name(name)


def test_the_author_of_a_bot_that_crashes_at_a_table_is_told_how_to_find_out_more() -> None:
    def said(bot: str) -> str:
        return by_seat(BotStopped(1, "ended with exit code 1", bot=bot), Seats.of(("Ann", "Ben"))).splitlines()[0]

    assert "(quadrille bot check '/my bots/a.py' finds out more). What now?" in said("/my bots/a.py")
    assert "bot check" not in said("mcts:2")


def test_the_dialog_for_a_new_table_takes_a_program(folder: Path) -> None:
    dialog = press(at(NewTable("maze", local=True), "Bot level"), *"./bo")
    with pytest.raises(RulesError, match=re.escape('can\'t be started: there is no file "./bo"')):
        request(dialog)
    dialog = press(dialog, "t")
    found = request(dialog)
    assert isinstance(found, NewGame) and found.bots == ("", str(folder / "bot"))
    assert request(press(dialog, "right")).bots == ("", "1"), "left and right go back to those of the house"
    dialog, _ = at(NewTable("maze", local=False), "Bot level").updated(Pasted(f"{PYTHON} lines.txt"))
    found = request(press(at(dialog, "Bots"), "1"))
    assert isinstance(found, Host) and program_words(found.bots[0])[1:] == [str(folder / "lines.txt")]
    emptied = press(dialog, *["backspace"] * 200)
    with pytest.raises(RulesError, match='there is no bot ""'):
        request(press(at(emptied, "Bots"), "1"))


#: What makes or runs each example; Python does the others.
TOOLS = {"js": "node", "c": "cc", "rs": "rustc", "go": "go", "java": "javac", "sh": "bash"}
PROGRAMS = ("bot.js", "bot.c", "bot.rs", "bot.go", "Bot.java", "bot.sh")
BOTS = ["examples/first_bot.py", "examples/strong_bot.py", *(f"examples/jsonlines/{name}" for name in PROGRAMS)]


@pytest.mark.slow
@pytest.mark.parametrize("path", BOTS)
def test_the_first_lines_of_the_examples_work(path: str, tmp_path: Path) -> None:
    """As they stand there, from the folder of this repository, with one game, which all of them play."""
    if shutil.which(TOOLS.get(path.rpartition(".")[2], sys.executable)) is None:
        pytest.skip("what runs or compiles it is not here")
    [line] = [line for line in (FOLDER / path).read_text("utf-8").splitlines()[:12] if "bot check" in line]
    command = re.search(r"(?:(?:cc|rustc|go|javac) .* && )?quadrille bot check .*$", line)
    shutil.copytree(FOLDER / "examples", tmp_path / "examples")
    quick = " --quick --within 5s --game maze --home home"
    written = command[0].rstrip('" ') if path.endswith("py") else command[0]
    run = written.replace("quadrille", f"{PYTHON} -m quadrille.client.cli") + quick
    env = os.environ | {"GOCACHE": str(tmp_path / "cache")}
    done = subprocess.run(run, shell=True, cwd=tmp_path, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing is wrong" in done.stdout
