"""Makes a move that is one in no game."""

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
            print(json.dumps({"turn": told["turn"], "move": "z99-z98"}), flush=True)
        case "quit":
            break
