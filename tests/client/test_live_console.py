"""The console and the lines of a person who types while the network goes on."""

import io
import os
import threading

from quadrille.client.plain.live_console import LiveConsole
from quadrille.client.plain.typed_lines import TypedLines


class Screen(io.StringIO):
    """A terminal, by its own word."""

    def isatty(self) -> bool:
        return True


def test_the_prompt_makes_room_for_what_happens() -> None:
    screen = Screen()
    console = LiveConsole(Screen(), screen)
    console.ask("> ")
    console.ask("> ")
    console.say("player 2: a1")
    console.ask("player 1> ")
    console.answered("player 1> ", "b1")
    console.say("over")
    console.ask("over> ")
    console.close()
    assert screen.getvalue() == "> \nplayer 2: a1\nplayer 1> over\nover> \n"


def test_a_pipe_reads_as_a_session() -> None:
    out = io.StringIO()
    console = LiveConsole(io.StringIO(), out)
    console.ask("> ")
    console.answered("> ", "a1")
    console.say("player 2: b1")
    console.close()
    assert out.getvalue() == "> a1\nplayer 2: b1\n"
    LiveConsole(None, None).say("nobody listens")


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


def test_without_input_it_has_ended() -> None:
    assert TypedLines(None, lambda: None).ended
    lines = TypedLines(io.StringIO("a1\n"), lambda: None)
    assert lines.look() == "a1" and not lines.ended
    lines.take()
    assert lines.ended
