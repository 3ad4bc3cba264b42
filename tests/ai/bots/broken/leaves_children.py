"""Plays well, and leaves children behind that have made themselves independent."""

import json
import os
import signal
import sys
import time


def spawn() -> None:
    """A child of a child in a session of its own, which listens to nobody."""
    if os.fork() == 0:
        os.setsid()
        for _ in range(3):
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                time.sleep(3600)
        os._exit(0)
    os.wait()


for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            print('{"hello": "broken", "protocol": 1}', flush=True)
        case "start":
            spawn()
            print('{"ready": true}', flush=True)
        case "turn":
            print(json.dumps({"turn": told["turn"], "move": told["moves"][0]}), flush=True)
        case "quit":
            break
