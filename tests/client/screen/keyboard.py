"""Keys without a terminal: a model, pressed upon; and the way to any place by the arrows."""

from collections import deque
from dataclasses import replace

from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Effect, Event, Model
from quadrille.client.screen.table.terminal import Begun, Key, Pasted, clicked
from quadrille.client.screen.table.update import ARROWS, update


def after(model: Model, *events: Event) -> tuple[Model, list[Effect]]:
    found: list[Effect] = []
    for event in events:
        model, effects = update(model, event)
        found += effects
    return model, found


def begun(model: Model) -> Model:
    return after(model, Begun())[0]


def press(model: Model, *keys: str) -> tuple[Model, list[Effect]]:
    return after(model, *map(Key, keys))


def typed(model: Model, text: str) -> tuple[Model, list[Effect]]:
    """A text letter by letter, then Enter."""
    return press(model, *text, "enter")


def pasted(model: Model, text: str) -> tuple[Model, list[Effect]]:
    return after(model, Pasted(text), Key("enter"))


def click(model: Model, name: str, does: tuple[str, ...] = ("pick", "word")) -> tuple[Model, list[Effect]]:
    """A click on a place by what it stands for; `does` tells the square f1 from the key."""
    spot = next(spot for spot in draw(model).spots if spot.name == name and spot.does in does)
    return after(model, clicked(spot))


def moved_to(model: Model, name: str) -> Model:
    found = reached(model, name)
    assert name in found, f"no arrows lead to {name}: they lead to {sorted(found)}"
    return found[name]


def reached(model: Model, name: str = "") -> dict[str, Model]:
    """The places that arrows lead to, up to that one."""
    start = press(model, "down")[0] if not model.cursor else model
    seen, ways = {start.cursor: start}, deque([start])
    while ways and name not in seen:
        here = ways.popleft()
        for key in ARROWS:
            there = press(here, key)[0]
            if there.cursor not in seen:
                seen[there.cursor] = there
                ways.append(there)
    return seen


def sized(model: Model, rows: int, columns: int) -> Model:
    return replace(model, rows=rows, columns=columns)
