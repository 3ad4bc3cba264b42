"""Plug points: what packages bring is found, loaded when it is asked for, and named where it is broken."""

import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from textwrap import dedent

import pytest

from quadrille import plugs
from quadrille.client import commands
from quadrille.client.cli import main
from quadrille.client.kept.puzzle_home import game_of
from quadrille.client.table.glance import glance
from quadrille.rules import registry
from quadrille.rules.errors import UnknownGame
from quadrille.rules.match import Match
from quadrille.rules.record import write

Install = Callable[..., None]
CACHES = (plugs.plugs, plugs._entry_points, plugs._told, commands.subcommands, registry.keys, registry._load)


def forget() -> None:
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Lay a package on the path as pip does: its modules, and its entry points in a .dist-info folder."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def lay(package: str, points: str, **modules: str) -> None:
        there = tmp_path / f"{package}-1.0.dist-info"
        there.mkdir()
        (there / "entry_points.txt").write_text(dedent(points))
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(dedent(text))
            monkeypatch.delitem(sys.modules, name, raising=False)
        forget()

    yield lay
    forget()


GREET = """
    from quadrille.client.commands import Subcommand
    GREET = Subcommand("greet somebody", __name__)
    DESCRIPTION = "Greet somebody."
    def arguments(parser): parser.add_argument("name")
    def run(settings): print("Hello", settings.name); return 0
"""
GAME = """
    from quadrille.rules.games.maze import Maze
    class Mine(Maze): key = "mine@acme"
    GAME = Mine()
"""


def test_a_package_brings_a_command(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("acme", "[quadrille.commands]\ngreet = acme_greet:GREET\n", acme_greet=GREET)
    assert main(["greet", "Ann"]) == 0 and capsys.readouterr().out == "Hello Ann\n"
    assert main(["help", "--all"]) == 0 and "quadrille greet             greet somebody\n" in capsys.readouterr().out


def test_no_package_takes_the_name_of_a_command_of_ours(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("acme", "[quadrille.commands]\nrules = acme_greet:GREET\n", acme_greet=GREET)
    assert main(["rules"]) == 0 and "barons" in capsys.readouterr().out


def test_a_broken_command_is_named_with_its_package_and_the_others_go_on(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(
        "acme",
        "[quadrille.commands]\ngreet = acme_greet:GREET\nbad = acme_bad:BAD\n",
        acme_greet=GREET,
        acme_bad="1 / 0",
    )
    assert main(["help", "--all"]) == 0
    said = capsys.readouterr()
    assert "quadrille greet " in said.out
    assert said.err == "quadrille: bad of the package acme can't be used: ZeroDivisionError: division by zero\n"
    assert main(["greet", "Ben"]) == 0


def test_a_package_brings_a_game_whose_key_ends_with_its_name(install: Install) -> None:
    install("acme", "[quadrille.games]\nmine = acme_game\n", acme_game=GAME)
    assert registry.keys()[-1] == "mine@acme" and registry.game("mine@acme").start().seats == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named"),
        ("GAME = 5", "its entry point is no Game with the key mine@acme"),
        (GAME.replace("mine@acme", "yours@acme"), "no Game with the key mine@acme"),
        (GAME.replace("mine@acme", "maze"), "no Game with the key mine@acme"),
    ],
)
def test_a_broken_game_is_left_out_of_lists_and_says_why_when_it_is_asked_for(
    install: Install, text: str, why: str
) -> None:
    install("acme", "[quadrille.games]\nmine = acme_game\n", acme_game=text)
    assert {"mine@acme", "maze"} & set(registry.keys()) == {"maze"}
    with pytest.raises(UnknownGame, match=f"mine of the package acme can't be used: .*{why}"):
        registry.game("mine@acme")


@pytest.mark.parametrize("name", ["../mine", "My Game", "mine@other", "é"])
def test_a_game_with_a_name_that_no_file_and_no_line_can_hold_is_left_out(install: Install, name: str) -> None:
    text = GAME.replace("mine@acme", f"{name}@acme")
    install("acme", f"[quadrille.games]\n{name} = acme_game\nmine = acme_good\n", acme_game=text, acme_good=GAME)
    assert registry.keys()[-1] == "mine@acme"
    with pytest.raises(UnknownGame, match="the name of a game is in small letters, digits and dashes"):
        registry.game(f"{name}@acme")


@pytest.mark.parametrize("key", ["mine@acme", "mine-2@acme"])
def test_the_game_of_a_package_is_kept_and_listed_by_its_record(install: Install, key: str) -> None:
    name = key.partition("@")[0]
    install("acme", f"[quadrille.games]\n{name} = acme_game\n", acme_game=GAME.replace("mine@acme", key))
    seen = glance(write(Match(registry.game(key), {}, 2)))
    assert seen and seen.game == key


def test_a_plugged_game_changes_nobody_elses_puzzle_of_the_day(install: Install) -> None:
    days = [date(2026, 5, day) for day in range(1, 9)]
    before = [game_of(day).key for day in days]
    install("acme", "[quadrille.games]\nmine = acme_game\n", acme_game=GAME)
    assert registry.keys()[-1] == "mine@acme" and [game_of(day).key for day in days] == before


def test_a_file_is_a_game_here_and_not_on_a_network(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(plugs.GAME_FILE, "")
    (tmp_path / "my_game.py").write_text(dedent(GAME).replace("mine@acme", "my-game@file"))
    forget()
    assert main(["perft", "./my_game.py", "1"]) == 0 and "Maze, 2 seats" in capsys.readouterr().out
    forget()
    with pytest.raises(UnknownGame, match="in a file is played here alone; make it a package"):
        registry.game("my_game.py")
    monkeypatch.delenv(plugs.GAME_FILE)
    forget()
    with pytest.raises(UnknownGame, match="it was played from a file, so name that: quadrille play"):
        registry.game("my-game@file")


@pytest.mark.parametrize(("text", "why"), [(None, "FileNotFoundError"), ("1 / 0", "ZeroDivision"), ("", "mine@file")])
def test_a_file_that_is_no_game_says_why(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, why: str
) -> None:
    monkeypatch.setenv(plugs.GAME_FILE, "")
    if text is not None:
        (tmp_path / "mine.py").write_text(text)
    with pytest.raises(UnknownGame, match=rf"mine\.py can't be used: .*{why}"):
        registry.game(plugs.game_name(str(tmp_path / "mine.py")))


def test_a_game_that_is_not_installed_names_the_package_that_brings_it() -> None:
    with pytest.raises(
        UnknownGame, match=r"if you trust the package it comes with, install that: pip install acme-games$"
    ):
        registry.game("nim@acme-games")


@pytest.mark.parametrize("key", ["nim@--user", "nim@acme games", "nim@../x", "@acme", "nim@acme;ls", "nim@", "nim@-r"])
def test_a_key_from_a_stranger_never_makes_another_command_line(key: str) -> None:
    with pytest.raises(UnknownGame) as refusal:
        registry.game(key)
    assert "pip install" not in str(refusal.value)
