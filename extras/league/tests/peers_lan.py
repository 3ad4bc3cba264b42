"""A tournament whose peer is on another host, and whose cable is pulled in the middle of a game: run inside lan.sh.

lan.sh 3 python -m extras.league.tests.peers_lan FOLDER
"""

import re
import shlex
import sys
from pathlib import Path

from tests.ai.tournament.programs import FIRST, LAST, file, program
from tests.client.programs import COMMAND
from tests.net.hosts import at, ip
from tests.programs import Program
from tests.waiting import soon


def begin(host: int, home: Path, *words: str) -> Program:
    return Program(*at(f"h{host}"), *COMMAND, *words, "--home", str(home), "--name", home.stem)


def moves(folder: Path) -> int:
    """Return how many were made by the peer's bot, after its trial."""
    games = sorted(folder.glob("ada.home/*/games/*"))[1:]
    return sum(game.read_text().count('\\"move\\"') for game in games)


def tournament(folder: Path, time: str, *, comes_back: bool) -> list[str]:
    """Two games, in the first of which the cable is pulled; what was warned of."""
    folder.mkdir()
    program(folder, "first", FIRST)
    program(folder, "slow", "time.sleep(0.4) or " + LAST)
    bot = shlex.join([sys.executable, "-I", "-S", str(folder / "slow.py")])
    with begin(1, folder / "ada.home", "bot", "--exec", bot, "--serve") as owner:
        key = owner.wait(r'peer = "(\w{64})"')[1]
        path = folder / "league.toml"
        text = file(("first",), cycles=1, size=6, more=f'[time]\nclock = "{time}"', top="at_once = 1")
        path.write_text(text + f'[[entrant]]\nname = "slow"\npeer = "{key}"\n', "utf-8")
        with begin(2, folder / "run.home", "tournament", "run", str(path)) as run:
            assert soon(lambda: moves(folder) >= 1), run.text
            ip("link", "set", "v1", "down")
            run.wait("is out of reach" if comes_back else "slow lost game ")
            ip("link", "set", "v1", "up")
            assert run.end() == 0, run.text
            return run.lines


def main(folder: Path) -> None:
    """Back in time, and too late."""
    back = tournament(folder / "back", "2m", comes_back=True)
    assert [line for line in back if "slow is back after " in line], back
    assert not [line for line in back if "slow lost game " in line], back
    late = tournament(folder / "late", "12s", comes_back=False)
    [lost] = [line for line in late if "slow lost game " in line]
    assert re.search(r"slow lost game 0: it ran out of time .*; its owner's program was out of reach for ", lost), lost
    for told in (back, late):
        assert [line for line in told if line.startswith("maze for 2") and "2 games in 1 complete block" in line], told


if __name__ == "__main__":
    main(Path(sys.argv[1]))
