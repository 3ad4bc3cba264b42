"""A path is the same path in the plan, in the trial, in the games and in `bot check`, however somebody writes it."""

import os
import shlex
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.process.executable import path_of
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.worker_bench import bench
from quadrille.client.bots.program import command_of
from tests.ai.tournament.programs import program

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
    assert command == command_of(Namespace(bot=None, exec=words))
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
