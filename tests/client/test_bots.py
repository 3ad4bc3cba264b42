"""Bots as programs on one machine: those that break, at a table with people and other bots, and those that never start.

What each kind of broken bot does is said in tests/ai/bots/broken.
"""

import json
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from quadrille.net.game_log import archive
from quadrille.rules.match import WAYS_OUT
from tests.ai.bots.broken import AFTERWARDS, AT_START, AT_TURN, BROKEN, Broken
from tests.client.conftest import Run
from tests.client.programs import Program, legal_move, play_on
from tests.client.test_network import run
from tests.net.ports import udp_port
from tests.waiting import soon

SMALL = ("--set", "width=3", "--set", "height=3", "--no-lot")
#: One that leaves something behind, with so many seats: it runs always.
USUAL = {"leaves_children.py": 2}


@pytest.fixture
def port() -> int:
    return udp_port()


def python(path: Path) -> tuple[str, str]:
    """A program that imports nothing starts quicker without what Python brings along."""
    return "--exec", shlex.join([sys.executable, "-I", "-S", str(path)])


def patience(bot: Broken) -> tuple[str, str]:
    """Short with those that are waited for to the end of it, and for no other a reason to be late."""
    return "--patience", "4s" if bot.kind in ("time", "stall") else "1m"


def own_copy(bot: Broken, folder: Path) -> Path:
    """Its file under a name that nobody else has on a command line."""
    return Path(shutil.copy(bot.path, folder / f"{folder.name}-{bot.file}"))


def left_behind(path: Path) -> list[str]:
    """What runs with that file on its command line, where the system tells."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_text().split("\0")
        except OSError:
            continue  # it has ended
        if str(path) in words:
            found.append(" ".join(words))
    return found


def matrix(*bots: Broken) -> list[object]:
    """With 2 or 3 seats in turn, so that of those that are late some have a clock; most of it is slow."""
    return [
        pytest.param(bot, seats, id=f"{bot}-{seats}", marks=() if USUAL.get(bot.file) == seats else pytest.mark.slow)
        for number, bot in enumerate(bots)
        for seats in (USUAL.get(bot.file, 2 + number % 2),)
    ]


def play_to_the_end(ann: Program) -> None:
    play_on(ann, plies=20)
    ann.wait(r"^The game is over")


@contextmanager
def party(
    folder: Path, port: int, bot: Broken, path: Path, seats: int, *clock: str
) -> Iterator[tuple[Program, Program]]:
    """Ann, who hosts, in some cases a bot of the house, and then the bot."""
    others = ("--against", "random") if seats == 3 else ()
    words = ("host", "barons", "--seats", str(seats), *SMALL, *others, *clock)
    with Program(*words, home=folder / "a", port=port, name="Ann") as ann:
        ann.wait(r"^\w+ \(random of Ann\) sits down" if others else r"^Table \w{8} is open")
        words = ("bot", *python(path), *patience(bot), "--join", "Ann")
        with Program(*words, home=folder / "b", port=port, name="Rob") as broken:
            yield ann, broken


#: One for each way out that a table writes: which fault a bot has, tests/ai/bots/test_broken.py asks of all of them.
EACH_KIND = ("exits.py", "hangs.py", "illegal.py", "huge_line.py", "asks_for_ever.py")


def test_each_kind_of_fault_is_tried() -> None:
    assert {bot.kind for bot in AT_TURN} == {bot.kind for bot in AT_TURN if bot.file in EACH_KIND}


@pytest.mark.parametrize(("bot", "seats"), matrix(*(bot for bot in AT_TURN if bot.file in EACH_KIND)))
def test_one_that_breaks_on_its_turn_hurts_nobody_else(tmp_path: Path, port: int, bot: Broken, seats: int) -> None:
    clock = ("--clock", "4s") if bot.kind == "time" and seats == 3 else ()
    kind = "stall" if bot.kind == "time" and not clock else bot.kind
    assert kind is not None
    path = own_copy(bot, tmp_path)
    with party(tmp_path, port, bot, path, seats, *clock) as (ann, broken):
        ann.wait(r"^Your turn")
        ann.enter(legal_move(ann))
        ann.wait(rf"^player \d \(Rob\) {WAYS_OUT[kind]}")
        play_to_the_end(ann) if seats == 3 else ann.wait(r"^The game is over")
        ann.enter(f"save {tmp_path / 'game.txt'}")
        ann.wait(r"^Saved to ")
        code = broken.end()
        assert code == 1 or (clock and code == 0), "the table may see a flag fall before the bot's own program does"
        if code:
            [line] = [line for line in broken.lines if "the program" in line]
            assert clock or bot.says in line or kind == "stall"
            assert f"({kind})" in line or "ran out of time" in line
        assert soon(lambda: left_behind(path) == [])
        ann.enter("quit")
        assert ann.end() == 0
    record = archive.record(archive.read((tmp_path / "game.txt").read_text("utf-8")))
    assert re.search(rf"^\d+ p{seats} {kind}\b", record, re.MULTILINE), record


@pytest.mark.parametrize(("bot", "seats"), matrix(*AFTERWARDS))
def test_one_that_plays_well_and_then(tmp_path: Path, port: int, bot: Broken, seats: int) -> None:
    path = own_copy(bot, tmp_path)
    with party(tmp_path, port, bot, path, seats) as (ann, broken):
        play_to_the_end(ann)
        assert broken.end() == (1 if bot.says else 0)
        assert any("after the game" in line for line in broken.lines) is bool(bot.says)
        assert soon(lambda: left_behind(path) == [])


@pytest.mark.parametrize(
    "bot",
    [
        pytest.param(bot, marks=() if bot.file == "silent.py" else pytest.mark.slow, id=str(bot))
        for bot in AT_START
        if bot.file != "not_ready.py"
    ],
)
def test_one_that_never_says_who_it_is_takes_no_seat(tmp_path: Path, port: int, bot: Broken) -> None:
    path = own_copy(bot, tmp_path)
    words = ("bot", *python(path), *patience(bot), "--any", "barons")
    with Program(*words, home=tmp_path, port=port, name="Rob") as broken:
        assert broken.end() == 1
    assert broken.lines[-1].startswith("quadrille: the bot Rob ") and bot.says in broken.lines[-1]
    assert len(broken.lines) <= 2
    assert soon(lambda: left_behind(path) == [])


@pytest.mark.slow
def test_a_host_is_told_that_a_bot_did_not_start(tmp_path: Path, port: int) -> None:
    path = own_copy(next(bot for bot in AT_START if bot.file == "silent.py"), tmp_path)
    with Program("host", "barons", *SMALL, "--seats", "3", home=tmp_path / "ann", port=port, name="Ann") as host:
        words = ("bot", *python(path), "--patience", "3s", "--join", "Ann")
        with Program(*words, home=tmp_path, port=port, name="Rob") as bot:
            assert bot.end() == 1 and bot.lines[-1].endswith(", twice")
        host.wait("Rob: my bot did not start: the seat is free again")


def slowly(words: list[str], says: str) -> object:
    """Another of the same, for CI."""
    return pytest.param(words, says, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--exec", "./not-there", "--any", "maze"], 'can\'t be started: there is no file "./not-there"'),
        slowly(["--exec", "no-such-program", "--any", "maze"], "there is no program"),
        slowly(["--exec", "/etc/passwd", "--any", "maze"], "is no file that may be run"),
        slowly(["--exec", "{python} -c 0", "--any", "maze"], "ended with exit code 0"),
        slowly(["--exec", "{python} {maze}", "--any", "barons"], "does not play barons: it plays maze"),
        slowly(["--exec", "{python} {maze}", "--serve", "--games", "barons,dotter"], "does not play barons or dotter"),
        (["--exec", "{python} {chess}", "--serve"], "it plays chess"),
    ],
)
def test_one_clear_line_and_no_seat(tmp_path: Path, port: int, words: list[str], says: str) -> None:
    for name in ("maze", "chess"):
        hello = f'{{"hello": "x", "protocol": 1, "games": ["{name}"]}}'
        (tmp_path / f"{name}.py").write_text(f"print({hello!r}, flush=True)\ninput()\ninput()\n")
    names = {"python": sys.executable, "maze": tmp_path / "maze.py", "chess": tmp_path / "chess.py"}
    with Program("bot", *(word.format(**names) for word in words), home=tmp_path, port=port) as bot:
        assert bot.end() == 1
    assert bot.lines[-1].startswith("quadrille: the bot ") and says in bot.lines[-1], bot.text
    assert not [line for line in bot.lines[:-1] if "looking for a table" not in line]


@pytest.mark.slow
def test_a_bot_that_does_not_know_the_game_of_its_table_takes_no_seat(tmp_path: Path, port: int) -> None:
    (tmp_path / "maze.py").write_text(
        'print(\'{"hello": "x", "protocol": 1, "games": ["maze"]}\', flush=True)\ninput()\ninput()\n'
    )
    with Program("host", "barons", *SMALL, "--seats", "2", home=tmp_path / "a", port=port, name="Ann") as ann:
        ann.wait(r"^Table \w{8} is open")
        with Program(
            "bot", *python(tmp_path / "maze.py"), "--join", "Ann", home=tmp_path / "b", port=port, name="Rob"
        ) as bot:
            assert bot.end() == 1
        assert bot.lines[-1] == "quadrille: the bot Rob does not play barons: it plays maze"
        assert "sits down" not in ann.text


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
def test_a_bot_that_serves_comes_where_it_is_invited_and_stays(tmp_path: Path, port: int) -> None:
    words = ("bot", "random", "--serve", "--games", "barons", "--keep-seats", "1")
    with Program(*words, home=tmp_path / "b", port=port, name="Rob") as bot:
        bot.wait(r"^Rob is looking for a table")
        with Program("host", "maze", home=tmp_path / "a", port=port, name="Ann") as ann:
            ann.wait(r"^Rob is on the network")
            ann.enter("invite Rob")
            ann.wait(r"^Rob .*it does not play maze")
            ann.enter("quit")
            assert ann.end() == 0
        for _ in range(2):
            with Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann:
                ann.wait(r"^Rob is on the network")
                ann.enter("invite Rob")
                ann.wait(r"^Rob sits down")
                play_to_the_end(ann)
                ann.enter("quit")
                assert ann.end() == 0
        assert bot.process.poll() is None
        assert bot.end(signal.SIGTERM) == 128 + signal.SIGTERM


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
    assert told.returncode == 1 and "3 faults in 3 games" in told.stdout
    assert f"once more:  quadrille bot replay --run {data['faults'][0]['bundle']}" in told.stdout


def test_f13_a_bundle_runs_nothing_unless_the_person_says_so(run: Run, tmp_path: Path) -> None:
    file, trace = tmp_path / "b.json", tmp_path / "PWNED"
    command = ["sh", "-c", f"touch {trace}\x1b[2J"]
    told = {"at": 0, "told": {"do": "hello", "protocol": 1, "rules": 1}}
    file.write_text(json.dumps({"bundle": 1, "command": command, "lines": [told]}))
    done = run(f"bot replay {file}")
    assert done.code == 2 and not trace.exists()
    assert f"sh -c 'touch {trace}\\x1b[2J'" in done.out and f"quadrille bot replay --run {file}" in done.out
    assert run(f"bot replay {file} random").code == 0 and not trace.exists()
    assert run(f"bot replay --run {file}").out.startswith("runs: sh -c")
    assert list(tmp_path.glob("PWNED*"))


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("bot check", 2, "which bot?"),
        ("bot check random --exec ./x", 2, "which bot?"),
        ("bot check nobody.py", 2, 'there is no file "nobody.py"'),
        ("bot replay nothing.json", 2, "nothing.json: No such file"),
        ("bot replay /dev/null", 2, "this is no bundle of a bot's game"),
        ("bot bundle", 1, "no bot of this home has played yet"),
        ("bot random --limit memory --any maze", 2, "is not a limit"),
        ("bot random --serve --opponents Ann,people", 1, '"Ann" is no key and no nickname that you have given'),
        ("bot random --serve --runners Ann", 1, "quadrille who --rename KEY NAME"),
    ],
)
def test_refusals(run: Run, tmp_path: Path, words: str, code: int, says: str) -> None:
    """In this process, as they need no other."""
    done = run(words if "replay" in words else f"{words} --home {tmp_path}")
    assert (done.code, done.out) == (code, "")
    assert says in done.err and done.err.startswith("quadrille: ")


def test_a_check_of_a_program_that_is_not_there(tmp_path: Path) -> None:
    done = run("bot", "check", "--exec", "./not-there", "--home", str(tmp_path))
    assert done.returncode == 1 and done.stderr == ""
    assert "crash: the bot can't be started: there is no file" in done.stdout
