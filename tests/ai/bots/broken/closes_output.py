"""Closes its output and goes on."""

import json
import os
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
            sys.stdout.flush()
            os.close(1)
            time.sleep(3600)
        case "quit":
            break
