"""A user of its own for each box, from the range of numbers that this machine gives its user.

The kernel grants leases, and bounds what pipes take, by user; files of mode 600 are for their user alone. Two boxes of
one user, and the runner, would share all of that. The table's side: enclosure.py maps the number.
Specification: docs/protocols/isolation.md, "A user of its own".
"""

import os
import shutil
import socket
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

#: Numbers that root may give: systemd's list of all uses of numbers (UIDS-GIDS) has nobody there.
_OF_ROOT: Final = 1_879_048_192, 65_536
#: Other numbers of the range that are tried while boxes have the first ones.
_TRIES: Final = 64
#: Files of a folder that are looked at; the rest is taken to be alike. Caches, such as .git, are not what a bot reads.
_LOOKED: Final = 1000
#: Folders that every user reads: a few files in them are for root alone, and no program needs those.
_SYSTEM: Final = ("/bin", "/etc", "/gnu", "/lib", "/nix", "/opt", "/sbin", "/snap", "/sys", "/usr")


@dataclass(frozen=True, slots=True)
class OwnUser:
    """A user's number outside; no other box on this machine has it until `held` is closed."""

    number: int
    #: The program that maps the number; "" if root does it itself.
    mapper: str
    held: socket.socket


def own_user(places: Sequence[str], path: str) -> OwnUser | str:
    """Return a user for a box that shows these places, or why there is none. `path` is that of programs."""
    if (locked := unreadable(places)) is not None:
        # A box shows files with their owner: no mount changes that without rights over the whole file system.
        return f"only their owner reads {locked}, so the bot has your user (chmod -R go+rX lets it have its own)"
    mapper = "" if os.geteuid() == 0 else shutil.which("newuidmap", path=path) or ""
    if os.geteuid() and not mapper:
        return "there is no newuidmap (package uidmap or shadow), so the bot has your user"
    start, count = _range()
    first = int.from_bytes(os.urandom(4), "big")
    for step in range(min(_TRIES, count)):
        number = start + (first + step) % count
        held = socket.socket(socket.AF_UNIX)
        try:
            held.bind(f"\0quadrille-box-{number}")  # it goes with this process, however that ends
        except OSError:
            held.close()
            continue
        return OwnUser(number, mapper, held)
    return "there is no number for another user here (/etc/subuid), so the bot has your user"


def _range() -> tuple[int, int]:
    """Return the first number for boxes, and how many there are: 0 if there are none."""
    with suppress(OSError, ValueError, KeyError):
        import pwd  # Windows has none

        if os.geteuid() == 0:
            start, count = _OF_ROOT
            ranges = [list(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
            is_ours = any(low <= start and start + count <= low + most for low, _, most in ranges)
            return (start, count) if is_ours else (0, 0)
        names = {str(os.geteuid()), *(row.pw_name for row in pwd.getpwall() if row.pw_uid == os.geteuid())}
        for line in Path("/etc/subuid").read_text("utf-8").splitlines():
            name, _, numbers = line.partition(":")
            if name in names:
                start, count = map(int, numbers.split(":"))
                # containers without root take the lower ones: the upper half is for boxes
                return start + count // 2, count - count // 2
    return 0, 0


def unreadable(places: Iterable[str]) -> str | None:
    """Return a file or folder of the places (paths behind a mark) that its owner may use, and no other user."""
    paths = [place[1:] for place in places if place[0] == "+"]
    return next(filter(None, (_locked(path) for path in paths if not path.startswith(_SYSTEM))), None)


@lru_cache(1024)
def _locked(path: str) -> str:
    """Look at a file, or through a folder from its top. "" if all of it is readable."""
    left, groups = [path], {os.getegid(), *os.getgroups()}
    for _ in range(_LOOKED):
        if not left:
            return ""
        path = left.pop(0)
        try:
            status = os.lstat(path)
            if status.st_uid != os.geteuid() or stat.S_ISLNK(status.st_mode):
                continue  # no difference for another user
            needed = status.st_mode >> 6 & (7 if stat.S_ISSOCK(status.st_mode) else 5)
            if needed & ~(status.st_mode >> 3 if status.st_gid in groups else status.st_mode):
                return path
            if stat.S_ISDIR(status.st_mode):
                left += [os.path.join(path, name) for name in os.listdir(path) if not name.startswith((".", "__"))]
        except OSError:
            continue
    return ""
