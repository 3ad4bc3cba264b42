"""Whatever a bot says, the table hears an event, nothing, or one `BotFault` that is a sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.ai.bots.lines.dialogue import Chosen, Dialogue, Seating
from quadrille.ai.faults import KINDS, BotFault
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.ai.bots.recording import TABLES, limits

CORPUS = Path(__file__).parent / "corpus.txt"
LINES = CORPUS.read_bytes().splitlines()

values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
words = st.sampled_from(
    ("hello", "protocol", "ready", "turn", "move", "offer", "agree", "ask", "limit", "moves", "games")
)
asks = st.sampled_from(("moves", "legal", "play out", "view", "text", "x"))
moves = st.sampled_from(("a1", "b2", "a1-a2", "draw", "peek p1 1a 1b", "", "pass", "south"))
objects = st.dictionaries(words, values | asks | moves, max_size=4)
plausible = st.one_of(
    st.builds(lambda number, move: {"turn": number, "move": move}, st.integers(0, 4), moves),
    st.builds(
        lambda number, move, told: {"turn": number, "move": move} | told,
        st.integers(0, 4),
        moves,
        st.dictionaries(st.sampled_from(("value", "depth", "note", "marks")), values, max_size=4),
    ),
    st.builds(lambda ask, move: {"ask": ask, "move": move, "moves": [move]}, asks, moves),
    st.builds(lambda number, agree: {"offer": number, "agree": agree}, st.integers(0, 3), st.booleans()),
    st.just({"ready": True}),
)


@st.composite
def lines(draw: st.DrawFn) -> bytes | None:
    """A line as it should be, or nearly, or not at all, or half of it."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")) | st.none())
    line = json.dumps(draw(objects if kind < 3 else plausible)).encode()
    return line[: draw(st.integers(0, len(line)))] if kind == 3 else line


@st.composite
def scripts(draw: st.DrawFn) -> list[Any]:
    """What happens in turn: lines, and what the table does."""
    doing = st.sampled_from(("start", "turn", "offer", "over", "play", "undo", "later", "quit"))
    return draw(st.lists(lines() | doing, max_size=25))


class Chaos:
    """A table that does anything in any order, as long as the dialogue allows it."""

    def __init__(self, key: str) -> None:
        options, seats = TABLES[key]
        self.match = Match(game(key), options, seats, deal=Deal("fuzz"))
        self.dialogue = Dialogue(0)
        self.now = 0
        self.offers = 0

    @property
    def view(self) -> Any:
        return self.match.state.view(0)

    def do(self, what: str) -> None:
        dialogue, match = self.dialogue, self.match
        started = dialogue._teller is not None
        self.now += 100
        if what == "start" and dialogue.greeting:
            dialogue.start(match, self.view, Seating(), self.now)
        elif what == "turn" and started and not match.over and match.state.board.turn == 0:
            dialogue.turn(match, self.view, self.now, *limits([3000] * match.state.seats))
        elif what == "offer" and started:
            self.offers += 1
            dialogue.offer("draw", 1, self.offers, match, self.view, self.now)
        elif what == "over" and started and match.over:
            dialogue.over(match.over, match, self.view)
        elif what == "play" and not match.over:
            match.play(next(iter(match.state.moves)))
        elif what == "undo" and match.ply:
            match.undo()
        elif what == "later":
            self.now += 1000
        elif what == "quit":
            dialogue.quit()

    def hear(self, line: bytes | None) -> None:
        before = len(self.dialogue.outgoing)
        event = self.dialogue.receive(line, self.now)
        if isinstance(event, Chosen):
            self.match.play(event.move)
        for said in self.dialogue.outgoing[before:]:
            assert said.endswith(b"\n") and said.count(b"\n") == 1
            assert json.loads(said)["do"] == "answer"
        self.dialogue.wake(self.now)


def try_script(key: str, script: list[Any], *, greeted: bool) -> None:
    chaos, fault = Chaos(key), None
    try:
        if greeted:
            chaos.hear(b'{"hello": "fuzz", "protocol": 1}')
            chaos.do("start")
        for what in script:
            chaos.do(what) if isinstance(what, str) else chaos.hear(what)
    except BotFault as found:
        fault = found
    assert chaos.dialogue.fault is fault
    if fault is not None:
        assert fault.kind in KINDS
        assert 10 < len(fault.why) < 500 and fault.why.isprintable()
        with pytest.raises(BotFault):
            chaos.dialogue.receive(b'{"ready": true}', chaos.now)


@given(key=st.sampled_from(sorted(TABLES)), script=scripts(), greeted=st.booleans())
def test_fuzz(key: str, script: list[Any], greeted: bool) -> None:
    try_script(key, script, greeted=greeted)


@pytest.mark.parametrize("key", sorted(TABLES))
def test_corpus(key: str) -> None:
    for line in LINES:
        for script in ([line], ["turn", line], ["offer", line, "play", line], ["play", "turn", line, "later", line]):
            for greeted in (False, True):
                try_script(key, script, greeted=greeted)


def test_too_much_of_everything() -> None:
    for many in (10_000, 400_000):
        for line in (b"[" * many, b'{"a":' * many, b"9" * many, b'"' * many, b" " * many, b'{"turn": ' + b"9" * many):
            try_script("maze", ["play", "turn", line], greeted=True)
    for text in ("a1-" * 10_000, "\u0665" * 5000, "x" * 100_000):
        for said in ({"turn": 1, "move": text}, {"ask": "legal", "move": text}, {"ask": "play out", "moves": [text]}):
            try_script("maze", ["turn", json.dumps(said).encode()] * 3, greeted=True)
    try_script("maze", ["turn", *[b'{"ask": "oracle"}'] * 300], greeted=True)
    try_script(
        "maze", ["turn", *[json.dumps({"ask": "play out", "moves": ["a3-a2"] * 9000}).encode()] * 3], greeted=True
    )
