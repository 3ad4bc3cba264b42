"""A stranger's package, made as docs/guides/plug-in.md has it, plugs into the compiled wheel.

How a package plugs into plain sources, tests/seventh and tests/test_plugs.py show.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.client import programs
from tests.client.phones.served import at_phones, served, told
from tests.client.programs import Program
from tests.client.screen.pseudo_terminal import Program as Terminal
from tests.guides.typed import GUIDES, blocks, typed
from tests.net.ports import udp_port
from tests.packaging.test_packaging import NEEDED, Place, pytestmark, tree, wheels

__all__ = ["pytestmark", "tree", "wheels"]
GUIDE = GUIDES / "plug-in.md"
KEY = "bar@acme-games"
SMALL = ("--set", "width=2", "--set", "height=2")
OWN = [sys.executable, "-m", "quadrille.client.cli"]


@dataclass(frozen=True)
class Installed:
    """An environment with Quadrille and the package of the guide, and what was printed when that was made."""

    folder: Path
    place: Place
    printed: str

    @property
    def command(self) -> list[str]:
        return [str(self.place.python), "-m", "quadrille.client.cli"]

    def types(self, text: str, **more: str) -> str:
        return typed(text, self.folder, PATH=f"{self.place.python.parent}{os.pathsep}{os.environ['PATH']}", **more)


@pytest.fixture(scope="module")
def there(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """It is made as the guide has it, beside a compiled install, and then installed as others do."""
    folder = tmp_path_factory.mktemp("plugged")
    [wheel] = [path for path in wheels.iterdir() if "none-any" not in path.name]
    place = Place(folder / "fresh").beside_our_packages(wheel, *NEEDED)
    pip = place.python.parent / "pip"
    pip.write_text(f'#!/bin/sh\nexec {sys.executable} -m pip --python {place.python} "$@" -q\n')
    pip.chmod(0o755)
    installed = Installed(folder, place, "")
    parts = ("".join(block.text for block in blocks(GUIDE) if block.word == word) for word in ("file", "package"))
    printed = "".join(map(installed.types, parts))
    installed.types("pip install ./acme-games")
    return Installed(folder, place, printed)


@pytest.fixture
def at(there: Installed, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """Programs are those of the fresh environment."""
    monkeypatch.setattr(programs, "COMMAND", there.command)
    return there


def test_the_guide_makes_a_package_that_keeps_the_laws(there: Installed) -> None:
    assert "Nothing is wrong in" in there.printed, "of a file"
    assert "Leave the poisoned square" in there.printed and "20 squares" in there.printed
    assert " passed" in there.printed and "failed" not in there.printed


def test_it_is_in_every_list(there: Installed) -> None:
    assert f"{KEY}  Bar" in there.types("quadrille rules")
    assert "quadrille bars              count the squares of a bar\n" in there.types("quadrille help --all")
    assert KEY in there.types("quadrille completion bash")
    assert KEY in there.types("""echo '{"do":"games"}' | quadrille engine""")
    with Terminal(*there.command, home=there.folder / "list", rows=50, columns=120) as lobby:
        lobby.sees("Bar ")
        lobby.press("c-q")


def test_it_is_played_at_a_terminal_kept_resumed_saved_and_replayed(there: Installed, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Terminal(*there.command, "play", KEY, *SMALL, "--against", "2", "--seed", "1", home=home) as screen:
        screen.sees("YOUR TURN")
        screen.press("b2", "enter")
        screen.press("c-q", "c-q")
        screen.ends()
    lines = "printf 'save bar.txt\\nquit\\n' | quadrille resume --plain"
    assert "Saved to" in there.types(lines, QUADRILLE_HOME=str(home))
    assert "is as it should be" in there.types("quadrille verify bar.txt")
    assert "1  !" in there.types("quadrille replay bar.txt")
    assert "Player 1 wins with perfect play" in there.types(f"quadrille solve {KEY} --set width=3 --set height=3")
    there.types(f"quadrille picture {KEY} -o bar.svg && test -s bar.svg")


def test_bots_play_it_and_a_tournament_ranks_them(there: Installed) -> None:
    assert "Nothing is wrong in" in there.types(f"quadrille bot check 3 --quick --game {KEY}")
    assert "random" in there.types(f"quadrille tournament quick {KEY} 1 2 random --games 6")


def test_its_own_bot_plays(there: Installed) -> None:
    play = f"printf 'b2\\na2\\n' | quadrille play {KEY} {' '.join(SMALL)} --against nibbler@acme-games --plain"
    assert "bit off the poisoned square" in there.types(play)
    assert "Nothing is wrong in" in there.types(f"quadrille bot check nibbler@acme-games --quick --game {KEY}")


def test_its_own_format_draws_a_tournament(there: Installed) -> None:
    bots = "".join(f'[[entrant]]\nbot = "{bot}"\n' for bot in ("1", "greedy", "random"))
    form = '[format]\nkind = "neighbours@acme-games"\ncycles = 2\n'
    (there.folder / "plan.toml").write_text(f'{form}[time]\nmove = "1s"\n[[game]]\ngame = "{KEY}"\n{bots}')
    shown = there.types(
        "quadrille tournament run plan.toml --quiet || test $? = 1; quadrille tournament show plan.toml"
    )
    assert shown.count("8 games in 4 complete blocks") == 2


def test_two_play_it_on_a_network_and_one_without_it_is_told_what_to_install(at: Installed, tmp_path: Path) -> None:
    port = udp_port()
    with Program("host", KEY, "--no-lot", *SMALL, home=tmp_path / "ann", port=port, name="Ann") as ann:
        ann.wait("^Table")
        programs.COMMAND[:] = OWN
        why = f'can\'t be played here: .*there is no game "{KEY}": .*ask whoever plays it for the package acme-games'
        with Program("who", home=tmp_path / "cat", port=port, name="Cat") as cat:
            cat.wait(why)
        with Program("join", home=tmp_path / "cat", port=port, name="Cat") as cat:
            cat.wait(why)
        programs.COMMAND[:] = at.command
        with Program("join", "Ann", home=tmp_path / "ben", port=port, name="Ben") as ben:
            ann.wait("Your turn")
            ann.enter("b2")
            ben.wait("Your turn")
            ben.enter("a1")
            ben.wait("The game is over: you bit off the poisoned square")
            ann.wait("You win")


async def test_a_phone_plays_it(at: Installed, tmp_path: Path) -> None:
    with served(tmp_path, KEY, *SMALL) as table:
        async with at_phones(table, "Gus") as (gus,):
            await told(table.host, "^Your turn")
            table.host.enter("b2")
            place = await gus.move()
            await told(table.host, rf"player 2 \(Gus\): {place}")


def test_a_broken_one_is_named_and_everything_else_goes_on(there: Installed) -> None:
    source = there.place.packages() / "acme_games/bar/game.py"
    whole = source.read_text()
    try:
        source.write_text("1 / 0\n")
        said = there.types("quadrille rules 2>&1")
    finally:
        source.write_text(whole)
    assert "maze" in said and KEY not in said
    assert "quadrille: bar of the package acme-games can't be used: ZeroDivisionError: division by zero\n" in said
