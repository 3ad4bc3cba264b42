"""Whatever is said to the rules, the answer is a value or a `RulesError`, and what was refused has changed nothing."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.ai.engine import Engine, serve
from quadrille.laws.seals import bare, sealed
from quadrille.laws.settings import small, usual
from quadrille.laws.walks import frozen
from quadrille.rules.core import Face, Move
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.match import Match
from quadrille.rules.options import read_settings
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, games, keys
from tests.fuzz import inputs

CORPUS = Path(__file__).parent / "corpus"
SENTENCE = re.compile(r"[^\n\x00-\x1f\x7f]{10,1000}")


def shortly(value: object) -> str:
    """The name of a test."""
    return ascii(value)[:24]


def a_sentence(why: str) -> None:
    """Something to be shown to a person, on one line, whatever it quotes."""
    assert SENTENCE.fullmatch(why), why


def move(data: st.DataObject) -> None:
    state = data.draw(inputs.states())
    try_move(state, data.draw(inputs.nearly_moves(state)))


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


def start(data: st.DataObject) -> None:
    try_start(*data.draw(inputs.options()))


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


def setting(data: st.DataObject) -> None:
    """A setting of the command line."""
    game = data.draw(inputs.options())[0]
    names = st.sampled_from([spec.name for spec in game.Options.specs()]) | st.text()
    said = f"{data.draw(names)}{data.draw(st.sampled_from(['=', '', ' = ']))}{data.draw(inputs.soup | st.text())}"
    try:
        game.read_options(read_settings(game.Options, [said]))
    except RulesError as error:
        a_sentence(str(error))


def record(data: st.DataObject) -> None:
    try_record(data.draw(inputs.records()))


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


def conversation(data: st.DataObject) -> None:
    """With the engine: every line gets one line, and a refusal leaves the game where it was."""
    engine = Engine()
    if data.draw(st.booleans()):
        load = {"do": "load", "record": data.draw(st.sampled_from(inputs.sample_records()))}
        assert json.loads(engine.answer(json.dumps(load).encode()))["ok"]
    for line in data.draw(st.lists(inputs.lines(), max_size=6)):
        try_line(engine, line)


def try_line(engine: Engine, line: bytes | None) -> None:
    before = engine.answer(b'{"do": "record"}')
    answer = engine.answer(line)
    assert answer.endswith(b"\n")
    assert answer.count(b"\n") == 1
    told = json.loads(answer)
    if not told["ok"]:
        assert re.fullmatch("[a-z-]+", told["error"])
        a_sentence(told["why"])
        assert engine.answer(b'{"do": "record"}') == before


CHECKS: tuple[Callable[[st.DataObject], None], ...] = (move, start, setting, record, conversation)


@pytest.mark.parametrize("check", CHECKS)
@settings(max_examples=10)
@given(data=st.data())
def test_fuzz(check: Callable[[st.DataObject], None], data: st.DataObject) -> None:
    check(data)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@settings(max_examples=100)
@given(data=st.data())
def test_fuzz_long(check: Callable[[st.DataObject], None], data: st.DataObject) -> None:
    check(data)


# What a hand picked: corpus/


def corpus(name: str) -> list[Any]:
    """The values of a file, one a line, as JSON."""
    return [json.loads(line) for line in (CORPUS / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("said", corpus("moves.jsonl"), ids=shortly)
def test_corpus_of_moves(said: object) -> None:
    for key in keys():
        for table in (usual(key)[0], *small(key)):
            for state in inputs.positions(table):
                try_move(state, said)


@pytest.mark.parametrize("said", corpus("options.jsonl"), ids=shortly)
def test_corpus_of_options(said: object) -> None:
    for table in games():
        try_start(table, said, said)
        for spec in table.Options.specs():
            try_start(table, {spec.name: said}, None)


@pytest.mark.parametrize("path", sorted((CORPUS / "records").iterdir()), ids=lambda path: path.name)
def test_corpus_of_records(path: Path) -> None:
    """None of them is one; the same after the true beginning of a record, sealed or not."""
    flaw = path.read_bytes()
    whole = inputs.record()
    for said in {flaw, whole.encode() + flaw, whole[:200].encode() + flaw} - {whole.encode()}:
        with pytest.raises(BadRecord):
            read(said)
        try_record(said)
    head = bare(whole)[:-1]
    try_record(sealed([*head, *flaw.decode("latin-1").splitlines(), "end: unfinished"]))


@pytest.mark.parametrize("line", (CORPUS / "engine.txt").read_bytes().splitlines(), ids=shortly)
def test_corpus_of_engine_lines(line: bytes) -> None:
    for first in (b"", *(json.dumps({"do": "load", "record": text}).encode() for text in inputs.sample_records())):
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
    state = inputs.positions(inputs.SETTINGS[0])[0]
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
