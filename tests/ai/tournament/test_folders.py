"""A folder of bots is a tournament: each folder an entrant, and a row with its reason if nothing there starts."""

import os
import shlex
import shutil
import sys
import tarfile
import zipfile
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots import bot_folder
from quadrille.ai.bots.bot_folder import NoStart, start_of, tree_digest
from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.process.executable import path_of
from quadrille.ai.bots.process.own_user import unreadable
from quadrille.ai.bots.process.usage import remove
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.worker_bench import bench
from quadrille.client.bots.program import command_of
from tests.ai.tournament.programs import program, sights

FILE = '[entrants]\nfrom = "bots/*"\n[[entrant]]\nbot = "greedy"\n[[game]]\ngame = "maze"\n'


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    (tmp_path / "bots").mkdir()
    return tmp_path / "bots"


def hand_in(bots: Path, name: str, *, runs: bool = False, text: str = "") -> Path:
    """Write a file of a bot, whose folder is made."""
    path = bots / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text or ("#!/bin/sh\n" if runs else "x = 1\n"))
    path.chmod(0o755 if runs else 0o644)
    return path


def plan(bots: Path, file: str = FILE) -> Plan:
    return parse(file, str(bots.parent))


@pytest.mark.parametrize(
    ("files", "started"),
    [
        ({"bot.py": False, "mine.py": False}, "./bots/ann/bot.py"),
        ({"net.py": False, "README.md": False}, "./bots/ann/net.py"),
        ({"run": True, "bot.py": False}, "./bots/ann/run"),
        ({"bot": True, "helper.py": False, "other.py": False}, "./bots/ann/bot"),
        ({"engine": True, "a.py": False, "b.py": False}, "./bots/ann/engine"),
        ({"bot.py": True}, "./bots/ann/bot.py"),
    ],
)
def test_what_starts_a_folder(bots: Path, files: dict[str, bool], started: str) -> None:
    for name, runs in files.items():
        hand_in(bots, f"ann/{name}", runs=runs)
    [_, ann] = plan(bots).entrants
    assert ann.name == "ann" and started in (ann.bot, *ann.words)
    assert bool(ann.words) is files[os.path.basename(started)], "an executable speaks for itself"
    assert len(ann.digest) == 32 and ann.command(str(bots.parent))


def test_an_author_may_write_the_command_down(bots: Path) -> None:
    hand_in(bots, "ann/bot.py")
    hand_in(bots, "ann/weights")
    hand_in(bots, "ann/bot.toml", text=f'exec = "{sys.executable} -I bot.py weights --fast"\n')
    hand_in(bots, "bob/many.py")
    hand_in(bots, "bob/bot.toml", text='bot = "many.py:Clever"\n')
    hand_in(bots, "carl.py")
    rows = {entrant.name: entrant for entrant in plan(bots).entrants}
    assert rows["ann"].words[1:] == ("-I", "./bots/ann/bot.py", "./bots/ann/weights", "--fast")
    assert (rows["bob"].bot, rows["carl"].bot) == ("./bots/bob/many.py:Clever", "./bots/carl.py")


def test_what_starts_nothing_is_a_row_with_its_reason(bots: Path) -> None:
    hand_in(bots, "good/bot.py")
    hand_in(bots, "empty/notes.txt")
    hand_in(bots, "node/bot.js")
    hand_in(bots, "shut/run")
    hand_in(bots, "typo/bot.toml", text="exec = 3")
    hand_in(bots, "thief/bot.toml", text='exec = "sh ../good/bot.py"')
    hand_in(bots, "../bin/tool", runs=True)  # beside a folder `lib` it looks like an interpreter
    for name, text in {
        "spy": 'exec = "sh ../../bin/tool"',
        "host": 'exec = "../../bin/tool"',
        "guest": 'bot = "../../mine.py:Bot"',
        "tail": 'exec = "sh bot.toml /proc/kcore"',
        "jail": 'exec = "bwrap --bind / / sh bot.toml"',
    }.items():
        hand_in(bots, f"{name}/bot.toml", text=text)
    hand_in(bots, "../mine.py")
    (bots.parent / "lib").mkdir()
    (bots / "link").mkdir()
    (bots / "link/bot.py").symlink_to(bots / "good/bot.py")
    (bots / "chain").mkdir()
    (bots / "chain/bot.toml").symlink_to(bots / "thief/bot.toml")
    hand_in(bots, "greedy.py")
    hand_in(bots, f"{'x' * 41}/bot.py")
    (bots / "README.md").touch()
    found = plan(bots)
    assert [entrant.name for entrant in found.entrants] == ["greedy", "good"]
    for name, why in {
        "empty": "there is no bot.toml",
        "node": 'exec = "node bot.js"',
        "shut": "chmod +x",
        "typo": "takes one line",
        "thief": 'good/bot.py" lies outside its folder',
        "link": 'good/bot.py" lies outside its folder',
        "chain": 'thief/bot.toml" lies outside its folder',
        "spy": 'bin/tool" lies outside its folder',
        "host": 'bin/tool" lies outside its folder',
        "guest": 'mine.py" lies outside its folder',
        "tail": '"/proc/kcore" lies outside its folder',
        "jail": "bwrap would take the place of its host's box",
        "greedy": "another entrant has this name",
        "x" * 41: "1 to 40 characters",
    }.items():
        assert why in dict(found.absent)[name]
    assert len(found.absent) == 14


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("none/*", "there is no bot in"), ("", "from takes folders"), ("../../*", "from takes folders")],
)
def test_a_pattern_of_nothing_is_refused_with_its_line(bots: Path, pattern: str, why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        plan(bots, FILE.replace("bots/*", pattern))


def test_too_few_that_start_are_refused_with_the_reasons_of_the_others(bots: Path) -> None:
    hand_in(bots, "empty/notes.txt")
    with pytest.raises(TournamentError, match=r"empty: there is no bot\.toml"):
        plan(bots)


def test_any_change_in_a_folder_is_another_version_but_not_what_a_run_leaves(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = hand_in(bots, "ann/bot.py")
    first = tree_digest(path.parent)
    [_, ann] = plan(bots).entrants
    hand_in(bots, "ann/.git")
    (path.parent / "__pycache__").mkdir()
    (path.parent / "__pycache__/bot.pyc").touch()
    os.mkfifo(path.parent / "pipe")
    assert tree_digest(path.parent) == first
    monkeypatch.chdir(path.parent)
    for _ in range(2):
        Path("d/" * 600).mkdir(parents=True)
        os.chdir("d/" * 600)
    assert tree_digest(path.parent) == first, "no recursion follows where a team leads"
    remove(str(path.parent / "d"))
    (path.parent / "book").symlink_to("../data")
    linked = tree_digest(path.parent)
    (bots / "data").touch()
    assert tree_digest(path.parent) == linked != first, "where a link leads is no file of the bot, and may have no end"
    (path.parent / "log").write_text("it lost")
    assert tree_digest(path.parent) != first
    assert ann.command(str(bots.parent)), "what a bot writes meanwhile ends no run"
    path.write_text("x = 2\n")
    with pytest.raises(TournamentError, match="is not what it was"):
        ann.command(str(bots.parent))


@pytest.mark.parametrize("kind", ["zip", "gztar"])
def test_an_archive_is_unpacked_once_and_is_its_folder(bots: Path, kind: str) -> None:
    hand_in(bots, "maze/run", runs=True)
    for locked in (hand_in(bots, "maze/weights"), bots / "maze"):
        locked.chmod(locked.stat().st_mode & 0o700)
    packed = Path(shutil.make_archive(str(bots / "ann"), kind, bots, "maze"))
    shutil.rmtree(bots / "maze")
    [_, ann] = plan(bots).entrants
    assert ann.name == "ann" and ann.words[0].endswith("/maze/run") and os.access(bots.parent / ann.words[0], os.X_OK)
    assert plan(bots).entrants[1] == ann and len([*(bots / ".unpacked").iterdir()]) == 1
    shown = unreadable([f"+{path}" for path in (bots / ".unpacked").rglob("maze")])
    assert shown is None, "no team keeps its bot from a user of its own, who has to read its files"
    packed.write_bytes(packed.read_bytes()[:-30])
    assert "can't be unpacked" in dict(parse(FILE + '[[entrant]]\nbot = "random"\n', str(bots.parent)).absent)["ann"]
    assert len([*(bots / ".unpacked").iterdir()]) == 1


def test_a_file_that_was_handed_in_sees_nothing_of_those_beside_it(bots: Path) -> None:
    """Neither a team's files above those that start it, nor a team's that nothing starts, nor an archive."""
    hand_in(bots, "ann/bot.toml", text='exec = "sh src/bot"')
    (bots / "ann/src").mkdir()
    hand_in(bots, "ann/src/bot")
    hand_in(bots, "bob.py")
    hand_in(bots, "eve/notes")
    shutil.make_archive(str(bots / "zoe"), "zip", bots / "ann")
    _, *shown = sights(plan(bots))
    seen = [{place[1:].replace(str(bots), "") for place in places if str(bots) in place} for _, places in shown]
    unpacked = [f"/.unpacked/{path.name}/src" for path in (bots / ".unpacked").iterdir()]
    assert seen == [{"/ann/src"}, {"", "/bob.py"}, {*unpacked}]


def test_a_start_in_bin_beside_lib_is_a_bot_and_no_interpreter(bots: Path) -> None:
    (bots / "ann/lib").mkdir(parents=True)
    (bots / "ann/bin").mkdir()
    hand_in(bots, "ann/bin/start", runs=True)
    hand_in(bots, "ann/bot.toml", text='exec = "bin/start --fast"')
    hand_in(bots, "bob.py")
    _, (words, places), _ = sights(plan(bots))
    assert start_folder(words) == str(bots / "ann/bin")
    assert [place[1:] for place in places if str(bots) in place] == [str(bots / "ann")]


def test_teams_of_any_names_are_no_runtime_together(bots: Path) -> None:
    """A folder bin beside lib is that of an installed runtime, if its user has it by himself."""
    for name in ("bin/run", "lib/run", "lib64/run"):
        hand_in(bots, name, runs=True)
    found = plan(bots)
    assert ([entrant.name for entrant in found.entrants[1:]], found.absent) == (["bin", "lib", "lib64"], ())
    shown = [[place[1:] for place in places if str(bots) in place] for _, places in [*sights(found)][1:]]
    assert shown == [[str(bots / name)] for name in ("bin", "lib", "lib64")]


def test_one_name_written_in_two_ways_is_one_entrant(bots: Path) -> None:
    """With accents of their own, or with letters that nobody sees: else two rows of the table would look alike."""
    for name in ("\N{LATIN SMALL LETTER A WITH DIAERESIS}", "a\N{COMBINING DIAERESIS}", "b", "b\N{ZERO WIDTH JOINER}"):
        hand_in(bots, f"{name}/bot.py")
    found = plan(bots)
    assert [entrant.name for entrant in found.entrants[1:]] == ["\N{LATIN SMALL LETTER A WITH DIAERESIS}", "b"]
    assert [name for name, _ in found.absent] == ["b\N{ZERO WIDTH JOINER}", "\N{LATIN SMALL LETTER A WITH DIAERESIS}"]
    assert all("another entrant has this name" in why for _, why in found.absent)


def test_an_archive_leaves_no_folder_and_fills_no_disk(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(bots, "good/bot.py")
    with zipfile.ZipFile(bots / "out.zip", "w") as file:
        file.writestr("../../good/bot.py", "stolen")
        file.writestr("bot.py", "mine")
    with tarfile.open(bots / "up.tar", "w") as tar:
        tar.add(bots / "good/bot.py", "../good/bot.py")
    monkeypatch.setattr(bot_folder, "_MOST_BYTES", 2000)
    with zipfile.ZipFile(bots / "large.zip", "w") as file:
        file.writestr("bot.py", "x" * 2001)
    absent = dict(plan(bots).absent)
    assert (bots / "good/bot.py").read_text() == "x = 1\n" and "out" not in absent
    assert "outside" in absent["up"] and "it has more than" in absent["large"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"type": tarfile.LNKTYPE, "linkname": "nothing"}, "not found"),
        ({"mtime": 1e30}, "out of range"),
        ({"pax_headers": {"comment": "x" * (2 << 20)}}, "a header in it has more than 1 MiB"),
    ],
)
def test_an_archive_that_is_made_to_do_harm_only_costs_its_team_its_part(
    bots: Path, given: dict[str, Any], why: str
) -> None:
    with tarfile.open(bots / "ann.tgz", "w:gz", format=tarfile.PAX_FORMAT) as tar:
        row = tarfile.TarInfo("run")
        for name, value in given.items():
            setattr(row, name, value)
        tar.addfile(row)
    with pytest.raises(NoStart, match=why):
        start_of(bots / "ann.tgz")
    assert not [*bots.glob(".unpacked/*")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'exec = "\xff"', "can't be read"),
        (b"exec = " + b"[" * 9000, "can't be read"),
        (b'exec = "sh \\u0000"', "takes one line"),
        (b'bot = "bot.py:\\u0000"', "takes one line"),
        (b'exec = "sh /proc/self/cwd/loop"', "no file of its own starts it"),
        (b'exec = "sh -c :"', "no file of its own starts it"),
    ],
)
def test_what_no_command_is_read_from_only_costs_its_team_its_part(
    bots: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, why: str
) -> None:
    hand_in(bots, "ann/bot.py")
    hand_in(bots, "ann/bot.toml").write_bytes(text)
    (bots / "ann/loop").symlink_to("loop")
    monkeypatch.chdir(bots / "ann")
    with pytest.raises(NoStart, match=why):
        start_of(bots / "ann")


# A path is the same path in the plan, in the trial, in the games and in `bot check`, however somebody writes it


#: Reads the file that its last word names, if that is no program.
_READS = "open(sys.argv[-1]).read()"


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a league beside one of bots, in a home that is `~`."""
    for name in ("league/own", "bots/ann", "bots/two words", "data"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "data" / "book.txt").write_text("e4")
    for place in ("league/own", "bots/ann", "bots/two words"):
        program(tmp_path / place, "bot", before=_READS)
        script = tmp_path / place / "cbot"
        script.write_text(f"#!{sys.executable} -IS\n" + (tmp_path / place / "bot.py").read_text())
        script.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "league")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "starts"),
    [
        ("../bots/ann/cbot", "bots/ann"),
        ("./../league/.././bots//ann/cbot", "bots/ann"),
        ("../bots/ann/cbot/", "bots/ann"),
        ("'../bots/two words/cbot'", "bots/two words"),
        ("~/bots/ann/cbot", "bots/ann"),
        ("own/cbot", "league/own"),
        (f"{sys.executable} -IS ../bots/ann/bot.py ../data/book.txt", "bots/ann"),
        (f"{sys.executable} -IS own/bot.py ~/data/book.txt", "league/own"),
    ],
)
def test_a_path_is_the_same_in_the_plan_the_trial_and_the_check(there: Path, words: str, starts: str) -> None:
    league = str(there / "league")
    plan = parse(
        f'[[game]]\ngame = "maze"\n[[entrant]]\nname = "a"\nexec = "{words}"\n[[entrant]]\nbot = "1"\n', league
    )
    entrant = plan.entrants[0]
    command = entrant.command(league)
    assert start_folder(command) == str(there / starts)
    assert command == command_of(Namespace(bot=None, exec=words.strip("'"))), "a path alone needs no quotation marks"
    try:
        assert attempt(EntrantTrial(entrant, plan.contests, league)) == ""
    finally:
        bench().clear()
    # what the trial advises means the same wherever it is typed
    advised = shlex.split(entrant.hint(league).partition("--exec ")[2])[0]
    os.chdir("/")
    assert command_of(Namespace(bot=None, exec=advised)) == command


def test_words_alone_decide_what_two_dots_leave(there: Path) -> None:
    """A box may lack the folder to which a link leads, and what a link leads to may change between trial and game."""
    (there / "league" / "link").symlink_to(there / "bots" / "ann")
    assert path_of("link/../own/cbot", "") == str(there / "league" / "own" / "cbot")
