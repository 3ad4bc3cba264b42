"""What it costs to have many in a room: memory, and messages a second, for each peer; and how both grow.

    python -m tests.bench.crowd [--simulated 2 10 30 100] [--real 2 10 30] [--json]

Simulated peers are whole lobbies without sockets, in virtual time; real ones are stations with sockets and stores, all
in this process. "playing": every second peer hosts a table of two, the one after it sits down there, and they play
slowly, a move every ten seconds. "waiting": everybody hosts a table, and nobody comes. Bytes are those of the sealed
messages; "sends" are all that the nodes of real stations send but for beacons.
"""

import argparse
import gc
import json
import tempfile
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quadrille.net.entries.wire import Advert, sealed
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import Arrived, Lobby
from quadrille.net.trust.identity import Identity
from quadrille.net.zeromq.connection import Connection
from quadrille.rules.chance import Stream
from tests.bench.moves import terms
from tests.net.ports import udp_port
from tests.net.simulation import MemoryShelf

SECONDS = 60
STEP = 100
THINKING = 10_000
MEASURED = 12  # seconds of the real ones


def act(lobby: Lobby, number: int, time: int, dice: Stream, apart: int = 2) -> None:
    """What everybody does: host or join, start, move after a while."""
    if number % apart == 0 and not lobby.tables and not lobby.gatherings:
        lobby.host(terms(), b"nonce", time)
    for gathering in list(lobby.gatherings.values()):
        gathering.start(time)
    for table in lobby.tables.values():
        if table.is_my_turn and time - table.began >= THINKING:
            table.play(str(table.log.now.match.state.moves.sample(dice)), time)


def seek(lobby: Lobby, number: int, host: bytes, time: int) -> None:
    """The odd ones sit down with the one before them."""
    if number % 2 and not lobby.tables and not lobby.gatherings and host in lobby.peers:
        for offer in lobby.peers[host].tables:
            if offer.state == "open":
                lobby.join(offer, time)


def playing(count: int) -> dict[str, Any]:
    """A room in which everybody plays."""
    return simulated(count, apart=2)


def waiting(count: int) -> dict[str, Any]:
    """A room in which everybody hosts a table, and nobody comes."""
    return simulated(count, apart=1)


def simulated(count: int, apart: int) -> dict[str, Any]:
    """So many lobbies for a minute; every so many of them host."""
    dice = Stream("crowd", str(count))
    identities = [Identity(number.to_bytes(32, "big")) for number in range(count)]
    gc.collect()
    tracemalloc.start()
    lobbies = {one.key: Lobby(one, "somebody", "bot", MemoryShelf(one.key)) for one in identities}
    for key, lobby in lobbies.items():
        for other in lobbies:
            if other != key:
                lobby.came(other, 0)
    messages = postings = size = 0
    posted: dict[bytes, Advert] = {}
    for time_ in range(0, SECONDS * 1000, STEP):
        settled = time_ > 10_000  # the first rush is over
        spoken = True
        while spoken:
            spoken = False
            for number, (key, lobby) in enumerate(lobbies.items()):
                act(lobby, number, time_, dice, apart)
                if apart == 2:
                    seek(lobby, number, identities[number - 1].key, time_)
                lobby.flush(time_)
                said, lobby.outgoing = lobby.outgoing, []
                lobby.events.clear()
                if posted.get(key) != lobby.advert:
                    posted[key], spoken = lobby.advert, True
                    postings += settled
                    for other in lobbies:
                        if other != key:
                            lobbies[other].list_peer(key, lobby.advert, time_)
                for to, message in said:
                    spoken = True
                    if settled:
                        messages += 1
                        size += len(sealed(message, lobby.identity))
                    lobbies[to].receive(key, message, time_)
        for lobby in lobbies.values():
            if time_ >= lobby.deadline:
                lobby.wake(time_)
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert all(lobby.tables or apart == 1 for lobby in lobbies.values())
    share = count * (SECONDS - 10)
    return {
        "peers": count,
        "KiB": round(memory / count / 1024, 1),
        "messages": round(messages / share, 2),
        "postings": round(postings / share, 2),
        "bytes": round(size / share),
    }


def resident() -> int:
    """Memory of this process in bytes; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def real(count: int) -> dict[str, Any]:
    """So many stations on loopback, until all have met and play, and then for some seconds."""
    dice = Stream("crowd", str(count))
    counted = {"whispers": 0, "bytes": 0, "sends": 0}
    whisper, send = Neighbours.whisper, Connection.send

    def whispered(neighbours: Neighbours, peer: bytes, payload: bytes) -> bool:
        counted["whispers"] += 1
        counted["bytes"] += len(payload)
        return whisper(neighbours, peer, payload)

    def sent(connection: Connection, frames: Sequence[bytes], time: int) -> bool:
        counted["sends"] += 1
        return send(connection, frames, time)

    gc.collect()
    before = resident()
    with tempfile.TemporaryDirectory() as folder:
        port = udp_port()
        stations = [Station(f"s{n}", "bot", folder=Path(folder) / f"{n}", port=port) for n in range(count)]
        keys = [station.identity.key for station in stations]
        Neighbours.whisper, Connection.send = whispered, sent  # type: ignore[method-assign]
        try:
            for station in stations:
                station.start()
            began = time.monotonic()

            def turn() -> None:
                for number, station in enumerate(stations):
                    for event in station.turn(1):
                        if isinstance(event, Arrived):
                            seek(station.lobby, number, keys[number - 1], now())
                    act(station.lobby, number, now(), dice)

            while not all(len(station.lobby.peers) == count - 1 and station.lobby.tables for station in stations):
                turn()
                assert time.monotonic() - began < 60, "they did not all meet"
            met = time.monotonic() - began
            memory = resident() - before
            for name in counted:
                counted[name] = 0
            start, used = time.monotonic(), time.process_time()
            while time.monotonic() - start < MEASURED:
                turn()
            share = count * (time.monotonic() - start)
            used = time.process_time() - used
        finally:
            Neighbours.whisper, Connection.send = whisper, send  # type: ignore[method-assign]
            for station in stations:
                station.close()
    return {
        "peers": count,
        "KiB": round(memory / count / 1024),
        "messages": round(counted["whispers"] / share, 2),
        "bytes": round(counted["bytes"] / share),
        "sends": round(counted["sends"] / share, 2),
        "all met after s": round(met, 1),
        "CPU %": round(100 * used / share, 2),
    }


def table(title: str, rows: list[dict[str, Any]]) -> None:
    print(title)
    print("".join(f"{name:>17}" for name in rows[0]))
    for row in rows:
        print("".join(f"{value:>17}" for value in row.values()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulated", type=int, nargs="*", default=[2, 10, 30, 100])
    parser.add_argument("--real", type=int, nargs="*", default=[2, 10, 30])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {
        "simulated, playing": list(map(playing, given.simulated)),
        "simulated, waiting": list(map(waiting, given.simulated)),
        "real, playing": list(map(real, given.real)),
    }
    if given.json:
        print(json.dumps(found))
        return
    for title, rows in found.items():
        if rows:
            table(f"{title}: for each peer, a second", rows)


if __name__ == "__main__":
    main()
