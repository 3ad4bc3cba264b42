"""Screens without a terminal: any position of a game, and keys, pressed upon a table's model or an evening's.

A position is so many moves at random from one seed. Behind a model of a table at this keyboard is a sitting
(tests/client/sittings.py).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.evening import Evening, draw_evening, update_evening
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Changed, Model, Own, SitDown
from quadrille.client.screen.table.shown import changed, table_model
from quadrille.client.screen.table.terminal import Begun, Key, Look, Pasted, Tick, clicked
from quadrille.client.screen.table.update import ARROWS, update
from quadrille.client.settings import Settings
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.sittings import Begin, BotDoes, Sitting

#: Of so many random moves the shortest is made (more rows before the players of Dotter), or the longest path.
_TRIES = {"dotter": 3, "coin-isolation": 4}


def match_of(key: str, seats: int, moves: int, options: dict[str, object] | None = None, seed: str = "s") -> Match:
    match = Match(game(key), options, seats, deal=Deal(seed))
    dice = Stream(seed, f"moves of {key}")
    for _ in range(moves):
        if match.over:
            break
        found = [match.state.moves.sample(dice) for _ in range(_TRIES.get(key, 1))]
        match.play((max if key == "coin-isolation" else min)(found, key=lambda move: len(str(move))))
    return match


def played(key: str, moves: str = "", options: dict[str, object] | None = None, seats: int | None = None) -> Match:
    """A match after these moves, with a comma between each two."""
    match = Match(game(key), options, seats, deal=Deal("s"))
    for move in filter(None, moves.split(", ")):
        match.play(move)
    return match


def begin_model(match: Match, bots: Sequence[str], clock: TimeControl | None = None) -> Model:
    """The first model of a local table; `bots` has the bot of each seat, "" for a person."""
    return replace(table_model(GameSetup.of(match, bots, clock)), bot=Settings().hints)


def model_of(match: Match, *, bots: str = "mcts:2", plain: bool = False, people: bool = False) -> Model:
    """A screen for the person whose turn it is; the others are bots, or people, too."""
    pending = match.pending
    seat = pending.seat if isinstance(pending, ToMove) else 0
    seats = range(match.state.seats)
    model = begin_model(match, ["" if people or at == seat else bots for at in seats])
    return replace(model, look=Look(plain=plain), notice="")


# Keys

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
    return changed(seat, None if isinstance(wish, int | BotDoes | Begin) else wish)


def shown_at(sitting: Sitting) -> Model:
    """The screen of a sitting, after its last wish."""
    model = replace(table_model(sitting.setup_at_first), notice="", now=0, bot=Settings().hints)
    model, _ = update(model, _changed(sitting))
    _note(model, sitting)
    return model


def front_of(there: Any) -> Any:
    return there.front if isinstance(there, Evening) else there


def step(there: Any, event: Any) -> tuple[Any, list[Any]]:
    """An event, and all that its wishes at a table lead to."""
    found: list[Any] = []
    waiting: list[Any] = [event]
    while waiting:
        before, event = front_of(there), waiting.pop(0)
        effects: tuple[Any, ...] = ()
        if not isinstance(event, BotDoes):
            there, effects = (update_evening if isinstance(there, Evening) else update)(there, event)
        if isinstance(event, BotDoes | Tick) and isinstance(before, Model) and before.own is not None:
            effects = (*effects, Own(event))  # type: ignore[arg-type]
        for effect in effects:
            match effect:
                case SitDown(setup):
                    front = front_of(there)
                    sitting = Sitting(setup, ticket=front.ticket, now=front.now, keeps=True).begun()
                case Own(wish):
                    sitting = sitting_behind(before).after(front_of(there).now if isinstance(wish, Tick) else wish)
                case _:
                    found.append(effect)
                    continue
            found += sitting.effects
            waiting.append(changed := _changed(sitting))
            _BEHIND[id(changed.table)] = (changed.table, sitting)
    return there, found


def after(there: Any, *events: Any) -> tuple[Any, list[Any]]:
    found: list[Any] = []
    for event in events:
        there, effects = step(there, event)
        found += effects
    return there, found


def begun(model: Model) -> Model:
    return after(model, Begun())[0]


def press(there: Any, *keys: str) -> tuple[Any, list[Any]]:
    return after(there, *map(Key, keys))


def typed(there: Any, text: str) -> tuple[Any, list[Any]]:
    """A text letter by letter, then Enter."""
    return press(there, *text, "enter")


def pasted(there: Any, text: str) -> tuple[Any, list[Any]]:
    return after(there, Pasted(text), Key("enter"))


def picture(there: Any) -> Picture:
    return draw_evening(there) if isinstance(there, Evening) else draw(there)


def text(there: Any) -> str:
    return "\n".join(picture(there).lines)


def prose(there: Any) -> str:
    """The text, however it is broken into lines."""
    return " ".join(text(there).split())


def click(there: Any, name: str, times: int = 1, *, does: str = "pick") -> tuple[Any, list[Any]]:
    """Clicks on what is called so; `does` tells the square f1 from the key."""
    spots = [spot for spot in picture(there).spots if spot.name == name]
    return after(there, *[clicked(min(spots, key=lambda spot: (spot.does != does, spot.does == "key")))] * times)


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
