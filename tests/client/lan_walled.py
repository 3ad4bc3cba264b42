"""A guest behind the usual firewall of a laptop, which drops all that comes: its host says what to type there.

    bash tests/net/lan.sh 2 python -m tests.client.lan_walled FOLDER

Rules of the second host's routing drop beacons and calls as they come in; answers to its own calls pass.
"""

import subprocess
import sys
from pathlib import Path

from tests.client import programs
from tests.client.lan_evening import IP
from tests.client.programs import Program

DOOR = 20000


def ip(*words: str) -> None:
    subprocess.run([IP, "-n", "h2", *words], check=True)


def wall() -> None:
    """Let neither a beacon nor a call into the second host."""
    ip("-6", "addr", "flush", "dev", "eth0")
    ip("rule", "add", "pref", "100", "table", "local")  # it comes first, until the other one is gone
    ip("rule", "del", "pref", "0")
    for protocol, port in (("tcp", DOOR), ("udp", 5670)):
        ip("rule", "add", "pref", "10", "iif", "eth0", "ipproto", protocol, "dport", str(port), "blackhole")


def on(host: int, name: str, folder: Path, *words: str) -> Program:
    programs.COMMAND[:] = [IP, "netns", "exec", f"h{host}", sys.executable, "-m", "quadrille.client.cli"]
    return Program(*words, "--plain", "--home", str(folder / name), "--name", name, "--interface", "eth0")


def main(folder: Path) -> None:
    wall()
    with on(1, "Ann", folder, "host", "maze", "--tcp-port", "49200") as ann:
        with on(2, "Ben", folder, "join", "--tcp-port", str(DOOR)) as ben:
            command = ann.wait("^10.77.0.2 is heard and lets nobody in: there quadrille (.*) works")[1]
            assert "sits down" not in ann.text
            ben.close_input()
        with on(2, "Ben", folder, *command.split(), "--tcp-port", str(DOOR)):
            ann.wait("Ben sits down")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
