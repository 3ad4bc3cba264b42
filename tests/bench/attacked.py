"""How many of its moves a game keeps while strangers attack both of its programs, and how much memory these take.

    python -m tests.bench.attacked [--attacks KIND …] [--rounds N] [--moves N] [--json]

Two programs play on loopback, and each answers a move after a fixed time. Calm spells and spells under attack follow
each other in one game. In each of the latter a fresh attacker with fresh keys has begun; it has the lowest priority,
because it stands for other machines. In `vouches` the attacker is a third seat of the same game, which vouches for
entries that nobody has. The ratio is that of the moves in both kinds of spells. The aims: 0.9 of the
moves, and 150 MiB for each program.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, cycle
from pathlib import Path
from typing import Final

from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import DropMotion
from quadrille.net.entries.wire import Entries, Message, Want
from quadrille.net.game_log.log import Log
from quadrille.net.program.station import Station
from quadrille.net.zeromq.zre import Hello, encode
from tests.net.callers import HOST, LONG_FRAME, Stranger
from tests.net.cards.by_hand import dotter, serve
from tests.net.ports import tcp_port, udp_port
from tests.net.programs import Program, most_memory, wait_until
from tests.net.tables import begun, mover, terms
from tests.net.zmtp import message, opening

#: Milliseconds until a seat answers a move.
THINK: Final = 40
#: Strangers of an attacker.
CROWD: Final = 8
#: A game of some 600 moves.
TERMS: Final = {"game": "barons", "seats": 2, "options": {"width": 26, "height": 26}, "lot": False}


# The attacks: each step of one is as much as it says before it looks at the clock


def frames(ports: list[int], _: int) -> Iterator[None]:
    """Messages of very many frames, and frames that are as long as one may be, on connections that come again."""
    calls = [(port, opening(os.urandom(16))) for port in ports * CROWD]
    crowd = [Stranger(port) for port, _ in calls]
    for number, stranger in enumerate(crowd):
        stranger.say(calls[number][1])
    for said in cycle((b"\x01\x01x" * 20_000, LONG_FRAME * 3)):
        for number, (port, first) in enumerate(calls):
            if not crowd[number].say(said):
                crowd[number].cut()
                crowd[number] = Stranger(port)
                crowd[number].say(first)
        yield


def hellos(ports: list[int], udp: int) -> Iterator[None]:
    """HELLO again and again in the name of the other seat."""
    with strangers(1, ports, udp) as [one]:
        seats = [peer.id for peer in one.node.neighbours.peers()]
    for seat in cycle(seats):
        for port in ports:
            impostor = Stranger(port)
            said = Hello(1, f"tcp://{HOST}:{tcp_port()}", (), 0, "one", ())
            impostor.say(opening(b"\x01" + seat))
            impostor.socket.settimeout(1)
            with contextlib.suppress(OSError):  # refused
                while not impostor.is_answered():
                    pass
            impostor.say(message(*encode(said)))
            impostor.cut()
        yield


@contextlib.contextmanager
def strangers(number: int, ports: list[int], udp: int) -> Iterator[list[Station]]:
    """Stations that have met each other and the seats."""
    with ExitStack() as stack:
        folders = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(number)]
        crowd = [
            stack.enter_context(Station("stranger", "bot", folder=folder, port=udp, interfaces=[HOST]))
            for folder in folders
        ]
        while any(len(each.lobby.peers) < len(ports) + number - 1 for each in crowd):
            for each in crowd:
                each.turn(5)
        yield crowd


def said_by_all(crowd: list[Station], messages: Iterator[Message]) -> Iterator[None]:
    """Every stranger says each message to both seats, as fast as it can."""
    own = {each.identity.key for each in crowd}
    seats = [key for key in crowd[0].lobby.peers if key not in own]
    for said in messages:
        for each in crowd:
            each.lobby.outgoing += [(seat, said) for seat in seats]
            each.turn(0)
        yield


def logs(ports: list[int], udp: int) -> Iterator[None]:
    """The whole log of the game that is played, asked for again and again."""
    with strangers(CROWD, ports, udp) as crowd:
        while not (offers := [offer for peer in crowd[0].lobby.peers.values() for offer in peer.tables]):
            for each in crowd:
                each.turn(5)
        yield from said_by_all(crowd, cycle([Want(offers[0].table, 0)]))


def decisions(ports: list[int], udp: int) -> Iterator[None]:
    """Decisions of nobody about the last place of the game that is played, with signatures that are none."""
    with strangers(CROWD, ports, udp) as crowd:
        while not (offers := [offer for peer in crowd[0].lobby.peers.values() for offer in peer.tables]):
            for each in crowd:
                each.turn(5)
        name = offers[0].table
        for each in crowd:
            each.lobby.watch(name, offers[0].host)
        while any(name not in each.lobby.tables for each in crowd):
            for each in crowd:
                each.turn(5)
        yield from said_by_all(crowd, (false_decisions(crowd[0].lobby.tables[name].log) for _ in count()))


def false_decisions(log: Log) -> Message:
    """As many as a message holds."""
    last, turn = log.entries[-1], log.standings[-2].turn or 0
    body = MotionBody(DropMotion(turn), tuple((seat, bytes(64)) for seat in log.now.seats_in() if seat != turn))
    return Entries(
        log.table,
        tuple(Entry(log.table, last.index, last.before, NOBODY, body, 0, os.urandom(32)) for _ in range(160)),
    )


def inventions(ports: list[int], udp: int) -> Iterator[None]:
    """Entries of games that nobody plays: moves, and shuffles with their proofs."""
    with strangers(CROWD, ports, udp) as crowd:
        yield from said_by_all(crowd, invented())


def invented() -> Iterator[Message]:
    """Tables without end, and one shuffle of a deck with each."""
    shuffled = serve(dotter(3)).entries
    for number in count():
        log = begun(terms("barons", 3, {"width": 8, "height": 8}, lot=False), number.to_bytes(16, "big"))
        for _ in range(2):
            log.take(log.write(MoveBody(str(next(iter(log.now.match.state.moves)))), mover(log)))
        yield Entries(log.table, tuple(log.entries))
        yield Entries(shuffled[0].table, tuple(shuffled[number % 3 :][:12]))


ATTACKS: Final = {attack.__name__: attack for attack in (frames, hellos, inventions, logs, decisions)}
#: The attack by a seat: tests/net/player.py makes it.
VOUCHES: Final = "vouches"
KINDS: Final = (*ATTACKS, VOUCHES)


def attack(kind: str, udp: int, ports: list[int]) -> None:
    """The program of an attacker: it says so after each step, until it is killed. It prepares itself undelayed."""
    for number, _ in enumerate(ATTACKS[kind](ports, udp)):
        if not number:
            os.nice(19)
        print(json.dumps({"what": "step"}), flush=True)


# The game


@contextlib.contextmanager
def game(udp: int, folder: str, *, liar: bool) -> Iterator[list[Program]]:
    """Two programs that play, and a third one that floods them while the file `flood` is there."""
    own, terms = [sys.executable, "-m", "tests.net.player"], TERMS | {"seats": 2 + liar}
    more = [str(udp), "--think", str(THINK), "--interfaces", HOST]
    seats = [
        Program("one", *own, "one", f"{folder}/one", *more, "--host", json.dumps(terms), "--crowd", str(1 + liar)),
        Program("two", *own, "two", f"{folder}/two", *more, "--join"),
    ]
    if liar:
        seats.append(Program("three", *own, "three", f"{folder}/three", *more, "--join", "--floods", f"{folder}/flood"))
    try:
        wait_until(lambda: all(len(seat.said("took")) > 10 for seat in seats), *seats)
        yield seats
    finally:
        for seat in seats:
            seat.kill()


def seconds_of(seat: Program, moves: int) -> float:
    """How long so many moves take from now on."""
    made, began = len(seat.said("took", kind="move")), time.monotonic()
    wait_until(lambda: len(seat.said("took", kind="move")) >= made + moves or seat.said("over"), seat)
    assert not seat.said("over"), "the game is too short for so many rounds"
    return time.monotonic() - began


def measured(kind: str, rounds: int, moves: int) -> dict[str, float]:
    """Moves a second in calm and under attack, steps of the attacker a second, and the most memory of a seat."""
    udp = udp_port()
    calm = attacked = 0.0
    steps = 0
    with tempfile.TemporaryDirectory() as folder, game(udp, folder, liar=kind == VOUCHES) as seats:
        ports = [str(seat.said("ready")[0]["port"]) for seat in seats]
        for _ in range(rounds):
            calm += seconds_of(seats[0], moves)
            with flooding(seats[2], Path(folder)) if kind == VOUCHES else attacker(kind, udp, ports) as liar:
                before = len(liar.said("step"))
                attacked += seconds_of(seats[0], moves)
                assert liar.process.poll() is None, liar.text
                steps += len(liar.said("step")) - before * (kind == VOUCHES)
        memory = max(most_memory(seat) for seat in seats[:2])
    made = rounds * moves
    return {
        "calm": round(made / calm, 1),
        "attacked": round(made / attacked, 1),
        "ratio": round(calm / attacked, 3),
        "steps": round(steps / attacked, 1),
        "memory": round(memory, 1),
    }


@contextlib.contextmanager
def flooding(liar: Program, folder: Path) -> Iterator[Program]:
    """The third seat, while it floods the others."""
    (folder / "flood").touch()
    try:
        yield liar
    finally:
        (folder / "flood").unlink()


@contextlib.contextmanager
def attacker(kind: str, udp: int, ports: list[str]) -> Iterator[Program]:
    """A program that is attacking."""
    program = Program("attacker", sys.executable, "-m", "tests.bench.attacked", "--attack", kind, str(udp), *ports)
    try:
        program.wait("step")
        yield program
    finally:
        program.kill()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--attack", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--attacks", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.attack:
        kind, udp, *ports = given.attack
        attack(kind, int(udp), [int(port) for port in ports])
        return
    found = {kind: measured(kind, given.rounds, given.moves) for kind in given.attacks}
    if given.json:
        print(json.dumps(found))
        return
    print("              moves a second   under attack   ratio   steps a second   most memory, MiB")
    for kind, row in found.items():
        head = f"  {kind:12}{row['calm']:14} {row['attacked']:14} {row['ratio']:7}"
        print(f"{head} {row['steps']:16} {row['memory']:18}")


if __name__ == "__main__":
    main()
