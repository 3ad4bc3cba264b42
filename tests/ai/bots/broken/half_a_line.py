"""Writes half an answer and waits."""

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
            sys.stdout.write('{"turn": 1, "mo')
            sys.stdout.flush()
            time.sleep(3600)
        case "quit":
            break
