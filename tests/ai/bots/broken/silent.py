"""Never says who it is."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            pass
        case "start":
            print('{"ready": true}', flush=True)
        case "turn":
            pass
        case "quit":
            break
