"""Every text that a person reads about commands, as one page: helps, menus, key lines, completions, what words do.

Write the golden page anew: python -m tests.client.test_command_texts.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from quadrille.ai.house import LEVELS, levels
from quadrille.client.plain.console import Console
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.evening import Evening, draw_evening, update_evening
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model, Replay
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.shown import record_of
from quadrille.client.screen.table.terminal import Key, Pasted
from quadrille.client.screen.table.update import update
from quadrille.client.words.commands import GUESTS, Place, help_text
from quadrille.client.words.table import LISTED_BOT_CHOICES
from quadrille.rules.core import WHOLE
from tests.client.conftest import bare_lobby
from tests.client.screen.keyboard import begin_model, played, step
from tests.client.screen.network.scenes import AROUND, ROOM, lobby
from tests.client.sittings import plain_table

GOLDEN: Final = Path(__file__).parent / "golden/commands.txt"
#: Every word that any face knows, or a slip of the keys for one.
_WORDS: Final = (
    "help rules hint takeback undo draw agree replay rematch save save! pause resign menu against wait stand-in load "
    "say theme ascii bell title quit chat yes no drop flag back invite block book moves board "
    "seats skip line next who kick start play host join puzzle replay settings doctor watch name show tables tkeback "
    "helpp undoo sve hnt kik jion thme drp zzz"
)
TYPED: Final = _WORDS.split()
SMALL: Final = {"width": 3, "height": 3}
KEYS: Final = (*(f"f{number}" for number in range(1, 13)), "c-t", "c-q")


def tables() -> dict[str, Model]:
    own = begin_model(played("barons", "a1, b2", SMALL, 2), ("", ""))
    over = played("barons", "a1", SMALL, 2)
    over.leave(1)
    seat = replace(own.table, mine=(0,), viewer=0, local=False)
    found = {
        "own": own,
        "own-over": begin_model(over, ("", "")),
        "seat": replace(own, table=seat, own=None),
        "watched": replace(own, table=replace(seat, mine=(), viewer=None), own=None),
        "record": replace(own, table=record_of(own.table.match, (), WHOLE), own=None, replay=Replay(1)),
    }
    return {name: replace(model, notice="") for name, model in found.items()}


def _shape(state: Model | Evening) -> str:
    if isinstance(state, Evening):
        front = state.front
        page = f" page {state.page.title!r}" if state.page else ""
        inner = front if isinstance(front, WaitingRoomScreen) else state.lobby
        more = (
            f" front {type(front).__name__}" if front is not None and not isinstance(front, WaitingRoomScreen) else ""
        )
        pick = f" pick {inner.pick.title!r}" if not isinstance(inner, WaitingRoomScreen) and inner.pick else ""
        return f"{inner.notice!r} line {inner.line.text!r}{page}{more}{pick}"
    over = state.overlay
    what = type(over).__name__ + (f" {over.title!r}" if isinstance(over, Page) else "") if over else ""
    asks = f" asks {getattr(over, 'text', '')!r}" if what == "Question" else ""
    return f"{state.notice!r} line {state.line.text!r} {what}{asks}".strip()


def _effects(effects: object) -> str:
    return " ".join(type(one).__name__ if "Match" in repr(one) else repr(one) for one in effects)


def _words_and_keys(state: Model | Evening, turn: Callable[..., object], show: Callable[..., Picture]) -> Iterator[str]:
    for key in KEYS:
        after, effects = turn(state, Key(key))
        yield f"key {key}: {_shape(after)} {_effects(effects)}".rstrip()
    for word in TYPED:
        for line in (word, f"{word} x")[: 1 if word == "zzz" else 2]:
            after, effects = turn(turn(state, Pasted(line))[0], Key("enter"))
            yield f"enter {line}: {_shape(after)} {_effects(effects)}".rstrip()
    for start in sorted({word[:size] for word in TYPED for size in (1, 3, len(word))}):
        begun = turn(state, Pasted(start))[0]
        done = turn(begun, Key("tab"))[0]
        yield f"type {start}: {_shape(done)} | {show(begun).lines[-3].strip()}"


def _page(page: Page | None) -> Iterator[str]:
    assert page is not None
    yield from (page.title, *page.lines)


def of_tables(models: Mapping[str, Model]) -> Iterator[str]:
    for name, model in models.items():
        yield f"== {name}"
        helped = update(model, Key("f1"))[0].overlay
        yield from _page(helped.other)
        menu = update(replace(model, rows=50, columns=120), Key("f10"))[0]
        yield from (line.rstrip() for line in draw(menu).lines)
        for columns in (60, 80, 120):
            picture = draw(replace(model, columns=columns))
            yield picture.lines[-1].rstrip()
            yield " ".join(spot.name for spot in picture.spots if spot.does == "key")
        if name != "own-over":
            yield from _words_and_keys(model, step, draw)


def _evenings() -> Iterator[str]:
    for name, evening in (
        ("lobby", Evening(lobby())),
        ("room", Evening(lobby(AROUND), front=WaitingRoomScreen(ROOM))),
        ("guest room", Evening(lobby(AROUND), front=WaitingRoomScreen(replace(ROOM, hosts=False)))),
    ):
        yield f"== {name}"
        yield from (line.rstrip() for line in draw_evening(evening).lines)
        yield from _page(update_evening(evening, Key("f1"))[0].page)
        yield from _words_and_keys(evening, update_evening, draw_evening)
        for line in ("play ba", "host m", "rules d", "theme p", "join B", "watch D", "name A", "play zzz", "theme zzz"):
            begun = update_evening(evening, Pasted(line))[0]
            yield f"tab {line}: {_shape(update_evening(begun, Key('tab'))[0])}"


def _plain() -> Iterator[str]:
    """A local table in lines: a bot's name is asked for nowhere, so that no program starts."""
    for name, match in (("lines", tables()["own"].table.match), ("lines, over", tables()["own-over"].table.match)):
        yield f"== {name}"
        for word in TYPED:
            if word in ("hint", "wait"):
                continue
            said = io.StringIO()
            face = plain_table(match.copy(), Console(None, said), now=lambda: 9000, greets=False)
            face.console.say(word)
            face.typed(word)
            yield f"enter {word}: {said.getvalue()}".rstrip()


def page() -> str:
    """All of it, without the levels that packages plug in."""
    found = [*_plain(), *of_tables(tables()), *_evenings(), "== a guest may say", *sorted(GUESTS)]
    for place in (Place.TALK, Place.GONE, Place.HOSTING, Place.ASKING, Place.CHOOSING):
        found += ["==", help_text(place)]
    found += ["==", LISTED_BOT_CHOICES]
    return "\n".join(found).replace(f"(1 to {levels()[-1]})", f"(1 to {LEVELS[-1]})") + "\n"


def test_every_help_key_line_completion_and_refusal_is_the_golden_one() -> None:
    assert page() == GOLDEN.read_text("utf-8"), "wanted? python -m tests.client.test_command_texts writes it anew"


if __name__ == "__main__":
    with bare_lobby():
        GOLDEN.write_text(page(), "utf-8")
