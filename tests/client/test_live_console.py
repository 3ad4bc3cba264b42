"""Both ends of a conversation in plain lines, and what a screen hides from the next person."""

import io
import os
import sys
import threading
from dataclasses import replace

import pytest

from quadrille.client.plain import typed_lines
from quadrille.client.plain.console import Console
from quadrille.client.plain.typed_lines import TypedLines
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.sittings import Typist, plain_table
from tests.waiting import DEADLINE, soon

# At one keyboard


HAND_OVER = "Press Enter, then hand over to"


def test_lines_from_a_pipe_are_repeated() -> None:
    said = io.StringIO()
    console = Console(io.StringIO(" a1 \n\nlast"), said)
    console.show("> ")
    assert [console.ask("> ") for _ in range(4)] == ["a1", "", "last", None]
    console.say("player 2: b1")
    console.cover()
    console.close()
    assert said.getvalue() == "> a1\n> \n> last\n> \nplayer 2: b1\n"
    Console(None, None).say("nobody listens")


def test_the_screen_is_covered_before_the_next_person_looks() -> None:
    match = Match(game("dotter"), seats=3, deal=Deal("s"))
    person = Typist(["draw", "peek p1 1a 1b", "", "draw", "", "draw", "", "board"])
    person.interactive = True
    table = plain_table(match, person)
    table.stage._setup = replace(table.stage.setup, names=("", "Ben", ""))
    table.run()
    prompts, screens = zip(*((prompt, said.rsplit("\n" * 50, 1)[-1]) for prompt, said in person.asked), strict=True)
    ben = "player 2 (Ben)"
    assert [*prompts] == [
        "player 1> ", f"{ben}> ", f"{HAND_OVER} player 3 ", "player 3> ",
        f"{HAND_OVER} player 1 ", "player 1> ", f"{HAND_OVER} {ben} ", f"{ben}> ", f"{ben}> ",
    ]  # fmt: skip
    faces = [face.name for face in table.match.entries[1].faces]
    secret = " = " + " ".join(faces)
    assert secret in screens[2]  # player 2 has peeked, and nobody else has come yet
    for number in (3, 4, 5, 6):
        assert not any(f" {face}" in screens[number] for face in faces)
    assert f"{ben}: peek p1 1a 1b\n" in screens[3]
    # Player 1 is told what came after the own last move, and player 2, coming back, sees the cards.
    assert screens[5].startswith(f"{ben}: peek p1 1a 1b\nplayer 3: draw\n")
    assert f"p1 1: a {faces[0]}" in screens[7] and "player 3: draw\nplayer 1: draw\n" in screens[7]


# While the network goes on


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_prompt_makes_room_for_what_happens() -> None:
    screen = Screen()
    console = Console(Screen("b1\n"), screen, lambda: None)
    console.show("> ")
    console.show("> ")
    console.say("player 2: a1")
    console.show("player 1> ")
    assert console.ask("player 1> ") == "b1"
    console.say("over")
    console.show("over> ")
    console.close()
    assert screen.getvalue() == "> \nplayer 2: a1\nplayer 1> over\nover> \n"


@pytest.mark.parametrize(("term", "forgets"), [("xterm-256color", True), ("dumb", False), ("", False)])
def test_a_covered_hand_is_gone_from_what_a_terminal_scrolls_back_to(
    term: str, forgets: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines before stayed there, and were read by whoever scrolled up."""
    monkeypatch.setenv("TERM", term)
    screen = Screen()
    console = Console(Screen(), screen)
    console.say("your cards: 1 2 3")
    console.cover()
    _, after = screen.getvalue().split("your cards: 1 2 3\n")
    assert after.strip("\n") == ("\x1b[H\x1b[2J\x1b[3J" if forgets and sys.platform != "win32" else "")
    assert after.endswith("\n" * 60)


def test_lines_come_whole_and_wake_whoever_waits() -> None:
    reading, writing = os.pipe()
    news = threading.Semaphore(0)
    with open(reading, encoding="utf-8") as reader:
        lines = TypedLines(reader, news.release)
        assert lines.look() is None and not lines.ended
        os.write(writing, "a1\n  bé".encode()[:-1])
        assert news.acquire(timeout=120)
        assert lines.look() == "a1" == lines.look()
        lines.take()
        assert lines.look() is None and not lines.ended
        os.write(writing, "é".encode()[1:] + b"\r\nlast")
        os.close(writing)
        found = []
        while not lines.ended:
            assert news.acquire(timeout=120)
            while (line := lines.look()) is not None:
                found.append(line)
                lines.take()
        assert found == ["bé", "last"]


def is_first(lines: TypedLines, line: str, writing: int) -> bool:
    """Its thread ends before its file does: the next file may get that number."""
    found = lines.look() == line
    os.close(writing)
    lines.take()
    return soon(lambda: lines.ended) and found


def test_what_a_pipe_holds_already_is_there_at_the_first_look() -> None:
    """So a script's first line waits for the move of a bot that begins, however late the reading thread is."""
    reading, writing = os.pipe()
    os.write(writing, b"moves\n")
    with os.fdopen(reading) as reader:
        assert is_first(TypedLines(reader), "moves", writing)


def test_what_the_reading_thread_has_in_its_hands_is_there_at_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_lines, "_SOON", DEADLINE)
    (reading, writing), read, go = os.pipe(), threading.Event(), threading.Event()
    with os.fdopen(reading) as reader:
        lines = TypedLines(reader)
        decode, get = lines._decoder.decode, lines._pieces.get
        monkeypatch.setattr(lines._decoder, "decode", lambda *words: (read.set(), go.wait(), decode(*words))[2])
        monkeypatch.setattr(lines._pieces, "get", lambda *words: (go.set(), get(*words))[1])
        os.write(writing, b"moves\n")
        assert read.wait(DEADLINE) and is_first(lines, "moves", writing)
