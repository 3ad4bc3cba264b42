"""A game between two homes over a relay in bad weather, in real time: run inside lan.sh.

lan.sh 3 python -m extras.far.tests.relay_weather FOLDER GAME LOSS DELAY

LOSS is in percent of the frames, DELAY in milliseconds each way, both between a home and the relay, so that twice as
much is between the homes. h1 and h2 are the homes; they reach nothing but the relay on h3.
"""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

from extras.far.tests.homes_scenes import CLI, FarStreet, at, ends_alike, table, ticket
from tests.net.lan_weather import carry, tap

RELAY = "10.9.0.1"


def ip(host: str, *words: str) -> None:
    subprocess.run(["ip", "-n", host, *words], check=True)


def main(folder: Path, game: str, loss: int, delay: int) -> None:
    ip("h3", "addr", "add", f"{RELAY}/32", "dev", "lo")
    for number in (1, 2):
        ends = [
            tap(f"h{number}", "eth0", f"10.{number}.0.2/24"),
            tap("h3", f"home{number}", f"10.{number}.0.1/24"),
        ]
        ip(f"h{number}", "route", "add", "default", "via", f"10.{number}.0.1")
        threading.Thread(target=carry, args=(ends, loss, delay), daemon=True).start()
    with (
        subprocess.Popen([*at("h3"), *CLI, "relay"], stdout=subprocess.PIPE, text=True) as relay,
        FarStreet(folder, "--interfaces", "eth0") as street,
    ):
        assert relay.stdout is not None and "listens" in relay.stdout.readline()
        began = time.monotonic()
        programs = table(street, ticket(RELAY), game)
        started = time.monotonic()
        ends_alike(programs)
        moves = len(programs[0].said("took"))
        print(json.dumps({
            "game": game, "until it began": round(started - began, 1), "entries": moves,
            "seconds for each": round((time.monotonic() - started) / moves, 2),
            "links lost": len(programs[0].said("presence", here=False)),
        }))  # fmt: skip
        for program in street.programs:
            program.end()
        relay.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
