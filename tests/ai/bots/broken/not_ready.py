"""Never is ready for a game."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            print('{"hello": "broken", "protocol": 1}', flush=True)
        case "start":
            pass
        case "turn":
            pass
        case "quit":
            break
