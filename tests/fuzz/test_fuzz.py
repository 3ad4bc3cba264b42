"""Whatever is said to the rules, the answer is a value or a `RulesError`, and what was refused has changed nothing."""

import io
import itertools
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.ai import engine
from quadrille.ai.engine import Engine, serve
from quadrille.laws.seals import bare, sealed
from quadrille.laws.settings import Setting, everywhere, small, usual
from quadrille.laws.settings import values as option_values
from quadrille.laws.walks import frozen, random_match, thinned, walk
from quadrille.rules.core import Face, Game, Move, State
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.match import Match
from quadrille.rules.options import read_settings
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, games, keys

# What is thrown at the rules: texts close to moves, any values, records with a flaw, requests of any shape. Most of it
# is nearly right: what is far off is refused at the first look, and would try nothing but that.

SETTINGS = [table for table in everywhere() if table.key in keys()]
WORDS = (
    "a1", "a2", "b1", "b2", "c3", "d4", "h8", "z26", "a0", "aa1", "a01", "a27", "a1-a2", "a1-a2-b2", "b1-", "-", ",",
    "side", "south", "west", "pass", "stand", "renegade", "type", "take", "give", "to", "p", "n", "q", "1p", "2p1n",
    "3", "draw", "peek", "score", "p1", "p2", "p7", "p0", "1a", "1b", "1c", "2a", "10c", "double", "triple",
    "quotient", "difference", "nothing", "AS", "10H", "JK1", "?", "0", "-1", "99999999999", "\u00b2", "\u0661a", "\t",
    "\x00", "\u2028",
)  # fmt: skip

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
    listed = [thinned(list(itertools.islice(one.moves, 200)), 20) for one in (state, other)]
    text = str(draw(st.sampled_from(draw(st.sampled_from([row for row in listed if row] or [["a1"]])))))
    return draw(
        st.sampled_from((text, draw(reworded(text)), draw(reworded(text)), draw(mistyped(text)), draw(anything)))
    )


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
    """A small record with a bit of everything, and one of each game."""
    first = random_match(usual("dotter")[1], "fuzz", 12, leaving=True)
    return [write(first), *(write(random_match(usual(key)[0], "fuzz", 8)) for key in keys())]


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


CORPUS = Path(__file__).parent / "corpus"
SENTENCE = re.compile(r"[^\n\x00-\x1f\x7f]{10,1000}")


def shortly(value: object) -> str:
    """The name of a test."""
    return ascii(value)[:24]


def a_sentence(why: str) -> None:
    """Something to be shown to a person, on one line, whatever it quotes."""
    assert SENTENCE.fullmatch(why), why


def try_move(state: Any, said: object) -> None:
    before, digest = frozen(state), state.digest()
    try:
        found = state.game.parse(said, state)
        assert isinstance(found, Move)
        assert isinstance(said, str)
        why = state.objection(found)
        if why is None:
            assert found in state.moves
            assert state.game.parse(str(found), state) == found or isinstance(found, Face)
            state.play(found)
        else:
            a_sentence(why)
            with pytest.raises(RulesError):
                state.play(found)
    except RulesError as error:
        a_sentence(str(error))
    assert (frozen(state), state.digest()) == (before, digest)


def try_start(game: Any, given: object, seats: object) -> None:
    for tried in (seats, None):
        try:
            state = game.start(given, tried)
        except RulesError as error:
            a_sentence(str(error))
        else:
            assert game.start(state.options.plain(), state.seats) == state
            assert all(map(SENTENCE.fullmatch, game.advice(state.options, state.seats)))
    for ask in (lambda: game.preset(given), lambda: game.check_seats(given), lambda: game.start().leave(given)):
        try:
            ask()
        except RulesError as error:
            a_sentence(str(error))


@st.composite
def settings_said(draw: st.DrawFn) -> tuple[Game[Any, Any], str]:
    """A setting of the command line."""
    game = draw(options())[0]
    names = st.sampled_from([spec.name for spec in game.Options.specs()]) | st.text()
    return game, f"{draw(names)}{draw(st.sampled_from(['=', '', ' = ']))}{draw(soup | st.text())}"


def try_setting(game: Game[Any, Any], said: str) -> None:
    try:
        game.read_options(read_settings(game.Options, [said]))
    except RulesError as error:
        a_sentence(str(error))


def try_record(said: str | bytes) -> None:
    """What is read is written again just as it was; a refusal names a line that is there."""
    text = said.decode("latin-1") if isinstance(said, bytes) else said
    refusal = None
    try:
        match = read(said)
    except BadRecord as error:
        refusal = error
    if refusal:
        a_sentence(str(refusal))
        assert 1 <= refusal.line <= text.count("\n") + 1
    else:
        assert isinstance(match, Match)
        assert write(match) == text


def try_conversation(loaded: str | None, said: list[bytes]) -> None:
    engine = Engine()
    load = json.dumps({"do": "load", "record": loaded}).encode()
    assert loaded is None or json.loads(engine.answer(load))["ok"]
    for line in said:
        try_line(engine, line)


def try_line(engine: Engine, line: bytes | None) -> None:
    """Every line gets one line, and a refusal leaves the game where it was."""
    before = engine.answer(b'{"do": "record"}')
    answer = engine.answer(line)
    assert answer.endswith(b"\n")
    assert answer.count(b"\n") == 1
    told = json.loads(answer)
    if not told["ok"]:
        assert re.fullmatch("[a-z-]+", told["error"])
        a_sentence(told["why"])
        assert engine.answer(b'{"do": "record"}') == before


#: What is said, and how it is tried.
CHECKS: dict[str, tuple[st.SearchStrategy[Any], Callable[..., None]]] = {
    "a move": (states().flatmap(lambda state: st.tuples(st.just(state), nearly_moves(state))), try_move),
    "a start": (options(), try_start),
    "a setting": (settings_said(), try_setting),
    "a record": (st.tuples(records()), try_record),
    "a conversation": (
        st.tuples(st.none() | st.deferred(lambda: st.sampled_from(sample_records())), st.lists(lines(), max_size=6)),
        try_conversation,
    ),
}


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("examples", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_fuzz(name: str, examples: int) -> None:
    strategy, attempt = CHECKS[name]
    settings(max_examples=examples)(given(strategy)(lambda said: attempt(*said)))()


# What a hand picked: corpus/


def corpus(name: str) -> list[Any]:
    """The values of a file, one a line, as JSON."""
    return [json.loads(line) for line in (CORPUS / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("key", keys())
def test_corpus_of_moves(key: str) -> None:
    there = [state for table in (usual(key)[0], *small(key)) for state in positions(table)]
    for said in corpus("moves.jsonl"):
        for state in there:
            try_move(state, said)


@pytest.mark.parametrize("key", keys())
def test_corpus_of_options(key: str) -> None:
    for said in corpus("options.jsonl"):
        try_start(game(key), said, said)
        for spec in game(key).Options.specs():
            try_start(game(key), {spec.name: said}, None)


@pytest.mark.parametrize("path", sorted((CORPUS / "records").iterdir()), ids=lambda path: path.name)
def test_corpus_of_records(path: Path) -> None:
    """None of them is one; the same after the true beginning of a record, sealed or not."""
    flaw = path.read_bytes()
    whole = sample_records()[0]
    for said in {flaw, whole.encode() + flaw, whole[:200].encode() + flaw} - {whole.encode()}:
        with pytest.raises(BadRecord):
            read(said)
        try_record(said)
    head = bare(whole)[:-1]
    try_record(sealed([*head, *flaw.decode("latin-1").splitlines(), "end: unfinished"]))


def test_corpus_of_engine_lines() -> None:
    for first in (b"", *(json.dumps({"do": "load", "record": text}).encode() for text in sample_records())):
        for line in (CORPUS / "engine.txt").read_bytes().splitlines():
            engine = Engine()
            engine.answer(first)
            try_line(engine, line)


def test_too_much_of_everything() -> None:
    """What is too long to be kept in a file: towers of brackets, numbers of many digits, a hundred million bytes."""
    engine = Engine()
    for many in (10_000, 400_000):
        for line in (
            b"[" * many,
            b'{"do":' * many,
            b'{"do":' + b"[" * many + b"]" * many + b"}",
            b"9" * many,
            b'"' * many,
        ):
            try_line(engine, line)
    try_line(engine, b'{"do": "undo", "plies": ' + b"9" * 900 + b"}")
    try_line(engine, None)
    answers = io.BytesIO()
    serve(io.BytesIO(b" " * 100_000_000 + b'\n{"do": "games"}\n'), answers)
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert (first["error"], second["ok"]) == ("too-long", True)
    state = positions(SETTINGS[0])[0]
    for said in ("a" * 10**7, "-".join(["a1"] * 10**6), "\u0665" * 5000, ["a1"] * 10**6):
        try_move(state, said)
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    for said in (deep, {"width": deep}, 10**5000, {"x" * 10**7: 1}, {10**5000: 1}):
        for table in games():
            try_start(table, said, said)
    for said in ("x" * 10**7, 10**5000, deep):
        with pytest.raises(RulesError):
            game(said)
    try_record("quadrille record 1 #" + "[" * 10**7)
