"""The resources of all processes of a bot together, from /proc, and the temporary folder of a bot without a /tmp.

Used by warden.py. Like it, this module imports nothing of the project and little else.
"""

import os

_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
#: Files that a process in a box with a limit of memory may have open.
FILES = 256
#: Bytes that the kernel keeps for a thread, and that may wait in a socket.
_THREAD = 32 << 10
_SOCKET = 256 << 10
#: Fields of /proc/PID/stat after the name: processor time of the process, and of its ended children.
_TIMES = slice(11, 15)


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
    found, kept = [], sockets * _SOCKET
    for process in processes:
        try:
            with open(f"/proc/{process}/status", "rb") as file:
                status = file.read()
        except OSError:
            continue  # it has ended
        found.append((process, (_field(status, b"VmRSS") + _field(status, b"VmSwap")) << 10))
        kept += (_field(status, b"VmPTE") << 10) + _field(status, b"Threads") * _THREAD
    total = kept + sum(resident for _, resident in found)
    return total if total <= most else kept + sum(_proportional(*row) for row in found)


def _field(status: bytes, name: bytes) -> int:
    """Read a number of /proc/PID/status, 0 if it is missing. The program's name there has no line end."""
    _, _, after = status.partition(b"\n" + name + b":")
    return int(after.split(None, 1)[0]) if after else 0


def _proportional(process: int, resident: int) -> int:
    """Return a process's proportional share of memory; all of it if the system does not report the share."""
    found = 0
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            for line in file:
                if line.startswith(("Pss:", "SwapPss:")):
                    found += int(line.split()[1]) << 10
    except OSError:
        return resident
    return found


def sockets() -> int:
    """Count the sockets in the network namespace of this process."""
    with open("/proc/self/net/sockstat") as file:
        return int(file.readline().split()[2])


def sockets_of(process: int) -> int:
    """Count the sockets that a process has open. If it hides them, return the number of files that it may have."""
    folder, found = f"/proc/{process}/fd", 0
    try:
        names = os.listdir(folder)
    except PermissionError:
        return FILES
    except OSError:
        return 0  # it has ended
    for name in names:
        with Without(OSError):
            found += os.readlink(f"{folder}/{name}").startswith("socket:")
    return found


def processor(process: int) -> float:
    """Return the processor seconds of a process and of its ended children."""
    try:
        return sum(map(int, fields(process)[_TIMES])) / _TICK
    except OSError:
        return 0.0


def fields(process: int) -> "list[bytes]":
    """Return the fields of /proc/PID/stat after the name: state, parent, and so on."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def children(process: int) -> "list[int]":
    """List the children that a process has not waited for; none if the system does not report them."""
    found: list[int] = []
    folder = f"/proc/{process}/task"
    try:
        threads = os.listdir(folder)
    except OSError:
        return found  # it has ended
    for thread in threads:
        try:
            with open(f"{folder}/{thread}/children") as file:
                found += map(int, file.read().split())
        except OSError:
            continue  # that thread has ended
    return found


def descendants(process: int) -> "list[int]":
    found = children(process)
    for child in found:
        found += children(child)
    return found


def threads_of_user() -> int:
    count, user = 0, os.getuid()
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue  # it has ended
    return count


def temporary() -> str:
    """Make a folder for temporary files, named after this process's number."""
    parent = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - where there is no other
    path = f"{parent}/quadrille-bot-{os.getpid()}-{os.urandom(8).hex()}"
    os.mkdir(path, 0o700)
    return os.path.realpath(path)


def size(folder: str) -> int:
    """Add up the bytes of the files in a folder."""
    found = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                found += os.lstat(os.path.join(at, name)).st_size
            except OSError:
                continue  # it is gone
    return found


def remove(folder: str) -> None:
    for at, folders, names in os.walk(folder, topdown=False):
        for name in (*names, *folders):
            path = os.path.join(at, name)
            try:
                if name in folders and not os.path.islink(path):
                    os.rmdir(path)
                else:
                    os.unlink(path)
            except OSError:
                continue
    try:
        os.rmdir(folder)
    except OSError:
        return
