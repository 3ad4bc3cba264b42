"""A whole evening on two hosts, typed at two terminals: run inside lan.sh.

lan.sh 2 python -m tests.client.screen.network.lan_evening FOLDER GAME

Ann opens a table, with a bot where the game seats three; Ben finds it in his lobby. In the middle his program is
killed, and `quadrille resume` brings him back. They play to the end, and their logs hold the same game.
"""

import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.client.screen.pseudo_terminal import Program

CLI = "-m", "quadrille.client.cli"
#: Parts of messages: a move can be played as it stands; there is no hint at this table.
WHOLE, NO_HINT = "Enter plays it", "No bot may be told"


@dataclass(frozen=True, slots=True)
class Evening:
    """A game that is over within a minute, and after how many of Ben's moves he is killed."""

    options: tuple[str, ...]
    seats: int
    kill_after: int


EVENINGS = {
    "barons": Evening(("width=4", "height=4"), 3, 2),
    "coin-isolation": Evening(("layout=pnp/p.n/pnp/dpp",), 3, 1),
    "dollar-draw": Evening(("width=5", "height=5"), 2, 3),
    "dotter": Evening(("laps=1", "max_rounds=1"), 3, 2),
    "maze": Evening(("size=3",), 2, 2),
}


class Terminal(Program):
    """Somebody's program on a host of the bridge."""

    def __init__(self, host: int, folder: Path, *words: str, rows: int = 24, columns: int = 80) -> None:
        name = {1: "Ann", 2: "Ben"}[host]
        home = folder / name
        home.mkdir(exist_ok=True)
        ip = shutil.which("ip") or "ip"
        command = [ip, "netns", "exec", f"h{host}", sys.executable, *CLI, *words, "--name", name, "--interface", "eth0"]
        super().__init__(*command, home=home, rows=rows, columns=columns)

    @property
    def over(self) -> bool:
        return "OVER" in self.text.partition("\n")[0]

    def is_due(self) -> bool:
        """Whether it is this person's turn, or nobody's any more."""
        return self.over or "YOUR TURN" in self.text.partition("\n")[0]

    def move(self) -> None:
        """Make the move that a hint puts into the line; where cards are hidden and there is none, draw or score."""
        self.press("f2")
        self.until(lambda: self.line != "" or NO_HINT in self.text, "a hint")
        if not self.line:
            self.press("draw" if "[ draw ]" in self.text else "score")
            self.until(lambda: self.line != "", "the word")
            self.complete()
        self.press("enter")
        self.until(lambda: self.line == "", "the move")

    def complete(self) -> None:
        """Let Tab complete a line of Dotter, and take the first of several things that it offers."""
        while WHOLE not in self.text:
            before = self.text, self.line
            self.press("tab")
            self.until(lambda before=before: (self.text, self.line) != before or WHOLE in self.text, "what Tab does")
            typed = self.line.rstrip()
            offered = re.search("^ Tab: (.*)$", self.text, re.MULTILINE)
            lines = offered[1].split(", ") if offered else []
            if offer := next((line for line in lines if line != typed and line.startswith(typed)), ""):
                self.press("c-u", offer)
                self.until(lambda offer=offer: self.line.rstrip() == offer, offer)

    @property
    def line(self) -> str:
        """What is typed, up to the caret."""
        at = self.screen.cursor
        return self.screen.display[at.y][: at.x].partition("> ")[2]


def play(people: dict[str, Terminal], *, plies: int | None = None) -> None:
    """Ben and Ann move in their turns, until it is over or Ben has made so many moves."""
    made = 0
    while made != plies:
        due = None
        while due is None:
            for terminal in people.values():
                terminal.read(0.02)
            due = next((name for name, terminal in people.items() if terminal.is_due()), None)
        if people[due].over:
            break
        people[due].move()
        made += due == "Ben"
    else:
        return
    for terminal in people.values():
        terminal.until(lambda terminal=terminal: terminal.over, "the end")


def main(folder: Path, game: str) -> None:
    evening = EVENINGS[game]
    sets = [word for option in evening.options for word in ("--set", option)]
    bots = ["--against", "random"] if evening.seats == 3 else []
    words = ["host", game, "--hints", "--seats", str(evening.seats), *sets, *bots, "--no-lot", "--grace", "5m"]
    with Terminal(1, folder, *words, rows=40, columns=120) as ann:
        with Terminal(2, folder, "lobby") as ben:
            ben.sees("Tables on this network", "Ann")
            ben.press("enter")
            people = {"Ann": ann, "Ben": ben}
            play(people, plies=evening.kill_after)
            ben.process.send_signal(signal.SIGKILL)
            ann.sees("Ben is away")
        with Terminal(2, folder, "resume") as back:
            play({"Ann": ann, "Ben": back})
            logs = [folder / "ann.log", folder / "ben.log"]
            for terminal, log in zip((ann, back), logs, strict=True):
                terminal.press(f"save {log}", "enter")
                terminal.until(log.exists, log.name)
                terminal.press("c-q")
                assert terminal.ends() == 0 and terminal.is_clean(), terminal.text
    subprocess.run([sys.executable, *CLI, "verify", *map(str, logs)], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
