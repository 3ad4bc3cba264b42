"""A bound for all processes of a bot together that the kernel itself keeps: a cgroup (version 2) of its own.

It can be had where the cgroup in which this program was started is delegated to it, and nobody else is in it: on
Linux with `systemd-run --user --scope -p Delegate=yes`. Everywhere else there is none, and nothing fails. With
a cgroup and without one, the warden adds up the memory and time of all processes (census.py); warden.py also
brings the bot's process into its cgroup.
protocols.md, "Tournaments" (Limits), is the specification.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.census import fields

#: What a cgroup of ours has to be able to bound.
_NEEDED: Final = "memory", "pids"
#: Where this program and its workers are: where there are processes, nothing can be bounded below.
_OURS: Final = "quadrille-runner"
#: How often processes are moved: one that starts another meanwhile leaves it behind.
_TRIES: Final = 3
#: How long the last process may take to be gone, in seconds.
_GOING: Final = 0.2


@dataclass(frozen=True, slots=True)
class Cgroup:
    """Of one bot."""

    folder: Path

    def door(self) -> int:
        """A file by which a process comes in whose number is written there; -1 if there is none."""
        try:
            return os.open(self.folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            return -1

    @property
    def was_short(self) -> bool:
        """Whether its processes were killed because they needed more memory than they may have."""
        with suppress(OSError):
            for line in (self.folder / "memory.events").read_text("ascii").splitlines():
                if line.startswith("oom_kill "):
                    return line != "oom_kill 0"
        return False

    def remove(self) -> None:
        """Kill who is left in it, and take it away."""
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
    """A new one, for so many MiB and so many threads; None where none can be had."""
    return make_in(above, memory, processes) if (above := prepare()) is not None else None


def make_in(above: Path, memory: int | None, processes: int | None) -> Cgroup | None:
    """The same in a delegated cgroup."""
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
    """The cgroup that is delegated to us, in which those of bots can be made; None if there is none.

    The first that asks moves all that are in it into one of its own. So a program with workers asks before it starts
    them: a worker finds itself there, and can't tell who the others are.
    """
    try:
        own = _own(Path("/proc/self/cgroup").read_text("utf-8"), Path("/proc/self/mountinfo").read_text("utf-8"))
        return take(own, _NEEDED) if own is not None else None
    except (OSError, ValueError):
        return None


def _own(groups: str, mounts: str) -> Path | None:
    """The folder of this process's cgroup, as /proc tells it."""
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
    """Make the cgroup in which this process is one in which others can be made that bound what is needed."""
    if own.name == _OURS:  # it was made so before this process was started
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
    """Whether it is this process or descends from it; one of another container, whose number is 0 here, does not."""
    while process > 1 and process != os.getpid():
        process = int(fields(process)[1])
    return process == os.getpid()


def _write(path: Path, text: str) -> None:
    """In one piece, as the kernel has it, and never to a file that is not there."""
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
