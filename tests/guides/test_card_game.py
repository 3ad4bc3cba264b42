"""The guide to a card game in one file keeps its word, typed from top to bottom: alone, and at hosts of a network."""

import re
import shlex
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest

from quadrille.client.documents import example
from tests.client.programs import COMMAND, to_move
from tests.guides.typed import GUIDES, blocks, save, typed
from tests.net.hosts import at, inside
from tests.programs import Program

GUIDE = GUIDES / "card-game.md"
KUHN = example("kuhn.py")


def test_the_template_is_no_longer_than_the_guide_says() -> None:
    lines = len(KUHN.read_text("utf-8").splitlines())
    assert f"Kuhn poker is {lines} lines" in GUIDE.read_text("utf-8") and lines <= 220


@pytest.mark.slow
def test_what_is_typed_alone_does_what_the_guide_says(tmp_path: Path) -> None:
    """One block after the other in one shell; the laws find nothing, and complain of no mark that they lack."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node here")
    save(GUIDE, tmp_path)
    alone = "\n".join(block.text for block in blocks(GUIDE) if block.language == "sh" and not block.word)
    told = typed(alone, tmp_path, PYTEST_ADDOPTS="-p no:xdist")
    for part in ("Nothing is wrong in", "complete blocks", r"all hands are played \[ \d, \d \]"):
        assert re.search(part, told), told
    assert re.search(r"\d+ passed", told) and "failed" not in told and "warning" not in told
    assert (tmp_path / "kuhn.py").read_bytes() == KUHN.read_bytes()


@pytest.mark.slow
def test_a_peer_with_the_same_file_sits_down_and_others_are_told_what_they_lack() -> None:
    inside("tests.guides.test_card_game")


def by_name(who: str) -> list[str]:
    """What the guide has somebody type."""
    [line] = next(block.text for block in blocks(GUIDE) if block.word == who).splitlines()
    command, *words = shlex.split(line)
    assert command == "quadrille"
    return words


def at_hosts(folder: Path) -> None:
    """Ann hosts, Ben has the file, Dora another one by that name, and Cleo none. Nobody deals to Ann and Ben."""
    with ExitStack() as stack:

        def types(host: str, who: str, words: list[str], text: str) -> Program:
            home = folder / who
            home.mkdir()
            if text:
                (home / "kuhn.py").write_text(text, "utf-8")
            own = ["--plain", "--name", who, "--home", str(home / "home")]
            command = [*at(host), *COMMAND, *words, *own]
            return stack.enter_context(Program(*command, folder=home, env={"COLUMNS": "80", "PYTHONPATH": ""}))

        text = KUHN.read_text("utf-8")
        ann = types("h1", "Ann", by_name("Ann"), text)
        ann.wait(r"^Table \w{8} is open")
        for who, other in (("Cleo", ""), ("Dora", text.replace("HANDS: Final = 4", "HANDS: Final = 2"))):
            words = ["join"] if not other else by_name("Ben")
            there = types("h3", who, words, other).wait(
                rf"the game is a file that is not here, kuhn.py of {len(text)} "
            )
            assert "ask the host for it" in there.string
        ben = types("h2", "Ben", by_name("Ben"), text)
        while mover := to_move(ann, ben):
            mover.enter("bet")
        assert all("The cards are shuffled." in one.lines for one in (ann, ben))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        at_hosts(Path(made))
