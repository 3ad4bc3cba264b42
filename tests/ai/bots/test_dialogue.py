"""The talk with one bot, without a process: what it owes and until when, what its lines mean, what is a fault."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.ai.bots.lines.dialogue import MOST_STRAY, OFFER, Chosen, Dialogue, Ready, Replied, Seating, advised
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.faults import KINDS, BotFault
from quadrille.ai.opponents import opponent
from quadrille.rules.core.thoughts import MOST_MARKS, DroppedField, Thought, Thoughts
from tests.ai.bots.test_vectors import SEAT, TABLES, Table, limits
from tests.ai.inside import Anything, Inside, Noting, play, small, talk

HELLO = b'{"hello": "tester", "protocol": 1}'


class Talked:
    """A game of Barons in which the bot has seat 0."""

    def __init__(self, hello: bytes = HELLO, key: str = "barons", **options: int) -> None:
        self.match = small(key, **options)
        self.dialogue = Dialogue(0)
        self.dialogue.receive(hello, 1)

    def started(self) -> Dialogue:
        self.dialogue.start(self.match, self.match.state.view(0), Seating(seed="s"), 2)
        assert self.dialogue.receive(b'{"ready": true}', 3) == Ready()
        return self.dialogue

    def turn(self, now: int = 10, *, hint: bool = False, **how: Any) -> Dialogue:
        dialogue = self.dialogue if self.dialogue._teller else self.started()
        self.last()
        dialogue.turn(self.match, self.match.state.view(0), now, *limits(**how), hint=hint)
        return dialogue

    def last(self) -> dict[str, Any]:
        """The line said last; those before it are forgotten."""
        lines = [json.loads(line) for line in self.dialogue.outgoing]
        self.dialogue.outgoing.clear()
        return lines[-1] if lines else {}


def fault(dialogue: Dialogue, line: bytes | None, now: int = 20) -> BotFault:
    with pytest.raises(BotFault) as caught:
        dialogue.receive(line, now)
    assert dialogue.fault is caught.value
    with pytest.raises(BotFault):  # nothing more is heard
        dialogue.receive(HELLO, now)
    return caught.value


def test_more_moves_than_are_told_at_once() -> None:
    talked = Talked(width=10, height=10)
    talked.turn()
    assert talked.last()["more"] is False  # 100 of them
    talked = Talked(key="dotter", laps=6)
    for _ in range(10):
        talked.match.play("draw")
    dialogue = talked.turn()
    told = talked.last()
    assert (len(told["moves"]), told["more"]) == (100, True)
    found = told["moves"]
    while told["more"]:
        dialogue.receive(b'{"ask": "moves", "limit": 1000}', 20)
        told = talked.last()
        found += told["moves"]
    assert found == [str(move) for move in talked.match.state.view(0).moves]
    dialogue.receive(b'{"ask": "moves"}', 20)
    assert talked.last() == {"do": "answer", "answer": "moves", "moves": [], "more": False}


def test_time_is_taken_at_the_table() -> None:
    assert fault(Talked().turn(left=[100, 5000]), b'{"turn": 1, "move": "a1"}', 111).kind == "time"
    dialogue = Talked().turn(left=[100, 5000])
    assert dialogue.wake(110) == []
    with pytest.raises(BotFault, match=r"ran out of time in its turn 1 of the game, for which it had 0\.1 seconds$"):
        dialogue.wake(111)
    assert fault(Talked().turn(patience=100), b'{"ask": "text"}', 111).kind == "stall"


def test_turns_are_told_of_each_game_by_itself() -> None:
    talked = Talked()
    dialogue = talked.turn()
    dialogue.receive(b'{"turn": 1, "move": "a1"}', 20)
    dialogue.start(talked.match, talked.match.state, Seating(), 20)
    talked.turn(patience=1000)
    assert talked.last()["turn"] == 2
    assert fault(dialogue, b"{}", 2000).why == "did not move within 1 second in its turn 1 of the game"


def test_an_answer_to_a_turn_that_is_no_more_is_nothing() -> None:
    talked = Talked()
    dialogue = talked.turn()
    talked.match.play("a1")
    talked.match.undo()
    talked.turn()
    assert dialogue.receive(b'{"turn": 1, "move": "b1"}', 20) is None
    assert isinstance(dialogue.receive(b'{"turn": 2, "move": "b1"}', 20), Chosen)
    assert dialogue.receive(b'{"turn": 2, "move": "b2"}', 20) is None
    assert fault(dialogue, b'{"turn": 3, "move": "b1"}').kind == "protocol"


def test_many_lines_out_of_place_are_a_fault() -> None:
    dialogue = Talked().turn()
    dialogue.no_turn()
    for _ in range(MOST_STRAY):
        assert dialogue.receive(b'{"ask": "view"}', 20) is None
    assert "what can't be answered" in fault(dialogue, b'{"ask": "view"}').why


def test_a_bot_may_ask_about_each_move_in_however_many_turns_that_end_under_it() -> None:
    talked = Talked()
    for number in range(1, MOST_STRAY):
        dialogue = talked.turn()
        dialogue.no_turn()
        for line in (b'{"ask": "view"}', b'{"ask": "view"}', b'{"turn": %d, "move": "b1"}' % number):
            assert dialogue.receive(line, 20) is None


def test_proposals() -> None:
    talked = Talked()
    dialogue = talked.started()
    for number in (1, 2, 3):
        dialogue.offer("draw", 1, number, talked.match, talked.match.state, 10)
    assert dialogue.receive(b'{"offer": 2, "agree": true}', 20) == Replied(2, agree=True)
    assert dialogue.wake(10 + OFFER) == []
    assert dialogue.wake(11 + OFFER) == [Replied(1, agree=False), Replied(3, agree=False)]
    assert dialogue.receive(b'{"offer": 1, "agree": true}', 20) is None
    assert fault(dialogue, b'{"offer": 1}').kind == "protocol"


def test_a_game_ends_before_its_bot_was_ready() -> None:
    talked = Talked()
    dialogue = talked.dialogue
    dialogue.start(talked.match, talked.match.state, Seating(), 2)
    talked.match.leave(1)
    dialogue.over(talked.match.over, talked.match, talked.match.state)
    dialogue.start(talked.match, talked.match.state, Seating(), 3)
    assert dialogue.receive(b'{"ready": true}', 4) is None
    assert dialogue.receive(b'{"ready": true}', 5) == Ready()
    assert fault(dialogue, b'{"ready": true}').kind == "protocol"


@pytest.mark.parametrize(
    ("line", "kind", "says"),
    [
        (b"", "protocol", "an empty line"),
        (b"best move: a1", "protocol", 'wrote "best move: a1", and this is no JSON'),
        (b'\xef\xbb\xbf{"turn": 1, "move": "a1"}', "protocol", "begins with a byte order mark: write UTF-8 without"),
        (b"[1, 2]", "protocol", "no JSON object"),
        (b"17", "protocol", "no JSON object"),
        (b"{}", "protocol", "answers none"),
        (b'{"move": "a1"}', "protocol", "answered a turn otherwise"),
        (b'{"do": "hello"}', "protocol", "answers none"),
        (b'{"ready": false}', "protocol", "answers none"),
        (b'{"ready": true}', "protocol", "answers none"),
        (HELLO, "protocol", "answers none"),
        (b'{"turn": 1}', "protocol", "answered a turn otherwise"),
        (b'{"turn": "1", "move": "a1"}', "protocol", "answered a turn otherwise"),
        (b'{"turn": true, "move": "a1"}', "protocol", "answered a turn otherwise"),
        (b'{"turn": 1, "move": null}', "protocol", "answered a turn otherwise"),
        (b'{"turn": 2, "move": "a1"}', "protocol", "the last that it was given is 1"),
        (b'{"turn": 0, "move": "a1"}', "protocol", "moved in turn 0"),
        (b'{"turn": 1, "move": ""}', "illegal", "an empty line is no move"),
        (b'{"turn": 1, "move": "a1 b2"}', "illegal", 'moved "a1 b2", which is not legal'),
        (b'{"turn": 1, "move": "d9"}', "illegal", "off the board"),
        (b'{"offer": 1.5, "agree": true}', "protocol", "answered an offer otherwise"),
        (None, "protocol", "a line of more than"),
    ],
)
def test_wrong_answers(line: bytes | None, kind: str, says: str) -> None:
    found = fault(Talked().turn(), line)
    assert (found.kind, says in found.why) == (kind, True), found.why
    assert len(found.why) < 400 and found.why.isprintable()


@pytest.mark.parametrize(
    ("hello", "says"),
    [
        (b'{"hello": "x"}', "speaks version nothing"),
        (b'{"hello": "x", "protocol": 2}', "speaks version 2"),
        (b'{"hello": "x", "protocol": true}', "speaks version true"),
        (b'{"ready": true, "protocol": 1}', '"hello" takes a line of text'),
        (b'{"hello": " ", "protocol": 1}', "has no name"),
        (b'{"hello": "a\\nb", "protocol": 1}', '"hello" takes a line of text'),
        (b'{"hello": "x", "protocol": 1, "games": "maze"}', '"games" takes a list of texts'),
        (b'{"hello": "x", "protocol": 1, "games": ["%s"]}' % (b"x" * 61), '"games" takes a list of texts of at most'),
        (b'{"hello": "x", "protocol": 1, "games": ["\\u001b[2J"]}', '"games" takes a list of texts of at most'),
        (b'{"hello": "x", "protocol": 1, "omit": ["clock"]}', 'wants to omit "clock"'),
        (b'{"hello": "x", "protocol": 1, "author": 7}', '"author" takes a line of text'),
        (b'{"hello": "x", "protocol": 1, "author": "%s"}' % (b"a" * 61), '"author" takes a line of text of at most 60'),
        (b"Welcome to GNU Go", "no JSON"),
        (b'{"do": "hello"}', 'began with "{"do": "hello"}", which is no greeting: that is {"hello": "its name"'),
        (b"[1]", "what a bot prints for people belongs on standard error"),
    ],
)
def test_wrong_greetings(hello: bytes, says: str) -> None:
    found = fault(Dialogue(0), hello)
    assert (found.kind, says in found.why) == ("protocol", True), found.why


def test_who_it_says_it_is() -> None:
    dialogue = Dialogue(0)
    name = "x" * 60
    dialogue.receive(
        b'{"hello": "%s", "protocol": 1, "games": ["maze"], "version": "3", "later": ""}' % name.encode(), 1
    )
    assert dialogue.greeting.plays("maze") and not dialogue.greeting.plays("barons") and dialogue.greeting.name == name
    assert Talked().dialogue.greeting.plays("barons")  # type: ignore[union-attr]


def test_what_a_bot_is_advised_to_take_leaves_something() -> None:
    assert all(1 <= advised(left, 500) <= max(1, left // 2) for left in (0, 1, 10, 1000, 60_000, 10**7))


# Whatever a bot says, the table hears an event, nothing, or one `BotFault` that is a sentence


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


#: What happens in turn: lines, and what the table does.
scripts = st.lists(
    lines() | st.sampled_from(("start", "turn", "offer", "over", "play", "undo", "later", "quit")), max_size=25
)


class Chaos(Table):
    """A table that does anything in any order, as long as the dialogue allows it."""

    def __init__(self, key: str) -> None:
        super().__init__()
        options, seats = TABLES[key]
        self.act("match", game=key, options=options, seats=seats, deal="fuzz")
        self.offers = 0

    def do(self, what: str) -> None:
        match, started = self.match, self.dialogue._teller is not None
        if what == "start" and self.dialogue.greeting:
            self.act("start")
        elif what == "turn" and started and not match.over and match.state.board.turn == SEAT:
            self.act("turn", left=[3000] * match.state.seats)
        elif what == "offer" and started:
            self.offers += 1
            self.act("offer", offer="draw", by=0, number=self.offers)
        elif what == "play" and not match.over:
            self.act("play", move=str(next(iter(match.state.moves))))
        elif what == "undo" and match.ply:
            self.act("undo", plies=1)
        elif what == "later":
            self.now += 1000
        elif what == "quit" or (what == "over" and started and match.over):
            self.act(what)

    def listen(self, line: bytes | None) -> None:
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
            chaos.listen(b'{"hello": "fuzz", "protocol": 1}')
            chaos.do("start")
        for what in script:
            chaos.do(what) if isinstance(what, str) else chaos.listen(what)
    except BotFault as found:
        fault = found
    assert chaos.dialogue.fault is fault
    if fault is not None:
        assert fault.kind in KINDS
        assert 10 < len(fault.why) < 500 and fault.why.isprintable()
        with pytest.raises(BotFault):
            chaos.dialogue.receive(b'{"ready": true}', chaos.now)


@given(key=st.sampled_from(sorted(TABLES)), script=scripts, greeted=st.booleans())
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
            try_script("maze", ["play", *["turn", json.dumps(said).encode()] * 3], greeted=True)
    for said, times in (({"ask": "oracle"}, 300), ({"ask": "play out", "moves": ["a3-a2"] * 9000}, 3)):
        try_script("maze", ["play", "turn", *[json.dumps(said).encode()] * times], greeted=True)


# The thoughts that a bot tells beside its move: what is one, what is dropped with a remark, and who never hears it


def chosen(more: str, dialogue: Dialogue | None = None) -> Chosen:
    """What the table makes of an answer with these fields: the move always counts."""
    event = (dialogue or Talked().turn()).receive(b'{"turn": 1, "move": "a1"' + more.encode() + b"}", 20)
    assert isinstance(event, Chosen) and str(event.move) == "a1"
    return event


def test_a_thought_beside_a_move() -> None:
    told = chosen(', "value": -0.25, "depth": 7, "note": "%s", "marks": {"c3": "!", "a2": "é"}' % ("x" * 200))
    assert told.thought == Thought(-0.25, 7, "x" * 200, (("c3", "!"), ("a2", "é")))
    assert chosen("").thought is None
    assert chosen(', "value": null, "note": null, "later": 1').thought is None
    assert chosen(', "value": 1').thought == Thought(1)
    assert chosen(', "later": [1, 2], "depth": 0') == Chosen(told.move, Thought(depth=0))


WRONG = {
    "value": ("true", '"0.5"', "1.001", "-2", "[]", "{}", "NaN", "Infinity", "-Infinity", "1e999", "1" * 999, "2" * 20),
    "depth": ("-1", "1.0", "true", '"3"', "1000000001", "NaN", "9" * 2000, "[3]"),
    "note": ("3", "[]", json.dumps("x" * 201), '"two\\nlines"', '"\\u001b[2J"', '"\\u202e"', '"\\ud800"'),
    "marks": (
        "[]", '"c3"', '{"d4": "!"}', '{"C3": "!"}', '{"c3": "!!"}', '{"c3": ""}', '{"c3": " "}', '{"c3": 1}',
        '{"c3": "\\u6f22"}', '{"c3": "\\u0301"}', '{"c3": "\\n"}', '{"": "!"}', '{"c3": null}', '{"c3": NaN}',
        json.dumps({f"a{number}": "!" for number in range(MOST_MARKS + 1)}), "[" * 200 + "]" * 200,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_thought_is_dropped_with_a_remark_and_the_move_counts(name: str) -> None:
    others = {"value": "0.5", "depth": "3", "note": '"fine"', "marks": '{"a1": "?"}'}
    fine = Thought(0.5, 3, "fine", (("a1", "?"),))
    for value in WRONG[name]:
        told = chosen("".join(f', "{key}": {value if key == name else good}' for key, good in others.items())).thought
        [(dropped, why)] = told.dropped
        assert dropped == name and why.isprintable() and len(why) <= 200, value
        left = {key: getattr(fine, key) for key in others if key != name}
        assert told == Thought(**left, dropped=told.dropped)


def test_odd_numbers_are_forgiven_in_thoughts_and_nowhere_else() -> None:
    stray = b'{"turn": 1, "move": "a1", "turn": [NaN, 1]}', b'{"turn": NaN, "move": "a1", "value": NaN}', b"NaN"
    for line in stray:
        with pytest.raises(BotFault) as caught:
            Talked().turn().receive(line, 20)
        assert "is no JSON" in caught.value.why or "otherwise than" in caught.value.why


def test_a_game_without_squares_has_no_marks() -> None:
    talked = Talked(key="dotter", laps=1)
    event = talked.turn().receive(b'{"turn": 1, "move": "draw", "note": "n", "marks": {"a1": "!"}}', 20)
    assert event.thought == Thought(note="n", dropped=(("marks", '"a1" is no square of this board'),))


def test_a_thousand_wrong_thoughts_are_one_remark_for_each_field() -> None:
    told = chosen(', "value": 7, "depth": -1, "note": 0, "marks": 1').thought
    assert len(told.dropped) == 4
    thoughts = Thoughts()
    for number in range(1000):
        thoughts.add(number, number % 2, told)
    assert thoughts.by_entry == {} and len(thoughts.remarks) == 8
    assert thoughts.remarks[1, "value"] == DroppedField(1, "value", 1, told.dropped[0][1], 500)
    assert len(json.dumps(thoughts.plain())) < 2000


def test_thoughts_come_back_from_a_file_and_nothing_else_does() -> None:
    thoughts = Thoughts()
    thoughts.add(4, 1, Thought(0.25, 3, "here", (("c3", "!"),), (("depth", "it takes a whole number"),)))
    thoughts.add(7, 0, Thought(1))
    plain = json.loads(json.dumps(thoughts.plain()))
    again = Thoughts.read(plain)
    assert again.plain() == plain and again.remarks == thoughts.remarks
    assert again.by_entry == {4: Thought(0.25, 3, "here", (("c3", "!"),)), 7: Thought(1)}
    assert again.before(7).by_entry == {4: again.by_entry[4]} and again.before(8) is again
    for odd in (
        None, [], 3, {"entries": 3, "remarks": {}}, {"entries": [[0, 1, 1, "n", {}], ["1", 1, 1, "n", {}], [1], 3]},
        {"entries": [[1, 7, -1, "two\nlines", {"a1": "!!"}]], "remarks": [[0, "value", 1, "x\x1b", 1]]},
        {"remarks": [[0, "move", 1, "why", 1], [True, "value", 1, "why", 1], [0, "value", 0, "why", 1]]},
    ):  # fmt: skip
        assert not Thoughts.read(odd)


# In a game of programs


def played(*bots: Any) -> tuple[LocalGame, list[Inside]]:
    talks: list[Any] = [talk(bot) for bot in bots]
    table = play(small(seats=len(bots)), talks)
    assert table.faults == {}
    return table, [one.program for one in talks]


def test_no_other_seat_hears_a_thought() -> None:
    table, programs = played(Noting(value=0.5), Anything(), Anything())
    notes = {number: one.note for number, one in table.thoughts.by_entry.items()}
    assert notes == {number: f"secret plan of ply {number}" for number in range(0, table.match.length, 3)}
    assert all(b"secret" not in line and b"0.5" not in line for one in programs for line in one.told)


def test_the_kit_sends_what_is_no_json_as_a_text() -> None:
    from fractions import Fraction

    class Nothing:
        def __str__(self) -> str:
            return "nothing to be sent"

    table, _ = played(Noting(value=float("nan"), depth=Nothing()), Noting(value=Fraction(1, 2), depth=True))
    why = {key: one.why for key, one in table.thoughts.remarks.items()}
    assert why[0, "value"] == 'it takes a number from -1 to 1, not "nan"'
    assert why[0, "depth"].endswith('not "nothing to be sent"') and why[1, "depth"].endswith("not true")
    assert table.thoughts.by_entry[1].value == 0.5


def test_the_kit_says_once_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    played(Noting(vlaue=0.5, move="c3"), Anything())
    errors = capsys.readouterr().err.splitlines()
    assert errors == [
        'thought() gave "vlaue": it takes value, depth, note, marks',
        'thought() gave "move": it takes value, depth, note, marks',
    ]


def test_opponents_that_search_tell_their_chances() -> None:
    for kind, deep in (("3", False), ("mcts:1", False), ("alphabeta:2", True), ("solver:1", False)):
        table, _ = played(opponent(kind), opponent("random"))
        told = [table.thoughts.by_entry[number] for number in range(0, table.match.length, 2)]
        assert all(one.value is not None and -1 <= one.value <= 1 for one in told)
        assert any(one.depth for one in told) is deep and not table.thoughts.remarks
        assert not any(number % 2 for number in table.thoughts.by_entry)
