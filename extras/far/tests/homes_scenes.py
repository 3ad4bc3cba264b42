"""Games over relays, in network namespaces: between two homes behind NAT, or in one network.

    homes.sh 2 python -m extras.far.tests.homes_scenes SCENE FOLDER
    lan.sh 3 python -m extras.far.tests.homes_scenes a_direct_link|bad_weather FOLDER [GAME LOSS DELAY]

Each scene prints what it measured and ends with an error if it is not as it should be.
"""

import ipaddress
import itertools
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quadrille.extras.far.ticket import RELAY_PORT, MeetingPlace, Ticket, new_ticket
from tests.client.programs import COMMAND
from tests.net.hosts import at, ip
from tests.net.lan_weather import carry, tap
from tests.net.programs import Program, Street

RELAYS = ("203.0.113.11", "203.0.113.12")
#: Small tables of all games.
TABLES: dict[str, dict[str, Any]] = {
    "barons": {"game": "barons", "seats": 2, "options": {"width": 3, "height": 3}},
    "coin-isolation": {"game": "coin-isolation", "seats": 2},
    "dollar-draw": {"game": "dollar-draw", "seats": 2, "options": {"width": 2, "height": 2}},
    "maze": {"game": "maze", "seats": 2, "options": {"size": 3}},
    "dotter": {"game": "dotter", "seats": 2, "options": {"laps": 1, "lap_points": 21}, "takebacks": False},
}


class FarStreet(Street):
    """Players that take a ticket."""

    player = "extras.far.tests.far_player"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "--interfaces", "eth0")


def ticket(*places: str) -> Ticket:
    found = [text.rpartition(":") for text in places]
    return new_ticket([
        MeetingPlace(ipaddress.ip_address(host or port), int(port) if host else RELAY_PORT) for host, _, port in found
    ])  # fmt: skip


@contextmanager
def relay(host: str) -> Iterator["subprocess.Popen[str]"]:
    """A relay on that host, once it listens."""
    with subprocess.Popen([*at(host), *COMMAND, "relay"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and "listens" in process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def table(street: Street, words: Ticket, game: str, *more: str, host: tuple[str, ...] = ()) -> list[Program]:
    """A host in one home and a guest in the other; both have begun."""
    terms = json.dumps({**TABLES[game], "lot": False})
    own = ("--ticket", words.text, *more)
    programs = [street.start("host", "--host", terms, "--crowd", "1", *own, *host, before=at("h1"))]
    programs[0].wait("ready")  # nobody says a ticket before
    programs.append(street.start("guest", "--join", *own, before=at("h2")))
    for program in programs:
        program.wait("began")
    return programs


def address(program: Program) -> str:
    """The address at which the other one was met; 240.1.0.1 is the first member of the meeting on the overlay."""
    return str(program.said("arrived")[0]["address"])


def a_game(folder: Path) -> None:
    """A game to the end between two homes that can't reach each other."""
    with relay("r1"), FarStreet(folder) as street:
        programs = table(street, ticket(RELAYS[0]), "dotter")
        street.ends_alike(*programs)
        assert [address(program) for program in programs] == ["240.1.0.1"] * 2


def a_relay_falls_silent(folder: Path) -> None:
    """A relay is stopped in mid-game: its connections stand, nothing passes, and the game goes on by the second one."""
    with relay("r1") as first, relay("r2"), FarStreet(folder) as street:
        programs = table(street, ticket(*RELAYS), "barons", "--think", "400")
        assert [address(program) for program in programs] == ["240.1.0.1"] * 2
        programs[0].wait("took", index=2)
        first.send_signal(signal.SIGSTOP)
        street.ends_alike(*programs)
        longest = max(after - before for before, after in itertools.pairwise(programs[0].times("took")))
        print(json.dumps({"longest pause": round(longest, 1)}))  # seconds between two entries of the log


def an_open_port(folder: Path) -> None:
    """The router of one home lets its relay's port in: nobody needs another relay."""
    rules = f"add chain ip home open {{ type nat hook prerouting priority dstnat; }}; " \
        f"add rule ip home open iifname eth0 tcp dport {RELAY_PORT} dnat to 192.168.1.5; " \
        "add rule ip home in ct status dnat accept"  # fmt: skip
    subprocess.run([*at("g1"), "nft", rules], check=True)
    with FarStreet(folder) as street:
        street.ends_alike(*table(street, ticket("203.0.113.1", RELAYS[0]), "maze", host=("--relay-at", "0")))


SCENES: list[Callable[[Path], None]] = [a_game, a_relay_falls_silent, an_open_port]


# In one network


def a_direct_link(folder: Path) -> None:
    """The link is direct, though a relay is there too, whose word comes first on a busy machine alone."""
    met = list[list[str]]()
    while ["10.77.0.2", "10.77.0.1"] not in met and len(met) < 3:
        with relay("h3"), FarStreet(folder / f"{len(met)}") as street:
            programs = table(street, ticket("10.77.0.3"), "maze")
            street.ends_alike(*programs)
            met.append([address(program) for program in programs])
    assert met[-1] == ["10.77.0.2", "10.77.0.1"], met


def bad_weather(folder: Path, game: str, loss: str, delay: str) -> None:
    """LOSS percent of the frames are lost, and DELAY milliseconds it takes each way between a home and the relay, so
    twice as much between the homes h1 and h2, which reach nothing but the relay on h3.
    """
    place = "10.9.0.1"
    ip("-n", "h3", "addr", "add", f"{place}/32", "dev", "lo")
    for number in (1, 2):
        gate = f"10.{number}.0.1"
        ends = [tap(f"h{number}", "eth0", f"10.{number}.0.2/24"), tap("h3", f"home{number}", f"{gate}/24")]
        ip("-n", f"h{number}", "route", "add", "default", "via", gate)
        threading.Thread(target=carry, args=(ends, int(loss), int(delay)), daemon=True).start()
    with relay("h3"), FarStreet(folder) as street:
        programs = table(street, ticket(place), game)
        street.ends_alike(*programs)
        print(json.dumps({"links lost": len(programs[0].said("presence", here=False))}))


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
