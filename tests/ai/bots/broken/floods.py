"""Writes lines without end."""

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
            while True:
                print('{"turn": 1, "move": "a1"}' * 20)
        case "quit":
            break
