"""Is ended by a signal on its turn."""

import json
import os
import signal
import sys

for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            print('{"hello": "broken", "protocol": 1}', flush=True)
        case "start":
            print('{"ready": true}', flush=True)
        case "turn":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "quit":
            break
