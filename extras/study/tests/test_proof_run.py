"""A proof that takes long: kept on the disk, gone on with after kill -9 and Ctrl-C, and helped by other processes."""

import signal
import sys
import time
from pathlib import Path

import pytest

from quadrille.client.progress_line import ProgressLine
from quadrille.extras.study.certificates.certificate import ClaimedPosition
from quadrille.extras.study.solving import proof_run
from quadrille.extras.study.solving.proof_run import Assistant, ProofRun
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof
from tests.client.conftest import Run
from tests.programs import Program
from tests.waiting import soon

TABLE = 1 << 20, 1
#: A proof that no test waits for, with its file written after each slice.
LONG = """
import sys
from quadrille.client import cli
from quadrille.extras.study.solving import proof_run
proof_run.SLICE, proof_run.KEPT, proof_run.CHECKPOINT = 2000, 16, float(sys.argv.pop(1))
sys.exit(cli.main(sys.argv[1:]))
"""
WORDS = "solve maze --set size=9 -o f --memory 1"


def begun(seconds: float) -> Program:
    return Program(sys.executable, "-c", LONG, str(seconds), *WORDS.split())


def maze(size: int) -> tuple[Position, ClaimedPosition]:
    return Position.start("maze", {"size": size}, 2), ClaimedPosition.of(game("maze"), {"size": size}, 2, ())


@pytest.mark.slow
def test_a_proof_goes_on_after_kill_9(run: Run) -> None:
    with begun(0.0) as program:
        assert soon(Path("f.part").exists)
        assert program.end(signal.SIGKILL) == -signal.SIGKILL
    ran = run(f"{WORDS} --positions 100")
    assert ran.code == 1 and "Going on from f.part: " in ran.err
    assert "f.part keeps the proof: the same command with more --positions goes on." in ran.out
    before, after = ran.err.split("f.part: ")[1].split()[0], ran.out.split("solved: ")[1].split()[0]
    assert int(after.replace(",", "")) == int(before.replace(",", "")) + 100 > 2000
    assert not Path("f").exists()


@pytest.mark.slow
def test_ctrl_c_keeps_all_that_is_known(run: Run) -> None:
    with begun(1000.0) as program:
        program.wait("million a second")
        assert not Path("f.part").exists()
        assert program.end(signal.SIGINT) == 130 and Path("f.part").exists()
        assert "f.part keeps the proof so far" in program.text
    assert "Going on from f.part: " in run(f"{WORDS} --positions 100").err


def test_what_was_kept_is_not_searched_again(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With most of the proof in the file the rest is short, the payoff is the same, and the file goes at the end."""
    monkeypatch.setattr(proof_run, "KEPT", 1)
    position, claimed = maze(5)
    whole = ProofRun(position, 0, *TABLE, ProgressLine())
    assert whole.go(100_000) and whole.proof.result == -1
    first = ProofRun(position, 0, *TABLE, ProgressLine(), "f.part", claimed)
    assert not first.go(whole.searched - 100)
    second = ProofRun(position, 0, *TABLE, ProgressLine(), "f.part", claimed)
    assert second.go(100_000) and second.proof.result == -1
    assert second.searched < whole.searched // 2 and second.positions == first.searched + second.searched
    second.done()
    assert not Path("f.part").exists()
    assert "Going on from f.part" in capsys.readouterr().err


def test_a_damaged_file_and_that_of_another_position_are_refused(run: Run) -> None:
    few = "--set size=5 --memory 1 -o f"
    assert run(f"solve maze {few} --positions 300").code == 1
    whole = Path("f.part").read_bytes()
    for data, words, says in (
        (whole[:-1], few, "f.part is damaged: it was cut or changed. Copy it again, or delete it"),
        (b"", few, "f.part is no file of an unfinished proof: name another file, or delete it"),
        (whole, "--set size=6 --memory 1 -o f", "it is the proof of another position, or by other rules"),
    ):
        Path("f.part").write_bytes(data)
        ran = run(f"solve maze {words}")
        assert ran.code == 2 and says in ran.err and not ran.out


@pytest.mark.slow
def test_processes_prove_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_run, "SLICE", 500)
    monkeypatch.setattr(proof_run, "EXCHANGE", 0.0)
    ran = run("solve maze --set size=6 --processes 2 -o f")
    assert ran.code == 0 and "Player 1 wins" in ran.out
    assert run("solve --check f").code == 0


def test_a_dead_process_is_done_without(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The out-of-memory killer takes an assisting process."""
    monkeypatch.setattr(proof_run, "SLICE", 50)
    monkeypatch.setattr(proof_run, "EXCHANGE", 0.0)
    ended = Assistant.__init__

    def dead(self: Assistant, *given: object) -> None:
        ended(self, *given)  # type: ignore[arg-type]
        self._process.kill()
        self._process.join()

    monkeypatch.setattr(Assistant, "__init__", dead)
    run = ProofRun(maze(5)[0], 0, 2 << 20, 2, ProgressLine())
    assert run.go(100_000) and run.proof.result == -1
    assert "a process has ended" in capsys.readouterr().err


@pytest.mark.slow
def test_an_assistant_answers_each_message_once() -> None:
    """So that no two processes wait for each other, each with a pipe that is full."""
    position, _ = maze(5)
    helper = Assistant(position, 0, 1 << 20, 1)
    try:
        for _ in range(2):
            helper.pipe.send([])
            positions, entries = helper.pipe.recv()
            assert positions >= 0 and len(entries) % 2 == 0
        assert not helper.pipe.poll(0)
    finally:
        helper.end()


def test_the_progress_says_how_long_the_limit_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    run = ProofRun(maze(8)[0], 0, *TABLE, ProgressLine())
    run.go(1000)
    run._began, run._until = time.monotonic() - 10, 4000
    assert run._progress().startswith("1,000 positions, 0.00 million a second, ")
    assert run._progress().endswith(", at most 0:30 more")


@pytest.mark.slow
def test_a_proof_that_does_not_hold_is_not_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Maze 8 was proven with keys that many positions shared; following all games found it out."""
    assert run("solve maze --set size=4 --positions 20 -o f").code == 1 and Path("f.part").exists()
    monkeypatch.setattr(Proof, "keeps", lambda self, board, payoff: max(board.moves[: board.legal()]))
    ran = run("solve maze --set size=4 -o f")
    assert ran.code == 2 and "the proof does not hold: after " in ran.err and "with another --memory" in ran.err
    assert not Path("f").exists() and not Path("f.part").exists()
