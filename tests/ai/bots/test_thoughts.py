"""The thoughts that a bot tells beside its move: what is one, what is dropped with a remark, and who never hears it."""

import json
from typing import Any

import pytest

from quadrille.ai.bots.lines.dialogue import Chosen, Dialogue
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.opponents import opponent
from quadrille.rules.core.thoughts import MOST_MARKS, DroppedField, Thought, Thoughts
from tests.ai.bots.test_dialogue import Talked
from tests.ai.inside import Anything, Inside, small


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
    "value": (
        "true", '"0.5"', "1.001", "-2", "[]", "{}", "NaN", "Infinity", "-Infinity", "1e999", "1" * 2000, "2" * 20,
    ),
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


class Noting(Anything):
    """Notes its move, and whatever it is made with."""

    def __init__(self, **more: Any) -> None:
        self.more = more

    def thought(self, view: Any) -> Any:
        return {"note": f"secret plan of ply {view.board.plies}"} | self.more


def played(*bots: Any) -> tuple[LocalGame, list[Inside]]:
    programs = [Inside(bot) for bot in bots]
    table = LocalGame(small(seats=len(bots)), [Talk(program) for program in programs])  # type: ignore[arg-type]
    table.get_ready()
    table.play()
    assert table.faults == {}
    return table, programs


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
