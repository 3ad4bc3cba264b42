"""A Pyre node as a process of its own: events out as JSON lines, commands in (join, leave, shout, whisper, stop)."""

import json
import sys
import threading
import uuid
from typing import Any

from pyre import Pyre

from tests.net.peer import tell


def listen(node: Any) -> None:
    for event in node.events():
        tell(
            event.type,
            peer=event.peer_uuid_bytes.hex(),
            name=event.peer_name,
            headers=event.headers,
            group=event.group,
            content=[frame.decode() for frame in event.msg or []],
        )


def main() -> None:
    node = Pyre("pyre")
    node.set_port(sys.argv[1].encode())
    node.set_header("X-FROM", "pyre")
    node.start()
    tell("STARTED", endpoint=node.endpoint())
    threading.Thread(target=listen, args=(node,), daemon=True).start()
    for line in sys.stdin:
        match json.loads(line):
            case ["join", group]:
                node.join(group)
            case ["leave", group]:
                node.leave(group)
            case ["shout", group, text]:
                node.shout(group, text.encode())
            case ["whisper", peer, text]:
                node.whisper(uuid.UUID(peer), text.encode())
            case ["stop"]:
                break
    node.stop()


if __name__ == "__main__":
    main()
