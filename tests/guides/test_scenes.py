"""The commands of guides that need more than one machine, or a clone: typed at both ends, on the loopback.

Each is typed as it stands, and gets a home, a port and the loopback of its own; addresses become those of this machine.
"""

import shlex
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.client.programs import Program, play_on, to_move
from tests.guides.typed import GUIDES, OFFLINE, ROOT, blocks, save, surroundings, typed
from tests.net.ports import tcp_port, udp_port
from tests.waiting import soon

pytestmark = pytest.mark.slow


class People:
    """Those who type the named blocks of a guide, in its order; each block is to be typed."""

    def __init__(self, guide: str, folder: Path) -> None:
        found = blocks(GUIDES / f"{guide}.md")
        self._left = [block for block in found if block.language == "sh" and block.word and block.word not in OFFLINE]
        self._folder = folder
        self._port = udp_port()

    def words(self, who: str, begins: str = "", **instead: str) -> list[str]:
        """The next command of somebody, or the one that begins so; `instead`: other words for some of its own."""
        block = next(one for one in self._left if one.word == who and one.text.startswith(begins))
        self._left.remove(block)
        [line] = block.text.splitlines()
        for old, new in instead.items():
            assert old in line
            line = line.replace(old, new)
        return shlex.split(line)

    def types(self, who: str, begins: str = "", **instead: str) -> Program:
        command, *words = self.words(who, begins, **instead)
        assert command == "quadrille"
        own = ["--port", str(self._port), "--interface", "127.0.0.1", "--name", who]
        return Program(*words, *own, "--home", str(self._folder / who))

    def all_is_typed(self) -> bool:
        return not self._left


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, told in surroundings(tmp_path).items():
        monkeypatch.setenv(name, told)
    return tmp_path


def test_play_with_friends(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three at a table and one who looks on; a crash, resume, a log; a phone's door, a room, an address."""
    people = People("play-with-friends", here)
    with people.types("Ann", "quadrille host barons --seats 3") as ann:
        ann.wait(r"^Table \w{8} is open")
        with people.types("Ben", "quadrille join") as ben:
            assert to_move(ann, ben)
            with people.types("Cleo", "quadrille watch") as cleo:
                cleo.wait(r"player 3  ")
            ben.end(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            ann.wait(r"^player \d \(Ben\) is away")
        with people.types("Ben", "quadrille resume") as ben:
            ann.wait(r"^player \d \(Ben\) is back")
            ben.enter("save game.log")
            assert soon((here / "game.log").exists), ben.text
    assert "Ben" in typed(shlex.join(people.words("Ben", "quadrille verify")), here)
    with people.types("Ann", "quadrille host maze --guests") as ann:
        ann.wait(r"in a browser, with the code \w")
    with monkeypatch.context() as patch:
        patch.setenv("QUADRILLE_PASSPHRASE", "four words are enough")
        with (
            people.types("Ann", "quadrille host maze --room") as ann,
            people.types("Ben", "quadrille join --room") as ben,
        ):
            assert to_move(ann, ben)
    with people.types("Ann", "quadrille doctor") as doctor:
        doctor.wait(r"^ok +Two programs on this machine meet")
    port = str(tcp_port())
    with people.types("Ann", "quadrille host barons --seats 2", **{"49200": port}) as ann:
        ann.wait(r"^Table \w{8} is open")
    with (
        Program("host", "maze", "--tcp-port", port, "--interface", "127.0.0.1", "--port", str(udp_port())) as ann,
        people.types("Ben", "quadrille join 192", **{"192.168.1.5:49200": f"127.0.0.1:{port}"}) as ben,
    ):
        assert to_move(ann, ben)
    assert people.all_is_typed()


def test_a_first_bot_sits_down_at_a_table(here: Path) -> None:
    people = People("first-bot", here)
    save(GUIDES / "first-bot.md", here)
    with people.types("Ann") as bot:
        bot.wait("looking for a table")
        with Program("host", "maze", "--set", "size=3", home=here / "Ben", port=people._port, name="Ben") as ben:
            play_on(ben, plies=1)
    assert people.all_is_typed()


def test_parts_of_a_plan_are_parts_of_one(here: Path) -> None:
    """[stop] and [limits] stand by themselves in the guide; below the rest of the file they are taken."""
    guide = GUIDES / "run-a-tournament.md"
    save(GUIDES / "first-bot.md", here)
    save(guide, here)
    whole = "\n".join((here / name).read_text("utf-8") for name in ("league.toml", "stop.toml", "limits.toml"))
    (here / "whole.toml").write_text(whole.replace('"required"', '"if possible"'), "utf-8")
    run = "quadrille tournament run whole.toml --quiet || test $? = 1  # that nothing is decided yet is no error"
    assert "complete blocks" in typed(run, here)


def answer(laws: Path) -> None:
    """What the laws ask about a game, answered for Nibble as for Chomp."""
    for path in laws.glob("*.py"):
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if line.startswith('    "chomp": '):
                lines[number] += "\n" + line.replace("chomp", "nibble")
            elif line.strip().startswith("case "):
                lines[number] = line.replace('"chomp"', '"chomp" | "nibble"')
        path.write_text("\n".join(lines) + "\n", "utf-8")


def test_a_game_is_added(here: Path) -> None:
    """In a copy of the sources; instead of installing it, Python is shown where it is."""
    for name in ("rules", "net", "ai", "client", "tests", "docs"):
        shutil.copytree(ROOT / name, here / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*ROOT.glob("*.*"), ROOT / "README.md"):
        if path.is_file():
            shutil.copy(path, here)
    shutil.copytree(ROOT / "package", here / "over/quadrille", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("rules", "net", "ai", "client"):
        (here / "over/quadrille" / name).symlink_to(here / name)
    (here / "over/quadrille/laws").symlink_to(here / "tests/laws")
    (here / ".venv").mkdir()
    (here / ".venv/bin").symlink_to(Path(sys.executable).parent)
    more = {"PYTHONPATH": str(here / "over"), "PYTEST_ADDOPTS": "-n 0"}
    for block in blocks(GUIDES / "add-a-game.md"):
        if block.word == "missing":
            with pytest.raises(AssertionError, match=r"nibble/page\.md"):
                typed(block.text, here, **more)
        elif block.language == "sh":
            if block.word == "laws":
                answer(here / "tests/laws")
            lines = [line for line in block.text.splitlines() if "python3 -m venv" not in line]
            out = typed("\n".join(lines), here, **more)
            assert "tests/laws" in block.text or "ibble" in out, out
