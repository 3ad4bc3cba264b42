"""The resources of all processes of a bot together, from /proc, and the temporary folder of a bot without a /tmp.

Used by warden.py. Like it, this module imports nothing of the project and little else.
"""

import os

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
#: Fields of /proc/PID/stat after the name: processor time of the process, and of its ended children.
_TIMES = slice(11, 15)


def memory(processes: "list[int]", most: int) -> int:
    """Their memory in bytes. Shared memory is counted once, which is computed only above `most`."""
    resident = sum(map(_resident, processes))
    return resident if resident <= most else sum(map(_proportional, processes))


def _resident(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(process: int) -> int:
    """A process's proportional share of memory; all of it if the system does not tell."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) << 10
    except OSError:
        return _resident(process)
    return 0


def processor(process: int) -> float:
    """Processor seconds of a process and of its ended children."""
    try:
        return sum(map(int, fields(process)[_TIMES])) / _TICK
    except OSError:
        return 0.0


def fields(process: int) -> "list[bytes]":
    """The fields of /proc/PID/stat after the name: state, parent, and so on."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def children(process: int) -> "list[int]":
    """The children of a process that it has not waited for; none if the system does not tell."""
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
    """All processes that descend from a process."""
    found = children(process)
    for child in found:
        found += children(child)
    return found


def threads_of_user() -> int:
    """How many threads this user has."""
    count, user = 0, os.getuid()
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue  # it has ended
    return count


def temporary() -> str:
    """A new folder for temporary files, named after this process's number."""
    parent = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - where there is no other
    path = f"{parent}/quadrille-bot-{os.getpid()}-{os.urandom(8).hex()}"
    os.mkdir(path, 0o700)
    return os.path.realpath(path)


def size(folder: str) -> int:
    """Total bytes of the files in a folder."""
    found = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                found += os.lstat(os.path.join(at, name)).st_size
            except OSError:
                continue  # it is gone
    return found


def remove(folder: str) -> None:
    """Remove a folder with all that is in it."""
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
