"""The vectors of a view: positions as records, and what a seat sees of each.

    python -m tests.ai.views

writes docs/view.vectors.jsonl anew.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from quadrille.ai.data import scene_data
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.rules.options import Value
from quadrille.rules.record import write
from tests.schemas import FOLDER

PATH: Final = FOLDER / "view.vectors.jsonl"
#: Small games in which every kind of mark comes up: options, seats, and whether seats leave.
_GAMES: Final[tuple[tuple[str, dict[str, Value], int, bool], ...]] = (
    ("barons", {"width": 4, "height": 3}, 3, True),
    ("coin-isolation", {"layout": "pnp/pdp/npp"}, 2, False),
    ("dollar-draw", {"width": 5, "height": 3}, 2, False),
    ("dotter", {"laps": 4, "lap_points": 21, "jokers": 1, "looks": 0}, 2, False),
    ("maze", {"size": 3}, 2, False),
)


def vectors() -> Iterator[dict[str, Any]]:
    """The start, the middle and the end of each game, for each seat and for a spectator where these see different
    things.
    """
    for key, options, seats, leaving in _GAMES:
        whole = random_match(setting(key, options, seats), f"views {key}", 40, leaving=leaving)
        for entries in (0, whole.length // 2, whole.length):
            match = whole.before(entries)
            for viewer in (*range(seats), None) if match.game.hidden else (None,):
                yield {"record": write(match), "seat": viewer, "view": scene_data(match.state.view(viewer).scene())}


def text() -> str:
    return "".join(json.dumps(vector, ensure_ascii=False) + "\n" for vector in vectors())


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
