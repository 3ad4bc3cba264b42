"""A game of three across three hosts, one of whose cables is pulled and put back: run inside lan.sh.

    lan.sh 3 python -m tests.net.lan_table FOLDER

It prints how long the loss and the return took to be noticed, in seconds, as JSON.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.net.programs import Street

TERMS = {"game": "barons", "seats": 3, "options": {"width": 4, "height": 3}, "lot": False}


def cable(host: int, state: str) -> float:
    """Pull a cable, or put it back; when that was."""
    subprocess.run(["ip", "link", "set", f"v{host}", state], check=True)
    return time.monotonic()


def main(folder: Path) -> None:
    with Street(folder) as street:
        at = [("ip", "netns", "exec", f"h{number}") for number in (1, 2, 3)]
        host = street.start("host", "--host", json.dumps(TERMS), "--think", "200", before=at[0])
        guests = [street.start(f"guest{n}", "--join", "--think", "200", before=at[n]) for n in (1, 2)]
        host.wait("took", index=2)
        pulled = cable(3, "down")
        gone = host.wait("presence", here=False)
        noticed = time.monotonic() - pulled
        mended = cable(3, "up")
        host.wait("presence", here=True, seat=gone["seat"])
        back = time.monotonic() - mended
        first, *others = [program.wait("over") for program in (host, *guests)]
        assert all(other == first for other in others)
        print(json.dumps({"noticed": round(noticed, 2), "back": round(back, 2)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
