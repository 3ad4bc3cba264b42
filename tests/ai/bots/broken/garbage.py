"""Writes what is no text."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            print('{"hello": "broken", "protocol": 1}', flush=True)
        case "start":
            print('{"ready": true}', flush=True)
        case "turn":
            sys.stdout.buffer.write(bytes(range(128, 256)) + b"\n")
            sys.stdout.flush()
        case "quit":
            break
