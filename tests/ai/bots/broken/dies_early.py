"""Ends before it has said who it is."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            sys.exit("no such model")
        case "start":
            print('{"ready": true}', flush=True)
        case "turn":
            pass
        case "quit":
            break
