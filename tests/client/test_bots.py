"""Bots as programs on one machine: those that break, at a table with people and other bots, and those that never start.

What each kind of broken bot does is said in tests/ai/bots/broken.py.
"""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.ai.bots.broken import BROKEN
from tests.client.conftest import Run
from tests.client.programs import Program, legal_move
from tests.client.test_network import run

SMALL = ("--set", "width=3", "--set", "height=3", "--no-lot")


def python(path: Path) -> tuple[str, str]:
    """A program that imports nothing starts quicker without what Python brings along."""
    return "--exec", shlex.join([sys.executable, "-I", "-S", str(path)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--exec", "{python} -c 0", "--any", "maze"], "ended with exit code 0"),
        (["--exec", "{python} {maze}", "--any", "barons"], "does not play barons: it plays maze"),
        (["--exec", "{python} {chess}", "--serve"], "it plays chess"),
    ],
)
def test_one_clear_line_and_no_seat(tmp_path: Path, port: int, words: list[str], says: str) -> None:
    for name in ("maze", "chess"):
        hello = f'{{"hello": "x", "protocol": 1, "games": ["{name}"]}}'
        (tmp_path / f"{name}.py").write_text(f"print({hello!r}, flush=True)\ninput()\ninput()\n")
    names = {"python": sys.executable, "maze": tmp_path / "maze.py", "chess": tmp_path / "chess.py"}
    with Program("bot", *(word.format(**names) for word in words), home=tmp_path / "home", port=port) as bot:
        assert bot.end() == 1
    assert bot.lines[-1].startswith("quadrille: the bot ") and says in bot.lines[-1], bot.text
    assert not [line for line in bot.lines[:-1] if "looking for a table" not in line and "isolated" not in line]


@pytest.mark.slow
def test_a_lost_game_is_bundled_and_run_again(tmp_path: Path, port: int) -> None:
    illegal = next(bot for bot in BROKEN if bot.file == "illegal.py")
    home = ("--home", str(tmp_path / "b"))
    with (
        Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann,
        Program(
            "bot", *python(illegal.path), "--join", "Ann", *home, home=tmp_path / "b", port=port, name="Rob"
        ) as bot,
    ):
        ann.wait(r"^Your turn")
        ann.enter(legal_move(ann))
        assert bot.end() == 1
    listed = run("bot", "bundle", "--list", *home).stdout
    assert re.fullmatch(r"\w{8}  .* UTC  rob, barons, illegal: it moved \"z99-z98\".*\n", listed)
    file = str(tmp_path / "lost.json")
    made = run("bot", "bundle", "last", "-o", file, *home)
    assert made.returncode == 0 and f"quadrille bot replay --run {file}" in made.stdout
    assert run("bot", "bundle", "-o", file, *home).returncode == 2  # it is there already
    again = run("bot", "replay", "--run", file)
    assert again.returncode == 1
    assert again.stdout.startswith("runs: ") and "It fails (illegal): it moved" in again.stdout
    assert "  A  player 1" in again.stdout and "> B  player 2" in again.stdout
    better = run("bot", "replay", file, "random")
    assert better.returncode == 0 and "It does not fail now." in better.stdout
    assert "z99-z98" in better.stdout
    nothing = run("bot", "bundle", "0123456789", *home)
    assert nothing.returncode == 1 and 'no game at a table "0123456789" is kept' in nothing.stderr


@pytest.mark.slow
def test_the_check_of_a_broken_bot_on_the_command_line(tmp_path: Path) -> None:
    path = next(bot.path for bot in BROKEN if bot.file == "illegal.py")
    words = ("bot", "check", *python(path), "--quick", "--home", str(tmp_path))
    done = run(*words, "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1 and data["fine"] is False and "FAULT" in done.stderr
    assert [fault["kind"] for fault in data["faults"]] == ["illegal"] * 3
    assert data["faults"][0]["turn"] == 1 and "z99-z98" in data["faults"][0]["lines"][-1]
    assert run("bot", "replay", "--run", data["faults"][0]["bundle"]).returncode == 1
    told = run(*words)
    assert told.returncode == 1 and "3 faults in 2 games" in told.stdout
    assert f"once more:  quadrille bot replay --run {data['faults'][0]['bundle']}" in told.stdout


def test_a_bundle_runs_nothing_unless_the_person_says_so(run: Run, tmp_path: Path) -> None:
    file, trace = tmp_path / "b.json", tmp_path / "PWNED"
    command = ["sh", "-c", f"touch {trace}\x1b[2J"]
    lines = [{"at": 0, "told": {"do": "hello", "protocol": 1, "rules": 1}}, {"at": 1, "said": '{"hello": "x"}'}]
    file.write_text(json.dumps({"bundle": 1, "command": command, "lines": lines}))  # its answer is waited for
    done = run(f"bot replay {file}")
    assert done.code == 2 and not trace.exists()
    assert f"sh -c 'touch {trace}\\x1b[2J'" in done.out and f"quadrille bot replay --run {file}" in done.out
    assert run(f"bot replay {file} random").code == 0 and not trace.exists()
    assert run(f"bot replay --run {file}").out.startswith("runs: sh -c")
    assert list(tmp_path.glob("PWNED*"))


def test_a_check_of_a_program_that_is_not_there(run: Run, tmp_path: Path) -> None:
    done = run(f"bot check --exec ./not-there --home {tmp_path}")
    assert (done.code, done.err) == (1, "") and "crash: the bot can't be started: there is no file" in done.out
