"""The peer in examples/wire, which shares nothing with ours but protocols.md, at a table with ours: its own program.

What is waited for is what the log or the end of a program shows. That the example imports nothing of ours is seen from
its source.
"""

import ast
import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from examples.wire import ed25519
from examples.wire import maze as example_maze
from quadrille.client.cli import main
from quadrille.net import archive
from quadrille.net.entry import resignation
from quadrille.net.identity import Identity
from quadrille.net.lobby import At, Dropped
from quadrille.net.news import Blamed, Declined, Doubted, Stopped
from quadrille.net.station import Remark, Station, now
from quadrille.net.table import Table
from quadrille.net.terms import Chair, Terms
from quadrille.net.wire import Resign
from quadrille.rules.registry import game
from tests.net.company import Company
from tests.net.party import PATIENCE
from tests.net.ports import tcp_port, udp_port
from tests.net.stores import POSIX

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "wire"


class Wire:
    """The bot in its process; what it kept of the log when it has ended."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.saved = folder / "wire.log"
        self.output = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed at its end
        command = [sys.executable, str(FOLDER / "bot.py"), "--save", str(self.saved), *words]
        self.process = subprocess.Popen(command, stdout=self.output, stderr=subprocess.STDOUT, text=True)

    @property
    def said(self) -> str:
        """All that it has printed."""
        self.output.seek(0)
        return self.output.read()

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        self.output.close()


def terms(size: int, **more: bool) -> Terms:
    return Terms("maze", (("size", size),), 2, **more)


def seated(company: Company, host: Station, agreed: Terms, *, first: bool = True) -> Table:
    """A table that the bot has found, at play; the host takes the first chair or the second."""
    gathering = host.lobby.host(agreed, b"nonce", now(), sits=first)
    company.until(lambda: len(gathering.chairs) == 1 + first)
    if not first:
        gathering.sit(Chair(host.identity.key, "Ann", "person"))
    gathering.start(now())
    company.until(lambda: host.lobby.tables)
    return host.lobby.tables[gathering.table]


def play_on(company: Company, table: Table) -> None:
    """To the end; the host's moves are the first in the list."""
    while not table.over:
        if table.is_my_turn:
            table.play(str(next(iter(table.view.moves))), now())
        company.until(lambda: table.is_my_turn or table.over)


def ended(company: Company, table: Table, wire: Wire, host: Station) -> None:
    """The bot ends well, with the log that the host has, which stands by our own measure."""
    company.until(lambda: wire.has_ended)
    assert wire.process.returncode == 0, wire.said
    assert "dropped" not in wire.said
    assert wire.saved.read_text() == archive.write(table.log)
    assert archive.read(wire.saved.read_text()).now.over == table.over
    assert table.over and f"player {table.over.places.index(1) + 1} wins" in wire.said
    assert not [event for event in company.heard(host) if isinstance(event, Dropped | Remark)]
    at_tables = [event.event for event in company.heard(host) if isinstance(event, At)]
    assert not [event for event in at_tables if isinstance(event, Blamed | Stopped | Doubted)]


@POSIX
@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str], seat: int) -> None:
    with Company(tmp_path) as company, Wire(tmp_path, "--port", str(company.port)) as wire:
        host = company.enter("Ann")
        table = seated(company, host, terms(4, lot=False), first=seat == 1)
        assert table.seat == 1 - seat
        play_on(company, table)
        ended(company, table, wire, host)
        company.until(lambda: not host.lobby.here)
    assert main(["verify", str(wire.saved)]) == 0
    assert "All 16 entries are as they should be" in capsys.readouterr().out


@POSIX
def test_by_a_seed_with_seats_by_lot_and_every_message_twice(tmp_path: Path) -> None:
    tcp, words = tcp_port(), ("--port", str(udp_port()))
    with Company(tmp_path) as company, Wire(tmp_path, "--connect", f"127.0.0.1:{tcp}", *words) as wire:
        host = Station("Ann", "person", folder=tmp_path / "a", port=company.port, tcp_port=tcp)
        company.stations.append(host.start())
        whisper = host.node.whisper
        host.node.whisper = lambda peer, payload: whisper(peer, payload) and whisper(peer, payload)  # type: ignore[method-assign]
        table = seated(company, host, terms(3))
        play_on(company, table)
        ended(company, table, wire, host)


@POSIX
def test_what_is_proposed_is_declined_and_a_resignation_is_carried(tmp_path: Path) -> None:
    with Company(tmp_path) as company, Wire(tmp_path, "--port", str(company.port)) as wire:
        host = company.enter("Ann")
        table = seated(company, host, terms(3, lot=False))

        assert table.agree(("draw", 0, bytes(32), ""), now())
        company.until(lambda: any(_is_refusal(event) for event in company.heard(host)))
        own = host.identity.sign(resignation(table.log.table, 0, b""))
        table.outgoing.append((None, Resign(table.log.table, 0, own, b"")))  # heard before the turn is the bot's
        table.play(str(next(iter(table.view.moves))), now())
        company.until(lambda: table.over)
        last = table.log.entries[-1]
        assert (last.author, last.body) == (table.log.now.keys[1], (0, "resigned", own, b""))
        ended(company, table, wire, host)


def _is_refusal(event: object) -> bool:
    return isinstance(event, At) and isinstance(event.event, Declined)


@POSIX
def test_who_ends_it_is_told_as_a_resignation(tmp_path: Path) -> None:
    with Company(tmp_path) as company, Wire(tmp_path, "--port", str(company.port)) as wire:
        host = company.enter("Ann")
        table = seated(company, host, terms(6, lot=False))
        company.until(lambda: "at play" in wire.said)
        wire.process.send_signal(signal.SIGINT)
        company.until(lambda: table.over)
        company.until(lambda: wire.has_ended)
        assert wire.process.returncode == 130
        assert table.log.entries[-1].body[:2] == (1, "resigned")


def test_it_imports_nothing_of_ours() -> None:
    named = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                named |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                named.add(str(node.module).split(".")[0])
    own = {path.stem for path in FOLDER.glob("*.py")}
    assert named - own - set(sys.stdlib_module_names) == {"msgpack", "zmq"}


def test_its_signatures_are_those_of_others() -> None:
    ours = Identity(bytes(range(32)))
    assert ed25519.key_of(bytes(range(32))) == ours.key
    for size in (0, 1, 100):
        signature = ours.sign(bytes(size))
        assert ed25519.sign(bytes(range(32)), bytes(size)) == signature
        assert ed25519.verified(ours.key, signature, bytes(size))
        assert not ed25519.verified(ours.key, signature, bytes(size) + b"!")
        assert not ed25519.verified(ours.key, signature[:32] + bytes(32), bytes(size))
        later = int.from_bytes(signature[32:], "little") + ed25519.ORDER
        assert not ed25519.verified(ours.key, signature[:32] + later.to_bytes(32, "little"), bytes(size))
    assert not ed25519.verified((1).to_bytes(32, "little"), bytes(64), b"")


def test_the_position_of_maze_in_the_document() -> None:
    text = (ROOT / "protocols.md").read_text("utf-8")
    found = re.search(r"^```position\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    told = dict(line.split(" ", 1) for line in found[1].splitlines())
    options = json.loads(told["options"])
    state, theirs = game("maze").start(options, 2), example_maze.Maze(options["size"])
    for text in told["moves"].split():
        state = state.play(state.game.parse(text, state))
        theirs = theirs.after(next(move for move in theirs.moves if theirs.text(move) == text))
    turn, segments = json.loads(told["position"])
    assert state.plain() == (theirs.turn, theirs.drawn) == (turn, tuple(segments))
    assert state.digest().hex() == theirs.digest().hex() == told["digest"]
    assert state.leave(1).digest().hex() == theirs.digest((0, 1)).hex() == told["player-2-left"]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_its_maze_is_ours(size: int) -> None:
    """Along one game: the list of moves, the digest, the X's."""
    state, theirs = game("maze").start({"size": size}, 2), example_maze.Maze(size)
    for ply in range(size * size - 1):
        assert [theirs.text(move) for move in theirs.moves] == [str(move) for move in state.moves]
        move = theirs.moves[ply * 7 % len(theirs.moves)]
        state, theirs = state.play(state.game.parse(theirs.text(move), state)), theirs.after(move)
        assert theirs.digest() == state.digest() and theirs.crosses == state.figures()["crosses"]
    assert not theirs.moves and not state.moves
