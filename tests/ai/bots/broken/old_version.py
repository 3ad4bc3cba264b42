"""Speaks another version of the protocol."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            print('{"hello": "broken", "protocol": 99}', flush=True)
        case "start":
            print('{"ready": true}', flush=True)
        case "turn":
            pass
        case "quit":
            break
