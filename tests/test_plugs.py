"""Plug points: what packages bring is found, loaded when it is asked for, and named where it is broken."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from quadrille import plugs
from quadrille.client import commands
from quadrille.client.cli import main
from quadrille.rules import registry
from quadrille.rules.errors import UnknownGame

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
