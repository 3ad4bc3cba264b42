"""A bot's program: started, written to, read from and ended, without ever blocking the table.

Lines only (program_lines.py); ai/bots/lines/dialogue.py knows their meaning. On POSIX a warden (warden.py) stands
between. It enforces the limits, and ends everything that the program has started, even if this process is killed. A
failure of a program is a `BotFault`.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final

from quadrille.ai.bots.process import cgroup, system_calls
from quadrille.ai.bots.process.executable import refusal, why_not
from quadrille.ai.bots.process.isolation import USUAL, Isolate, Protection, left_out, makes_a_box, sight
from quadrille.ai.bots.process.last_words import KEPT_ERRORS, LONGEST_REASON, instead, reason, signal_name
from quadrille.ai.bots.process.own_user import OwnUser, own_user
from quadrille.ai.bots.process.program_lines import LAST_WORDS, LineReader, LineWriter, join, piece_of
from quadrille.ai.bots.process.usage import METERED, remove, share
from quadrille.ai.bots.process.warden_link import WardenLink
from quadrille.ai.faults import BotFault, NotIsolated
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import BOT, FOLDERS, KEY_FILE, LOCK_FILE, STORE_FILE, home
from quadrille.plugs import GAME_FILE
from quadrille.rules.squares import quoted

#: The environment variables that a program shares with us; the rest may hold secrets.
SHARED: Final = (
    "APPDATA", "COMSPEC", "HOME", "JAVA_HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH",
    "LOCALAPPDATA", "LOGNAME", "NODE_PATH", "OMP_NUM_THREADS", "PATH", "PATHEXT", "PYTHONPATH", "SYSTEMDRIVE",
    "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "USERPROFILE", "VIRTUAL_ENV", "WINDIR", GAME_FILE,
)  # fmt: skip
#: Seconds for which a table waits until the warden has killed everything: 500 processes took 0.28 on two busy cores.
_KILLING: Final = 0.4
#: Maximum MiB of temporary files in a box (enclosure.py).
MOST_TEMPORARY: Final = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a program with all its processes together; None: unlimited. POSIX only; except on Linux, memory and
    time are limited for each process, and processes are not counted.

    `memory` in MiB: in use, not reserved. `cpu` time in seconds. `isolate`: whether it runs in a box of its own
    (isolation.py).
    """

    memory: int | None = None
    cpu: int | None = None
    processes: int | None = None
    isolate: Isolate = USUAL


#: The default.
NO_LIMITS: Final = Limits(isolate="none")


def kit_command(bot: str) -> list[str]:
    """Return the command that plays a bot of the kit, `FILE.py[:Name]`, or a built-in `KIND[:LEVEL]`."""
    return [sys.executable or "python3", "-m", "quadrille.ai.kit", bot]


def _home(folder: str) -> list[str]:
    """Return the home of this installation, which holds keys and secrets; if a bot lies in it, what programs keep there
    and beside the keys of bots.
    """
    with suppress(LocalError):  # a machine without a home keeps nothing in one
        at = home().resolve()
        if not Path(folder).resolve().is_relative_to(at):
            return [str(at)]
        kept = [f"{KEY_FILE}*", f"{STORE_FILE}*", LOCK_FILE, *FOLDERS]
        places = [at, *(key.parent for key in at.glob(f"{BOT}*/{KEY_FILE}"))]
        return [str(path) for place in places for name in kept for path in place.glob(name)]
    return []


class Program(AbstractContextManager["Program"]):
    """A started program."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        wake: Callable[[], None] | None = None,
        hidden: Sequence[str | Path] = (),
    ) -> None:
        """`env` is added to the environment that all programs share with us. `wake` is called in another thread when
        there is output; without it, output is read while it is awaited, which is faster. `hidden` are files and folders
        that the box must hide, named without links, besides the home of this installation.
        """
        self.command = list(command)
        self._limits = limits = limits or NO_LIMITS
        self._wake = wake
        surroundings = {name: os.environ[name] for name in SHARED if name in os.environ}
        surroundings |= {"PYTHONHASHSEED": "0"} | dict(env or {})
        self._closed = False
        self._threads = dict[str, tuple[int, int]]()  # those that `share` has seen
        #: The link of its command that leads out of its box, in a sentence.
        self._left_out = ""
        if cwd is not None and not Path(cwd).is_dir():
            raise BotFault("crash", f"can't be started: {quoted(str(cwd), LONGEST_REASON)} is no folder")
        if obstacle := why_not(self.command, cwd, surroundings.get("PATH", os.defpath)):
            raise BotFault("crash", f"can't be started: {obstacle}")
        #: The user outside, or why the program has ours.
        self._user: OwnUser | str = ""
        self._unboxed = self._why_unboxed()
        isolate: Isolate = "none" if self._unboxed else self._limits.isolate
        self._cgroup = cgroup.make(limits.memory, limits.processes, limits.cpu) if METERED else None
        self._warden = WardenLink() if sys.platform != "win32" else None
        self._process = self._start(cwd, surroundings, isolate)
        if self._warden is not None and isolate != "none":
            self._show(self._warden, os.path.abspath(cwd or "."), surroundings, tuple(map(str, hidden)))
        assert self._process.stdin and self._process.stdout and self._process.stderr
        if self._warden is not None and isolate == "required":
            self._demand(self._warden)
        self._writer = LineWriter(self._process.stdin)
        #: Total bytes of its standard error; only the last of them are kept.
        self.errors_written = self._errors_told = 0
        self._errors = bytearray()
        self._listener = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._listener.start()
        # last, because it reports an end by what the listener has read
        self._reader = LineReader(self._process.stdout, self._how_it_ended, wake)
        #: Returns the next line, as `LineReader.line` does.
        self.line = self._reader.line

    def _why_unboxed(self) -> Protection | None:
        """Return why the program gets no box: it needs none, or none is possible. Refuse if one is required."""
        wanted, reason = self._limits.isolate, ""
        if sys.platform == "win32":
            reason = "Windows has neither namespaces nor Landlock, and limits do not hold there: use Linux"
        elif makes_a_box(self.command):
            reason = f'{self.command[0]} makes a box of its own, and there can be none in ours: use isolate = "none"'
        if wanted == "required" and reason:
            raise NotIsolated(reason)
        return Protection(why=reason) if wanted == "none" or reason else None

    def _start(self, cwd: str | Path | None, env: Mapping[str, str], isolate: Isolate) -> subprocess.Popen[bytes]:
        words, pipes = self.command, tuple[int, ...]()
        flags: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        door = -1 if self._warden is None or self._cgroup is None else self._cgroup.door()
        if self._warden is not None:
            memory, has_limits = (self._limits.memory or 0) << 20, self._cgroup is not None and self._cgroup.has_limits
            numbers = memory, self._limits.cpu or 0, self._limits.processes or 0, door, int(has_limits)
            words = [*self._warden.words(numbers, isolate), *words]
            pipes = (*self._warden.inherited, *((door,) if door >= 0 else ()))
        try:
            return subprocess.Popen(  # noqa: S603 - to start it is what this is for
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                bufsize=0,
                pass_fds=pipes,
                start_new_session=sys.platform != "win32",
                creationflags=flags,
            )
        except OSError as error:
            if self._warden is not None:
                self._warden.let_go()
                self._warden.close()
            self._leave()
            raise BotFault("crash", f"can't be started: {error.strerror or error}") from None
        finally:
            if self._warden is not None:
                self._warden.started()
            if door >= 0:
                os.close(door)

    def _show(self, warden: WardenLink, folder: str, env: Mapping[str, str], hidden: Sequence[str]) -> None:
        """Tell the warden what its program may see, computed while the warden starts."""
        try:
            from platform import machine  # only who starts a bot needs it, and it compiles nine patterns

            places = sight(self.command, folder, env, [*hidden, *_home(folder)]) if sys.platform == "linux" else ()
            if sys.platform == "linux":
                self._left_out = left_out(self.command, folder, places)
                self._user = own_user(places, env.get("PATH", os.defpath))
            warden.show(
                f"{self._user.number} {self._user.mapper}" if isinstance(self._user, OwnUser) else "",
                places,
                [system_calls.program(machine(), boxed=boxed) for boxed in (True, False)],
            )
        except BaseException:
            self._abandon(warden)
            raise

    def _demand(self, warden: WardenLink) -> None:
        """Wait until the warden reports the box; raise `NotIsolated` if there is none."""
        line = warden.hear()
        if warden.protection is not None:
            return
        self._abandon(warden)
        raise NotIsolated((line or "").removeprefix("refused ") or "the warden ended")

    def _abandon(self, warden: WardenLink) -> None:
        """Drop a program that never began."""
        self._closed = True
        assert self._process.stdin and self._process.stdout and self._process.stderr
        warden.let_go()
        self._process.wait()
        warden.reap(_KILLING)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            stream.close()
        warden.close()
        self._leave()

    # Isolation

    @property
    def protection(self) -> Protection:
        """Return the protection of this machine. The warden reports it before the program starts."""
        if self._unboxed is not None:
            return self._unboxed
        assert self._warden is not None
        if not self._closed:
            self._warden.hear()
        protection = self._warden.protection or Protection(why="it ended before it was started")
        whose = self._user if isinstance(self._user, str) else "the system maps no other user, so the bot has yours"
        reasons = [
            protection.why or (whose if protection.namespaces and not protection.user else ""),
            self._left_out if protection.namespaces or protection.landlock else "",
        ]
        return replace(protection, why="; ".join(filter(None, reasons)))

    def freeze(self, *, still: bool) -> None:
        """Stop or continue all processes of the program, on POSIX."""
        if self._warden is not None and not self._closed:
            self._warden.freeze(still=still)

    def share(self) -> tuple[float, float] | None:
        """Return the program's share of the processor so far (usage.py)."""
        return share(self.warden, self._threads) if METERED else None

    @property
    def warden(self) -> int:
        """Return the process number of the bot's warden, in its box or outside."""
        inside = self._warden.inside if self._warden and self.protection.namespaces else 0
        return inside or self._process.pid

    @property
    def uses_network(self) -> bool:
        """Return whether the program tried to use a network, which its box refused; unknown without namespaces."""
        return self._warden is not None and not self._closed and self._warden.heard_of_network()

    # Lines

    def send(self, line: bytes) -> None:
        """Write a line, now or as soon as the program reads; a program that reads nothing for long stalls."""
        self._errors_told = self.errors_written
        self._writer.send(line)

    def hurry(self) -> None:
        """Read on, because the output has outgrown one read."""
        if self._wake is not None:
            self._wake()

    def _listen(self, stream: IO[bytes]) -> None:
        """Read standard error, in a thread. A warden outside namespaces ends at once, and is reaped first."""
        if self.protection.namespaces:
            self._process.wait()
        with stream:
            while piece := piece_of(stream.fileno()):
                self.errors_written += len(piece)
                self._errors += piece
                del self._errors[:-KEPT_ERRORS]

    @property
    def errors(self) -> str:
        """The end of the program's standard error."""
        return self._errors.decode("utf-8", "replace")

    def instead(self) -> Iterator[str]:
        """Yield what the program did in place of the answer that it owes."""
        return instead(self._reader.half, self.errors_written - self._errors_told, self._writer.unread())

    # The end

    def _how_it_ended(self, half: str) -> BotFault:
        """Return the fault for the end of the output, perhaps within the line `half`."""
        status = self._last_status()
        if status:
            join(self._listener)
        shortage = None if self._cgroup is None else self._cgroup.shortage
        if shortage == "limit" and status.startswith("signal "):
            status = "memory"
        match status.split():
            case ["error", number]:
                refused = self._left_out or refusal(int(number))
                reason = f"can't be started: {quoted(self.command[0], LONGEST_REASON)}: {refused}"
            case ["exit", code]:
                reason = f"ended with exit code {code}{half}{self._reason()}"
            case ["cpu"]:
                reason = f"used more than its {self._limits.cpu} seconds of processor time"
            case ["memory"]:
                reason = f"used more than its {self._limits.memory} MiB of memory"
            case ["disk"]:
                reason = f"wrote more than {MOST_TEMPORARY} MiB of temporary files"
            case ["signal", number]:
                reason = f"was ended by {signal_name(int(number))}{half}{self._reason(by_signal=True)}"
                starved = None if shortage is None else shortage == "machine"
                return BotFault("crash", reason, by_signal=True, starved=starved)
            case ["stopped", number]:
                reason = f"was stopped by {signal_name(int(number))}{half}"
                return BotFault("crash", reason, by_signal=True)
            case ["told"]:  # by a signal: a caller that closes a program does not ask how it ended
                return BotFault("crash", f"was ended by SIGTERM{half}", by_signal=True)
            case [] if self._warden_stands():
                return BotFault("crash", f"was cut off: a signal stopped what watches over it{half}", by_signal=True)
            case ["awake"]:
                reason = "went on while others were to move"
            case ["processes"]:
                reason = f"had more than its {self._limits.processes} processes"
            case _:
                reason = f"closed its output and went on{half}"
        return BotFault("crash", reason)

    def _warden_stands(self) -> bool:
        """POSIX: return whether a signal has stopped the warden, so that it can't report how the program ended."""
        if sys.platform in ("win32", "darwin"):  # Python tells it on macOS since 3.13 only
            return False
        options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, self.warden, options) is not None
        return False

    def _last_status(self) -> str:
        """Return the last status by the warden or the system; "" while the program still runs."""
        if self._warden is not None:
            return self._warden.last_status()
        try:
            return f"exit {self._process.wait(LAST_WORDS)}"
        except subprocess.TimeoutExpired:
            return ""

    def _reason(self, *, by_signal: bool = False) -> str:
        return reason(self.errors, self._limits.memory, by_signal=by_signal)

    @property
    def ended(self) -> bool:
        """Return whether the end of the program is known."""
        return self._reader.end is not None

    def close(self, grace: float = 0) -> None:
        """End the program and everything that it has started, by force after `grace` seconds."""
        if self._closed:
            return
        self._closed = True
        self._reader.stop()
        self._writer.close()
        if grace:
            self._reader.await_end(grace)
        self._kill()
        self._writer.close()
        is_read = self._reader.close()
        join(self._listener)
        if self._warden is not None and is_read:
            self._warden.close()
        self._leave()
        protection = self._warden.protection if self._warden else None
        if self._unboxed is None and not (protection and protection.namespaces):
            # it had no /tmp of its own, and its warden may have been killed
            for left in Path(tempfile.gettempdir()).glob(f"quadrille-bot-{self._process.pid}-*"):
                remove(str(left))

    def _leave(self) -> None:
        """Give back its cgroup and its user."""
        if isinstance(self._user, OwnUser):
            self._user.held.close()
        if self._cgroup is not None:
            self._cgroup.remove()

    def _kill(self) -> None:
        if sys.platform != "win32" and self._warden is not None:
            self._warden.let_go()
            self._process.send_signal(signal.SIGCONT)  # in case somebody has stopped it
        elif self._process.poll() is None:
            words = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
            subprocess.run(words, capture_output=True, check=False)  # noqa: S603
        try:
            self._process.wait(_KILLING)
        except subprocess.TimeoutExpired:  # the warden goes on: what it had not killed would outlive it
            threading.Thread(target=self._process.wait, daemon=True).start()
        if self._warden is not None:
            self._warden.reap(_KILLING)

    def __exit__(self, *_: object) -> None:
        self.close()
