"""Which commands of a call that is many in one the filter permits; all others of the kernel's headers are refused.

So a command of later headers opens nothing before somebody has decided about it. tests/ai/bots/test_hostile.py tries
commands in boxes.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from quadrille.ai.bots.process.system_calls import CONDITIONAL, numbers
from tests.ai.bots.test_system_calls import ALLOWED, FORBIDDEN, Made, made

__all__ = ["made"]  # a fixture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are those of Linux")
INCLUDE: Final = Path("/usr/include")
IDLE, INVALID, NO_TERMINAL, NO_LOCK, UNSUPPORTED = (0x00050000 | error for error in (0, 22, 25, 37, 95))


@dataclass(frozen=True, slots=True)
class Decided:
    """What the filter answers to the commands of a call, as NAME:VALUE."""

    argument: int
    headers: tuple[str, ...]
    #: How the headers begin the line of a command; `\w+` without what are no commands.
    pattern: str
    answers: dict[int, str]
    #: What anything else gets, later commands among it.
    otherwise: int | None

    def values(self) -> dict[str, tuple[int, int]]:
        rows = [(row.split(":"), answer) for answer, words in self.answers.items() for row in words.split()]
        return {name: (int(value, 0), answer) for (name, value), answer in rows}

    def found(self) -> dict[str, int]:
        """Return the commands of the kernel's headers whose values stand there as numbers."""
        there = [INCLUDE / name for name in self.headers if (INCLUDE / name).exists()]
        told = {name: value for one in there for name, value in re.findall(self.pattern, one.read_text(), re.M)}
        for name, value in told.items():
            number = re.sub(r"\(\(__kernel_rwf_t\)(\w+)\)", r"\1", value).replace("F_LINUX_SPECIFIC_BASE", "1024")
            told[name] = re.sub(r"\b0(\d+)\b", r"0o\1", number)
        return {name: eval(number) for name, number in told.items() if not re.search(r"_IO|[A-Za-z]{3,}", number)}


FLAG: Final = r"(?=[\s(0-9])\s*=?\s*([^\n,]*?)\s*(?:/\*.*|,|\\)?$"
#: A signal or a lease on a file that others open too, notes of what they do with it, and locks, which two boxes see.
FCNTL: Final = Decided(
    1,
    ("asm-generic/fcntl.h", "linux/fcntl.h"),
    rf"^#define\s+(F_(?!RDLCK|WRLCK|UNLCK|EXLCK|SHLCK|OWNER_|SEAL_|LINUX_)\w+){FLAG}",
    {
        ALLOWED: "F_DUPFD:0 F_GETFD:1 F_SETFD:2 F_GETFL:3 F_SETFL:4 F_DUPFD_CLOEXEC:1030 F_SETPIPE_SZ:1031 "
        "F_GETPIPE_SZ:1032",
        NO_LOCK: "F_GETLK:5 F_SETLK:6 F_SETLKW:7 F_OFD_GETLK:36 F_OFD_SETLK:37 F_OFD_SETLKW:38",
    },
    INVALID,
)
#: What asks for a terminal, for what waits to be read, and for a file that waits or is closed.
IOCTL: Final = Decided(
    1,
    ("asm-generic/ioctls.h",),
    rf"^#\s*define\s+((?:T|FIO)(?!IOCPKT_|IOCSER_TEMT|IOCINQ)\w+){FLAG}",
    {
        ALLOWED: "TCGETS:0x5401 TIOCGPGRP:0x540F TIOCGWINSZ:0x5413 FIONREAD:0x541B FIONBIO:0x5421 FIONCLEX:0x5450 "
        "FIOCLEX:0x5451 TCGETS2:0x802C542A",
    },
    NO_TERMINAL,
)
#: What a process says of itself. A filter, names and tables are memory that no limit counts.
PRCTL: Final = Decided(
    0,
    ("linux/prctl.h",),
    rf"^#define\s+(PR_\w+){FLAG}",
    {
        ALLOWED: "PR_SET_PDEATHSIG:1 PR_GET_PDEATHSIG:2 PR_GET_DUMPABLE:3 PR_SET_DUMPABLE:4 PR_SET_NAME:15 "
        "PR_GET_NAME:16 PR_GET_SECCOMP:21 PR_CAPBSET_READ:23 PR_SET_TIMERSLACK:29 PR_GET_TIMERSLACK:30 "
        "PR_SET_CHILD_SUBREAPER:36 PR_GET_CHILD_SUBREAPER:37 PR_SET_NO_NEW_PRIVS:38 PR_GET_NO_NEW_PRIVS:39 "
        "PR_GET_TID_ADDRESS:40 PR_SET_THP_DISABLE:41 PR_GET_THP_DISABLE:42 PR_SVE_SET_VL:50 PR_SVE_GET_VL:51 "
        "PR_GET_SPECULATION_CTRL:52 PR_PAC_RESET_KEYS:54 PR_PAC_GET_ENABLED_KEYS:61 PR_SME_SET_VL:63 PR_SME_GET_VL:64",
    },
    INVALID,
)
#: Of its own memory. Pages that are merged, evicted or poisoned are others' too.
MADVISE: Final = Decided(
    2,
    ("asm-generic/mman-common.h",),
    rf"^#define\s+(MADV_\w+){FLAG}",
    {
        ALLOWED: "MADV_NORMAL:0 MADV_RANDOM:1 MADV_SEQUENTIAL:2 MADV_WILLNEED:3 MADV_DONTNEED:4 MADV_FREE:8 "
        "MADV_REMOVE:9 MADV_DONTFORK:10 MADV_DOFORK:11 MADV_HUGEPAGE:14 MADV_NOHUGEPAGE:15 MADV_DONTDUMP:16 "
        "MADV_DODUMP:17 MADV_WIPEONFORK:18 MADV_KEEPONFORK:19 MADV_POPULATE_READ:22 MADV_POPULATE_WRITE:23 "
        "MADV_DONTNEED_LOCKED:24",
    },
    INVALID,
)
#: Between its own threads. A barrier of all processes stops the whole machine for a moment.
MEMBARRIER: Final = Decided(
    0,
    ("linux/membarrier.h",),
    rf"^\s*(MEMBARRIER_CMD_(?!SHARED|FLAG_)\w+){FLAG}",
    {
        ALLOWED: "MEMBARRIER_CMD_QUERY:0 MEMBARRIER_CMD_PRIVATE_EXPEDITED:8 "
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED:16 MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE:32 "
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE:64 MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ:128 "
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ:256",
    },
    INVALID,
)
#: RWF_NOWAIT asks which pages of a file are in memory, and RWF_DONTCACHE evicts them.
READ: Final = Decided(
    5,
    ("linux/fs.h",),
    rf"^#define\s+(RWF_(?!SUPPORTED)\w+){FLAG}",
    {},
    UNSUPPORTED,
)
ALLOCATE: Final = Decided(
    1,
    ("linux/falloc.h",),
    rf"^#define\s+(FALLOC_\w+){FLAG}",
    {},
    UNSUPPORTED,
)
SYNC: Final = Decided(
    2,
    ("asm-generic/mman-common.h",),
    rf"^#define\s+(MS_\w+){FLAG}",
    {ALLOWED: "MS_ASYNC:1 MS_INVALIDATE:2", IDLE: "MS_SYNC:4"},
    None,
)
CLONE: Final = Decided(
    0,
    ("linux/sched.h",),
    rf"^#define\s+(CLONE_(?!ARGS_|CLEAR_SIGHAND|INTO_CGROUP)\w+){FLAG}",  # those are of clone3 alone
    {
        ALLOWED: "CLONE_NEWTIME:0x80 CLONE_VM:0x100 CLONE_FS:0x200 CLONE_FILES:0x400 CLONE_SIGHAND:0x800 "
        "CLONE_PIDFD:0x1000 CLONE_PTRACE:0x2000 CLONE_VFORK:0x4000 CLONE_PARENT:0x8000 CLONE_THREAD:0x10000 "
        "CLONE_SYSVSEM:0x40000 CLONE_SETTLS:0x80000 CLONE_PARENT_SETTID:0x100000 CLONE_CHILD_CLEARTID:0x200000 "
        "CLONE_DETACHED:0x400000 CLONE_UNTRACED:0x800000 CLONE_CHILD_SETTID:0x1000000 CLONE_IO:0x80000000",
        FORBIDDEN: "CLONE_NEWNS:0x20000 CLONE_NEWCGROUP:0x2000000 CLONE_NEWUTS:0x4000000 CLONE_NEWIPC:0x8000000 "
        "CLONE_NEWUSER:0x10000000 CLONE_NEWPID:0x20000000 CLONE_NEWNET:0x40000000",
    },
    None,
)
#: From SO_ATTACH_FILTER on all is refused: no program waits in vain for an option that it could do without.
OPTIONS: Final = Decided(
    2,
    ("asm-generic/socket.h",),
    rf"^#define\s+(SO_\w+)(?=\s+\d+\b){FLAG}",
    {
        ALLOWED: "SO_DEBUG:1 SO_REUSEADDR:2 SO_TYPE:3 SO_ERROR:4 SO_DONTROUTE:5 SO_BROADCAST:6 SO_RCVBUF:8 "
        "SO_KEEPALIVE:9 SO_OOBINLINE:10 SO_NO_CHECK:11 SO_PRIORITY:12 SO_LINGER:13 SO_BSDCOMPAT:14 SO_REUSEPORT:15 "
        "SO_PASSCRED:16 SO_PEERCRED:17 SO_RCVLOWAT:18 SO_SNDLOWAT:19 SO_RCVTIMEO_OLD:20 SO_SNDTIMEO_OLD:21 "
        "SO_SECURITY_AUTHENTICATION:22 SO_SECURITY_ENCRYPTION_TRANSPORT:23 SO_SECURITY_ENCRYPTION_NETWORK:24 "
        "SO_BINDTODEVICE:25",
    },
    FORBIDDEN,
)
DECIDED: Final = {
    "fcntl": FCNTL, "ioctl": IOCTL, "prctl": PRCTL, "madvise": MADVISE, "membarrier": MEMBARRIER, "preadv2": READ,
    "pwritev2": READ, "fallocate": ALLOCATE, "msync": SYNC, "clone": CLONE, "setsockopt": OPTIONS,
}  # fmt: skip


BEYOND: Final = (0, 1 << 32, 0xFFFFFFFF << 32)  # bits of a command that change nothing, as in the kernel


def asked_by(made: Made, call: str, value: int, *beyond: int) -> int:
    """The filter's answer to a command, with any bits beyond it, or with these."""
    before, after = [0] * DECIDED[call].argument, [0] * (5 - DECIDED[call].argument)
    [answer] = {made[0](call, *before, value | high, *after) for high in beyond or BEYOND}
    return answer


@pytest.mark.parametrize("call", DECIDED)
def test_the_filter_answers_each_command_as_somebody_has_decided(made: Made, call: str) -> None:
    decided = DECIDED[call]
    values = decided.values()
    assert {name: asked_by(made, call, value) for name, (value, _) in values.items()} == {
        name: answer for name, (_, answer) in values.items()
    }
    if decided.otherwise is not None:
        others = {*range(2000), *(1 << bit for bit in range(32)), 0x89F0, 0xFFFFFFFF, *decided.found().values()}
        others -= {value for value, _ in values.values()}
        others -= {0} if call in ("preadv2", "pwritev2", "fallocate", "setsockopt") else set()  # no flag at all
        answers = {asked_by(made, call, value, BEYOND[number % 3]) for number, value in enumerate(sorted(others))}
        assert answers == {decided.otherwise}


@pytest.mark.parametrize("call", DECIDED)
def test_commands_have_the_values_of_the_kernel_s_headers(call: str) -> None:
    values = DECIDED[call].values()
    assert all(number == values[name][0] for name, number in DECIDED[call].found().items() if name in values)


def test_flags_and_sizes_decide_too(made: Made) -> None:
    """O_ASYNC lets a file send signals, and a larger pipe is memory that no limit counts."""
    asked, of, boxed = made
    for flags, answer in ((0o2000 | 0o4000 | 0o100002, ALLOWED), (0o20000, FORBIDDEN), (0o24000, FORBIDDEN)):
        assert asked("fcntl", 3, 4, flags) == answer
    assert [asked("fcntl", 3, 1031, size) for size in (1 << 16, 1 << 16 | 1, 1 << 20)] == [ALLOWED, *[FORBIDDEN] * 2]
    assert {asked(name) for name in ("flock", "fsync", "fdatasync", "readahead", "fadvise64")} == {IDLE}
    changes = re.findall(r"\b(?:[lf]?ch(?:mod|own)\w*|f?utime\w*|truncate)\b", " ".join(of))
    assert len(changes) > 6 and {asked(name) for name in changes} == {ALLOWED if boxed else FORBIDDEN}
    assert asked("preadv2") == asked("pwritev2") == asked("fallocate") == ALLOWED
    assert numbers(CONDITIONAL, 0).keys() >= {*DECIDED}
