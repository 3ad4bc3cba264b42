"""Two programs on two machines that are kept apart, and what each of them reads: a scene for each cause of an absence.

    bash tests/net/lan.sh 2 python -m tests.client.lan_absences FOLDER SCENE

Rules of nftables drop or refuse what comes in; answers to a machine's own calls pass.
"""

import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.client.programs import COMMAND
from tests.net.hosts import at, ip, wall
from tests.programs import Program, wait_until

DOOR: Final = "49200"
ALL: Final = "drop"
CALLS: Final = "meta l4proto tcp drop"
REFUSED: Final = "meta l4proto tcp reject with tcp reset"


def open_wall(host: str) -> None:
    subprocess.run([*at(host), "nft", "flush ruleset"], check=True)


def on(host: int, name: str, folder: Path, *words: str) -> Program:
    own = ("--plain", "--home", str(folder / name), "--name", name, "--tcp-port", DOOR)
    return Program(*at(f"h{host}"), *COMMAND, *words, *own, env={"COLUMNS": "80"})


def ann_hosts(folder: Path, *game: str) -> Program:
    return on(1, "Ann", folder, "host", *(game or ("maze", "--set", "size=3")), "--no-lot")


def a_host_lets_nobody_in(folder: Path) -> None:
    """The guest waits and reads whose firewall it is, the host reads of its own; once it is open they meet."""
    wall("h1", ALL)
    with ann_hosts(folder) as ann, on(2, "Ben", folder, "join") as ben:
        ann.wait("^Nothing gets into this machine through eth0 .10.77.0.1., not even its own broadcasts: quadrille")
        ben.wait("^10.77.0.1 .Ann. is heard and lets nobody in: quadrille doctor there says how to open its firewall")
        open_wall("h1")
        wait_until(lambda: all(text in ann.text for text in ("Ben sits down", "The network is heard again.")), ann)
        assert "gone" not in ben.text


def what_the_host_adds_works(folder: Path) -> None:
    """The guest, whose machine is open, reads what the host adds to its command."""
    wall("h1", ALL)
    with ann_hosts(folder), on(2, "Ben", folder, "join") as ben:
        added = ben.wait("in: .* or add (--connect .*) to the command there")[1].split()
    with on(2, "Ben", folder, "join"), on(1, "Ann", folder, "host", "maze", *added) as ann:
        ann.wait("Ben sits down")


def a_guest_lets_nobody_in(folder: Path) -> None:
    """The host reads what the guest types, and that works."""
    wall("h2", ALL)
    ip("-n", "h2", "-6", "addr", "flush", "dev", "eth0")
    with ann_hosts(folder) as ann:
        with on(2, "Ben", folder, "join") as ben:
            command = ann.wait("^10.77.0.2 .Ben. is heard and lets nobody in: .* or type quadrille (.*) there")[1]
            ben.wait("^Nothing gets into this machine through eth0")
            assert "sits down" not in ann.text
            ben.close_input()
        with on(2, "Ben", folder, *command.split()):
            ann.wait("Ben sits down")


def both_take_no_calls(folder: Path, rule: str = CALLS) -> None:
    """Beacons pass, so each reads of the other."""
    wall("h1", rule)
    wall("h2", rule)
    with ann_hosts(folder) as ann, on(2, "Ben", folder, "join") as ben:
        ann.wait("^10.77.0.2 .Ben. is heard and lets nobody in")
        ben.wait("^10.77.0.1 .Ann. is heard and lets nobody in")
        assert "gone" not in ben.text
        open_wall("h1")
        ann.wait("Ben sits down")


def a_host_is_killed(folder: Path) -> None:
    """Then alone the guest reads that the host is gone. The table waits for others, so that no game has begun."""
    with ann_hosts(folder, "barons") as ann, on(2, "Ben", folder, "join") as ben, on(2, "Cid", folder, "who"):
        ann.wait("Ben sits down")
        ann.process.kill()
        ben.wait("the host is gone")
        assert "firewall" not in ben.text


def each_comes_back_in_the_middle_of_a_game(folder: Path) -> None:
    """A program stands still, and reads that before anybody is away; a wall falls, and the table says the same cause in
    the same words as a waiting room; a network goes, and comes.
    """
    with ann_hosts(folder) as ann, on(2, "Ben", folder, "join") as ben:
        ann.wait("^Your turn")
        ben.wait("^It is the turn")
        ben.process.send_signal(signal.SIGSTOP)
        ann.wait("Ben. is away")
        ben.process.send_signal(signal.SIGCONT)
        ben.wait("^Note: this program stood still for [0-9]+ s")
        ann.wait("Ben. is back")
        for host in ("h1", "h2"):
            wall(host, CALLS, standing="drop")
        ann.wait("Ben. is away")
        ann.wait("^10.77.0.2 .Ben. is heard and lets nobody in")
        for host in ("h1", "h2"):
            open_wall(host)
        ann.wait("Ben. is back")
        ben.wait("Ann. is back")
        ip("-n", "h1", "addr", "flush", "dev", "eth0")
        ann.wait("^Your own network is gone: typed moves are kept until it is back")
        ben.wait("Ann. is away")
        ip("-n", "h1", "addr", "add", "10.77.0.1/24", "brd", "+", "dev", "eth0")
        ann.wait("^Your network is back")
        ben.wait("Ann. is back")


def a_host_has_no_descriptor_left(folder: Path) -> None:
    """It blames no firewall, and its guest neither that nor a port."""
    with ann_hosts(folder) as ann:
        ann.wait("is open")
        open_now = Path(f"/proc/{ann.process.pid}/fd")
        used = min(len(list(open_now.iterdir())) for _ in range(100))  # a file that is open for a moment leaves room
        subprocess.run(["prlimit", "--pid", str(ann.process.pid), f"--nofile={used}:"], check=True)
        with on(2, "Ben", folder, "join") as ben:
            ann.wait("^This system has no room for another connection: close other programs")
            ben.wait("^10.77.0.1 .Ann. is heard and does not answer: that machine is very busy, or has no room")
            assert "firewall" not in ann.text + ben.text
            subprocess.run(["prlimit", "--pid", str(ann.process.pid), "--nofile=1024:"], check=True)
            ann.wait("Ben sits down")


SCENES: Final[dict[str, Callable[[Path], None]]] = {
    one.__name__: one
    for one in (
        a_host_lets_nobody_in, what_the_host_adds_works, a_guest_lets_nobody_in, both_take_no_calls,
        a_host_is_killed, each_comes_back_in_the_middle_of_a_game, a_host_has_no_descriptor_left,
    )
} | {"both_refuse_calls": partial(both_take_no_calls, rule=REFUSED)}  # fmt: skip

if __name__ == "__main__":
    SCENES[sys.argv[2]](Path(sys.argv[1]))
