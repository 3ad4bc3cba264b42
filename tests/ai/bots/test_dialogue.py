"""The talk with one bot, without a process: what it owes and until when, what its lines mean, what is a fault."""

import json
from typing import Any

import pytest

from quadrille.ai.bots.lines.dialogue import (
    MOST_STRAY,
    OFFER,
    START,
    Chosen,
    Dialogue,
    Ready,
    Replied,
    Seating,
    advised,
)
from quadrille.ai.faults import BotFault
from tests.ai.bots.recording import limits
from tests.ai.inside import small

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


@pytest.mark.parametrize(("due", "what"), [(START, "say who it is"), (START + 2, "say that it is ready")])
def test_a_bot_that_does_not_begin(due: int, what: str) -> None:
    talked = Talked()
    dialogue = Dialogue(0) if due == START else talked.dialogue
    if due > START:
        dialogue.start(talked.match, talked.match.state, Seating(), 2)
    assert dialogue.deadline == due
    assert dialogue.wake(due) == []
    with pytest.raises(BotFault, match=what) as caught:
        dialogue.wake(due + 1)
    assert caught.value.kind == "stall"


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
        (b"[1, 2]", "protocol", "no JSON object"),
        (b"17", "protocol", "no JSON object"),
        (b"{}", "protocol", "answers none"),
        (b'{"move": "a1"}', "protocol", "answers none"),
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
        (b'{"hello": "x", "protocol": 1, "omit": ["clock"]}', 'wants to omit "clock"'),
        (b'{"hello": "x", "protocol": 1, "author": 7}', '"author" takes a line of text'),
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
    dialogue.receive(b'{"hello": "x", "protocol": 1, "games": ["maze"], "version": "3", "later": "unknown"}', 1)
    assert dialogue.greeting.plays("maze") and not dialogue.greeting.plays("barons")
    assert Talked().dialogue.greeting.plays("barons")  # type: ignore[union-attr]


def test_what_a_bot_is_advised_to_take_leaves_something() -> None:
    assert all(1 <= advised(left, 500) <= max(1, left // 2) for left in (0, 1, 10, 1000, 60_000, 10**7))
