"""A kernel limit for all processes of a bot together: a cgroup (version 2) of its own.

It needs a cgroup that is delegated to this program and holds nobody else: on Linux with `systemd-run --user --scope
-p Delegate=yes`. Everywhere else there is none, and nothing fails. In either case the warden adds up the memory and
time of all processes (census.py); warden.py also moves the bot's process into its cgroup. Specification:
docs/protocols/isolation.md, "The box".
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.census import fields

#: The controllers that our cgroups need.
_NEEDED: Final = "memory", "pids"
#: The cgroup of this program and its workers, because a cgroup with processes can't limit those below it.
_OURS: Final = "quadrille-runner"
#: How often processes are moved: one that starts another meanwhile leaves it behind.
_TRIES: Final = 3
#: Maximum seconds until the last process is gone.
_GOING: Final = 0.2


@dataclass(frozen=True, slots=True)
class Cgroup:
    """The cgroup of one bot."""

    folder: Path

    def door(self) -> int:
        """Open the file where a process joins by writing its number; -1 if there is none."""
        try:
            return os.open(self.folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            return -1

    @property
    def was_short(self) -> bool:
        """Return whether processes of the bot were killed for lack of memory."""
        with suppress(OSError):
            for line in (self.folder / "memory.events").read_text("ascii").splitlines():
                if line.startswith("oom_kill "):
                    return line != "oom_kill 0"
        return False

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


def make(memory: int, processes: int | None) -> Cgroup | None:
    """Make a cgroup for that many MiB and threads; None if none can be made."""
    return make_in(above, memory, processes) if (above := prepare()) is not None else None


def make_in(above: Path, memory: int | None, processes: int | None) -> Cgroup | None:
    """Make a cgroup in a delegated one."""
    made = Cgroup(above / f"bot-{os.getpid()}-{os.urandom(4).hex()}")
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
def prepare() -> Path | None:
    """Return the cgroup delegated to us, in which those of bots are made; None if there is none.

    The first call moves all its processes into a cgroup of their own. So a program with workers calls it before it
    starts them: a worker finds itself there, and can't tell who the others are.
    """
    try:
        own = _own(Path("/proc/self/cgroup").read_text("utf-8"), Path("/proc/self/mountinfo").read_text("utf-8"))
        return take(own, _NEEDED) if own is not None else None
    except (OSError, ValueError):
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
        return above if _is_ours(above) and _enabled(above, needed) else None
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


def _enabled(folder: Path, needed: tuple[str, ...]) -> bool:
    return set((folder / "cgroup.subtree_control").read_text("ascii").split()).issuperset(needed)


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
