"""Keys without a terminal: a model, pressed upon, with the table at its keyboard; and the way to any place by arrows.

Behind a model of a table at this keyboard is a sitting (tests/client/sittings.py).
"""

from collections import deque
from dataclasses import replace
from typing import Any

from quadrille.client.screen.table import local
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Changed, Effect, Event, Model, Own, SitDown
from quadrille.client.screen.table.terminal import Begun, Key, Pasted, Tick, clicked
from quadrille.client.screen.table.update import ARROWS, update
from quadrille.client.settings import Settings
from tests.client.sittings import Begin, BotDoes, Sitting

#: The sittings behind the tables that models show. These stay, so their numbers do.
_BEHIND: dict[int, tuple[Any, Sitting]] = {}


def sitting_behind(model: Any) -> Sitting:
    """The table behind a model, as the model shows it; a model that was never shown begins now."""
    if (found := _BEHIND.get(id(model.table))) is not None:
        return found[1]
    assert model.own is not None
    return Sitting(model.own, ticket=model.ticket, now=model.now, keeps=True).begun()


def _note(model: Any, sitting: Sitting) -> None:
    if isinstance(model, Model) and model.own is not None:
        _BEHIND[id(model.table)] = (model.table, sitting)


def _changed(sitting: Sitting) -> Changed:
    wish, seat = sitting.wished[-1], sitting.seat
    for notice in sitting.said:
        seat.say(notice)
    return local.changed(seat, None if isinstance(wish, int | BotDoes | Begin) else wish)


def shown_at(sitting: Sitting) -> Model:
    """The screen of a sitting, after its last wish."""
    model = replace(local.table_model(sitting.setup_at_first), notice="", now=0, bot=Settings().hints)
    model, _ = update(model, _changed(sitting))
    _note(model, sitting)
    return model


def step(model: Any, event: Any, turn: Any = update, front: Any = lambda there: there) -> tuple[Any, list[Effect]]:
    """An event, and all that its wishes at the table lead to. `front` returns the table in a model."""
    found: list[Effect] = []
    waiting: list[Any] = [event]
    while waiting:
        before, event = front(model), waiting.pop(0)
        effects: tuple[Effect, ...] = ()
        if not isinstance(event, BotDoes):
            model, effects = turn(model, event)
        if isinstance(event, BotDoes | Tick) and isinstance(before, Model) and before.own is not None:
            effects = (*effects, Own(event))  # type: ignore[arg-type]
        for effect in effects:
            match effect:
                case SitDown(setup):
                    there = front(model)
                    sitting = Sitting(setup, ticket=there.ticket, now=there.now, keeps=True).begun()
                case Own(wish):
                    sitting = sitting_behind(before).after(front(model).now if isinstance(wish, Tick) else wish)
                case _:
                    found.append(effect)
                    continue
            found += sitting.effects
            waiting.append(changed := _changed(sitting))
            _BEHIND[id(changed.table)] = (changed.table, sitting)
    return model, found


def after(model: Model, *events: Event) -> tuple[Model, list[Effect]]:
    found: list[Effect] = []
    for event in events:
        model, effects = step(model, event)
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
