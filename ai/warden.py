"""Between a bot and its table on POSIX: starts the bot's program, and ends all that it has started, whatever happens.

    warden.main([CONTROL, STATUS, MEMORY, SECONDS, PROCESSES, PROGRAM, WORD...])

It lives as long as the program does. The program gets a session of its own, limits (0: none; memory in bytes), and
this process's standard streams, which this process lets go of. When the program ends, when the pipe CONTROL ends (the
table is gone, however that came about) or when there are too many processes, everything that descends from it is
killed: on Linux also what made itself independent, since orphans come to their subreaper. The pipe STATUS gets a line
that says how it ended, and ends itself when nothing is left. A program that a signal has stopped can't go on by itself,
and is taken for ended. Only what its limit of processor time does to it is told apart from signals that others send.

This file imports nothing of the project and little else, so that it starts at once: what it takes comes to each start
of a bot. ai/program.py starts it.
"""

import os
import select
import sys
import time

try:
    # its names without the enumerations, which take half as long to load as all the rest
    import _signal as signal  # type: ignore[import-not-found]
except ImportError:
    import signal
try:
    import resource
except ImportError:  # not on Windows, where no program is started through a warden
    resource = None  # type: ignore[assignment]

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
#: How often processes are counted, in milliseconds, and how long a kill may take, in seconds.
_COUNTING = 100
_KILLING = 5.0


class _Without:
    """What `contextlib.suppress` does, which takes long to import."""

    def __init__(self, *errors: type[BaseException]) -> None:
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, self._errors)


def main(words: list[str]) -> None:
    """Start the program, wait, end it."""
    control, status, memory, seconds, processes = map(int, words[:5])
    for pipe in (control, status):
        os.set_inheritable(pipe, False)
    is_linux = sys.platform == "linux"
    if is_linux:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: None)
    used = _threads_of_user() if processes and is_linux and os.geteuid() else 0
    warden, program = os.getpid(), os.fork()
    if program == 0:
        try:
            if is_linux:
                _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != warden:
                    os._exit(0)
            _become(words[5:], memory, seconds, used + processes if used else 0)
        except (OSError, ValueError) as error:
            os.write(status, f"error {getattr(error, 'errno', 0) or 0}\n".encode())
            os._exit(127)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    why = _wait(program, control, woken, processes if is_linux else 0, seconds)
    with _Without(BrokenPipeError):  # the table is gone
        os.write(status, why.encode())
    _kill(program)


def _become(words: list[str], memory: int, seconds: int, threads: int) -> None:
    """In the new process: the program, in its own session and within its limits."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    for kind, limit, more in (
        (resource.RLIMIT_AS, memory, 0),
        (resource.RLIMIT_CPU, seconds, 1),  # first SIGXCPU, which says why; a second later SIGKILL
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NPROC, threads, 0),
    ):
        if limit or kind == resource.RLIMIT_CORE:
            _, most = resource.getrlimit(kind)
            hard = limit + more if most == resource.RLIM_INFINITY else min(limit + more, most)
            resource.setrlimit(kind, (min(limit, hard), hard))
    os.execvp(words[0], words)  # noqa: S606 - to start it is what this is for


def _wait(program: int, control: int, woken: int, processes: int, seconds: int) -> str:
    """Until there is a reason to end all; the reason."""
    poll = select.poll()
    for pipe in (control, woken):
        poll.register(pipe, select.POLLIN)
    while True:
        ready = [pipe for pipe, _ in poll.poll(_COUNTING if processes else None)]
        if control in ready:
            return "told\n"
        if woken in ready and signal.SIGTERM in os.read(woken, 512):
            return "told\n"
        if (how := _reap(program, seconds)) is not None:
            return how
        if processes and len(_descendants(os.getpid())) > processes:
            return "crowd\n"


def _reap(program: int, seconds: int) -> str | None:
    """Take leave of all that have ended; how the program did, if it has, or was stopped."""
    found = None
    with _Without(ChildProcessError):
        while (ended := os.wait4(-1, os.WNOHANG | os.WUNTRACED))[0]:
            if ended[0] == program:
                found = _how(ended[1], ended[2], seconds)
    return found


def _how(status: int, used: "resource.struct_rusage", seconds: int) -> str:
    """A line about its end. The system sends SIGXCPU at the limit of processor time, and SIGKILL a second later."""
    if os.WIFSTOPPED(status):
        return f"stopped {os.WSTOPSIG(status)}\n"
    if not os.WIFSIGNALED(status):
        return f"exit {os.WEXITSTATUS(status)}\n"
    number = os.WTERMSIG(status)
    if seconds and number in (signal.SIGXCPU, signal.SIGKILL) and used.ru_utime + used.ru_stime >= 0.9 * seconds:
        return "cpu\n"
    return f"signal {number}\n"


def _kill(program: int) -> None:
    """End all that descends from the program, and wait until it is gone."""
    end = time.monotonic() + _KILLING
    with _Without(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while time.monotonic() < end:
        with _Without(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped first, so that none makes others meanwhile
                for other in _descendants(os.getpid()):
                    with _Without(ProcessLookupError, PermissionError):
                        os.kill(other, number)
            time.sleep(0.001)
            continue
        return


def _descendants(process: int) -> list[int]:
    """All processes that descend from one, where the system tells."""
    found, todo = [], [process]
    while todo:
        folder = f"/proc/{todo.pop()}/task"
        with _Without(OSError):
            for thread in os.listdir(folder):
                with open(f"{folder}/{thread}/children") as file:
                    children = list(map(int, file.read().split()))
                found += children
                todo += children
    return found


def _threads_of_user() -> int:
    """How many threads this user has: what the limit of processes is counted from, for a limit counts them all."""
    count, user = 0, os.getuid()
    for name in os.listdir("/proc"):
        with _Without(OSError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def _prctl(option: int, value: int) -> None:
    """Linux: something about this process. A system that refuses it has to do without."""
    import ctypes

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
