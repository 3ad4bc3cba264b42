"""A bot is named in the same way everywhere, and any program that a tournament takes can be played against."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from argparse import ArgumentTypeError
from itertools import islice
from pathlib import Path

import pytest

from quadrille.ai.bots.bot_folder import start_of
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan_file import named
from quadrille.client.bots.names import NAMES as BOT_NAMES
from quadrille.client.bots.names import (
    bot_name,
    bot_names,
    called,
    command_name,
    own_names,
    program_words,
    slug,
    split_file,
)
from quadrille.client.bots.starters import STARTERS, begin
from quadrille.client.claimed_names import chair_names, network_name, parts, short_names, shown_name
from quadrille.client.documents import example, example_paths
from quadrille.client.foreign import shown, shown_lines
from quadrille.client.presence.bot_processes import BotProcesses
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.lobby.new_table import NewTable, request
from quadrille.client.screen.table.terminal import Pasted
from quadrille.client.table.notices import BotStopped, Seats
from quadrille.client.table.wishes import Host
from quadrille.client.words.story import kinds_text
from quadrille.client.words.table import by_seat
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Advert
from quadrille.net.program.station import Station, now
from quadrille.net.trust.known import LONGEST_NAME, meet
from quadrille.net.trust.store import Store
from quadrille.rules.errors import RulesError
from tests.ai.tournament.programs import source
from tests.client.conftest import Run
from tests.client.programs import Program
from tests.client.screen.network.test_two_stations import network
from tests.client.screen.test_local_table import at, press_in
from tests.guides.typed import typed
from tests.net.ports import udp_port
from tests.net.tables import terms
from tests.waiting import soon

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
        *((text, "there is no") for text in ("", "7", "0", "3:3", "mcts:", "mcts:6", "mcts:3:3", "no.py:Name", "cle")),
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
    dialog = press_in(at(NewTable("maze", local=True), "Bot level"), *"./bo")
    with pytest.raises(RulesError, match=re.escape('can\'t be started: there is no file "./bo"')):
        request(dialog)
    dialog = press_in(dialog, "t")
    found = request(dialog)
    assert isinstance(found, NewGame) and found.bots == ("", str(folder / "bot"))
    assert request(press_in(dialog, "right")).bots == ("", "1"), "left and right go back to those of the house"
    dialog, _ = at(NewTable("maze", local=False), "Bot level").updated(Pasted(f"{PYTHON} lines.txt"))
    found = request(press_in(at(dialog, "Bots"), "1"))
    assert isinstance(found, Host) and program_words(found.bots[0])[1:] == [str(folder / "lines.txt")]
    emptied = press_in(dialog, *["backspace"] * 200)
    with pytest.raises(RulesError, match='there is no bot ""'):
        request(press_in(at(emptied, "Bots"), "1"))


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


# Names of bots on a command line


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    assert bot_name("mine.py") == str(tmp_path / "mine.py")
    assert bot_names("mine.py:Best, mcts:2,") == [f"{tmp_path / 'mine.py'}:Best", "mcts:2"]
    assert split_file("a.py:b.py:C") == ("a.py:b.py", "C")


def test_no_bot_gets_the_name_of_a_person_in_the_room(tmp_path: Path) -> None:
    """`Ben (level 2 of ann)` sat beside Ben."""
    here = list[str]()
    bots = BotProcesses(tmp_path, (), "ann", network(tmp_path, 1, "ann"), lambda: here)
    first = bots._own_name(bots._identity("2"))
    here += [f"{first} Smith", "\N{FULLWIDTH LATIN CAPITAL LETTER A}da", *BOT_NAMES[2:]]
    later = [bots._own_name(bots._identity(bot)) for bot in ("2", "3")]
    assert first in BOT_NAMES and not {first, "Ada"} & {*later}
    here.clear()
    assert bots._own_name(bots._identity("2")) == first, "an identity keeps its name"


def test_bots_of_two_hosts_that_know_each_other_s_are_no_namesakes(tmp_path: Path) -> None:
    names = {}
    for host in ("Ann", "Bob", "Дора", "דנה", "علی\u200cرضا", "Somebody with quite a long name, really"):
        home = tmp_path / host[:3]
        bots = BotProcesses(home, (), host, network(tmp_path, 1, "ann"))
        for bot in ("random", "3", "3"):
            identity = bots._identity(bot)
            bots._bots[identity] = None  # it plays
            chair = bots._chair(identity)
            assert chair == bots._chair(identity)  # the same when a game is resumed
            assert len(chair.name) <= LONGEST_NAME
            names[host, bot, chair.name] = chair
    own = ["Vic (random of Ann)", "Wren (level 3 of Ann)", "Xena (level 3 of Ann)"]
    assert [name for host, _, name in names if host == "Ann"] == own
    for host in ("Дора", "דנה", "علی\u200cرضا"):
        called = [name for whose, _, name in names if whose == host]
        assert [parts(name)[1] for name in called] == [f"{kind} of {host}" for kind in ("random", "level 3", "level 3")]
    assert [name for _, _, name in names][-1] == "Vic (level 3 of Somebody with quite a l)"
    with Store(tmp_path, bytes(32)) as store:
        assert not any(meet(store, chair.key, chair.name, 0) for _ in range(2) for chair in names.values())


def test_bots_on_the_network_have_names_of_their_own() -> None:
    name = network_name("Vic", "1", "Ann")
    assert parts(name) == ("Vic", "level 1 of Ann")
    assert parts("Vic (level 6 of Ann)") == ("Vic", "level 6 of Ann"), "also where that level is not installed"
    plain = ("Vic", "Ann (looking)", network_name("", "./mybot", "Ann"))
    assert [parts(one) for one in plain] == [(one, "") for one in plain] and plain[2] == "mybot of Ann"
    assert short_names((name, "Ann", "Bob")) == ("Vic", "Ann", "Bob")
    assert short_names((name, "Ann", "vic")) == (name, "Ann", "vic")
    assert short_names((name, network_name("Vic", "3", "Bob"))) == (name, "Vic (level 3 of Bob)")
    assert short_names(("Ann", "Gus"), beside=("", "at Ann's")) == ("Ann", "Gus")
    assert kinds_text([("Ben", "guest"), ("Cy", "guest"), ("Ann", "")]) == "Ben and Cy: guest"
    whole = ("gus", "Gus, at Ann's", "you, at Ann's")
    assert short_names(("gus", "Gus", "you"), beside=("", "at Ann's", "at Ann's")) == whole
    keys = tuple(bytes([number] * 32) for number in range(3))
    false = short_names(("Gus", "Gus", "Gus, at Ann's"), keys, ("", "at Ann's", ""))
    assert [name[:19] for name in false] == ["Gus", "Gus, at Ann's (dc29", "Gus, at Ann's (e956"], "a name that lies"
    twins = (Chair(bytes([number] * 32), "Ben", "person") for number in range(2))
    assert [name[:9] for name in chair_names(twins)] == ["Ben (9ab7", "Ben (dc29"] and chair_names(()) == ()
    assert "Ben" not in {*islice(own_names("Ben"), 40)}
    assert len({*islice(own_names("Ben"), 40)}) == 40


# What a peer with a hostile name can do to the screens of others: nothing


NAME = "Ann\x1b[2J\r\nok\u202e\x07"
SHOWN = r"Ann\x1b[2J\r\nok\u202e\x07"


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("Zoë and 李", "Zoë and 李"), (NAME, SHOWN), ("\x9b31m", r"\x9b31m"),
        ("a\u2066b\u2028c\ud800", r"a\u2066b\u2028c\ud800"), ("back\\slash", "back\\slash"),
    ],
)  # fmt: skip
def test_what_is_no_plain_letter_is_spelled_out(text: str, harmless: str) -> None:
    assert shown(text) == harmless
    assert text.isprintable() or shown_name(text, bytes(32)) == harmless
    assert shown_lines(f"one\n{text.replace(chr(10), '')}\n").count("\n") == 2
    # Nobody is called as a screen calls its reader.
    assert [shown_name(name, bytes(32))[:5] for name in ("you", "Y0U", "Young")] == ["you (", "Y0U (", "Young"]
    assert short_names(("you (level 2 of Ann)", "Ada (level 2 of Ann)")) == ("you (level 2 of Ann)", "Ada")


@pytest.mark.slow
def test_who_has_a_hostile_name_is_not_heard_at_all(tmp_path: Path) -> None:
    port = udp_port()
    hostile = Station("Ann", "person", folder=tmp_path / "a", port=port, interfaces=["127.0.0.1"])
    hostile.lobby.advert = Advert(NAME, "person", ())
    with hostile:
        hostile.lobby.host(terms("barons", 3), b"nonce", now())
        with Program("who", home=tmp_path / "b", port=port) as looking:
            assert soon(lambda: (hostile.turn(50), looking.ended)[1])
    assert looking.lines[0].startswith("Nobody else is here.") and "There is no table." in looking.text
    assert "".join(looking.lines).isprintable()


# `quadrille bot new`: a bot to begin with in each language, and a folder with all that a bot's repository needs


TEMPLATE = example("template/mybot.py").parent
WORKFLOW = (TEMPLATE / ".github/workflows/check.yml").read_text("utf-8")


@pytest.mark.parametrize("ending", STARTERS)
def test_a_file_is_an_example_under_its_own_name(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / f"my{ending}"
    starter, lines = STARTERS[ending], begin(path)
    text = path.read_text("utf-8")
    assert text == example(starter.file).read_text("utf-8").replace(f"examples/{starter.file}", f"my{ending}")
    assert "examples/" not in text and f"my{ending}" in text.partition("\n\n\n")[0]
    assert lines[0] == f"cd {tmp_path / 'deep'}"
    bot = starter.bot.replace("FILE", f"my{ending}")
    assert lines[-2:] == [f"quadrille bot check {bot} --quick --game maze", f"quadrille play maze --against {bot}"]
    assert starter.build.replace("FILE", f"my{ending}") in text
    assert f"bot check {bot}" in text


def test_a_folder_is_the_template(tmp_path: Path) -> None:
    begin(tmp_path / "mine")
    assert example_paths(tmp_path / "mine") == example_paths(TEMPLATE)
    ast.parse((tmp_path / "mine/mybot.py").read_text("utf-8"))
    assert start_of(tmp_path / "mine") == (str(tmp_path / "mine/mybot.py"), ()), "handed in to a tournament as it is"


@pytest.mark.parametrize("kind", ["zip", "gztar"])
def test_a_bot_is_named_by_what_is_handed_in_for_it(tmp_path: Path, kind: str) -> None:
    begin(tmp_path / "mine")
    packed = shutil.make_archive(str(tmp_path / "packed"), kind, tmp_path, "mine")
    assert bot_name(str(tmp_path / "mine")) == str(tmp_path / "mine/mybot.py")
    assert Path(bot_name(packed)).read_text("utf-8") == (tmp_path / "mine/mybot.py").read_text("utf-8")


def test_the_command_says_how_to_go_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["bot", "new", "my bot.go"]) == (
        0,
        "my bot.go is written. Go on with:\n  go build -o bot 'my bot.go'\n"
        "  quadrille bot check ./bot --quick --game maze\n  quadrille play maze --against ./bot\n",
        "",
    )


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text("mine")
    for path in (tmp_path / "my.py", tmp_path):
        with pytest.raises(RulesError, match="is there already, and nothing is written over it"):
            begin(path)
    assert (tmp_path / "my.py").read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["mine", "deep/mine.py"])
def test_a_bot_for_which_the_disk_has_no_room_can_be_begun_again(tmp_path: Path, name: str) -> None:
    """Half of it stayed, was there already at the next try, and nothing said which file did not fit."""
    full = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    begins = f"from quadrille.client.cli import main; sys.exit(main(['bot', 'new', {name!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{full}; {begins}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, f"quadrille: {name}: File too large\n")
    assert not list(tmp_path.rglob("*mine*"))
    begin(tmp_path / name)


def test_an_unknown_language_is_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"\.hs.*: there are \.py \(Python\), .*\.sh \(Bash\); a name"):
        begin(tmp_path / "my.hs")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_template_s_test_and_check_pass(tmp_path: Path) -> None:
    """As its workflow runs them; only how long the check takes is bounded."""
    begin(tmp_path / "mine")
    lines = [line for line in re.findall(r"- run: (.*)", WORKFLOW) if "pip" not in line and "ladder" not in line]
    assert lines == ["python -m unittest", "quadrille bot check mybot.py --quick"]
    done = subprocess.run([sys.executable, "-m", "unittest"], cwd=tmp_path / "mine", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr
    assert "Nothing is wrong" in typed(f"{lines[1]} --within 6s", tmp_path / "mine")
