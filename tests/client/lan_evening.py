"""An evening typed at two real terminals on two machines, in which each program is killed once.

bash tests/net/lan.sh 2 python -m tests.client.lan_evening FOLDER
"""

import re
import signal
import sys
from pathlib import Path

from tests.client.programs import COMMAND
from tests.client.screen.pseudo_terminal import Program
from tests.net import hosts


def at(host: int, name: str, folder: Path, *words: str, rows: int = 30, columns: int = 100) -> Program:
    """A terminal of that machine."""
    command = [*hosts.at(f"h{host}"), *COMMAND, *words]
    return Program(*command, "--name", name, "--interface", "eth0", home=folder / name, rows=rows, columns=columns)


def main(folder: Path) -> None:
    """Meet, play, be killed and come back, be ended by a signal and come back, finish, play again, leave."""
    table = ("host", "maze", "--set", "size=3", "--no-lot")
    with at(1, "Ann", folder, *table) as ann:
        ann.sees("1 of 2 seats taken")
        with at(2, "Ben", folder, "join") as ben:
            ann.sees("YOUR TURN")
            ben.sees("A Ann moves")
            ann.press("a2", "enter")
            ben.sees("last: A a3-a2", "YOUR TURN")
            ben.press("a1", "enter")
            ann.sees("last: B a2-a1", "YOUR TURN")
            ben.process.kill()
            ben.ends()
            ann.press("b1", "enter")
            ann.sees("last: A a1-b1", "away")
        with at(2, "Ben", folder, "resume") as ben:
            ben.sees("last: A a1-b1", "YOUR TURN")
            ben.press("c1", "enter")
            ann.sees("last: B b1-c1", "YOUR TURN")
            ann.process.kill()
            ann.ends()
            ben.sees("Ann is away")
            ben.process.send_signal(signal.SIGTERM)
            assert ben.ends() == 128 + signal.SIGTERM and ben.is_clean()
            found = re.search(rb"quadrille resume ([0-9a-f]+)", ben.written)
        assert found is not None
        word = found[1].decode()
    with at(2, "Ben", folder, "resume", word) as ben, at(1, "Ann", folder, "resume", word) as ann:
        for name, move, seen, other in (
            (ann, "c2", "last: A c1-c2", ben),
            (ben, "c3", "last: B c2-c3", ann),
            (ann, "b3", "last: A c3-b3", ben),
            (ben, "b2", "OVER", ann),
        ):
            name.sees("YOUR TURN")
            name.press(move, "enter")
            other.sees(seen)
        ann.sees("You win")
        ben.sees("Ann wins")
        ann.press("f6")
        ben.sees("Ann wants a rematch")
        ben.press("y")
        ben.sees("YOUR TURN")
        ben.press("c-q")
        ann.press("c-q")
        for one in (ann, ben):
            assert one.ends() == 0 and one.is_clean()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
