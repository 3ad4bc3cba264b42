"""What is thrown at the rules: texts close to moves, any values, records with a flaw, requests of any shape.

Most of it is nearly right: what is far off is refused at the first look, and would try nothing but that.
"""

import itertools
import json
import re
from functools import cache
from typing import Any

from hypothesis import strategies as st

from quadrille.ai import engine
from quadrille.laws.seals import bare, sealed
from quadrille.laws.settings import Setting, everywhere, usual
from quadrille.laws.settings import values as option_values
from quadrille.laws.walks import random_match, thinned, walk
from quadrille.rules.core import Game, State
from quadrille.rules.record import write
from quadrille.rules.registry import games, keys

SETTINGS = [table for table in everywhere() if table.key in keys()]
WORDS = (
    *("a1", "a2", "b1", "b2", "c3", "d4", "h8", "z26", "a0", "aa1", "a01", "a27", "a1-a2", "a1-a2-b2", "b1-", "-", ","),
    *(
        "side",
        "south",
        "west",
        "pass",
        "stand",
        "renegade",
        "type",
        "take",
        "give",
        "to",
        "p",
        "n",
        "q",
        "1p",
        "2p1n",
        "3",
    ),
    *("draw", "peek", "score", "p1", "p2", "p7", "p0", "1a", "1b", "1c", "2a", "10c", "double", "triple", "quotient"),
    *(
        "difference",
        "nothing",
        "AS",
        "10H",
        "JK1",
        "?",
        "0",
        "-1",
        "99999999999",
        "\u00b2",
        "\u0661a",
        "\t",
        "\x00",
        "\u2028",
    ),
)

#: Everything that MessagePack, JSON or a careless caller could bring.
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4),
    max_leaves=8,
)
soup = st.lists(st.sampled_from(WORDS), max_size=8).flatmap(
    lambda words: st.sampled_from(["", " ", "  ", "-", ","]).map(lambda between: between.join(words))
)
anything = soup | soup | st.text() | values


@cache
def positions(setting: Setting) -> list[State[Any, Any]]:
    """Here and there in a game: at the start, while something is owed, at the end."""
    return [step.state for step in thinned(list(walk(setting, "fuzz", 150)), 5)]


@st.composite
def states(draw: st.DrawFn) -> State[Any, Any]:
    """A position of any game, as anybody knows it."""
    state = draw(st.sampled_from(positions(draw(st.sampled_from(SETTINGS)))))
    viewer = draw(st.sampled_from(("whole", None, 0)))
    return state if viewer == "whole" else state.view(viewer)


@st.composite
def nearly_moves(draw: st.DrawFn, state: State[Any, Any]) -> object:
    """A move, of this position or of another one of its game, perhaps with a word changed; or anything."""
    game = [table for table in SETTINGS if table.key == state.game.key]
    other = draw(st.sampled_from(positions(draw(st.sampled_from(game)))))
    moves = draw(st.sampled_from([row for row in map(some_moves, (state, other)) if row] or [["a1"]]))
    text = draw(st.sampled_from(moves))
    return draw(
        st.sampled_from((text, draw(reworded(text)), draw(reworded(text)), draw(mistyped(text)), draw(anything)))
    )


def some_moves(state: State[Any, Any]) -> list[str]:
    return [str(move) for move in thinned(list(itertools.islice(state.moves, 200)), 20)]


@st.composite
def reworded(draw: st.DrawFn, text: str) -> str:
    """A text with one or two of its words or signs replaced: by others of it, by words of the games, by nothing."""
    parts = re.findall(r"[0-9]+|[a-zA-Z]+|[^0-9a-zA-Z]", text) or [""]
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(parts) - 1))
        parts[at] = draw(
            st.sampled_from(parts) | st.sampled_from(WORDS) | st.sampled_from(("", " ", "0", "1", "2", "9"))
        )
    return "".join(parts)


@st.composite
def mistyped(draw: st.DrawFn, text: str) -> str:
    """A text with a few characters left out, doubled, replaced or put in."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        put = draw(st.text(max_size=2) | st.sampled_from(WORDS))
        text = text[:at] + put + text[at + draw(st.integers(0, 2)) :]
    return text


@st.composite
def options(draw: st.DrawFn) -> tuple[Game[Any, Any], object, object]:
    """A game, options for it that are often right, and a number of seats."""
    game = draw(st.sampled_from(games()))
    given: dict[Any, Any] = {}
    for spec in draw(st.lists(st.sampled_from(game.Options.specs()), max_size=4)):
        given[spec.name] = draw(
            st.sampled_from((*option_values(game.key, spec), *option_values(game.key, spec), draw(values)))
        )
    strange = draw(st.integers(0, 7))
    if strange == 0:
        given |= draw(st.dictionaries(st.text() | st.integers(), values, max_size=2))
    seats = draw(st.sampled_from(game.seats)) if draw(st.integers(0, 3)) else draw(st.integers(0, 9) | values)
    return game, draw(values) if strange == 1 else given, seats


@cache
def record() -> str:
    """A small record with a bit of everything."""
    match = random_match(usual("dotter")[1], "fuzz", 12, leaving=True)
    return write(match)


@st.composite
def records(draw: st.DrawFn) -> str | bytes:
    """A record with a flaw, mostly with the checks that such a record would have; or anything."""
    whole = draw(st.sampled_from(sample_records()))
    lines = bare(whole)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(lines) - 1))
        lines[at] = draw(
            reworded(lines[at]) | reworded(lines[at]) | mistyped(lines[at]) | st.sampled_from(lines) | soup
        )
    kind = draw(st.integers(0, 7))
    text = draw(st.text()) if kind == 0 else draw(mistyped(whole)) if kind == 1 else sealed(lines)
    return draw(st.sampled_from((text, text.encode("utf-8", "surrogatepass"))))


@cache
def sample_records() -> list[str]:
    return [record(), *(write(random_match(usual(key)[0], "fuzz", 8)) for key in keys())]


#: `perft` is not among them: it would be answered, some day.
REQUESTS = {name: request.fields for name, request in engine.REQUESTS.items() if name != "perft"}


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """A request to the engine with fields that it may have, and values that are often right."""
    do = draw(st.sampled_from(tuple(REQUESTS)))
    fitting: dict[str, st.SearchStrategy[Any]] = {
        "game": st.sampled_from(keys()),
        "options": options().map(lambda drawn: drawn[1]),
        "preset": st.sampled_from(("starter", "short", "rockefeller")),
        "record": records().filter(lambda text: isinstance(text, str)),
        "move": st.sampled_from(positions(SETTINGS[0])[:1] + positions(SETTINGS[-1])[:1]).flatmap(nearly_moves),
        "seed": st.text(),
    }
    request: dict[str, Any] = {"do": do}
    for name in REQUESTS[do]:
        if draw(st.integers(0, 4)) or name in ("game", "move", "record"):
            request[name] = draw(fitting.get(name, st.integers(0, 4)) if draw(st.integers(0, 5)) else values)
    if draw(st.integers(0, 6)) == 0:
        request[draw(st.sampled_from(("on", "id", "x", "do", "game")))] = draw(values)
    return request


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A request as a line, or what somebody takes for one."""
    text = json.dumps(draw(requests()), default=str, skipkeys=True)
    kind = draw(st.integers(0, 9))
    line = (
        draw(st.binary())
        if kind == 0
        else (draw(mistyped(text)) if kind == 1 else text).encode("utf-8", "surrogatepass")
    )
    return line.replace(b"\n", b"")
