"""Programs: started, limited, heard in a bounded way, and ended with all that they have started."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from quadrille.ai.bots.process import usage, warden_link
from quadrille.ai.bots.process.program import KEPT_ERRORS, Limits, Program
from quadrille.ai.bots.process.program_lines import within
from quadrille.ai.faults import BotFault
from tests.ai.bots.broken import FOLDER
from tests.ai.inside import MARK, Programs, programs
from tests.waiting import DEADLINE, soon

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what descends from a program is known on Linux alone")
POSIX = pytest.mark.skipif(os.name != "posix", reason="limits and signals are those of POSIX")
ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


def ended(program: Program, within: float = DEADLINE) -> BotFault:
    try:
        while program.line(within) is not None:
            pass
    except BotFault as fault:
        return fault
    raise AssertionError("it goes on")


def ends(code: str, **limits: int) -> BotFault:
    """How a program that nobody speaks to ends within these limits."""
    with Program([sys.executable, "-I", "-S", "-c", code], limits=Limits(**limits)) as one:
        return ended(one)


def python(made: Programs, code: str, **more: object) -> Program:
    return made.python("-I", "-S", "-c", code, **more)


def test_lines_go_and_come() -> None:
    with programs() as made:
        program = python(made, ECHO)
        assert program.line() is None
        for text in (b"abc", b"x" * 200_000, b""):
            program.send(text + b"\n")
            assert program.line(DEADLINE) == text[::-1]
        program.close(1)
        program.close()
        program.send(b"to nobody\n")


@LINUX
def test_what_a_process_had_of_the_processor_counts_after_its_end() -> None:
    """Else a bot that another program starts, such as a shell, would seem to have waited for nobody."""
    works = "import sys; sum(range(10**6)); print(1, flush=True); sys.stdin.read(1)"
    starts = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-S', '-c', {works!r}])"
    with programs() as made:
        program = python(made, f"{starts}; print(2, flush=True); sys.stdin.read()")
        assert program.line(DEADLINE) == b"1"
        before = program.share()
        program.send(b"\n")
        assert program.line(DEADLINE) == b"2"
        after = program.share()
        assert before is not None and after is not None
        assert before[0] > 0.01 and after[0] >= before[0] and after[1] >= before[1]


def test_whoever_waits_elsewhere_is_woken() -> None:
    woken = threading.Event()
    with programs() as made:
        program = python(made, ECHO, wake=woken.set)
        assert not woken.is_set()
        program.send(b"abc\n")
        assert woken.wait(DEADLINE)
        assert program.line() == b"cba"
        woken.clear()
        program._process.stdin.close()  # type: ignore[union-attr]
        assert woken.wait(DEADLINE)
        assert ended(program).why == "ended with exit code 0"


@pytest.mark.parametrize(
    ("words", "folder", "says"),
    [
        ([], None, "no program is named"),
        ([""], None, "no program is named"),
        (["no-such-program-anywhere"], None, 'there is no program "no-such-program-anywhere" on the PATH'),
        (["./no/such/file"], None, "there is no file"),
        ([str(FOLDER)], None, "no file that may be run"),
        ([str(FOLDER / "hangs.py")], None, "no file that may be run"),
        ([sys.executable], "/no/such/folder", "is no folder"),
    ],
)
def test_programs_that_are_not_there(words: list[str], folder: str | None, says: str) -> None:
    with pytest.raises(BotFault, match="can't be started") as caught:
        Program(words, cwd=folder)
    assert caught.value.kind == "crash" and says in caught.value.why


def test_where_and_with_what_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of our environment that it has no need of: a passphrase of a room stands there."""
    monkeypatch.setenv("QUADRILLE_PASSPHRASE", "correct horse")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    code = "import os\nprint(os.getcwd())\nprint(*sorted(os.environ), sep=' ')\nprint(os.environ['ADDED'])"
    with programs() as made:
        program = python(made, code, cwd=tmp_path, env={"ADDED": "yes"})
        assert program.line(DEADLINE) == str(tmp_path.resolve()).encode()
        names = (program.line(DEADLINE) or b"").decode().split()
        assert {"ADDED", "PATH", MARK} <= set(names)
        assert not {"QUADRILLE_PASSPHRASE", "SOME_TOKEN"} & set(names)
        assert program.line(DEADLINE) == b"yes"


def test_what_it_says_on_standard_error() -> None:
    code = "import sys\nfor n in range(30000): print('line', n, file=sys.stderr)\nsys.exit('at last')"
    with programs() as made:
        program = python(made, code)
        assert ended(program).why == 'ended with exit code 1: "at last"'
        assert len(program.errors) == KEPT_ERRORS
        assert program.errors.endswith("line 29999\nat last\n") and program.errors_written > KEPT_ERRORS


def test_it_sees_no_pipe_but_its_own() -> None:
    """Neither the warden's pipes nor those of another program."""
    code = "import os\nfor fd in range(3, 64):\n  try: print(fd, os.fstat(fd))\n  except OSError: pass\nprint('none')"
    with programs() as made:
        python(made, ECHO)
        assert python(made, code).line(DEADLINE) == b"none"


@LINUX
def test_the_number_of_processes_is_limited() -> None:
    code = "import os, time\nfor _ in range(8):\n  if os.fork() == 0: time.sleep(3600)\ntime.sleep(3600)"
    with programs() as made:
        fault = ended(python(made, code, limits=Limits(processes=5)))
        assert (fault.kind, fault.why) == ("crash", "had more than its 5 processes")
        assert soon(lambda: made.left_behind() == [])


@LINUX
def test_children_go_with_it() -> None:
    """Also when it ends by itself, and they have left its session."""
    code = (
        "import os, signal, sys, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork(): os._exit(0)\n"
        "  signal.signal(signal.SIGTERM, signal.SIG_IGN)\n  print('child', flush=True)\n  time.sleep(3600)\n"
        "sys.stdin.readline()"
    )
    with programs() as made:
        program = python(made, code)
        assert program.line(DEADLINE) == b"child"
        program.send(b"go\n")
        assert ended(program).why == "ended with exit code 0"
        assert soon(lambda: made.left_behind() == [])


@LINUX
def test_more_processes_than_a_table_waits_for_go_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.ai.bots.process.program._KILLING", 0)
    code = "import os, time\nfor _ in range(8): os.fork() or os.setsid()\nprint(flush=True)\ntime.sleep(3600)"
    with programs() as made:
        program = python(made, code)
        for _ in range(256):
            program.line(DEADLINE)
        program.close()
        assert soon(lambda: made.left_behind() == [])


@POSIX
@pytest.mark.parametrize("stopped", [False, True])
def test_one_that_listens_to_nothing_is_ended(stopped: bool) -> None:
    code = (
        "import os, signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"
        "print(os.getpid(), flush=True)\nwhile True: time.sleep(3600)"
    )
    with programs() as made:
        program = python(made, code)
        number = int(program.line(DEADLINE) or 0)
        if stopped:
            os.kill(number, signal.SIGSTOP)
        program.close(0.3)
        with pytest.raises(ProcessLookupError):
            soon(lambda: os.kill(number, 0))


TABLE = """
import sys, time
from quadrille.ai.bots.process.program import Program
program = Program([sys.executable, "-I", "-S", sys.argv[1]], env={sys.argv[2]: sys.argv[3]})
for line in ('{"do": "hello"}', '{"do": "start"}'):
    program.send(line.encode() + b"\\n")
    program.line(120)
print("playing", flush=True)
time.sleep(3600)
"""


@LINUX
def test_a_table_that_is_killed_takes_its_programs_along() -> None:
    with programs() as made:
        words = [sys.executable, "-c", TABLE, FOLDER / "leaves_children.py", MARK, made.mark]
        with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE) as table:
            assert table.stdout is not None and table.stdout.readline() == b"playing\n"
            assert len(made.left_behind()) >= 4  # the bot, and three that have made themselves independent
            table.kill()
        assert soon(lambda: made.left_behind() == [])


@LINUX
def test_a_warden_that_fails_leaves_nothing_of_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    fails = "import warden; warden._freeze = None; warden.main("
    monkeypatch.setattr(warden_link, "_WARDEN", warden_link._WARDEN.replace("import warden; warden.main(", fails))
    code = "import os, time\nif os.fork() == 0: os.setsid()\nprint('on', flush=True)\ntime.sleep(3600)"
    with programs() as made:
        program = python(made, code)
        assert [program.line(DEADLINE), program.line(DEADLINE)] == [b"on", b"on"]
        program.freeze(still=True)
        assert ended(program).by_signal and soon(lambda: made.left_behind() == [])


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize(
    "before", ["", "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"], ids=["told", "killed"]
)
def test_an_end_by_the_system_s_limit_of_processor_time_is_no_signal(
    monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    """Where the warden had no turn to count before it."""
    counts_nothing = "import warden; warden._excess = lambda _: ''; warden.main("
    monkeypatch.setattr(
        warden_link, "_WARDEN", warden_link._WARDEN.replace("import warden; warden.main(", counts_nothing)
    )
    fault = ends(f"{before}while True: pass", cpu=1)
    assert (fault.why, fault.by_signal) == ("used more than its 1 seconds of processor time", False)


def test_no_file_hides_in_a_temporary_folder_and_it_goes_however_deep_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever recursion can't follow is beyond any limit, and nothing behind a link is touched."""
    for name in ("deep", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(bytes(5000))
    assert 5000 <= usage.size(str(tmp_path / "deep")) < 16000
    monkeypatch.chdir(tmp_path / "deep")
    os.symlink(tmp_path / "other", "link")
    for _ in range(3000):
        os.mkdir("d", 0o700)
        os.chdir("d")
    os.mkdir("shut", 0o300)
    assert usage.size(str(tmp_path / "deep")) == sys.maxsize
    usage.remove(str(tmp_path / "deep"))
    assert [path.name for path in tmp_path.rglob("*")] == ["other", "file"]
    monkeypatch.chdir(tmp_path)
    before = os.listdir("/proc/self/fd")
    for refused in ("rename", "rmdir"):
        Path("shut/inner").mkdir(parents=True, exist_ok=True)
        (tmp_path / "shut/inner/file").touch()
        with monkeypatch.context() as system:
            system.setattr(os, refused, lambda *_, **__: (tmp_path / "nothing").stat())
            usage.remove(str(tmp_path / "shut"))
    assert len(os.listdir("/proc/self/fd")) == len(before), "no error leaves a folder open"


def test_a_flood_is_not_read_to_its_end() -> None:
    """What waits to be heard is bounded: who writes more has to wait."""
    with programs() as made:
        code = "import sys\nwhile True: sys.stdout.write('x' * 99 + '\\n')"
        program = python(made, code, wake=lambda: None)
        assert program.line(DEADLINE) == b"x" * 99
        assert soon(lambda: program._reader._room._value == 0)  # type: ignore[attr-defined]
        assert program._reader._pieces.qsize() < 64
        for _ in range(100_000):
            assert program.line(DEADLINE)


def test_a_machine_that_stands_still_is_not_held_against_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes until the next look: no clock is asked."""
    for clock in ("monotonic", "time", "perf_counter"):
        monkeypatch.delattr(time, clock)
    looks: list[float] = []
    assert within(1, lambda: len(looks) > 20, looks.append)
    assert len(looks) == 21
    assert not within(1, lambda: False, looks.append)
    assert sum(looks[21:]) == pytest.approx(1)
    assert within(1, lambda: True, pytest.fail)
