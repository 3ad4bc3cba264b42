"""A cgroup (version 2) of a bot's own: the kernel counts the time of all its processes together, and keeps limits.

To count, it takes a cgroup in which this program may make others: that of a terminal on most desktops, or root's. To
limit memory, it takes one that is delegated to this program and holds nobody else: `systemd-run --user --scope -p
Delegate=yes`. Elsewhere there is none, nothing fails, and the warden adds up what it sees (usage.py). warden.py brings
the bot into its cgroup. Specification: docs/protocols/isolation.md, "What is counted".
"""

import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.usage import fields

#: The controllers that our cgroups need.
_NEEDED: Final = "memory", "pids"
#: The cgroup of this program and its workers, because a cgroup with processes can't limit those below it.
_OURS: Final = "quadrille-runner"
#: How the names of bots' cgroups begin.
_BOT: Final = "bot-"
#: How often processes are moved: one that starts another meanwhile leaves it behind.
_TRIES: Final = 3
#: Maximum seconds until the last process is gone.
_GOING: Final = 0.2


class Cgroup:
    """The cgroup of one bot."""

    def __init__(self, folder: Path, *, has_limits: bool) -> None:
        self.folder = folder
        self.has_limits = has_limits

    def door(self) -> int:
        """Open the folder, for a warden that joins it; -1 if that is impossible."""
        try:
            return os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            return -1

    @property
    def shortage(self) -> str | None:
        """Say which lack of memory killed processes: of its own "limit", of the "machine", or "" (None: unknown)."""
        with suppress(OSError, ValueError, KeyError):
            events = dict(line.split() for line in (self.folder / "memory.events").read_text("ascii").splitlines())
            return "" if events["oom_kill"] == "0" else "machine" if events["oom"] == "0" else "limit"
        return None

    def remove(self) -> None:
        with suppress(OSError):  # before Linux 5.14 there is no such file: the warden has killed them
            _write(self.folder / "cgroup.kill", "1")
        end = time.monotonic() + _GOING
        while True:
            try:
                self.folder.rmdir()
            except OSError:
                if self.folder.exists() and time.monotonic() < end:
                    time.sleep(0.002)
                    continue
            return


def make(memory: int | None, processes: int | None, cpu: int | None) -> Cgroup | None:
    """Make a cgroup that limits MiB of memory and threads, or at least counts for a limit of seconds; None if none can
    be made, or none is needed.
    """
    if memory is not None and (above := prepare()) is not None:
        return make_in(above, memory, processes)
    return make_in(above, None, None) if cpu is not None and (above := _writable()) is not None else None


def make_in(above: Path, memory: int | None, processes: int | None) -> Cgroup | None:
    """Make a cgroup in one that is ours; remove those that a killed runner has left there."""
    for left in above.glob(f"{_BOT}*"):
        if not Path("/proc", left.name.split("-")[1]).exists():
            with suppress(OSError):
                left.rmdir()
    name = f"{_BOT}{os.getpid()}-{os.urandom(4).hex()}"
    made = Cgroup(above / name, has_limits=(memory, processes) != (None, None))
    try:
        made.folder.mkdir()
    except OSError:
        return None
    try:
        if memory is not None:
            _write(made.folder / "memory.max", str(memory << 20))
            _write(made.folder / "memory.oom.group", "1")  # a bot that lost a part of itself would play on without it
            with suppress(FileNotFoundError):  # a kernel without swap
                _write(made.folder / "memory.swap.max", "0")
        if processes is not None:
            _write(made.folder / "pids.max", str(processes))
    except OSError:
        made.remove()
        return None
    return made


@cache
def _writable() -> Path | None:
    """Return the own cgroup, if others can be made in it."""
    own = _here()
    return own if own and all(os.access(own / name, os.W_OK) for name in ("", "cgroup.procs")) else None


@cache
def prepare() -> Path | None:
    """Return the cgroup delegated to us, in which those of bots are made; None if there is none.

    The first call moves all its processes into a cgroup of their own. So a program with workers calls it before it
    starts them: a worker finds itself there, and can't tell who the others are.
    """
    with suppress(OSError, ValueError):
        return take(own, _NEEDED) if (own := _here()) is not None else None
    return None


def _here() -> Path | None:
    with suppress(OSError, ValueError):
        return _own(Path("/proc/self/cgroup").read_text("utf-8"), Path("/proc/self/mountinfo").read_text("utf-8"))
    return None


def _own(groups: str, mounts: str) -> Path | None:
    """Find the folder of this process's cgroup in the texts of /proc."""
    path = next((line[3:] for line in groups.splitlines() if line.startswith("0::/")), None)
    if path is None or ".." in path.split("/"):
        return None
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        root, at = fields.split()[3:5]
        if rest.split()[0] == "cgroup2" and (path == root or path.startswith(root.rstrip("/") + "/")):
            return Path(at.replace("\\040", " ") + "/" + path.removeprefix(root))
    return None


def take(own: Path, needed: tuple[str, ...]) -> Path | None:
    """Prepare this process's own cgroup so that cgroups with the needed controllers can be made in it."""
    if own.name == _OURS:  # prepared before this process started
        above = own.parent
        if not _is_ours(above):
            return None
        return above if {*(above / "cgroup.subtree_control").read_text("ascii").split()}.issuperset(needed) else None
    there = set((own / "cgroup.controllers").read_text("ascii").split())
    if not _is_ours(own) or not there.issuperset(needed) or not all(map(_descends, _members(own))):
        return None
    inner = own / _OURS
    inner.mkdir(exist_ok=True)
    for _ in range(_TRIES):
        for process in _members(own):
            with suppress(ProcessLookupError):
                _write(inner / "cgroup.procs", str(process))
    if needed:
        _write(own / "cgroup.subtree_control", " ".join(f"+{name}" for name in needed))
    return own


def _is_ours(folder: Path) -> bool:
    return all(os.access(folder / name, os.W_OK) for name in ("", "cgroup.procs", "cgroup.subtree_control"))


def _members(folder: Path) -> list[int]:
    return list(map(int, (folder / "cgroup.procs").read_text("ascii").split()))


def _descends(process: int) -> bool:
    """Return whether a process is this one or descends from it; one of another container, shown as 0, does not."""
    while process > 1 and process != os.getpid():
        process = int(fields(process)[1])
    return process == os.getpid()


def _write(path: Path, text: str) -> None:
    """Write in one piece, as the kernel requires, and never to a missing file."""
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
