"""A node as a program: events out as JSON lines; commands in: whisper NAME TEXT, flood NAME, status, close.

python -m tests.net.peer NAME UDP-PORT [OPTION=VALUE …], with the options of Node: tcp_port, seed, interface, room (both
keys in hexadecimal digits); `temporary` is its folder for temporary files, and with `pipes=files` its pipes are there,
as where no socket of Unix goes without a file. What it cannot do is one line.
"""

import hashlib
import json
import sys
import tempfile
import threading
from typing import Any

from quadrille.net.core.errors import LocalError
from quadrille.net.link.node import Node, RoomLock
from quadrille.net.neighbours.neighbour import PeerLeft, PeerMet, Said
from quadrille.net.zeromq import libzmq


def tell(what: str, **more: object) -> None:
    print(json.dumps({"what": what, **more}), flush=True)


def run(node: Node, commands: list[Any]) -> None:
    ids: dict[str, bytes] = {}
    while True:
        for event in node.turn(60_000):
            match event:
                case PeerMet(peer):
                    ids[peer.name] = peer.id
                    tell("met", name=peer.name, address=peer.address)
                case PeerLeft(peer, why):
                    tell("left", name=peer.name, why=why.name)
                case Said(peer, payload):
                    tell("said", name=peer.name, text=payload.decode())
        while commands:
            match commands.pop(0):
                case ["whisper", name, text]:
                    node.neighbours.whisper(ids[name], text.encode())
                case ["flood", name]:
                    for _ in range(20):
                        node.neighbours.whisper(ids[name], bytes(60_000))
                case ["status"]:
                    halfway = [str(half) for half in node.neighbours.halfway()]
                    tell(
                        "status", halfway=halfway, counts=node.neighbours.counts, troubles=dict(node.broadcast.troubles)
                    )
                case ["close"]:
                    return


def main(name: str, port: str, *options: str) -> None:
    chosen = dict(option.split("=") for option in options)
    identity = hashlib.blake2b(chosen.get("identity", name).encode(), digest_size=16).digest()
    lock = None
    if keys := bytes.fromhex(chosen.get("room", "")):
        lock = RoomLock(keys[:32], keys[32:], lambda _: True)
        identity = keys[:16]
    commands: list[Any] = []
    tempfile.tempdir = chosen.get("temporary")
    libzmq._IS_ABSTRACT &= chosen.get("pipes") != "files"
    node = Node(
        identity,
        name,
        {"X-GAME": "quadrille"},
        port=int(port),
        tcp_port=int(chosen.get("tcp_port", 0)),
        seeds=[chosen["seed"]] if "seed" in chosen else [],
        interfaces=[chosen["interface"]] if "interface" in chosen else None,
        security=lock,
    )

    def read() -> None:
        for line in sys.stdin:
            commands.append(json.loads(line))
            node.wake_up()

    try:
        with node:
            tell("started", port=node.tcp_port)
            threading.Thread(target=read, daemon=True).start()
            run(node, commands)
    except LocalError as error:
        tell("refused", why=str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
