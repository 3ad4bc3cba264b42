"""The resources of all processes of a bot together, from /proc, and the temporary folder of a bot without a /tmp.

Used by warden.py, and by the table. Like the warden, this module imports nothing of the project and little
else. Specification: docs/protocols/isolation.md, "What is counted".
"""

import os
import sys
import time

_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
#: Whether this system tells what a process has used.
METERED = sys.platform == "linux"
#: Counts without a change after which none is expected: 0.2 s, as the warden then counts (_COUNTING_CHANGES).
_CALM = 40
#: Files that a process in a box with a limit of memory may have open.
FILES = 256
#: Bytes that the kernel keeps for a thread, and that may wait in a socket: no bot may enlarge it (system_calls.py).
_THREAD = 32 << 10
_SOCKET = 256 << 10
#: Bytes that a file takes at least.
_PAGE = 4 << 10
#: The clock id for the time of all threads of a process (Linux, include/linux/posix-timers.h). Unlike /proc, whose
#: ticks are 10 ms, it tells nanoseconds.
_OF_PROCESS = 2


class Without:
    """`contextlib.suppress`, whose import takes long."""

    def __init__(self, *errors: "type[BaseException]") -> None:
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: "type[BaseException] | None", *_: object) -> bool:
        return kind is not None and issubclass(kind, self._errors)


def memory(processes: "list[int]", most: int, sockets: int) -> int:
    """Return the memory of the processes in bytes, with what the kernel keeps for them: page tables, stacks of threads,
    and what may wait in that many sockets. Shared memory is counted once, which is computed only above `most`.
    """
    residents, kept = [], sockets * _SOCKET
    for process in processes:
        with Without(OSError), open(f"/proc/{process}/status", "rb") as file:  # it has ended
            status = file.read()
            residents.append((process, (_field(status, b"VmRSS") + _field(status, b"VmSwap")) << 10))
            kept += (_field(status, b"VmPTE") << 10) + _field(status, b"Threads") * _THREAD
    total = kept + sum(resident for _, resident in residents)
    return total if total <= most else kept + sum(_proportional(*row) for row in residents)


def _field(status: bytes, name: bytes) -> int:
    """Read a number of /proc/PID/status, 0 if it is missing. The program's name there has no line end."""
    _, _, after = status.partition(b"\n" + name + b":")
    return int(after.split(None, 1)[0]) if after else 0


def _proportional(process: int, resident: int) -> int:
    """Return a process's proportional share of memory; all of it if the system does not report the share."""
    with Without(OSError), open(f"/proc/{process}/smaps_rollup") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith(("Pss:", "SwapPss:")))
    return resident


def sockets() -> int:
    """Count the sockets in the network namespace of this process."""
    with open("/proc/self/net/sockstat") as file:
        return int(file.readline().split()[2])


def sockets_of(process: int) -> int:
    """Count the sockets that a process has open. If it hides them, return the number of files that it may have."""
    folder, count = f"/proc/{process}/fd", 0
    try:
        names = os.listdir(folder)
    except PermissionError:
        return FILES
    except OSError:
        return 0  # it has ended
    for name in names:
        with Without(OSError):
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
    return count


class _Used:
    """The processor seconds of one process, when it was last seen."""

    __slots__ = ("began", "missed", "own", "parent", "waited")

    def __init__(self, began: int) -> None:
        self.began = began
        self.parent = 0
        self.own = 0.0
        #: Those of its ended children: of all for which it waited, and of all that were seen.
        self.waited = 0.0
        self.missed = 0.0

    @property
    def seconds(self) -> float:
        # A child may be in both, or in one: the kernel adds nobody's time to a process that ignores SIGCHLD, and a
        # child that lived between two counts was not seen. The larger sum counts no child twice.
        return self.own + max(self.waited, self.missed)


class Usage:
    """The processor seconds of a bot's processes, as `count` finds them: they used at least that much."""

    def __init__(self) -> None:
        self._processes: dict[int, _Used] = {}
        #: Those of processes that have ended, and whose parent is none of these.
        self._ended = 0.0
        #: How many counts have found no process that had come or gone, and whether these are many.
        self._unchanged, self.is_calm = _CALM, True

    def count(self, processes: "list[int]", reaped: "dict[int, float] | None" = None) -> float:
        """Count the bot's processes, which are all that there are. `reaped` are the seconds of those that the caller
        has waited for, with all for which they had waited.
        """
        used_by: dict[int, tuple[int, float, int]] = {}
        for process in processes:
            with Without(OSError):  # it has ended
                row = fields(process)
                used_by[process] = int(row[1]), (int(row[13]) + int(row[14])) / _TICK, int(row[19])
        known, reaped = self._processes, reaped or {}
        gone = [one for one, used in known.items() if one not in used_by or used_by[one][2] != used.began]
        self._unchanged = 0 if gone or len(used_by) > len(known) else self._unchanged + 1
        self.is_calm = self._unchanged >= _CALM
        self._ended += sum(seconds for one, seconds in reaped.items() if one not in gone)
        for one in sorted(gone, key=lambda one: (known[one].began, one), reverse=True):  # children before parents
            used = known.pop(one)
            seconds = max(used.seconds, reaped.get(one, 0.0))
            if used.parent in known:
                known[used.parent].missed += seconds
            else:
                self._ended += seconds
        for process, (parent, waited, began) in used_by.items():
            used = known.setdefault(process, _Used(began))
            used.parent, used.waited = parent, waited
        for process, used in known.items():
            with Without(OSError):  # it has ended, and its clock stays where it was
                used.own = seconds_of(process)
        return self._ended + sum(used.seconds for used in known.values())


def seconds_of(process: int) -> float:
    """Return the processor seconds of one process; an OSError if it has ended."""
    return time.clock_gettime((~process << 3) | _OF_PROCESS)


def fields(process: int) -> "list[bytes]":
    """Return the fields of /proc/PID/stat after the name: state, parent, and so on."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def of_threads(process: int, name: str) -> "dict[str, bytes]":
    """Return a file of /proc of each thread of a process; of none if the system does not report them."""
    texts, folder = dict[str, bytes](), f"/proc/{process}/task"
    with Without(OSError):  # it has ended
        for thread in os.listdir(folder):
            with Without(OSError), open(f"{folder}/{thread}/{name}", "rb") as file:
                texts[thread] = file.read()
    return texts


def is_awake(process: int) -> bool:
    """Return whether a thread of a process runs, or goes on by itself once it is called."""
    return any(text.rpartition(b")")[2].split(None, 1)[0] in b"RS" for text in of_threads(process, "stat").values())


def children(process: int) -> "list[int]":
    """List the children that a process has not waited for."""
    return [int(child) for text in of_threads(process, "children").values() for child in text.split()]


def descendants(process: int) -> "list[int]":
    processes = children(process)
    for child in processes:
        processes += children(child)
    return processes


def share(warden: int, seen: "dict[str, tuple[int, int]]") -> "tuple[float, float] | None":
    """Return the processor seconds of a warden and all its descendants so far, and those for which they could run and
    waited for a processor; None where the system does not measure them. `seen` keeps what each thread had when it was
    last seen, and as "gone" what ended ones had, because the kernel adds nobody's waiting to another process.
    """
    now = dict[str, tuple[int, int]]()
    for process in (warden, *descendants(warden)):
        for thread, text in of_threads(process, "schedstat").items():
            ran, waited, _ = map(int, text.split())
            now[thread] = ran, waited
    gone = [row for thread, row in seen.items() if now.get(thread, (-1, -1)) < row]  # or its number is another's now
    seen.clear()
    seen.update(now, gone=(sum(row[0] for row in gone), sum(row[1] for row in gone)))
    ran, waited = (sum(row[column] for row in seen.values()) for column in (0, 1))
    return (ran / 1e9, waited / 1e9) if ran + waited else None


def shortages() -> int:
    """Count how often this machine has ended a program because no memory was left; 0 if that is unknown."""
    with Without(OSError), open("/proc/vmstat", "rb") as file:
        return int(file.read().partition(b"\noom_kill ")[2].partition(b"\n")[0] or 0)
    return 0


def threads_of_user() -> int:
    count, user = 0, os.getuid()
    for name in os.listdir("/proc"):
        with Without(OSError):  # it has ended
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def temporary() -> str:
    """Make a folder for temporary files, named after this process's number."""
    parent = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - where there is no other
    path = f"{parent}/quadrille-bot-{os.getpid()}-{os.urandom(8).hex()}"
    os.mkdir(path, 0o700)
    return os.path.realpath(path)


def size(folder: str) -> int:
    """Add up the bytes of the files in a folder, each at least a page; without end if some are hidden."""
    total, left = 0, [folder]
    while left:
        path = left.pop()
        try:
            status = os.lstat(path)
            total += max(_PAGE, status.st_size)
            if status.st_mode >> 12 == 4:  # a folder
                left += [f"{path}/{name}" for name in os.listdir(path)]
        except FileNotFoundError:
            continue  # it is gone
        except OSError:
            return sys.maxsize
    return total


def remove(folder: str) -> None:
    """Remove a folder, and follow no link. It lifts what its folders hold to its top, so that no path is too long."""
    flags = getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_NOFOLLOW  # only Linux has boxes
    opened = list[int]()
    with Without(OSError):
        opened.append(top := os.open(folder, flags))
        while names := os.listdir(f"/proc/self/fd/{top}"):
            for name in names:
                try:
                    os.unlink(name, dir_fd=top)
                except IsADirectoryError:
                    opened.append(inner := os.open(name, flags, dir_fd=top))
                    os.chmod(f"/proc/self/fd/{inner}", 0o700)
                    for low in os.listdir(f"/proc/self/fd/{inner}"):
                        os.rename(low, os.urandom(8).hex(), src_dir_fd=inner, dst_dir_fd=top)
                    os.close(opened.pop())
                    os.rmdir(name, dir_fd=top)
        os.rmdir(folder)
    for place in opened:
        os.close(place)
