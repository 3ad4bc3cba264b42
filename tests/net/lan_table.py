"""A game of three across three hosts, one of whose cables is pulled and put back: run inside lan.sh.

lan.sh 3 python -m tests.net.lan_table FOLDER
"""

import json
import subprocess
import sys
from pathlib import Path

from tests.net.programs import Street

TERMS = {"game": "barons", "seats": 3, "options": {"width": 4, "height": 3}, "lot": False}


def cable(host: int, state: str) -> None:
    """Pull a cable, or put it back."""
    subprocess.run(["ip", "link", "set", f"v{host}", state], check=True)


def main(folder: Path) -> None:
    with Street(folder, "--interfaces", "eth0") as street:
        at = [("ip", "netns", "exec", f"h{number}") for number in (1, 2, 3)]
        host = street.start("host", "--host", json.dumps(TERMS), "--think", "200", before=at[0])
        guests = [street.start(f"guest{n}", "--join", "--think", "200", before=at[n]) for n in (1, 2)]
        host.wait("took", index=2)
        cable(3, "down")
        gone = host.wait("presence", here=False)
        cable(3, "up")
        host.wait("presence", here=True, seat=gone["seat"])
        first, *others = [program.wait("over") for program in (host, *guests)]
        assert all(other == first for other in others)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
