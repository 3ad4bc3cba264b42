"""What it costs to have many in a room: memory, and messages a second, for each peer.

    python -m tests.bench.crowd [PEERS ...]

Stations with sockets and stores, all in this process. Every second one hosts a table of two, the one after it sits down
there, and they play slowly, a move every ten seconds. Bytes are those of the sealed messages; "sends" are all that
nodes send but for beacons. How rooms grow beyond that, `tests/net/test_hall.py` simulates.
"""

import argparse
import gc
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import Arrived, Lobby
from quadrille.net.zeromq.connection import Connection
from quadrille.rules.chance import Stream
from tests.bench.moves import terms
from tests.net.ports import udp_port

THINKING = 10_000
#: Seconds.
MEASURED = 12


def act(lobby: Lobby, number: int, time: int, dice: Stream) -> None:
    """What everybody does: host or join, start, move after a while."""
    if number % 2 == 0 and not lobby.tables and not lobby.gatherings:
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("peers", type=int, nargs="*", default=[2, 10, 30])
    for count in parser.parse_args().peers:
        print(json.dumps(real(count)))


if __name__ == "__main__":
    main()
