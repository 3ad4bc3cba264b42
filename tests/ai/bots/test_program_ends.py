"""Programs that can't be started, or end before their time: what the author is told, and that it is the reason."""

import os
import sys
from pathlib import Path

import pytest

from quadrille.ai import kit
from quadrille.ai.bots.process import warden_link
from quadrille.ai.bots.process.executable import why_not
from quadrille.ai.bots.process.last_words import reason, telling_lines
from quadrille.ai.bots.process.program import Limits, Program, kit_command
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.rules import match
from tests.ai.bots.test_program import ended
from tests.ai.inside import Programs, programs
from tests.waiting import DEADLINE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="first lines, signals and limits are those of POSIX")


def script(folder: Path, text: str, mode: int = 0o755) -> Path:
    path = folder / "bot.js"
    path.write_bytes(text.encode())
    path.chmod(mode)
    return path


def refused(folder: Path, program: str = "./bot.js") -> str:
    with pytest.raises(BotFault) as caught:
        Program([program], cwd=folder)
    assert caught.value.kind == "crash"
    return caught.value.why.removeprefix("can't be started: ")


def test_a_file_without_the_x_bit_or_a_first_line(tmp_path: Path) -> None:
    path = script(tmp_path, "not a program", 0o644)
    said = '"./bot.js" is no file that may be run: it is there, but not executable (chmod +x ./bot.js)'
    assert refused(tmp_path) == said
    path.chmod(0o755)
    with programs() as made:
        assert "begins with #!" in ended(made.program(path)).why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#!/bin/sh\r\necho\r\n", "its lines end as on Windows (CR LF): save it with the line ends of Unix (LF)"),
        ("#!/usr/bin/env node\r\n", "its lines end as on Windows"),
        ("#!/opt/none/python3\n", 'it begins with "#!/opt/none/python3", and there is no program "/opt/none/python3"'),
        ("#! /usr/bin/env no-such-node\n", 'and there is no program "no-such-node" on the PATH'),
        ("#!/usr/bin/env -S no-such-node --fast\n", 'and there is no program "no-such-node" on the PATH'),
    ],
)
def test_a_first_line_that_cannot_work(tmp_path: Path, text: str, why: str) -> None:
    script(tmp_path, text)
    assert why in refused(tmp_path)
    assert why in refused(tmp_path, str(tmp_path / "bot.js"))


@pytest.mark.parametrize("first", ["#!/bin/sh", "#!/usr/bin/env sh", "#!/usr/bin/env -S sh -e", "#! /bin/sh -e"])
def test_a_first_line_that_works(tmp_path: Path, first: str) -> None:
    script(tmp_path, f"{first}\necho on\n")
    with programs() as made:
        assert made.program("./bot.js", cwd=tmp_path).line(DEADLINE) == b"on"


def test_an_interpreter_may_stand_in_the_folder_and_its_name_be_any_bytes(tmp_path: Path) -> None:
    odd = os.fsdecode(b"b\xe9")
    for name in ("bin", odd):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sh").symlink_to("/bin/sh")
    for first in ("bin/sh", str(tmp_path / odd / "sh")):
        (tmp_path / "bot.js").write_bytes(b"#!" + os.fsencode(first) + b"\necho on\n")
        (tmp_path / "bot.js").chmod(0o755)
        with programs() as made:
            assert made.program("./bot.js", cwd=tmp_path).line(DEADLINE) == b"on"


def test_a_link_to_nothing_is_not_said_to_be_meant(tmp_path: Path) -> None:
    (tmp_path / "bot").symlink_to("nothing")
    assert why_not(["./bot"], tmp_path).endswith(" on)")


def test_a_file_is_named_whole(tmp_path: Path) -> None:
    """Its folder may well take more than forty letters."""
    deep = tmp_path / ("deep" * 20)
    deep.mkdir()
    path = script(deep, "", 0o644)
    assert str(path) in refused(tmp_path, str(path))


def test_what_a_program_found_missing_in_the_end_is_told(tmp_path: Path) -> None:
    """An executable whose loader is not there passes every look at it: the system says it, and not quite truly."""
    data = bytearray(Path(sys.executable).resolve().read_bytes()) if sys.platform == "linux" else bytearray()
    at = data.find(b"/ld-linux")
    if at < 0:
        pytest.skip("this Python has no loader whose name is known here")
    data[at : at + 9] = b"/no-linux"
    (tmp_path / "bot").write_bytes(data)
    (tmp_path / "bot").chmod(0o755)
    with programs() as made:
        why = ended(made.program("./bot", cwd=tmp_path)).why
    assert "it is there, but not the loader or interpreter that it needs" in why


def python(made: Programs, code: str, limits: Limits | None = None) -> str:
    return ended(made.python("-I", "-S", "-c", code, limits=limits)).why


def test_an_end_that_is_told_late_is_still_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its output has ended and its end is not known yet, as where the machine stands still just there."""
    wait, looks = warden_link.ready, iter(range(100))

    def look(pipe: int, event: int, timeout: float) -> bool:
        if next(looks) < 20:
            return False
        (tmp_path / "go").touch()
        return wait(pipe, event, DEADLINE)

    with programs() as made:
        end = "import os, sys, time; os.close(1)\nwhile not os.path.exists('go'): time.sleep(0.01)\nsys.exit('no book')"
        bot = made.python("-I", "-S", "-c", end, cwd=tmp_path)
        monkeypatch.setattr(warden_link, "ready", look)
        assert ended(bot).why == 'ended with exit code 1: "no book"'


@pytest.mark.parametrize(
    ("frames", "place"),
    [
        (["/home/me/my bot.py"], " (my bot.py, line 1)"),
        (["/home/me/a.py", "/home/me/b.py"], " (b.py, line 2)"),
        (["/home/me/a.py", "/x/site-packages/numpy/core.py", "/usr/lib/python3.11/json.py"], " (a.py, line 1)"),
        (["/home/me/a.py", "<frozen runpy>"], " (a.py, line 1)"),
        (["<string>"], ""),
        ([kit.__file__, kit.__file__], ""),
        ([kit.__file__, "/home/me/a.py", match.__file__], " (a.py, line 2)"),
    ],
)
def test_the_reason_names_the_author_s_line(frames: list[str], place: str) -> None:
    rows = "".join(f'  File "{name}", line {at}, in f\n    f()\n    ^^^\n' for at, name in enumerate(frames, 1))
    told = f"Traceback (most recent call last):\n{rows}KeyError: 'x'\n"
    assert reason(told, None, by_signal=False) == f": \"KeyError: 'x'\"{place}"


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (
            "/home/me/bot.js:7\n  mvoes();\n  ^\n\nReferenceError: mvoes is not defined\n"
            "    at Interface.<anonymous> (/home/me/bot.js:7:3)\n    at addChunk (node:internal/streams:9:1)\n",
            ': "ReferenceError: mvoes is not defined" (bot.js, line 7)',
        ),
        (
            "/home/me/bot.js:3\n  return 3;\n\nSyntaxError: Unexpected number\n    at wrapSafe (node:internal/x:1:2)\n",
            ': "SyntaxError: Unexpected number" (bot.js, line 3)',
        ),
        (
            "\nthread 'main' (2) panicked at src/main.rs:12:4:\nno book\nnote: run with `RUST_BACKTRACE=1` …\n",
            ': "no book" (main.rs, line 12)',
        ),
        (
            "panic: no book\n\ngoroutine 1 [running]:\nmain.f()\n\t/home/me/bot.go:5 +0x1d\nexit status 2\n",
            ': "panic: no book" (bot.go, line 5)',
        ),
        (
            'Exception in thread "main" java.lang.Error: no\n\tat Bot.go(Bot.java:8)\n\tat Bot.main(Bot.java:2)\n',
            ': "Exception in thread "main" java.lang.Error: no" (Bot.java, line 8)',
        ),
        ("a.b.OwnError: no\n  note\n", ': "a.b.OwnError: no"'),
        ("ValueError: first\n\nTypeError: then\n", ': "TypeError: then"'),
        ("FATAL ERROR: heap out of memory\n1: 0x195 [node]\n", ': "FATAL ERROR: heap out of memory"'),
        ("the book is missing\n", ': "the book is missing"'),
        ("opening ErrorBook.txt\nthe end\n", ': "the end"'),
        ("note: no reason at all\n", ': "note: no reason at all"'),
        (f"OSError: no /home/{'me' * 60}/book.bin\n", f': "OSError: no /home/{"me" * 60}/book.bin"'),
        (f"OSError: {'x' * 999}\n", f': "OSError: {"x" * 191}…"'),
        ("open: Read-only file system\n", ': "open: Read-only file system"; in its box it can write to /tmp only'),
        ("", ""),
    ],
)
def test_the_reason_and_its_line_in_other_languages(told: str, why: str) -> None:
    assert reason(told, None, by_signal=False) == why
    assert not why or telling_lines(told)


def test_a_kit_file_that_does_not_run_itself_is_told_how(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("class Mine: pass\n")
    with Talk(Program([sys.executable, "own.py"], cwd=tmp_path)) as talk, pytest.raises(BotFault) as fault:
        talk.greet()
    assert fault.value.why.startswith("ended with exit code 0; name a file of the kit by itself (FILE.py)")


def test_a_bot_that_ends_after_its_first_game_is_told_to_go_on(tmp_path: Path) -> None:
    once = 'input(); print(\'{"hello": "x", "protocol": 1}\', flush=True)'
    with Talk(Program([sys.executable, "-c", once], cwd=tmp_path)) as talk:
        talk.greet()
        with pytest.raises(BotFault) as fault:
            talk.hear(DEADLINE)
    assert fault.value.why == "ended with exit code 0; a bot reads lines until the table says quit"


def test_a_program_that_was_named_as_a_file_of_the_kit_is_told_its_command(tmp_path: Path) -> None:
    (tmp_path / "my own.py").write_text("for line in []: print(line)\n")
    with Talk(Program(kit_command("my own.py"), cwd=tmp_path)) as talk, pytest.raises(BotFault) as fault:
        talk.greet()
    assert "name a program that reads lines by its command: \"python3 'my own.py'\"" in fault.value.why


def test_a_script_that_is_missing_is_named_before_its_interpreter_looks_for_it(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    assert why_not([sys.executable, "-u", "bot.py"], tmp_path) == ""
    said = f'there is no file "bto.py" (looked for from {tmp_path} on): did you mean "bot.py"?'
    assert why_not([sys.executable, "bto.py"], tmp_path) == said
    assert why_not([sys.executable, "-c", "print('a.py')"], tmp_path) == ""


def test_who_is_short_of_memory_is_told_of_the_limit() -> None:
    """Node is ended by SIGTRAP then, and says "#"."""
    said = "its memory is limited to 300 MiB"
    with programs() as made:
        trapped = "import os, signal, sys; sys.stderr.write('#\\n'); os.kill(os.getpid(), signal.SIGTRAP)"
        assert python(made, trapped, Limits(memory=300)) == f'was ended by SIGTRAP: "#"; {said}'
        assert "memory" not in python(made, trapped)
        assert said not in python(made, "raise ValueError('no book')", Limits(memory=300))
        refused = "import sys; sys.exit('terminate called after throwing an instance of std::bad_alloc')"
        assert python(made, refused, Limits(memory=300)).endswith(said)
        if sys.platform == "linux":
            assert python(made, "x = bytearray(1 << 30)", Limits(memory=300)).endswith(said)
