"""The peer in examples/wire, which shares nothing with ours but docs/protocols/, at a table with ours: its own program.

What is waited for is what the log or the end of a program shows. That the example imports nothing of ours is seen from
its source.
"""

import ast
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.wire import ed25519
from examples.wire import maze as example_maze
from quadrille.client.cli import main
from quadrille.net.core.hashing import committed
from quadrille.net.entries.bodies import LeftBody
from quadrille.net.entries.entry import acceptance, proposal_hash, resignation
from quadrille.net.entries.motions import DrawMotion
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.entries.wire import Accept, Gone, Message, Propose, Resign, Reveal
from quadrille.net.game_log import archive
from quadrille.net.game_log.news import Blamed, Declined, Stopped
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.seating.lobby import At, Dropped
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.registry import game
from tests.documents import values
from tests.net.party import Company
from tests.net.ports import tcp_port, udp_port
from tests.net.tables import TABLE, identity
from tests.net.test_store import POSIX
from tests.programs import ROOT, Program

FOLDER = ROOT / "examples" / "wire"
#: The order of the group of Ed25519: a signature with more is another one of the same bytes.
ORDER = 2**252 + 27742317777372353535851937790883648493


class Wire(Program):
    """The bot in its process; what it kept of the log when it has ended."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.saved = folder / "wire.log"
        super().__init__(sys.executable, str(FOLDER / "bot.py"), "--save", str(self.saved), *words)

    @property
    def has_ended(self) -> bool:
        return self.ended and self.process.poll() is not None


def terms(size: int, **more: Any) -> Terms:
    return Terms("maze", (("size", size),), 2, **more)


def seated(company: Company, host: Station, agreed: Terms, *, first: bool = True) -> Table:
    """A table that the bot has found, at play; the host takes the first chair, or a guest of it the second."""
    gathering = host.lobby.host(agreed, b"nonce", now(), sits=first)
    company.until(lambda: len(gathering.chairs) == 1 + first)
    if not first:
        gathering.add("Dora", "guest")
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
    assert wire.process.returncode == 0, wire.text
    assert "dropped" not in wire.text
    assert wire.saved.read_text() == archive.write(table.log)
    assert archive.read(wire.saved.read_text()).now.over == table.over
    assert table.over and f"player {table.over.places.index(1) + 1} wins" in wire.text
    assert not [event for event in company.heard(host) if isinstance(event, Dropped | Remark)]
    at_tables = [event.event for event in company.heard(host) if isinstance(event, At)]
    assert not [event for event in at_tables if isinstance(event, Blamed | Stopped)]


@POSIX
def test_a_whole_game(company: Company, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Wire(tmp_path, "--port", str(company.port)) as wire:
        host = company.enter("Ann")
        table = seated(company, host, terms(4, lot=False, held=1), first=False)
        assert table.seat == 1
        play_on(company, table)
        ended(company, table, wire, host)
        company.until(lambda: not host.lobby.here)
    assert main(["verify", str(wire.saved)]) == 0
    assert "All 16 entries are as they should be" in capsys.readouterr().out


@POSIX
def test_a_seat_of_a_game_at_play_is_declined_and_not_asked_for_again(company: Company, tmp_path: Path) -> None:
    host = company.enter("Ann")
    gathering = host.lobby.host(terms(4, lot=False), b"nonce", now(), others=[("Dora", "person")])
    gathering.start(now())
    company.until(lambda: host.lobby.tables)
    host.lobby.open_seats(gathering.table, [1])
    with Wire(tmp_path, "--port", str(company.port)) as wire:
        company.until(lambda: "no seat: a game is at play there" in wire.text)
        assert wire.text.count("asking for a seat") == 1 and not wire.has_ended


@pytest.mark.slow
@POSIX
def test_by_a_seed_with_seats_by_lot_and_every_message_twice(tmp_path: Path) -> None:
    tcp, words = tcp_port(), ("--port", str(udp_port()))
    with Company(tmp_path) as company, Wire(tmp_path, "--connect", f"127.0.0.1:{tcp}", *words) as wire:
        host = Station("Ann", "person", folder=tmp_path / "a", port=company.port, tcp_port=tcp)
        company.stations.append(host.start())
        whisper = host.node.neighbours.whisper
        host.node.neighbours.whisper = lambda peer, payload: whisper(peer, payload) and whisper(peer, payload)  # type: ignore[method-assign]
        table = seated(company, host, terms(3))
        play_on(company, table)
        ended(company, table, wire, host)


@pytest.mark.slow
@POSIX
def test_what_is_proposed_is_declined_and_a_resignation_is_carried(company: Company, tmp_path: Path) -> None:
    with Wire(tmp_path, "--port", str(company.port)) as wire:
        host = company.enter("Ann")
        table = seated(company, host, terms(3, lot=False))

        assert table.agree(DrawMotion(), now())
        heard = lambda: [event.event for event in company.heard(host) if isinstance(event, At)]  # noqa: E731
        company.until(lambda: any(isinstance(event, Declined) for event in heard()))
        own = host.identity.sign(resignation(table.log.table, 0, b""))
        table.outgoing.append((None, Resign(table.log.table, 0, own, b"")))  # heard before the turn is the bot's
        table.play(str(next(iter(table.view.moves))), now())
        company.until(lambda: table.over)
        last = table.log.entries[-1]
        assert (last.author, last.body) == (table.log.now.keys[1], LeftBody(0, "resigned", own))
        ended(company, table, wire, host)


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The log of the example, by its own names."""
    monkeypatch.syspath_prepend(str(FOLDER))
    known = set(sys.modules)
    yield importlib.import_module("log")
    for name in {path.stem for path in FOLDER.glob("*.py")} & (set(sys.modules) - known):
        del sys.modules[name]


@pytest.mark.parametrize("keeps_back", [False, True])
def test_it_does_not_draw_again_with_one_that_kept_its_secret_back(theirs: Any, keeps_back: bool) -> None:
    said: list[Any] = []
    host, guest, agreed = identity(1), identity(2), terms(3, lot=False)
    offer = (TABLE, host.key, agreed.plain(), (), "open", 0)
    gathering = importlib.import_module("gathering").Gathering(
        offer, bytes([2]) * 32, "Wire", lambda *row: said.append(row)
    )
    chairs = tuple(Chair(one.key, "name", "bot") for one in (host, guest))

    def hear(message: Message) -> None:
        gathering.hear(host.key, message.NUMBER, message.plain())

    def accept(turn: int) -> Accept:
        commitment = committed(TABLE, turn, host.key, bytes([turn]) * 32)
        proposal = proposal_hash(agreed, chairs)
        signature = host.sign(acceptance(TABLE, turn, proposal, commitment))
        return Accept(TABLE, turn, proposal, commitment, signature)

    hear(Propose(TABLE, 1, agreed, chairs))
    first = gathering.share
    hear(accept(1 if keeps_back else 2))
    gathering.act(gathering.again)
    assert (Reveal.NUMBER in [number for _, number, *_ in said]) == keeps_back
    hear(Propose(TABLE, 2, agreed, chairs))
    if keeps_back:
        assert said[-1][:2] == (host.key, Gone.NUMBER) and gathering.ends == 0.0
    else:
        assert gathering.turn == 2 and gathering.share != first


def test_it_imports_nothing_of_ours() -> None:
    named = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                named |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                named.add(str(node.module).split(".")[0])
    own = {path.stem for path in FOLDER.glob("*.py")}
    assert named - own - set(sys.stdlib_module_names) == {"msgpack", "nacl", "zmq"}


def test_its_signatures_are_those_of_others() -> None:
    ours = Identity(bytes(range(32)))
    assert ed25519.key_of(bytes(range(32))) == ours.key
    for size in (0, 1, 100):
        signature = ours.sign(bytes(size))
        assert ed25519.sign(bytes(range(32)), bytes(size)) == signature
        assert ed25519.verified(ours.key, signature, bytes(size))
        assert not ed25519.verified(ours.key, signature, bytes(size) + b"!")
        assert not ed25519.verified(ours.key, signature[:32] + bytes(32), bytes(size))
        later = int.from_bytes(signature[32:], "little") + ORDER
        assert not ed25519.verified(ours.key, signature[:32] + later.to_bytes(32, "little"), bytes(size))
    assert not ed25519.verified((1).to_bytes(32, "little"), bytes(64), b"")


def test_the_position_of_maze_in_the_document() -> None:
    told = values("position")
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
