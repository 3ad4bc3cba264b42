"""A program and the dialogue with it: what is sent and heard, by one who waits and by one who looks in now and then."""

from collections import deque

import pytest

from quadrille.ai.bots.lines.dialogue import Chosen, Ready
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.rules.match import Match
from quadrille.rules.registry import game


class Script:
    """What a program would have written, with the face of a program."""

    def __init__(self, *lines: str) -> None:
        self.lines = deque(lines)
        self.told: list[bytes] = []
        self.hurried = 0
        self.closed: float | None = None
        self.ended = False

    def send(self, line: bytes) -> None:
        self.told.append(line)

    def line(self, timeout: float | None = 0) -> bytes | None:
        return self.lines.popleft().encode() if self.lines else None

    def hurry(self) -> None:
        self.hurried += 1

    def close(self, grace: float = 0) -> None:
        self.closed = grace


HELLO, READY = '{"hello": "script", "protocol": 1, "omit": ["view", "text", "moves"]}', '{"ready": true}'


def talk(script: Script, match: Match) -> Talk:
    """One that has begun a game."""
    found = Talk(script)  # type: ignore[arg-type]
    assert found.greet().name == "script"
    found.dialogue.start(match, match.state, 0, now())
    assert found.hear() == Ready()
    found.dialogue.turn(match, match.state, now(), patience=60_000)
    return found


def maze() -> Match:
    return Match(game("maze"), {"size": 3}, 2)


def test_many_lines_are_heard_in_pieces() -> None:
    """A peer on the network has other things to do."""
    script = Script(HELLO, READY, *['{"ask": "legal", "move": "a1-a2"}'] * 250, '{"turn": 1, "move": "a3-a2"}')
    found = talk(script, maze())
    assert found.hear() is None and found.hear() is None
    assert script.hurried == 2
    assert isinstance(found.hear(), Chosen)
    assert len(script.told) == 3 + 250


def test_every_line_can_be_written_down() -> None:
    heard: list[tuple[bool, bytes]] = []
    found = Talk(Script(HELLO), lambda at, told, line: heard.append((told, line)))  # type: ignore[arg-type]
    found.greet()
    assert [told for told, _ in heard] == [True, False]
    assert heard[1] == (False, HELLO.encode())


def test_after_a_fault_there_is_no_more_talk() -> None:
    script = Script(HELLO, READY, "what?")
    found = talk(script, maze())
    with pytest.raises(BotFault) as caught:
        found.hear()
    assert script.closed == 0, "its program is ended at once"
    assert found.fault is found.dialogue.fault is caught.value
    with pytest.raises(BotFault):
        found.hear()
    found.close()
    assert b"quit" not in script.told[-1]


def test_one_that_waits_is_told_in_time() -> None:
    found = talk(Script(HELLO, READY), maze())
    found.dialogue.turn(maze(), maze().state, now() - 10, patience=9)
    with pytest.raises(BotFault, match=r"did not move within 0\.009 seconds in its turn 2 of the game"):
        found.hear(60)
