"""Answers, but late."""

import json
import sys
import time

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            print('{"hello": "broken", "protocol": 1}', flush=True)
        case "start":
            print('{"ready": true}', flush=True)
        case "turn":
            time.sleep(30)
            print(json.dumps({"turn": told["turn"], "move": told["moves"][0]}), flush=True)
        case "quit":
            break
