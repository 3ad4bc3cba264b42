"""All screens worth a look, from the positions and scenes that the golden screens have, and some more."""

from collections.abc import Callable
from dataclasses import replace

from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.terminal import Line
from quadrille.rules.match import Match
from quadrille.rules.record import read
from tests.client.screen.keyboard import begun, match_of, model_of, press, sized
from tests.client.screen.network.scenes import SCENES, shown
from tests.client.screen.test_drawing import GOLDEN, maze_table
from tests.client.screen.test_screens import POSITIONS, position

#: Draws a screen in so many rows and columns, and in ASCII or not.
Screen = Callable[[int, int, bool], Picture]


def screens() -> dict[str, Screen]:
    found: dict[str, Screen] = {}
    for name, (*_, line) in POSITIONS.items():
        found[name] = _table(lambda plain, name=name: position(name, plain=plain), line)
    for key, seats, moves, options in SMALL:
        found[f"{key}-small"] = _match(match_of(key, seats, moves, dict(options)))
    for name in ENDED:
        found[f"{name}-ended"] = _match(read((GOLDEN / f"{name}-usual.txt").read_text("utf-8")))
    found["maze-finished"] = _table(lambda plain: _plain(maze_table(), plain=plain))
    found["cursor-maze"] = _pressed("maze", "up", "up")
    found["cursor-coins"] = _pressed("coin-isolation", "up", "enter")
    found["cursor-dotter"] = _pressed("dotter", "up", "left")
    found["cursor-barons"] = _pressed("barons", "up")
    found["menu"] = _pressed("dollar-draw", "f10")
    found["rules"] = _pressed("dollar-draw", "f1")
    found["resign"] = _pressed("barons", "f9")
    for name in SCENES:
        found[name] = lambda rows, columns, plain, name=name: shown(name, rows, columns, plain=plain)
    return found


#: Games on small boards: game, seats, moves played, options.
SMALL = (
    ("barons", 2, 8, {"width": 4, "height": 4}.items()),
    ("coin-isolation", 2, 3, {}.items()),
    ("dollar-draw", 2, 12, {"width": 5, "height": 5}.items()),
    ("maze", 2, 6, {"size": 5}.items()),
)
#: Games that are over, by the names of their records.
ENDED = ("barons", "coin-isolation", "dollar-draw", "dotter")


def _plain(model: Model, *, plain: bool) -> Model:
    return replace(model, look=replace(model.look, plain=plain))


def _table(model: Callable[[bool], Model], line: str = "") -> Screen:
    return lambda rows, columns, plain: draw(
        replace(model(plain), rows=rows, columns=columns, line=Line.of(line) if line else Line())
    )


def _match(match: Match) -> Screen:
    return _table(lambda plain: model_of(match, plain=plain))


def _pressed(name: str, *keys: str) -> Screen:
    return lambda rows, columns, plain: draw(press(sized(begun(position(name, plain=plain)), rows, columns), *keys)[0])
