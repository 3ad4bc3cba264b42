"""Stands between a bot and its table on POSIX: starts the bot's program, and ends everything the program started,
whatever happens.

    warden.main([CONTROL, STATUS, MEMORY, SECONDS, PROCESSES, GROUP, LIMITED, ISOLATE, PROGRAM, WORD...])

It lives as long as the program does. The program gets a session of its own, limits (0: none; memory in bytes), and
this process's standard streams, which this process closes. With ISOLATE it gets a box too (enclosure.py). First come
through the pipe CONTROL, each behind its length in 8 bytes: the user and the contents of the box, and its filters of
system calls, with namespaces and with Landlock alone. For namespaces it clones itself into them as a child of the
table, tells the clone's number, and ends: the clone does all the rest. GROUP is the folder of a cgroup for the program
(cgroup.py), or -1; if it is LIMITED (1 or 0) the warden keeps out of it. When the program ends, when the pipe CONTROL
ends (the table is gone) or when all processes together are beyond a limit, all descendants of the program are killed:
on Linux daemons too, because orphans go to their subreaper. Through CONTROL the table can also stop and continue them.
The pipe STATUS gets a line about the isolation, one when the program first tries to use a network, and one about its
end; it is closed when nothing is left. A program that a signal has stopped can't go on by itself, and is taken for
ended. The warden tells a limit's signals apart, and can't know who sent others.

This file imports nothing of the project and little else, because its start delays each start of a bot. program.py
starts it.
"""

import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from quadrille.ai.bots.process import enclosure, usage
else:  # they are beside this file, which is in no package here
    usage = __import__("usage")
    if sys.platform == "linux":
        enclosure = __import__("enclosure")

try:
    # its names without the enumerations, which take half as long to load as all the rest
    import _signal as signal  # type: ignore[import-not-found]
except ImportError:
    import signal
try:
    import resource
except ImportError:  # not on Windows, where no program is started through a warden
    resource = None  # type: ignore[assignment]

#: Messages of the table on CONTROL: stop all processes of the program, or continue them.
STILL = b"s"
ON = b"g"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
#: Milliseconds between two counts of the processes, and maximum seconds of a kill or a stop.
_COUNTING = 100
_COUNTING_MEMORY = 30
#: The same while processes come and go without a cgroup that counts them: who lives less long may not be seen.
_COUNTING_CHANGES = 5
_KILLING = 5.0
#: Seconds between two looks whether a program has stopped: most have by the first, and the table waits for none.
_STOPPING = 0.0002
#: Threads that the kernel lets a user of a box have besides its limit of processes: it counts them alike, and Java
#: starts 110 of them on 64 cores. Only who starts many between two counts meets this limit first.
_THREADS = 256
#: Bytes that a process may reserve beyond the common limit: runtimes reserve more than they touch.
_RESERVED = 64 << 20
#: Seconds after which the system kills a process that this one failed to count.
_LATER = 1
_PIECE = 1 << 16


class _Task:
    """The arguments of a warden, and the state of its program."""

    def __init__(self, words: list[str]) -> None:
        self.control, self.status, self.memory, self.seconds, self.processes, self.group = map(int, words[:6])
        self.is_limited = words[6] == "1"
        self.isolate = words[7]
        self.program = words[8:]
        boxed = self.isolate != "none"
        self.user, self.places, self.filters = _contents(self.control) if boxed else ("", [], [b"", b""])
        self.is_linux = sys.platform == "linux"
        #: Threads of the user besides the program's: a limit on processes counts them all.
        self.threads = 0
        #: Whether this process is the first in its own namespaces, and the builder of its box.
        self.is_inside = False
        self.enclosure: enclosure.Enclosure | None = None
        #: A file that hears of the first try to use a network, in namespaces; -1: none, or no more.
        self.listener = -1
        #: The program's isolation, and why there is not more.
        self.held: list[str] = []
        self.why = ""
        #: The places that Landlock lets the program read and write; None if it is not in force.
        self.readable: list[str] | None = None
        self.writable: list[str] = []
        #: The temporary folder of a program without a /tmp of its own.
        self.temporary = ""
        #: The cgroup's count and the file where processes join, opened before Landlock forbids it.
        self.stat = self.door = -1
        #: Whether the program is in the cgroup, and this process too.
        self.is_counted = self.is_in_group = False
        #: The processor seconds of all processes where there is no cgroup, and of those reaped since they were counted.
        self.usage = usage.Usage()
        self.reaped: dict[int, float] = {}
        self.is_still = False


def main(words: list[str]) -> None:
    """Start the program, wait, and end it."""
    task = _Task(words)
    if task.group >= 0:
        with usage.Without(OSError):
            task.stat = os.open("cpu.stat", os.O_RDONLY, dir_fd=task.group)
            task.door = os.open("cgroup.procs", os.O_WRONLY, dir_fd=task.group)
    for pipe in (task.control, task.status, task.group):
        if pipe >= 0:
            os.set_inheritable(pipe, False)
    if task.is_linux:
        if task.processes and os.geteuid():
            task.threads = usage.threads_of_user()
        if task.isolate != "none":
            _isolate(task)
        if not task.is_inside:
            _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    elif task.isolate == "required":
        _refuse(task, f"{sys.platform} has no namespaces: use Linux")
    elif task.isolate != "none":
        task.why = f"{sys.platform} has neither namespaces nor Landlock"
    try:
        _watch_over(task)
    finally:
        if task.temporary:
            usage.remove(task.temporary)
    os._exit(0)  # to take the interpreter apart would take as long again


def _contents(control: int) -> tuple[str, list[str], list[bytes]]:
    """Read the table's first message: the program's user, the places that it may see, and the filters of its calls; or
    nothing.
    """
    user, seen, *filters = (_read(control, int.from_bytes(_read(control, 8), "big")) for _ in range(4))
    return os.fsdecode(user), os.fsdecode(seen).split("\0") if seen else [], filters


def _read(pipe: int, length: int) -> bytes:
    data = b""
    while len(data) < length:
        piece = os.read(pipe, length - len(data))
        if not piece:  # the table is gone
            os._exit(0)
        data += piece
    return data


def _isolate(task: _Task) -> None:
    """Apply namespaces and Landlock, as far as this system has them. With namespaces this function returns in another
    process, which still has to build its box, and this one ends.
    """
    landlock = enclosure.landlock()
    box = enclosure.Enclosure(task.places, os.getcwd(), task.user)
    try:
        group = -1 if task.is_limited else task.group
        is_inside = box.enter(lambda number: _say(task, f"inside {number}"), group)
    except OSError as error:
        reason = enclosure.why_not(error)
        if task.isolate == "required":
            _refuse(task, reason)
        task.why = reason
        if landlock:
            task.held = ["landlock"]
            task.temporary = usage.temporary()
            os.environ["TMPDIR"] = task.temporary
            task.readable, task.writable = [*task.places, f"{enclosure.SEEN}/proc"], [task.temporary]
        return
    if not is_inside:
        os._exit(0)
    task.is_inside, task.enclosure = True, box
    task.is_in_group = task.is_counted = box.is_in_group
    task.held = ["namespaces", *(["landlock"] if landlock else []), *(["user"] if box.has_own_user else [])]
    if box.has_own_user and task.processes:
        task.threads = _THREADS
    os.environ["TMPDIR"] = "/tmp"  # noqa: S108 - that of the box
    for name in ("TEMP", "TMP"):
        os.environ.pop(name, None)
    if landlock:
        task.readable, task.writable = [f"{enclosure.SEEN}/"], ["/tmp"]  # noqa: S108


def _refuse(task: _Task, reason: str) -> None:
    _say(task, f"refused {reason}")
    os._exit(127)


def _say(task: _Task, line: str) -> None:
    with usage.Without(BrokenPipeError):  # the table is gone
        os.write(task.status, os.fsencode(line) + b"\n")


def _watch_over(task: _Task) -> None:
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    if task.is_inside:  # the first process of namespaces ignores signals from inside without a handler
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    else:
        signal.signal(signal.SIGTERM, lambda *_: None)
    if task.enclosure is not None:
        _shut_in(task, task.enclosure)
    must_join = task.door >= 0 and not task.is_in_group
    program = _forked(task) if task.enclosure is None or must_join else _spawned(task)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # they are the program's alone
        os.dup2(nothing, stream)
    try:
        _say(task, _wait(task, program, woken))
    finally:  # what a program does that nobody foresaw leaves nothing of it
        _kill(task, program)


def _shut_in(task: _Task, box: "enclosure.Enclosure") -> None:
    """Build the box around this process, which applies to itself what the program will inherit."""
    box.build()
    box.close()
    if task.readable is not None:
        try:
            enclosure.restrict(task.readable, task.writable, boxed=True)
        except OSError as error:
            _fail(task, error)
    try:
        task.listener = enclosure.filter_calls(task.filters[0])
    except OSError as error:
        task.why = f"the kernel has no filter of system calls (seccomp: {os.strerror(error.errno or 0)})"
        if task.isolate == "required":
            _refuse(task, task.why)


def _spawned(task: _Task) -> int:
    """Start the program without a copy of this process, which would cost half as much as the whole box. It inherits its
    limits, because what it starts at once would never hear of later ones; but not two, which are this process's too.
    """
    _limit(task, 0, (resource.RLIMIT_CPU, resource.RLIMIT_NPROC))
    try:
        program = os.posix_spawnp(task.program[0], task.program, os.environ, setsid=True, setsigdef=(signal.SIGPIPE,))
    except (OSError, ValueError) as error:
        _tell_what_holds(task)
        _fail(task, error)
    _tell_what_holds(task)
    with usage.Without(ProcessLookupError):  # it has ended already
        _limit(task, program)
    return program


def _forked(task: _Task) -> int:
    """Start the program from a copy of this process, which waits until it is in its cgroup."""
    ready, go = os.pipe()
    warden, program = os.getpid(), os.fork()
    if program == 0:
        os.close(go)
        try:
            if task.is_linux:
                _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != warden:
                    os._exit(0)
            _become(task, ready)
        except (OSError, ValueError) as error:
            _fail(task, error)
    os.close(ready)
    if task.door >= 0:
        _bring_in(task, program)
    _tell_what_holds(task)
    with usage.Without(BrokenPipeError):  # it has ended, which is noticed elsewhere
        os.write(go, ON)
    os.close(go)
    return program


def _fail(task: _Task, error: Exception) -> "NoReturn":
    _say(task, f"error {getattr(error, 'errno', 0) or 0}")
    os._exit(127)


def _tell_what_holds(task: _Task) -> None:
    if task.isolate != "none":
        _say(task, f"held {','.join(task.held) or 'nothing'}{': ' if task.why else ''}{task.why}")


def _bring_in(task: _Task, program: int) -> None:
    """Move the program, which has not begun, into its cgroup. If that fails, it is watched as usual."""
    with usage.Without(OSError):
        os.write(task.door, str(program).encode())
        task.is_counted = True
        if task.is_limited:
            task.held.append("cgroup")


def _become(task: _Task, ready: int) -> None:
    """Become the program, in the new process: in a session of its own and within its limits, once `ready` allows it."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    if task.held:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # an attempt to write more is an error, but does not kill it
    _limit(task, 0)
    if task.readable is not None and task.enclosure is None:
        enclosure.give_up_rights()
        enclosure.restrict(task.readable, task.writable, boxed=False)
        with usage.Without(OSError):  # a system without it has only Landlock
            enclosure.filter_calls(task.filters[1])
    _read(ready, 1)
    os.execvp(task.program[0], task.program)  # noqa: S606 - to start it is what this is for


def _limit(task: _Task, process: int, without: "tuple[int, ...]" = ()) -> None:
    """Set the program's limits: on this process if that is 0, and on Linux on any other."""
    nothing = [resource.RLIMIT_CORE]
    if sys.platform == "linux":  # many desktops let the users who make music take a processor for themselves alone
        nothing += [resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO]
    limits = [
        # the system counts in ticks, and may be early; first comes SIGXCPU, which gives the reason, and a second
        # later SIGKILL
        (resource.RLIMIT_CPU, task.seconds + (_LATER if task.is_linux and task.seconds else 0), 1),
        *((kind, 0, 0) for kind in nothing),
        (resource.RLIMIT_NPROC, task.threads + task.processes if task.threads else 0, 0),
        # the total is watched (usage.py) where the system tells; one process alone fails to get more
        (resource.RLIMIT_DATA, 2 * task.memory + _RESERVED if task.memory else 0, 0)
        if task.is_linux
        else (resource.RLIMIT_AS, task.memory, 0),
        (resource.RLIMIT_FSIZE, enclosure.TEMPORARY if task.held else 0, 0),
        # what waits in pipes and sockets is memory that no process maps
        (resource.RLIMIT_NOFILE, usage.FILES if task.held and task.memory else 0, 0),
    ]
    for kind, limit, more in limits:
        if kind not in without and (limit or kind in nothing):
            _, most = resource.getrlimit(kind)
            hard = limit + more if most == resource.RLIM_INFINITY else min(limit + more, most)
            pair = min(limit, hard), hard
            if sys.platform == "linux" and process:
                resource.prlimit(process, kind, pair)
            elif task.is_linux:
                resource.setrlimit(kind, pair)
            else:
                with usage.Without(ValueError, OSError):  # newer macOS bounds no memory
                    resource.setrlimit(kind, pair)


def _wait(task: _Task, program: int, woken: int) -> str:
    """Wait for a reason to end everything; return it."""
    poll = select.poll()
    for pipe in (task.control, woken, task.listener):
        if pipe >= 0:
            poll.register(pipe, select.POLLIN)
    is_limited = task.is_linux and (task.memory or task.seconds or task.processes or task.temporary)
    usual = (_COUNTING_MEMORY if task.memory else _COUNTING) if is_limited else None
    while True:
        pause = _COUNTING_CHANGES if usual and not task.usage.is_calm else usual
        ready = [pipe for pipe, _ in poll.poll(pause)]
        if task.control in ready:
            words = os.read(task.control, _PIECE)
            if not words:
                return "told"
            if not _freeze(task, still=words.endswith(STILL)):
                return "awake"
        if task.listener in ready:
            _say(task, "network")
            poll.unregister(task.listener)
            os.close(task.listener)  # now a program that waits for an answer, or asks later, has no such call
            task.listener = -1
        if woken in ready and signal.SIGTERM in os.read(woken, 512):
            return "told"
        if (how := _reap(task, program)) is not None:
            return how
        if is_limited and (how := _excess(task)):
            return how


def _excess(task: _Task) -> str:
    """Name the limit that all processes of the program exceed together; "" if none."""
    there = _others(task)
    if task.processes and len(there) > task.processes:
        return "processes"
    if task.memory:
        sockets = usage.sockets() if task.is_inside else sum(map(usage.sockets_of, there)) if task.held else 0
        if usage.memory(there, task.memory, sockets) > task.memory:
            return "memory"
    if task.seconds and _used(task, there) > task.seconds:
        return "cpu"
    if task.temporary and usage.size(task.temporary) > enclosure.TEMPORARY:
        return "disk"
    return ""


def _used(task: _Task, there: list[int]) -> float:
    """Return the processor seconds of the program with all its processes: by its cgroup exactly, or at least."""
    if task.is_counted:
        with usage.Without(OSError):
            counted = int(os.pread(task.stat, 64, 0).split(None, 2)[1]) / 1e6  # all that ever was in it
            return counted - (time.process_time() if task.is_in_group else 0)
    found, task.reaped = task.usage.count(there, task.reaped), {}
    return found


def _others(task: _Task) -> list[int]:
    """List all processes of the program."""
    if task.is_inside:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    return usage.descendants(os.getpid())


def _freeze(task: _Task, *, still: bool) -> bool:
    """Stop or continue all processes of the program, including those started meanwhile. Return False if they don't stop
    in time: a signal to continue that a process sends while it still runs undoes the one to stop.
    """
    task.is_still, end, goes_on = still, time.monotonic() + _KILLING, still
    _signal(task, signal.SIGSTOP if still else signal.SIGCONT)
    while goes_on:
        if goes_on := any(map(usage.is_awake, _others(task))):
            time.sleep(_STOPPING)
        _signal(task, signal.SIGSTOP)  # once more in the end: nobody undoes it for one that waits in the kernel
        if goes_on and time.monotonic() > end:
            return False
    return True


def _signal(task: _Task, number: int) -> None:
    if task.is_inside:
        with usage.Without(ProcessLookupError):
            os.kill(-1, number)
        return
    done: set[int] = set()
    while new := set(usage.descendants(os.getpid())) - done:
        for other in new:
            with usage.Without(ProcessLookupError, PermissionError):
                os.kill(other, number)
        done |= new


def _reap(task: _Task, program: int) -> str | None:
    """Reap ended processes; return how the program ended, if it has ended or was stopped."""
    end = None
    with usage.Without(ChildProcessError):
        while (ended := os.wait4(-1, os.WNOHANG | os.WUNTRACED))[0]:
            number, status, used = ended
            if not os.WIFSTOPPED(status):
                task.reaped[number] = used.ru_utime + used.ru_stime
            if number == program and not (task.is_still and os.WIFSTOPPED(status)):
                end = _how(status, used, task.seconds)
    return end


def _how(status: int, used: "resource.struct_rusage", seconds: int) -> str:
    """Report the program's end in a line. At the limit of processor time the system sends SIGXCPU, then SIGKILL."""
    if os.WIFSTOPPED(status):
        return f"stopped {os.WSTOPSIG(status)}"
    if not os.WIFSIGNALED(status):
        return f"exit {os.WEXITSTATUS(status)}"
    number = os.WTERMSIG(status)
    if seconds and number in (signal.SIGXCPU, signal.SIGKILL) and used.ru_utime + used.ru_stime >= 0.9 * seconds:
        return "cpu"  # the limit is counted in ticks, and this is not
    return f"signal {number}"


def _kill(task: _Task, program: int) -> None:
    """Kill all descendants of the program, and wait until they are gone."""
    end = time.monotonic() + _KILLING
    with usage.Without(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while time.monotonic() < end:
        with usage.Without(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            _signal(task, signal.SIGSTOP)  # first, so that none starts others meanwhile
            _signal(task, signal.SIGKILL)
            time.sleep(0.001)
            continue
        return


def _prctl(option: int, value: int) -> None:
    """Set an option of this process, on Linux. Without support it has no effect."""
    with usage.Without(OSError):
        enclosure.call("prctl", option, value, 0, 0, 0)
