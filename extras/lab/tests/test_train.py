"""`quadrille train`: what is learned survives Ctrl-C, kill -9 and a full disk."""

import resource
import signal
from pathlib import Path

import pytest

from extras.lab.tests.test_learned import DIGESTS
from tests.client.conftest import Run
from tests.client.programs import Program

SMALL = "train barons --seats 2 --set width=4 --set height=4 --seed 7"


@pytest.mark.slow
def test_refusals(run: Run) -> None:
    run(f"{SMALL} --games 100 -o f")
    Path("other").write_text("mine")
    for words, says in (
        ("train coin-isolation --games 5", "Coin Isolation can't be learned: that takes moves of one step"),
        ("train barons --games 0", "--games: it takes a number from 1"),
        ("train barons --games 5 --minutes 5", "name one of them"),
        (f"{SMALL}1 --games 300 -o f", "name another file with -o, or delete it"),
        (f"{SMALL} --games 50 -o f", "f.part has 100 games already"),
        (f"{SMALL} --games 50 -o other", "there is a file other already"),
    ):
        ran = run(words)
        assert ran.code == 2 and says in ran.err and Path("other").read_text() == "mine", words


@pytest.mark.slow
def test_ctrl_c_and_kill_lose_nothing(run: Run) -> None:
    words = [*SMALL.split(), "--games", "1000000", "-o", "f"]
    with Program(*words) as program:
        program.wait("[0-9] games, ")
        assert program.end(signal.SIGINT) == 130
        assert "The same command goes on from f.part" in program.text
    assert Path("f").exists() and Path("f.part").exists()
    with Program(*words) as program:
        program.wait("Going on from f.part: [1-9]")
        program.wait("[0-9] games, ")
        assert program.end(signal.SIGKILL) == -signal.SIGKILL
    with Program(*words) as program:
        program.wait("Going on from f.part: [1-9]")
        program.end(signal.SIGKILL)


@pytest.mark.slow
def test_two_runs_at_once_are_refused_and_one_that_was_killed_locks_nothing(run: Run) -> None:
    words = [*SMALL.split(), "--games", "1000000", "-o", "f"]
    with Program(*words) as program:
        program.wait("[0-9] games, ")
        before = Path("f.part").read_bytes()
        ran = run(f"{SMALL} --games 1000000 -o f")
        assert ran.code == 1 and "another run is writing f" in ran.err and "-o" in ran.err
        assert Path("f.part").read_bytes() == before and Path("f-lock").exists()
        assert run(f"{SMALL} --games 10 -o g").code == 0, "another file is free"
        program.end(signal.SIGKILL)
    assert run(f"{SMALL} --games 10 -o f").code == 0, "the lock went with its holder"
    assert not Path("f-lock").exists(), "nothing is left beside the files"


def test_a_folder_that_forbids_it_is_named(run: Run) -> None:
    ran = run(f"{SMALL} --games 10 -o nowhere/f")
    assert ran.code == 1 and "nowhere/f can't be written: " in ran.err and "with -o" in ran.err


@pytest.mark.slow
def test_a_full_disk_is_said_nothing_is_lost_and_one_seed_gives_one_file(run: Run) -> None:
    """Train in three runs, and expect the digest of a single run."""
    assert run(f"{SMALL} --games 100 -o f").code == 0
    before = Path("f.part").read_bytes(), Path("f").read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        ran = run(f"{SMALL} --games 120 -o f")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert ran.code == 1 and "f can't be written" in ran.err
    assert (Path("f.part").read_bytes(), Path("f").read_bytes()) == before
    again = run(f"{SMALL} --games 300 -o f")
    assert again.out.count(DIGESTS["barons", 4, 4, 2]) == 1 and "Going on from f.part: 100 games." in again.err
