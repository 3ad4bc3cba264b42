"""Real programs that meet, play, die and come back: whole processes on loopback, with their sockets and stores.

What is waited for is a line that a program prints; a test that waits too long fails and shows what was said.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.link import broadcast
from quadrille.net.program.station import Station
from tests.net.ports import udp_port
from tests.net.programs import Street
from tests.net.test_store import POSIX

pytestmark = POSIX

SMALL: dict[str, dict[str, Any]] = {
    "barons": {"game": "barons", "seats": 2, "options": {"width": 2, "height": 2}},
    "barons-3": {"game": "barons", "seats": 3, "options": {"width": 3, "height": 2}},
    "dotter": {"game": "dotter", "seats": 2, "options": {"laps": 1, "lap_points": 21}, "takebacks": False},
}


@pytest.mark.parametrize(
    ("game", "victim", "most", "every"),
    [
        ("barons", "guest1", 1, 1),
        *(
            pytest.param(*story, marks=pytest.mark.slow)
            for story in (("barons", "host", 1000, 1), ("barons-3", "guest1", 1000, 1), ("dotter", "guest1", 1000, 3))
        ),
    ],
)
def test_kill_at_every_entry(tmp_path: Path, game: str, victim: str, most: int, every: int) -> None:
    """A game in which one program dies as soon as an entry is on its disk, before it tells of it, and that again and
    again, each time some entries later, but at most so many times. It comes back to its seat and to all it had, and the
    game ends alike.
    """
    with Street(tmp_path) as street:
        terms = {**SMALL[game], "lot": False, "clock": [600_000, 1000]}
        roles = {"host": ("--host", json.dumps(terms)), "guest1": ("--join",), "guest2": ("--join",)}
        names = list(roles)[: SMALL[game]["seats"]]
        others = [street.start(name, *roles[name]) for name in names if name != victim]
        program = street.start(victim, *roles[victim], "--die", "0")
        seat, deaths = None, 0
        while (end := program.over()) is None:
            deaths += 1
            more = ("--die", str(deaths * every)) if deaths < most else ()
            program = street.start(victim, *roles[victim], *more)
            [back] = program.wait("ready")["tables"]
            seat = back["seat"] if seat is None else seat
            assert back["seat"] == seat
            assert back["length"] > (deaths - 1) * every
        assert all(other.wait("over") == end for other in others)
    assert deaths == most or 2 < deaths < most


def test_a_program_that_could_not_start_holds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, then one: the same program tries again, and its own first try does not hold the identity."""
    with monkeypatch.context() as patch:
        patch.setattr(broadcast, "present", tuple)
        unplugged = Station("Ann", "person", folder=tmp_path, interfaces=["127.0.0.1"], port=udp_port())
        with pytest.raises(LocalError, match="no network at all"):
            unplugged.start()
    with Station("Ann", "person", folder=tmp_path, interfaces=["127.0.0.1"], port=udp_port()) as plugged:
        assert not plugged.shelf.unfinished()
