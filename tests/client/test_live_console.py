"""The console and the lines of a person who types while the network goes on."""

import io
import os
import sys
import threading

import pytest

from quadrille.client.line_editor import LineEditor
from quadrille.client.live_console import LiveConsole
from quadrille.client.terminal import single_keys
from quadrille.client.typed_lines import TypedLines


class Screen(io.StringIO):
    """A terminal, by its own word."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("terminal", "away"), [("xterm", "\r\x1b[K"), ("dumb", "\n")])
def test_the_prompt_makes_room_for_what_happens(monkeypatch: pytest.MonkeyPatch, terminal: str, away: str) -> None:
    monkeypatch.setenv("TERM", terminal)
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
    assert screen.getvalue() == f"> {away}player 2: a1\nplayer 1> over\nover> \n"


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


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        ("abc", "abc", 3),
        ("abc\x7f", "ab", 2),
        ("abc\x1b[D\x1b[Dx", "axbc", 2),
        ("abc\x01x\x05y", "xabcy", 5),
        ("say two words\x17", "say two ", 8),
        ("abc\x1b[D\x15", "c", 0),
        ("abc\x02\x0b", "ab", 2),
        ("abc\x1b[H\x1b[3~", "bc", 0),
        ("abc\x01\x04", "bc", 0),
        ("one\r\x1b[A", "one", 3),
        ("one\ntwo\nx\x1b[A\x1b[A\x1b[B", "two", 3),
        ("one\n\x1b[A\x1b[B", "", 0),
        ("a\x07\x1b[15~\x1bOPb", "ab", 2),
        ("\x7f\x1b[D\x1b[C\x1b[A\x1b[B", "", 0),
    ],
)
def test_keys(keys: str, text: str, cursor: int) -> None:
    for pieces in ([keys], list(keys)):
        editor = LineEditor()
        for piece in pieces:
            editor.feed(piece)
        assert (editor.text, editor.cursor) == (text, cursor)


def test_lines_and_the_end_of_input() -> None:
    editor = LineEditor()
    assert editor.feed("a1\rb") == ["a1"]
    assert editor.feed("2\n\x04") == ["b2", None]
    editor.feed("x" * 5000)
    assert len(editor.text) == 4096


def test_a_half_typed_line_is_drawn_again_below_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    screen = Screen()
    console = LiveConsole(Screen(), screen)
    console.editor = LineEditor()
    console.editor.feed("say he")
    console.ask("> ")
    console.say("player 2: a1")
    console.editor.feed("\x1b[D")
    console.ask("> ")
    assert screen.getvalue() == "> say he\r\x1b[Kplayer 2: a1\n> say he\x1b[1D"
    console.editor.feed("\x05llo to everybody here\r")
    console.answered("> ", "say hello to everybody here")
    assert screen.getvalue().endswith("\r\x1b[K> say hello to everybody here\n")
    console.editor.feed("0123456789abcdefghij")
    console.ask("> ")
    assert screen.getvalue().endswith("\n> 3456789abcdefghij")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
def test_keys_of_a_terminal_come_one_by_one_and_it_is_as_before_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    import pty
    import termios

    monkeypatch.setenv("TERM", "xterm")
    keyboard, terminal = pty.openpty()
    news = threading.Semaphore(0)
    with open(terminal, encoding="utf-8") as reader:
        before = termios.tcgetattr(terminal)
        with single_keys(reader, wanted=True) as editor:
            assert editor is not None
            lines = TypedLines(reader, news.release, editor)
            os.write(keyboard, b"ab")
            while editor.text != "ab":
                assert news.acquire(timeout=120)
                assert lines.look() is None
            os.write(keyboard, b"\x7f1\r\x04")
            while not lines.ended:
                assert news.acquire(timeout=120)
                if (line := lines.look()) is not None:
                    assert line == "a1"
                    lines.take()
        assert termios.tcgetattr(terminal) == before
        with single_keys(reader, wanted=False) as none:
            assert none is None
        os.write(keyboard, b"\n\x04")  # the reading thread ends
    os.close(keyboard)
