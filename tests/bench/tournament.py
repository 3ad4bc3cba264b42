"""What a tournament costs beside the thinking: a move against a bare exchange of lines, and a game beside its moves.

    python -m tests.bench.tournament [--rounds N] [--games N] [--json]

The floor is the pipe ping-pong: a referee and a bot in Python, one line out, one line back, nothing else. Against it
stands a whole tournament: instant bots in processes of their own, rules checked, the clock running, every game in the
journal, one game at a time and as many as there are cores. The bare exchange is taken with a bot that only echoes, and
with the instant bot itself, that is, with what the bot does in its own process. Rounds alternate, and ratios are taken
within a round. What a game costs beside its moves is what short games take more than their moves do in long ones. How
fast two processes wake each other depends on whether the system puts both on one core, and differs by as much as five
times from one start to the next: so what a move costs beside the floor is told as well.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quadrille.ai.tournament.farm import Processes, cores
from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.plan_file import parse
from quadrille.ai.tournament.run import Run
from quadrille.rules.registry import keys

ROUNDS: Final = 10
GAMES: Final = 40
LINES: Final = 4000
#: Bots that always do the first thing in the list would peek at cards for ever.
SHORT: Final = {"dotter": {"max_rounds": 3}}
#: A turn as the bots of these games are told it.
TURN: Final = (
    b'{"do": "turn", "turn": 17, "news": [{"seat": 0, "move": "a3-b3"}, {"seat": 1, "move": "b3-b4"}], "clock": '
    b'{"left": [599000, 599000], "increment": 0}, "patience": 599000, "budget": 24000, "moves": ["b4-c4", "b4-b5"], '
    b'"more": false}\n'
)
#: Answers with the first move of the list, and knows nothing of any game.
INSTANT: Final = """\
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["do"] == "turn":
        answer = {"turn": said["turn"], "move": said["moves"][0]}
    elif said["do"] == "start":
        answer = {"ready": True}
    elif said["do"] == "hello":
        answer = {"hello": "instant", "protocol": 1, "omit": ["view", "text"]}
    else:
        continue
    sys.stdout.write(json.dumps(answer) + "\\n")
    sys.stdout.flush()
"""
ECHO: Final = """\
import sys
for line in sys.stdin:
    sys.stdout.write(line)
    sys.stdout.flush()
"""


def floor(program: str, said: bytes, lines: int = LINES) -> float:
    """Microseconds for a line there and one back."""
    words = [sys.executable, "-I", "-S", "-c", program]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin and bot.stdout
        for count in (lines // 10, lines):
            began = time.perf_counter()
            for _ in range(count):
                bot.stdin.write(said)
                bot.stdin.flush()
                bot.stdout.readline()
        took = time.perf_counter() - began
        bot.stdin.close()
    return 1e6 * took / lines


@dataclass(frozen=True, slots=True)
class Rate:
    """Of one tournament: games and moves, and for how long they were played, workers and bots being there already."""

    games: int
    moves: int
    seconds: float


def tournament(
    key: str, games: int, *, seats: int = 2, at_once: int = 1, options: dict[str, Any] | None = None
) -> Rate:
    """Play one; what it takes to start workers and bots is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "instant.py").write_text(INSTANT)
        entrants = "".join(
            f'[[entrant]]\nname = "{number}"\nexec = "{sys.executable} -I -S instant.py"\n' for number in range(seats)
        )
        set_to = ", ".join(f"{name} = {json.dumps(value)}" for name, value in (options or {}).items())
        text = f"""seed = "bench"
[format]
cycles = {games}
balance = "turns"
[time]
clock = "10m"
{entrants}[[game]]
game = "{key}"
seats = {seats}
options = {{{set_to}}}
"""
        plan = parse(text, folder)
        ends: list[float] = []
        with Journal(Path(folder, "bench.sqlite"), plan=plan) as journal:
            with Run(plan, journal, Processes(at_once), lambda _: ends.append(time.perf_counter())) as run:
                run.try_all()
                began = time.perf_counter()
                run.go()
                took = time.perf_counter() - began
            moves = sum(result.plies for result in journal.results())
            count = journal.games
    return Rate(count, moves, took)


def measure(rounds: int, games: int) -> dict[str, Any]:
    """All figures, ratios paired within a round."""
    rows: dict[str, list[float]] = {name: [] for name in ("echo", "floor", "one", "beside", "all", "six", "game ms")}
    for _ in range(rounds):
        echo, bare = floor(ECHO, TURN), floor(INSTANT, TURN)
        one = tournament("maze", games, options={"size": 10})
        many = tournament("maze", games, at_once=cores(), options={"size": 10})
        two = tournament("barons", games // 2, options={"width": 10, "height": 10})
        six = tournament("barons", games // 6, seats=6, options={"width": 10, "height": 10})
        short = tournament("maze", 4 * games, options={"size": 2})
        a_move = one.seconds / one.moves
        rows["echo"].append(echo)
        rows["floor"].append(bare)
        rows["one"].append(1e6 * a_move / bare)
        rows["beside"].append(1e6 * a_move - bare)
        rows["all"].append(1e6 * many.seconds / many.moves / bare)
        rows["six"].append((six.seconds / six.moves) / (two.seconds / two.moves))
        rows["game ms"].append(1000 * (short.seconds - short.moves * a_move) / short.games)
    figures: dict[str, Any] = {name: [statistics.median(row), min(row), max(row)] for name, row in rows.items()}
    figures["games a second"] = {}
    for key in keys():
        rate = tournament(key, games, at_once=cores(), options=SHORT.get(key))
        figures["games a second"][key] = [rate.games / rate.seconds, 1e6 * rate.seconds / rate.moves]
    return figures


def main() -> None:
    """Print it all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--json", action="store_true")
    settings = parser.parse_args()
    figures = measure(settings.rounds, settings.games)
    if settings.json:
        print(json.dumps(figures, indent=2))
        return
    words = {
        "echo": "a line there and one back, in microseconds",
        "floor": "the same with the instant bot: the floor",
        "one": "a move, one game at a time, in floors (aim: 3.3)",
        "beside": "the same beside the floor, in microseconds",
        "all": f"a move, {cores()} games at a time, in floors",
        "six": "a move with 6 seats, in moves with 2 (aim: 1.3)",
        "game ms": "a game beside its moves, in milliseconds (aim: 5)",
    }
    for name, what in words.items():
        middle, least, most = figures[name]
        print(f"{what:60} {middle:8.2f}  ({least:.2f} to {most:.2f})")
    for key, (rate, each) in figures["games a second"].items():
        print(f"{key:16} {rate:8.1f} games a second, {each:6.0f} microseconds a move, {cores()} at a time")


if __name__ == "__main__":
    main()
