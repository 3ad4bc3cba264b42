"""A bot's program: started, written to, read from and ended, such that nothing it does holds up who talks with it.

Lines only; what they mean is ai/dialogue.py's affair. On POSIX a warden (ai/warden.py) stands between: it keeps the
limits, and ends all that the program has started, also when this process is killed. What goes wrong with a program is a
`BotFault`.
"""

import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from quadrille.ai import cgroup
from quadrille.ai.executable import refusal, why_not
from quadrille.ai.faults import BotFault, NotIsolated
from quadrille.ai.isolation import USUAL, Isolate, Protection, makes_a_box, protection_of, sight
from quadrille.ai.json_lines import LONGEST_LINE
from quadrille.ai.last_words import LONGEST_REASON, reason, signal_name
from quadrille.ai.looks import within
from quadrille.ai.meter import Meter
from quadrille.rules.squares import quoted

#: What a program sees of our environment, beside what it is given; the rest may hold secrets.
SHARED: Final = (
    "APPDATA", "COMSPEC", "HOME", "JAVA_HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH",
    "LOCALAPPDATA", "LOGNAME", "NODE_PATH", "OMP_NUM_THREADS", "PATH", "PATHEXT", "PYTHONPATH", "SYSTEMDRIVE",
    "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "USERPROFILE", "VIRTUAL_ENV", "WINDIR",
)  # fmt: skip
#: So much may wait for a program that does not read, in bytes.
MOST_UNREAD: Final = 2 << 20
#: So much of what it writes to standard error is kept, and so much goes into a file.
KEPT_ERRORS: Final = 1 << 16
_MOST_IN_FILE: Final = 16 << 20
_PIECE: Final = 1 << 16
#: So many pieces wait to be heard; then the program has to.
_PIECES: Final = 32
#: How long the end of a program may take to be told after its output ended, in seconds: busy machines are slow, and
#: whether somebody else ended it decides whether its game is lost.
_LAST_WORDS: Final = 1.0
#: How long the warden may take to end all that there is, in seconds.
_KILLING: Final = 0.4
#: The warden as a module and not a script, which Python would compile anew at each start.
_WARDEN: Final = "import sys; sys.path.append(sys.argv.pop(1)); import warden; warden.main(sys.argv[1:])"
_POSIX: Final = os.name == "posix"
#: What a warden is told (ai/warden.py): all processes of its program stand still, or go on.
_STILL: Final = b"s"
_ON: Final = b"g"
#: Maximum MiB of temporary files in a box (ai/enclosure.py).
MOST_TEMPORARY: Final = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use with all its processes together; None: as much as it likes. Only on POSIX, where on other
    systems than Linux memory and time are those of each process, and processes are not counted.

    `memory` in MiB: what is in use, not what is reserved. `cpu` time in seconds. `isolate`: whether it is in a box of
    its own (ai/isolation.py).
    """

    memory: int | None = None
    cpu: int | None = None
    processes: int | None = None
    isolate: Isolate = USUAL


#: What holds a program where nothing is said.
NO_LIMITS: Final = Limits(isolate="none")


def kit_command(bot: str) -> list[str]:
    """The program that plays a bot written with the kit: `FILE.py[:Name]`, or `KIND[:LEVEL]` of the built-in ones."""
    return [sys.executable or "python3", "-m", "quadrille.ai.kit", bot]


class Program:
    """A program, from its start on."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        wake: Callable[[], None] | None = None,
        errors: str | Path | None = None,
        hidden: Sequence[str | Path] = (),
    ) -> None:
        """`env` is added to what all programs share of ours. `wake` is called, from another thread, when there is
        something to hear; without it lines are read where they are waited for, which is quicker. `errors` is a file for
        what it writes to standard error. `hidden` are files and folders that it must not see in its box.
        """
        self.command = list(command)
        self._limits = limits or NO_LIMITS
        self._wake = wake or _nothing
        surroundings = {name: os.environ[name] for name in SHARED if name in os.environ}
        surroundings |= {"PYTHONHASHSEED": "0"} | dict(env or {})
        self._lines: deque[bytes] = deque()
        self._pieces: queue.SimpleQueue[list[bytes] | BotFault] = queue.SimpleQueue()
        self._room = threading.Semaphore(_PIECES)
        self._rest = b""
        self._end: BotFault | None = None
        self._unsent = bytearray()
        self._lock = threading.Lock()
        #: Held where the warden is heard.
        self._saying = threading.Lock()
        self._sending = threading.Condition(self._lock)
        self._writer: threading.Thread | None = None
        self._errors = bytearray()
        self._closed = False
        self._control = self._status = -1
        self._told = b""
        self._protection: Protection | None = None
        self._meter: Meter | None = None
        if cwd is not None and not Path(cwd).is_dir():
            raise BotFault("crash", f"can't be started: {quoted(str(cwd), LONGEST_REASON)} is no folder")
        if why := why_not(self.command, cwd, surroundings.get("PATH", os.defpath)):
            raise BotFault("crash", f"can't be started: {why}")
        self._isolate = self._isolation()
        self._cgroup = cgroup.make(self._limits.memory, self._limits.processes) if self._limits.memory else None
        self._process = self._start(cwd, surroundings)
        if _POSIX and self._isolate != "none":
            self._show(os.path.abspath(cwd or "."), surroundings, tuple(map(str, hidden)))
        assert self._process.stdin and self._process.stdout and self._process.stderr
        if _POSIX:
            os.set_blocking(self._process.stdin.fileno(), False)
        if self._isolate == "required":
            self._demand()
        #: All bytes that it has written to standard error; the last of them are kept.
        self.errors_written = 0
        self._listener = threading.Thread(target=self._listen, args=(errors,), daemon=True)
        self._listener.start()
        self._reader: threading.Thread | None = None
        if wake is None and _POSIX:
            self._poll = select.poll()
            self._poll.register(self._process.stdout, select.POLLIN)
        else:  # last, because it ends by what the listener has heard
            self._reader = threading.Thread(target=self._read, daemon=True)
            self._reader.start()

    def _isolation(self) -> Isolate:
        """How it is to be isolated: where it can't be at all, that is said here, or refused."""
        wanted, why = self._limits.isolate, ""
        if not _POSIX:
            why = f"{sys.platform} has neither namespaces nor Landlock: use Linux"
        elif makes_a_box(self.command):
            why = f'{self.command[0]} makes a box of its own, and there can be none in ours: use isolate = "none"'
        if wanted == "required" and why:
            raise NotIsolated(why)
        if wanted == "none" or why:
            self._protection = Protection(why=why)
            return "none"
        return wanted

    def _demand(self) -> None:
        """Wait until the warden has said that it is in a box; refused if it is not."""
        with self._saying:
            told = self._hear_warden()
        if self._protection is not None:
            return
        self._abandon()
        why = (told or "").removeprefix("refused ") or "the warden ended"
        raise NotIsolated(why)

    def _show(self, folder: str, env: Mapping[str, str], hidden: Sequence[str]) -> None:
        """Tell the warden what its program may see. That is found out while the warden is being started."""
        try:
            seen = b""
            if sys.platform == "linux":
                seen = os.fsencode("\0".join(sight(self.command, folder, env, hidden)))
            self._tell_warden(len(seen).to_bytes(8, "big") + seen)
        except BaseException:
            self._abandon()
            raise

    def _start(self, cwd: str | Path | None, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        words = self.command
        pipes: tuple[int, ...] = ()
        flags: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        if _POSIX:
            ours, self._control = os.pipe()
            self._status, theirs = os.pipe()
            door = -1 if self._cgroup is None else self._cgroup.door()
            words, pipes = [*self._warden(ours, theirs, door), *words], (ours, theirs, *((door,) if door >= 0 else ()))
        try:
            process = subprocess.Popen(  # noqa: S603 - to start it is what this is for
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                bufsize=0,
                pass_fds=pipes,
                start_new_session=_POSIX,
                creationflags=flags,
            )
        except OSError as error:
            if _POSIX:
                os.close(self._control)
                os.close(self._status)
            self._leave_cgroup()
            raise BotFault("crash", f"can't be started: {error.strerror or error}") from None
        finally:
            for pipe in pipes:
                os.close(pipe)
        return process

    def _warden(self, control: int, status: int, door: int) -> list[str]:
        limits = self._limits
        numbers = (control, status, (limits.memory or 0) << 20, limits.cpu or 0, limits.processes or 0, door)
        words = [*map(str, numbers), self._isolate]
        return [sys.executable or "python3", "-I", "-S", "-c", _WARDEN, str(Path(__file__).parent), *words]

    def _tell_warden(self, told: bytes) -> None:
        """What goes to the warden, who may have ended."""
        with suppress(BrokenPipeError):
            while told:
                told = told[os.write(self._control, told) :]

    # What holds it

    @property
    def protection(self) -> Protection:
        """What isolates it from this machine; waited for, but a warden says it before it starts the program."""
        if self._protection is None and not self._closed:
            with self._saying:
                self._hear_warden()
        return self._protection or Protection(why="it ended before it was started")

    def freeze(self, *, still: bool) -> None:
        """All its processes stand still, or go on. Only on POSIX."""
        if _POSIX and not self._closed:
            self._tell_warden(_STILL if still else _ON)

    def processor(self) -> float:
        """The seconds of processor time that its processes have used since this was first asked; 0 where the system
        does not tell.
        """
        if self._meter is None:
            self._meter = Meter(self._process.pid, below=2 if self.protection.namespaces else 1)
        return self._meter.read()

    # Writing

    def send(self, line: bytes) -> None:
        """Write a line, now or as soon as the program reads; one that reads nothing for long is a stall."""
        with self._lock:
            if self._closed:
                return
            if _POSIX and not self._unsent:  # else the writer is at work
                line = line[self._written(line) :]
                if not line:
                    return
            self._unsent += line
            if len(self._unsent) > MOST_UNREAD:
                raise BotFault("stall", "does not read what it is told")
            if self._unsent and self._writer is None:
                self._writer = threading.Thread(target=self._write, daemon=True)
                self._writer.start()
            self._sending.notify()

    def _written(self, line: bytes) -> int:
        """Write as much as goes without waiting: so many bytes. Whether the program has gone is heard elsewhere."""
        assert self._process.stdin
        try:
            return os.write(self._process.stdin.fileno(), line)
        except BlockingIOError:
            return 0
        except OSError:
            return len(line)

    def _write(self) -> None:
        """A thread: once a program has not read at once, this one waits for it."""
        assert self._process.stdin
        pipe = self._process.stdin.fileno()
        while True:
            with self._sending:
                self._sending.wait_for(lambda: self._unsent or self._closed)
                if self._closed:
                    return
                piece = bytes(self._unsent[:_PIECE])
            try:
                if _POSIX:
                    _wait(pipe, select.POLLOUT, 0.1)
                written = os.write(pipe, piece)
            except BlockingIOError:
                written = 0
            except OSError:
                written = len(piece)
            with self._sending:
                del self._unsent[:written]

    # Reading

    def line(self, timeout: float | None = 0) -> bytes | None:
        """The next line, without its end; None when none came within so many seconds (None: for ever).

        A program that has ended, or wrote what is no line, is a `BotFault`, after the lines before that.
        """
        end = time.monotonic() + timeout if timeout else None
        while not self._lines:
            if self._end is not None:
                raise self._end
            if self._reader is None:
                found = self._read_on(timeout)
            else:
                found = self._from_reader(timeout)
            if found is None:
                return None
            if isinstance(found, BotFault):
                self._end = found
            elif found:
                self._lines += found
            elif end is not None:
                timeout = max(0.0, end - time.monotonic())
        return self._lines.popleft()

    def _read_on(self, timeout: float | None) -> list[bytes] | BotFault | None:
        """What comes within that time, read here: lines, none of them if it was only a part of one."""
        assert self._process.stdout
        if not self._poll.poll(None if timeout is None else 1000 * timeout):
            return None
        piece = _piece(self._process.stdout.fileno())
        return self._cut(piece) if piece else self._how_it_ended(self._rest)

    def _from_reader(self, timeout: float | None) -> list[bytes] | BotFault | None:
        """The same from the thread that reads."""
        try:
            found = self._pieces.get(timeout != 0, timeout)
        except queue.Empty:
            return None
        if not isinstance(found, BotFault):
            self._room.release()
        return found

    def hurry(self) -> None:
        """There is more to hear than was heard at once."""
        self._wake()

    def _read(self) -> None:
        """A thread: lines as they come, bounded."""
        assert self._process.stdout
        with self._process.stdout as stream:
            while piece := _piece(stream.fileno()):
                if (found := self._cut(piece)) == []:
                    continue
                self._tell(found)
                if isinstance(found, BotFault):
                    return
        self._tell(self._how_it_ended(self._rest))

    def _cut(self, piece: bytes) -> list[bytes] | BotFault:
        """The lines that a piece of output ends; it is a fault when one becomes too long."""
        if not self._rest and piece.find(b"\n") == len(piece) - 1:  # as nearly always
            return [piece[:-1]]
        *lines, self._rest = (self._rest + piece).split(b"\n") if b"\n" in piece else [self._rest + piece]
        if len(self._rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            return BotFault("protocol", f"wrote a line of more than {LONGEST_LINE} bytes")
        return lines

    def _tell(self, found: list[bytes] | BotFault) -> None:
        """Lines wait for room; once all is closed nobody hears them."""
        if isinstance(found, list):
            self._room.acquire()
            if self._closed:
                self._room.release()
                return
        self._pieces.put(found)
        self._wake()

    def _listen(self, path: str | Path | None) -> None:
        """A thread: what it writes to standard error."""
        assert self._process.stderr
        room = _MOST_IN_FILE
        with self._process.stderr as stream, open(os.devnull if path is None else path, "wb", buffering=0) as file:
            while piece := _piece(stream.fileno()):
                self.errors_written += len(piece)
                self._errors += piece
                del self._errors[:-KEPT_ERRORS]
                file.write(piece[: max(room, 0)])
                room -= len(piece)

    @property
    def errors(self) -> str:
        """The last that it wrote to standard error."""
        return self._errors.decode("utf-8", "replace")

    # The end

    def _how_it_ended(self, rest: bytes) -> BotFault:
        """Asked when its output has ended."""
        told = self._last_status()
        if told:
            _await(self._listener)
        if self._cgroup is not None and told.startswith("signal ") and self._cgroup.was_short:
            told = "memory"
        half = ", in the middle of a line" if rest else ""
        match told.split():
            case ["error", number]:
                why = f"can't be started: {quoted(self.command[0], LONGEST_REASON)}: {refusal(int(number))}"
            case ["exit", code]:
                why = f"ended with exit code {code}{half}{self._reason()}"
            case ["cpu"]:
                why = f"used more than its {self._limits.cpu} seconds of processor time"
            case ["memory"]:
                why = f"used more than its {self._limits.memory} MiB of memory"
            case ["disk"]:
                why = f"wrote more than {MOST_TEMPORARY} MiB of temporary files"
            case ["signal", number]:
                why = f"was ended by {signal_name(int(number))}{half}{self._reason(by_signal=True)}"
                return BotFault("crash", why, by_signal=True)
            case ["stopped", number]:
                return BotFault("crash", f"was stopped by {signal_name(int(number))}{half}", by_signal=True)
            case ["told"]:  # by a signal: whoever closes a program does not ask how it ended
                return BotFault("crash", f"was ended by SIGTERM{half}", by_signal=True)
            case [] if self._warden_stands():
                return BotFault("crash", f"was cut off: a signal stopped what watches over it{half}", by_signal=True)
            case ["crowd"]:
                why = f"had more than its {self._limits.processes} processes"
            case _:
                why = f"closed its output and went on{half}"
        return BotFault("crash", why)

    def _warden_stands(self) -> bool:
        """POSIX: whether a signal has stopped the warden, so that it can't say how the program ended."""
        if not _POSIX:
            return False
        options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, self._process.pid, options) is not None
        return False

    def _last_status(self) -> str:
        """What the warden says, or the system; nothing when the program still runs."""
        if not _POSIX:
            try:
                return f"exit {self._process.wait(_LAST_WORDS)}"
            except subprocess.TimeoutExpired:
                return ""
        with self._saying:
            told = self._hear_warden()
            while told is not None and told.startswith("held "):
                told = self._hear_warden()
        # a warden that has not said how it ended was killed itself, and the program with it
        return "" if told is None else told or f"signal {signal.SIGKILL:d}"

    def _hear_warden(self) -> str | None:
        """The next line of the warden: "" where it said nothing more, None where none comes in time."""
        while b"\n" not in self._told:
            if not _comes(self._status):
                return None
            if not (piece := os.read(self._status, _PIECE)):
                return ""
            self._told += piece
        line, _, self._told = self._told.partition(b"\n")
        told = os.fsdecode(line)
        if told.startswith("held "):
            self._protection = protection_of(told)
        return told

    def _reason(self, *, by_signal: bool = False) -> str:
        return reason(self.errors, self._limits.memory, by_signal=by_signal)

    @property
    def ended(self) -> bool:
        """Whether its end has been heard of."""
        return self._end is not None

    def close(self, grace: float = 0) -> None:
        """End it and all that it has started; if it has not ended by itself within so many seconds, by force."""
        if self._closed:
            return
        with self._sending:
            self._closed = True
            self._sending.notify()
        self._room.release()
        if self._writer is not None:
            _await(self._writer)
        if self._writer is None or not self._writer.is_alive():
            self._close_input()
        if grace:
            self._await_end(grace)
        self._kill()
        self._close_input()
        if self._reader is None:
            assert self._process.stdout
            self._process.stdout.close()
        else:
            _await(self._reader)
        _await(self._listener)
        if _POSIX and not (self._reader and self._reader.is_alive()):
            os.close(self._status)
        self._clear_up()

    def _leave_cgroup(self) -> None:
        if self._cgroup is not None:
            self._cgroup.remove()

    def _clear_up(self) -> None:
        """Its cgroup goes with it; and the temporary folder of one that has no /tmp of its own, also where its warden
        was killed.
        """
        self._leave_cgroup()
        if self._isolate != "none" and not (self._protection and self._protection.namespaces):
            for left in Path(tempfile.gettempdir()).glob(f"quadrille-bot-{self._process.pid}-*"):
                shutil.rmtree(left, ignore_errors=True)

    def _await_end(self, grace: float) -> None:
        """Wait so many seconds at most until its output has ended; what it still writes is heard by nobody."""
        if self._reader is not None:
            self._reader.join(grace)
            return
        assert self._process.stdout
        end = time.monotonic() + grace
        while self._end is None and self._poll.poll(1000 * max(0.0, end - time.monotonic())):
            if not _piece(self._process.stdout.fileno()):
                return

    def _abandon(self) -> None:
        """Let go of one that never began."""
        self._closed = True
        assert self._process.stdin and self._process.stdout and self._process.stderr
        os.close(self._control)
        os.close(self._status)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            stream.close()
        self._leave_cgroup()

    def _close_input(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()

    def _kill(self) -> None:
        if _POSIX:
            os.close(self._control)  # the warden ends all, and then itself
            self._process.send_signal(signal.SIGCONT)  # should somebody have stopped it
        elif self._process.poll() is None:
            words = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
            subprocess.run(words, capture_output=True, check=False)  # noqa: S603
        try:
            self._process.wait(_KILLING)
        except subprocess.TimeoutExpired:  # what can't be killed now ends later, and nobody waits for it
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _wait(pipe: int, event: int, timeout: float) -> bool:
    """POSIX: whether a pipe can be read or written, within so many seconds."""
    poll = select.poll()  # `select.select` knows no file above 1023, and a tournament has many
    poll.register(pipe, event)
    return bool(poll.poll(1000 * timeout))


def _comes(pipe: int) -> bool:
    """POSIX: whether last words can be read there in time."""
    wait = partial(_wait, pipe, select.POLLIN)
    return within(_LAST_WORDS, lambda: wait(0), wait)


def _await(thread: threading.Thread) -> None:
    """The end of one, in the same time: it may wait for what a program has started and left behind."""
    within(_LAST_WORDS, lambda: not thread.is_alive(), thread.join)


def _piece(pipe: int) -> bytes:
    try:
        return os.read(pipe, _PIECE)
    except OSError:
        return b""


def _nothing() -> None:
    """Nobody has to be woken."""
