"""Whole machines under messages that are well formed, rightly signed and senseless (tests/fuzz/machines.py)."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from quadrille.net.entries.bodies import BODIES
from quadrille.net.entries.wire import TYPES
from tests.fuzz.grammar import node
from tests.fuzz.liar import Liar
from tests.fuzz.machines import A_WORLD, Failed, many
from tests.fuzz.worlds import World
from tests.net.cards.stub import stubbed


@pytest.mark.first(1)
@pytest.mark.parametrize(("seed", "number"), [("short", 400), ("slow/0", 1_800), ("slow/1", 1_800)])
def test_many_messages(seed: str, number: int, tmp_path: Path) -> None:
    """The same in every run of CI: more of them find something once, and are for the night."""
    said = many(seed, number, tmp_path)
    assert said.total() == number
    assert {kind.__name__ for kind in TYPES.values()} <= said.keys()


@pytest.mark.slow
def test_a_failure_is_seen_again_by_its_seed() -> None:
    """Whatever order a program's sets have, which is another one in each run of Python."""
    command = [sys.executable, "-m", "tests.fuzz.machines", "--world", "slow/1/1"]
    runs = [subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": n}, capture_output=True) for n in "02"]
    assert runs[0].stdout == runs[1].stdout != b""


def test_every_shape_is_understood() -> None:
    """What the fuzz makes fits, whatever fields a message has."""
    liar = Liar("shapes")
    for shape in [*(kind.SHAPE for kind in TYPES.values()), *(kind.SHAPE for kind in BODIES.values())]:
        for _ in range(20):
            value = node(shape.says).make(liar.seen)
            assert shape.fits(value), (shape.says, value)
            node(shape.says).learn(value, liar.seen)


@stubbed()
def test_the_liar_gets_through() -> None:
    """What it says is not only refused: logs grow by it, in every way that there is."""
    wanted = set(BODIES) - {"begin", "shuffle"}
    taken: Counter[str] = Counter()
    for number in (5, 6, 58, 117, *range(200)):  # the first are enough, as long as nothing changes what they draw
        if wanted <= taken.keys():
            return
        world = World(f"taken/{number}")
        for _ in range(60):
            before = {log.table: log.head for log in world.logs()}
            author, message = world.lie()
            world.hear(author.key, message)
            for log in world.logs():
                if before.get(log.table, log.head) != log.head:
                    taken[log.entries[-1].kind] += 1
    raise AssertionError(f"only these were taken: {taken}")


def test_a_failure_says_how_to_see_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("quadrille.net.tables.table.Table._compare", fails)
    with pytest.raises(Failed, match=r"world planted/\d+, step \d+: ZeroDivisionError: planted; again by python -m"):
        many("planted", 20 * A_WORLD, tmp_path)
