"""Entrants that are peers, over real sockets within this machine: owners serve bots, and a run plays with them."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play import worker_bench
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.run_events import Event
from quadrille.client.cli import main
from quadrille.extras.league.peers import program as peers
from quadrille.extras.league.peers.exchange import Exchange
from quadrille.net.program.station import Station
from tests.ai.tournament.programs import FIRST, clear, entrant, file, play, program, three
from tests.client.programs import Program
from tests.net.ports import udp_port

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="programs are killed by signals")


@pytest.fixture
def port() -> Iterator[int]:
    yield udp_port()
    clear()


class Owner:
    """Somebody who serves a program that stands in a folder, life after life."""

    def __init__(self, folder: Path, name: str, port: int, *options: str) -> None:
        command = shlex.join([sys.executable, "-I", "-S", str(folder / f"{name}.py")])
        self._words = ("bot", "--exec", command, "--serve", *options)
        self._home, self._port, self._name = folder / f"of-{name}", port, name
        self.key = ""

    @contextmanager
    def serves(self) -> Iterator[Program]:
        with Program(*self._words, home=self._home, port=self._port, name=self._name) as owner:
            self.key = owner.wait(r'peer = "(\w{64})"')[1]
            yield owner


def peer(name: str, key: str) -> str:
    return f'[[entrant]]\nname = "{name}"\npeer = "{key}"\n'


@contextmanager
def network(folder: Path, port: int) -> Iterator[Exchange]:
    """Yield a run's place on it; the workers are threads of this process."""

    def place() -> Station:
        return Station("Run", "runner", folder=folder / "runner", port=port, interfaces=["127.0.0.1"], resumes=False)

    with Exchange(place) as exchange:
        peers.reach(exchange.address)
        yield exchange
    worker_bench._ENGAGES.clear()


def played(folder: Path, text: str, name: str = "league") -> list[GameOutcome]:
    with Journal(folder / f"{name}.sqlite", plan=parse(text, str(folder)), secret=bytes(32)) as journal:
        play(journal, tried=True)
        assert journal.voids() == []
        return list(journal.outcomes())


def rows(outcomes: list[GameOutcome]) -> list[object]:
    return [(one.number, one.result.seats, one.result.places, one.record, one.whys) for one in outcomes]


@pytest.mark.slow
def test_the_result_is_that_of_the_same_bots_here(tmp_path: Path, port: int) -> None:
    local = file(three(tmp_path), cycles=1, game="barons", seats=3)
    here = played(tmp_path, local, "local")
    owner = Owner(tmp_path, "last", port)
    with owner.serves() as served:
        mixed = local.replace(entrant("last"), peer("last", owner.key))
        with network(tmp_path, port):
            there = played(tmp_path, mixed)
        assert served.end(signal.SIGTERM) == 128 + signal.SIGTERM
        assert [text for text in served.lines if "who runs a tournament" in text]
    assert rows(there) == rows(here)


#: Stops for ever in its third turn, in its first life; keeps the process of each life, and how its game began.
STOPS = """[open(HERE + "stopped", "x").write("x"), sys.stdin.read()] if said["turn"] == 3 and not os.path.exists(HERE
    + "stopped") else said["moves"][-1]"""


@pytest.mark.slow
def test_an_owner_that_is_killed_and_comes_back_has_lost_that_game(tmp_path: Path, port: int) -> None:
    here = f"HERE = {str(tmp_path) + os.sep!r}; open(HERE + 'begun', 'a').write(str(len(said['news'])) + ' ')"
    program(tmp_path, "stops", STOPS, before=here)
    program(tmp_path, "first", FIRST)
    owner = Owner(tmp_path, "stops", port, "--isolate", "none")  # it writes down what it does
    lives = [owner.serves(), owner.serves()]
    with network(tmp_path, port):
        first = lives[0].__enter__()

        def kill(event: Event) -> None:
            if (tmp_path / "stopped").exists() and first.process.poll() is None:
                first.process.kill()
                lives[1].__enter__()

        text = file(("first",), cycles=1, size=5, more='[time]\nclock = "2m"') + peer("stops", owner.key)
        with Journal(tmp_path / "league.sqlite", plan=parse(text, str(tmp_path))) as journal:
            play(journal, kill)
            assert journal.voids() == []
            lost, fine = sorted(journal.outcomes(), key=lambda one: not one.result.faults)
        for life in lives:
            life.__exit__(None, None, None)
    assert "crash" in lost.result.faults and not fine.result.faults
    assert any("was lost at its owner's: the program there was started again" in why for why in lost.whys)


#: What a program does in its turn, which fault that is, and what is told of it.
WRONGS = {
    "crash": ("sys.exit(7)", "failed at its owner's, who says that it ended with exit code 7"),
    "protocol": ('sys.stdout.write("x" * 3_000_000)', "wrote"),
    # it writes on and on once it has moved, is read when it is its turn again, and holds up nobody
    "protocol, a flood": (
        'said["moves"][0]) or [say(turn=1, move="x") for _ in range(100_000)] and say(turn=0',
        "moved again and again in turns that were over",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONGS)
def test_what_its_program_does_wrong_costs_it_the_game(tmp_path: Path, port: int, wrong: str) -> None:
    (does, says), kind = WRONGS[wrong], wrong.partition(",")[0]
    program(tmp_path, "first", "time.sleep(1) or " * ("flood" in wrong) + FIRST)
    program(tmp_path, "wrong", does)
    owner = Owner(tmp_path, "wrong", port)
    with owner.serves(), network(tmp_path, port):
        text = file(("first",), cycles=1, more='[time]\nmove = "4s"') + peer("wrong", owner.key)
        with Journal(tmp_path / "league.sqlite", plan=parse(text, str(tmp_path))) as journal:
            play(journal)
            for one in journal.outcomes():
                seat = one.result.seats.index(1)
                assert one.result.faults[seat] == kind
                assert says in one.whys[seat]


@pytest.mark.slow
def test_a_key_of_nobody_is_told_before_the_games(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.ai.tournament.play.entrant_trial.FIND", 300)
    program(tmp_path, "first", FIRST)
    text = file(("first",), cycles=1) + peer("ada", "a1" * 32)
    with network(tmp_path, port), pytest.raises(TournamentError) as caught:
        played(tmp_path, text)
    assert f"nobody with the key {'a1' * 32} was found on the network within 0.3 seconds" in str(caught.value)
    assert "--serve" in str(caught.value) and "--connect HOST:PORT" in str(caught.value)
    with pytest.raises(TournamentError, match="who is reached by `quadrille tournament run` only"):
        played(tmp_path, text)


@pytest.mark.slow
def test_several_games_at_a_time_and_one_table(tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Two peers that play a game at a time, three workers that each want both: nobody waits for ever."""
    three(tmp_path)
    owners = [Owner(tmp_path, name, port) for name in ("last", "middle")]
    path = tmp_path / "league.toml"
    with owners[0].serves(), owners[1].serves():
        text = file(("first",), cycles=3) + "".join(peer(owner._name, owner.key) for owner in owners)
        path.write_text(text, "utf-8")
        words = ["--at-once", "3", "--quiet", "--home", str(tmp_path), "--port", str(port), "--interface", "127.0.0.1"]
        assert main(["tournament", "run", str(path), *words, "--name", "Run"]) == 0
        out = capsys.readouterr().out
        assert "18 games in 9 complete blocks" in out
        assert main(["tournament", "run", str(path), *words, "--on", "dask://127.0.0.1:1"]) != 0
        assert "leave --on out" in capsys.readouterr().err
