"""A real hall on one machine: many stations with sockets and stores, some of them at tables.

    python -m tests.bench.hall [--peers 200] [--tables 40] [--seconds 30] [--workers 4] [--json]

Stations run in a few processes, each station in a thread of its own. The first peers play, two at a table, a move every
second; the others idle. It says how soon everybody knew all tables, what an idle peer costs, the longest wait for a
move, and whether anybody was blamed, parted from a table or left out.

    python -m tests.bench.hall --simulated 1000 [--liars]
    python -m tests.bench.hall --coarse 10000

measure halls in virtual time: whole machines without sockets (tests/net/hall_world.py), or only who has heard of what
(tests/net/coarse_hall.py). With --liars a tenth of the machines lie in all ways of tests/net/hall_liars.py by turns.
"""

import argparse
import json
import multiprocessing
import resource
import tempfile
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

from quadrille.net.game_log.news import Blamed, Convicted, Stopped, Took
from quadrille.net.program.station import Station, now
from quadrille.net.seating.gathering import ChairGranted
from quadrille.net.seating.lobby import At, Lobby
from quadrille.net.zeromq.connection import Connection
from quadrille.rules.chance import Stream
from tests.bench.moves import terms
from tests.net.coarse_hall import coarse
from tests.net.hall_liars import LIARS
from tests.net.hall_world import HallWorld
from tests.net.ports import udp_port
from tests.net.virtual_time import signatures_checked_once

MOVE_EVERY = 1000
MOST_WAIT = 90


@dataclass
class Seen:
    """Counts of one worker."""

    met: float = 0.0
    sends: int = 0
    processor: float = 0.0
    moves: int = 0
    longest_wait: int = 0
    blamed: list[str] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    tables: int = 0
    resident: int = 0


class Resident:
    """One station in its thread."""

    def __init__(self, number: int, folder: Path, port: int, players: int) -> None:
        self.number, self.players = number, players
        self.folder, self.port = folder / str(number), port
        self.station: Station | None = None  # made in its thread, as its store has to be
        self.dice = Stream("hall", str(number))
        self.moved = now()
        self.moves = self.longest = 0
        self.blamed: list[str] = []
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.live)

    def live(self) -> None:
        station = Station(
            f"p{self.number}", "bot", folder=self.folder, port=self.port, interfaces=["127.0.0.1"], durability="normal"
        )
        with station:
            self.station = station
            while not self.ends.is_set():
                for event in station.turn(250):
                    match event:
                        case At(_, Blamed() | Convicted() | Stopped() as found):
                            self.blamed.append(str(found))
                        case At(_, Took()):
                            self.longest = max(self.longest, now() - self.moved)
                            self.moved = now()
                            self.moves += 1
                if self.number < self.players:
                    self.act(station.lobby, now())
                station.flush()

    @property
    def lobby(self) -> Lobby:
        while self.station is None:
            time.sleep(0.1)
        return self.station.lobby

    def act(self, lobby: Lobby, time_: int) -> None:
        if all(table.over for table in lobby.tables.values()):
            if self.number % 2 == 0 and not lobby.gatherings:
                lobby.host(terms(), time_.to_bytes(8, "big"), time_)
                self.moved = time_
            elif self.number % 2 and not lobby.gatherings:
                wanted = f"p{self.number - 1}"
                found = [o for p in lobby.peers.values() if p.name == wanted for o in p.tables if o.state == "open"]
                for offer in found[:1]:
                    lobby.join(offer, time_)
                    self.moved = time_
        for gathering in list(lobby.gatherings.values()):
            gathering.start(time_)
        for table in lobby.tables.values():
            if table.is_my_turn and time_ - self.moved >= MOVE_EVERY:
                table.play(str(table.view.moves.sample(self.dice)), time_)


def work(pipe: "Pipe[Any, Any]", numbers: list[int], folder: str, port: int, players: int, peers: int) -> None:
    """One process with some of the stations."""
    sends = 0
    send = Connection.send

    def sent(connection: Connection, frames: Any, time_: int) -> bool:
        nonlocal sends
        sends += 1
        return send(connection, frames, time_)

    Connection.send = sent  # type: ignore[method-assign]
    residents = [Resident(number, Path(folder), port, players) for number in numbers]
    began = time.monotonic()
    for one in residents:
        one.thread.start()
    seen = Seen()
    while min(len(one.lobby.peers) for one in residents) < peers - 1 and time.monotonic() - began < MOST_WAIT:
        time.sleep(0.2)
    seen.met = time.monotonic() - began
    pipe.send("met")
    seconds = pipe.recv()
    before, used = sends, time.process_time()
    for one in residents:
        one.longest = one.moves = 0
        one.moved = now()
    time.sleep(seconds)
    seen.sends, seen.processor = sends - before, time.process_time() - used
    seen.moves = sum(one.moves for one in residents)
    seen.longest_wait = max((now() - one.moved for one in residents if one.number < players), default=0)
    seen.longest_wait = max([seen.longest_wait, *(one.longest for one in residents)])
    seen.blamed = [text for one in residents for text in one.blamed]
    seen.links = [len(one.lobby.here) for one in residents]
    seen.known = [len(one.lobby.peers) for one in residents]
    seen.tables = sum(any(not table.over for table in one.lobby.tables.values()) for one in residents)
    seen.resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    pipe.send(seen)
    pipe.recv()  # all have measured
    for one in residents:
        one.ends.set()
    for one in residents:
        one.thread.join()


def newcomer(port: int, folder: Path) -> dict[str, int]:
    """The milliseconds until a station that has just started knows a table in the hall, and has a chair there."""
    known = seated = 0
    there = {"port": port, "interfaces": ["127.0.0.1"]}
    with Station("opener", "bot", folder=folder / "opener", **there) as host:  # type: ignore[arg-type]
        end = now() + 15_000
        while now() < end:  # it comes to know the hall, and is known there
            host.turn(50)
        host.lobby.host(terms(), b"newcomer", now())
        end = now() + 5000
        while now() < end:
            host.turn(50)
        began = now()
        with Station("newcomer", "bot", folder=folder / "newcomer", **there) as guest:  # type: ignore[arg-type]
            while not seated and now() - began < 1000 * MOST_WAIT:
                host.turn(1)
                for event in guest.turn(1):
                    if isinstance(event, At) and isinstance(event.event, ChairGranted):
                        seated = now() - began
                for peer in list(guest.lobby.peers.values()):
                    if peer.name == "opener" and peer.tables and not guest.lobby.gatherings and not seated:
                        known = now() - began
                        guest.lobby.join(peer.tables[0], now())
    return {"a newcomer knows a table after ms": known, "and has a chair there after ms": seated}


def real(peers: int, tables: int, seconds: int, workers: int) -> dict[str, Any]:
    """So many stations on loopback."""
    port = udp_port()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        pipes, processes = [], []
        for worker in range(workers):
            ours, theirs = context.Pipe()
            numbers = list(range(worker, peers, workers))
            process = context.Process(target=work, args=(theirs, numbers, folder, port, 2 * tables, peers))
            process.start()
            pipes.append(ours)
            processes.append(process)
        for pipe in pipes:
            pipe.recv()
        for pipe in pipes:
            pipe.send(seconds)
        found: list[Seen] = [pipe.recv() for pipe in pipes]
        sits = newcomer(port, Path(folder))
        for pipe in pipes:
            pipe.send(None)
        for process in processes:
            process.join()
    links = [count for one in found for count in one.links]
    known = [count for one in found for count in one.known]
    return {
        "peers": peers,
        "all known after s": round(max(one.met for one in found), 1),
        "fewest known": min(known),
        "links": round(sum(links) / peers, 1),
        "most links": max(links),
        "messages/s": round(sum(one.sends for one in found) / peers / seconds, 2),
        "CPU %": round(100 * sum(one.processor for one in found) / peers / seconds, 2),
        "MiB": round(sum(one.resident for one in found) / peers / 1024, 1),
        "seats at play": sum(one.tables for one in found),
        "moves/s": round(sum(one.moves for one in found) / seconds, 1),
        "longest wait ms": max(one.longest_wait for one in found),
        "blamed": [text for one in found for text in one.blamed],
        **sits,
    }


def simulated(count: int, *, liars: bool = False) -> dict[str, Any]:
    """So many machines that all start at once, every tenth with a table; and another tenth lie if there are liars. The
    figures are those of the honest.
    """
    with signatures_checked_once():
        world = HallWorld("bench", measures_bytes=True)
        for number in range(count):
            kind = LIARS[number // 10 % len(LIARS)] if liars and number % 10 == 5 else None
            world.start(kind, tables=number % 10 == 0)
        hosting = [peer for number, peer in enumerate(world.peers.values()) if number % 10 == 0]
        known = world.until(lambda: world.know(hosting), 60_000)
        world.run(40_000)
        average, most = world.rates(20)
        honest = world.honest()
        size = sum(peer.bytes for peer in honest) / 20 / len(honest)
        opened = world.honest()[1]
        opened.post(2)
        told = world.until(lambda: world.know([opened], 2), 60_000, 50)
        newcomer = world.start()
        hosts = [host for host in hosting if host is not opened]
        newly = world.until(lambda: all(newcomer.shows(host.key) for host in hosts), 60_000, 20)
        links = [len(peer.links) for peer in world.honest()]
    return {
        "peers": count,
        "liars": count + 1 - len(links),
        "all tables known after ms": known,
        "a new table after ms": told,
        "a newcomer knows all after ms": newly,
        "messages/s": round(average, 2),
        "at most": round(most, 2),
        "bytes/s": round(size),
        "links": round(sum(links) / len(links), 1),
        "most links": max(links),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", type=int, default=0)
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--simulated", type=int, nargs="*", default=[])
    parser.add_argument("--liars", action="store_true")
    parser.add_argument("--coarse", type=int, nargs="*", default=[])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {
        "real": [real(given.peers, given.tables, given.seconds, given.workers)] if given.peers else [],
        "simulated": [simulated(count, liars=given.liars) for count in given.simulated],
        "coarse": list(map(coarse, given.coarse)),
    }
    if given.json:
        print(json.dumps(found))
        return
    for title, rows in found.items():
        for row in rows:
            print(title)
            for name, value in row.items():
                print(f"  {name:<30} {value}")


if __name__ == "__main__":
    main()
