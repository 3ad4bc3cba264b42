"""The filter of system calls: its numbers, what it permits on either machine, and what programs in boxes find.

Programs are boxed in all ways: by namespaces or by Landlock alone, as whoever runs the tests and as an ordinary user.
"""

import functools
import platform
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from quadrille.ai.bots.process import system_calls, warden_link
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.process.system_calls import CONDITIONAL, NEWER, PERMITTED, numbers
from quadrille.ai.bots.process.warden_link import WardenLink
from quadrille.ai.faults import BotFault, NotIsolated
from tests.ai.tournament.test_attacks import MODES, NAMESPACES, works
from tests.waiting import DEADLINE, soon

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are those of Linux")
ON_X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="calls by the numbers of x86-64")
ALLOWED, TOLD = 0x7FFF0000, 0x7FC00000
FORBIDDEN, UNKNOWN, NO_FAMILY = (0x00050000 | number for number in (1, 38, 97))
#: By machine: the column of its numbers, its number in the audit, and the header that numbers its calls.
MACHINES: Final = {
    "x86_64": (0, 0xC000003E, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": (-1, 0xC00000B7, "/usr/include/asm-generic/unistd.h"),
}
EACH: Final = [pytest.param(way, marks=() if way == "namespaces" else pytest.mark.slow) for way in MODES]


#: The steps of a program, which are asked for thousands of times.
unpacked = functools.cache(lambda program: tuple(struct.iter_unpack("=HBBI", program)))


def decide(program: bytes, audit: int, number: int, *words: int) -> int:
    """What the kernel makes of a call by a filter."""
    data = struct.pack("=IIQ6Q", number, audit, 0, *words, *[0] * (6 - len(words)))
    steps, at, loaded = unpacked(program), 0, 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif code == 0x05:
            at += value
        else:
            at += yes if {0x15: loaded == value, 0x35: loaded >= value, 0x45: loaded & value}[code] else no


Made = tuple[Callable[..., int], dict[str, int], bool]


@pytest.fixture(params=[(name, boxed) for name in MACHINES for boxed in (True, False)], ids=str)
def made(request: pytest.FixtureRequest) -> Made:
    """A filter, to be asked by name and arguments of a call; the numbers by name; and whether it is of namespaces."""
    machine, boxed = request.param
    column, audit, _ = MACHINES[machine]
    program = system_calls.program(machine, boxed=boxed)
    of = numbers(PERMITTED + CONDITIONAL, column)
    return lambda name, *words: decide(program, audit, of.get(name, name), *words), of, boxed


def test_what_is_named_is_permitted_and_all_else_is_refused(made: Made) -> None:
    asked, of, _ = made
    assert {asked(name) for name in of.keys() - numbers(CONDITIONAL, 0).keys()} == {ALLOWED}
    others = set(range(1024)) - set(of.values())
    assert {asked(number) for number in others if number < NEWER} == {FORBIDDEN}
    assert {asked(number) for number in others if number >= NEWER} == {UNKNOWN}  # so that C libraries fall back
    assert {asked(0x40000000 + number) for number in range(1024)} == {UNKNOWN}  # x86-64 has them once more there


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernel_and_hold_for_no_other_machine(machine: str) -> None:
    column, audit, header = MACHINES[machine]
    program = system_calls.program(machine, boxed=True)
    assert {decide(program, other, 1) for other in (audit ^ 1, audit ^ 0x80000000, 0x40000003)} == {UNKNOWN}
    assert system_calls.program("sparc", boxed=True) == b""
    if not Path(header).exists():
        pytest.skip("needs the kernel's headers")
    rows = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text())
    there = {"fchmodat2": 452} | {name: int(number) for name, number in rows}  # which is newer than some headers
    there.setdefault("newfstatat", there.get("fstatat", -1))  # its other name
    found = numbers(PERMITTED + CONDITIONAL, column)
    assert found == {name: there.get(name) for name in found}
    assert not there.keys() & (numbers(PERMITTED, 0).keys() - found.keys())


def test_arguments_decide_about_some_calls(made: Made) -> None:
    asked, _, boxed = made
    assert asked("clone", 0x3D0F00) == asked("clone", 17) == ALLOWED  # a thread, a process
    private, shared, anonymous, huge = 2, 1, 0x20, 0x40000
    assert asked("mmap", 0, 9, 3, private | anonymous) == asked("mmap", 0, 9, 3, shared) == ALLOWED
    assert asked("mmap", 0, 9, 3, shared | anonymous) == asked("mmap", 0, 9, 3, private | huge) == FORBIDDEN
    families = {number: asked("socket", number, 1) for number in range(50)}
    assert {families.pop(number) for number in (2, 10)} == {TOLD if boxed else NO_FAMILY}
    assert families.pop(1) == (ALLOWED if boxed else NO_FAMILY) and set(families.values()) == {NO_FAMILY}
    assert asked("socketpair", 1, 1) == asked("socketpair", 1, 5 | 0o2000000) == ALLOWED
    assert {asked("socketpair", 1, kind) for kind in (2, 3)} == {ALLOWED if boxed else NO_FAMILY}
    assert asked("socketpair", 16, 1) == NO_FAMILY
    for name in ("prlimit64", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        found = [asked(name, number) for number in (0, 1, 1 << 32 | 1, 2)]
        assert found == [ALLOWED, FORBIDDEN, FORBIDDEN, ALLOWED if boxed else FORBIDDEN], name
    assert [asked("setpriority", *words) for words in ((0, 0), (0, 1), (1, 0), (2, 0))] == [ALLOWED, *[FORBIDDEN] * 3]


# In boxes


@pytest.fixture(params=EACH)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All programs are started in such a box; where this system makes another one, the test is skipped."""
    name: str = request.param
    if not NAMESPACES or not works(MODES[name]):
        pytest.skip("this system starts no program so")
    words = WardenLink.words
    monkeypatch.setattr(WardenLink, "words", lambda *given: [*MODES[name], *words(*given)])
    with boxed("") as one:
        if one.protection.namespaces == (name == "landlock") or one.protection.told == "nothing":
            pytest.skip(f"this system has {one.protection}")
    return name


def boxed(code: str, **limits: Any) -> Program:
    return Program([sys.executable, "-I", "-S", "-c", code], limits=Limits(isolate="if possible", **limits))


#: What was not refused. Calls that would do harm get senseless arguments.
PROBE: Final = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def tried(number, *words):
    done = libc.syscall(ctypes.c_long(number), *[ctypes.c_void_p(word) for word in words])
    return done >= 0 or ctypes.get_errno() not in (1, 38, 97)
print([name for name, words in CALLS.items() if tried(*words)], flush=True)
"""
CALLS: Final[dict[str, tuple[int, ...]]] = {
    "add_key": (248,), "request_key": (249,), "keyctl": (250, 0, -3, 0), "vsock": (41, 40, 1), "netlink": (41, 16, 3),
    "inet": (41, 2, 1), "inet6": (41, 10, 2), "packet": (41, 17, 3), "alg": (41, 38, 5), "io_uring": (425, 1),
    "memfd": (319,), "memfd_secret": (447,), "shmget": (29, 0, 4096, 0o1700), "msgget": (68, 0, 0o1700),
    "semget": (64, 0, 1, 0o1700), "mq_open": (240,), "unshare": (272, 1 << 28), "clone": (56, 0x10000011),
    "clone3": (435,), "setns": (308,), "ptrace": (101,), "process_vm_readv": (310,), "bpf": (321,), "perf": (298,),
    "userfaultfd": (323, 1), "mount": (165,), "fsopen": (430,), "open_tree": (428, -100), "file handle": (303,),
    "kexec": (246,), "pivot_root": (155,), "pidfd_getfd": (438,), "x32": (0x40000027,), "splice": (275,),
    "vmsplice": (278,), "io_setup": (206,), "seccomp": (317, 1), "fanotify": (300,), "inotify": (294,),
    "syslog": (103, 10), "limits of the warden": (302, 1, 7), "idle warden": (144, 1, 5),
    "nice warden": (141, 0, 1, 19), "nice user": (141, 2, 0, 19), "affinity of the warden": (203, 1, 8),
    "its own affinity": (203, 0, 8), "a timer that wakes who stands still": (222, 1),
    "shared memory": (9, 0, 4096, 3, 0x21, -1, 0),
}  # fmt: skip


@ON_X86
def test_what_leads_out_of_a_box_is_refused_in_each(way: str) -> None:
    with boxed(f"CALLS = {CALLS!r}\n{PROBE}") as one:
        assert one.line(20) == b"[]", one.errors
        assert one.uses_network == (way != "landlock")


#: In a session with a key: two programs in boxes without the filter look for it, and leave one behind.
KEYS: Final = """
import ctypes, sys
from quadrille.ai.bots.process import system_calls, warden_link
from quadrille.ai.bots.process.program import Limits, Program
system_calls.program = lambda *_, **__: b""
libc = ctypes.CDLL(None)
assert libc.syscall(250, 1, None) > 0
own = libc.syscall(248, b"user", b"secret", b"it is here", 10, -3)
assert own > 0 and libc.syscall(250, 10, -3, b"user", b"secret", 0) == own
look = '''
import ctypes
libc = ctypes.CDLL(None)
found = [libc.syscall(250, 10, -3, b"user", name, 0) for name in (b"secret", b"left")]
read = libc.syscall(250, 11, %d, ctypes.create_string_buffer(99), 99)
print(found, read, libc.syscall(248, b"user", b"left", b"for you", 7, -3) > 0, flush=True)
''' % own
for _ in range(2):
    with Program([sys.executable, "-I", "-S", "-c", look], limits=Limits(isolate="if possible")) as one:
        print(one.line(20).decode())
"""


@ON_X86
@pytest.mark.skipif(not Path("/proc/keys").exists(), reason="needs a kernel with keys")
def test_a_box_has_no_key_of_the_runner_or_of_the_box_before(way: str) -> None:
    """It has a keyring of its own, beside the filter, which refuses all calls about keys."""
    words = [*MODES[way], sys.executable, "-c", KEYS]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900)
    assert done.stdout.splitlines() == ["[-1, -1] -1 True"] * 2, done.stderr


@pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")
def test_where_the_kernel_takes_no_filter_a_required_box_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_calls, "program", lambda *_, **__: bytes(8))
    with boxed("") as one:
        assert one.protection.namespaces and "seccomp" in one.protection.why
    with pytest.raises(NotIsolated, match="seccomp"):
        Program([sys.executable, "-c", ""], limits=Limits(isolate="required"))


#: Each holds as much as it can, up to 600 MiB, and counts it in MiB.
HOLDERS: Final = {
    "memfd": "fd = os.memfd_create('x')\nfor _ in range(600): held += os.write(fd, MIB) >> 20",
    "System V": "for _ in range(6): held += 100 / (SYS(29, 0, 100 << 20, 0o1700) >= 0)",
    "a file": "fd = os.open(TMP + '/x', 66)\nfor _ in range(600): held += os.write(fd, MIB) >> 20",
    "files": "for n in range(600): held += os.write(os.open(f'{TMP}/{n}', 66), MIB) >> 20",
    "sockets": "for _ in range(9999): fill(*[end.detach() for end in socket.socketpair()])",
    "pipes": "for _ in range(9999): fill(*os.pipe())",
    "unmapped": "unmap(-1)",
    "zeros": "unmap(os.open('/dev/zero', 2))",
    "page tables": "m = mmap.mmap(-1, 1 << 38, 0x4022, 1)\nfor n in range(0, 1 << 38, 2 << 20): m[n]; held += 1 / 256",
    "threads": "for _ in range(20000): threading.Thread(target=END.wait, daemon=True).start(); held += 1 / 32",
}
HOLD: Final = """
import ctypes, fcntl, mmap, os, resource, socket, sys, threading, time
from contextlib import suppress
TMP, MIB, SYS, held = os.environ.get("TMPDIR", "/tmp"), bytes(1 << 20), ctypes.CDLL(None).syscall, 0
END = threading.Event()  # never comes: what ends by itself is not held, however slow the machine is
threading.stack_size(32768)
def unmap(file):
    global held
    m = mmap.mmap(file, 600 << 20)
    for _ in range(600): m.write(MIB); m.madvise(4); held += 1
def fill(*ends):
    global held
    for end in ends:
        os.set_blocking(end, False)
        with suppress(OSError): fcntl.fcntl(end, 1031, 1 << 20)
        with suppress(OSError):
            while True: held += os.write(end, MIB[:4096]) / (1 << 20)
for _ in range(FORKS): os.fork()
with suppress(OSError, ArithmeticError): exec(CODE)
print(round(held), flush=True)
sys.stdin.read()
"""


@ON_X86
@pytest.mark.slow
@pytest.mark.parametrize("what", HOLDERS)
def test_no_memory_beyond_the_limit_is_held_that_no_process_maps(way: str, what: str) -> None:
    """It is refused or counted."""
    forks, said, why = 4 if what in ("sockets", "pipes") else 0, list[int](), ""
    code = HOLD.replace("CODE", repr(HOLDERS[what])).replace("FORKS", str(forks))
    with boxed(code, memory=256) as one:
        try:
            while (len(said) < 2**forks or sum(said) > 256) and (line := one.line(DEADLINE)):
                said.append(int(line))
        except BotFault as fault:
            why = fault.why
    caught = why.startswith(("used more than its 256 MiB of memory", "wrote more than 64 MiB of temporary files"))
    assert caught or (not why and sum(said) <= 256), (why, said)


def test_what_a_program_starts_at_once_has_its_limits(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that comes after its start is needed for them: a child of its first moment would never hear of that."""
    late = "import resource; resource.prlimit = lambda *_: None; "
    monkeypatch.setattr(warden_link, "_WARDEN", late + warden_link._WARDEN)
    with boxed("import resource as r; print(*(r.getrlimit(kind)[1] for kind in (2, 7, 1)), flush=1)", memory=64) as one:
        assert one.line(DEADLINE) == b"201326592 256 67108864"


def test_no_bot_takes_a_processor_for_itself_where_its_user_may(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few test machines let a user have real-time priority, so the warden tells what it forbids before it does."""
    tells = "import os, resource as r; old = r.setrlimit; "
    tells += "r.setrlimit = lambda kind, pair: [os.write(2, b'%d: %d\\n' % (kind, pair[1])), old(kind, pair)]; "
    monkeypatch.setattr(warden_link, "_WARDEN", tells + warden_link._WARDEN)
    with boxed("import resource as r; print(r.getrlimit(r.RLIMIT_RTPRIO), flush=True)") as one:
        assert one.line(DEADLINE) == b"(0, 0)"
        assert soon(lambda: {"13: 0", "14: 0"} <= {*one.errors.splitlines()})


# Which commands of a call that is many in one the filter permits; all others of the kernel's headers are refused
#
# So a command of later headers opens nothing before somebody has decided about it. tests/ai/bots/test_hostile.py tries
# commands in boxes.


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
#: RWF_NOWAIT asks which pages of a file are in memory, and RWF_DONTCACHE evicts them.
READ: Final = Decided(5, ("linux/fs.h",), rf"^#define\s+(RWF_(?!SUPPORTED)\w+){FLAG}", {}, UNSUPPORTED)
DECIDED: Final = {
    # A signal or a lease on a file that others open too, notes of what they do with it, and locks, which two boxes see.
    "fcntl": Decided(1, ("asm-generic/fcntl.h", "linux/fcntl.h"),
        rf"^#define\s+(F_(?!RDLCK|WRLCK|UNLCK|EXLCK|SHLCK|OWNER_|SEAL_|LINUX_)\w+){FLAG}", {
        ALLOWED: "F_DUPFD:0 F_GETFD:1 F_SETFD:2 F_GETFL:3 F_SETFL:4 F_DUPFD_CLOEXEC:1030 F_SETPIPE_SZ:1031 "
        "F_GETPIPE_SZ:1032",
        NO_LOCK: "F_GETLK:5 F_SETLK:6 F_SETLKW:7 F_OFD_GETLK:36 F_OFD_SETLK:37 F_OFD_SETLKW:38",
    }, INVALID),
    # What asks for a terminal, for what waits to be read, and for a file that waits or is closed.
    "ioctl": Decided(1, ("asm-generic/ioctls.h",),
        rf"^#\s*define\s+((?:T|FIO)(?!IOCPKT_|IOCSER_TEMT|IOCINQ)\w+){FLAG}", {
        ALLOWED: "TCGETS:0x5401 TIOCGPGRP:0x540F TIOCGWINSZ:0x5413 FIONREAD:0x541B FIONBIO:0x5421 FIONCLEX:0x5450 "
        "FIOCLEX:0x5451 TCGETS2:0x802C542A",
    }, NO_TERMINAL),
    # What a process says of itself. A filter, names and tables are memory that no limit counts.
    "prctl": Decided(0, ("linux/prctl.h",), rf"^#define\s+(PR_\w+){FLAG}", {
        ALLOWED: "PR_SET_PDEATHSIG:1 PR_GET_PDEATHSIG:2 PR_GET_DUMPABLE:3 PR_SET_DUMPABLE:4 PR_SET_NAME:15 "
        "PR_GET_NAME:16 PR_GET_SECCOMP:21 PR_CAPBSET_READ:23 PR_SET_TIMERSLACK:29 PR_GET_TIMERSLACK:30 "
        "PR_SET_CHILD_SUBREAPER:36 PR_GET_CHILD_SUBREAPER:37 PR_SET_NO_NEW_PRIVS:38 PR_GET_NO_NEW_PRIVS:39 "
        "PR_GET_TID_ADDRESS:40 PR_SET_THP_DISABLE:41 PR_GET_THP_DISABLE:42 PR_SVE_SET_VL:50 PR_SVE_GET_VL:51 "
        "PR_GET_SPECULATION_CTRL:52 PR_PAC_RESET_KEYS:54 PR_PAC_GET_ENABLED_KEYS:61 PR_SME_SET_VL:63 PR_SME_GET_VL:64",
    }, INVALID),
    # Of its own memory. Pages that are merged, evicted or poisoned are others' too.
    "madvise": Decided(2, ("asm-generic/mman-common.h",), rf"^#define\s+(MADV_\w+){FLAG}", {
        ALLOWED: "MADV_NORMAL:0 MADV_RANDOM:1 MADV_SEQUENTIAL:2 MADV_WILLNEED:3 MADV_DONTNEED:4 MADV_FREE:8 "
        "MADV_REMOVE:9 MADV_DONTFORK:10 MADV_DOFORK:11 MADV_HUGEPAGE:14 MADV_NOHUGEPAGE:15 MADV_DONTDUMP:16 "
        "MADV_DODUMP:17 MADV_WIPEONFORK:18 MADV_KEEPONFORK:19 MADV_POPULATE_READ:22 MADV_POPULATE_WRITE:23 "
        "MADV_DONTNEED_LOCKED:24",
    }, INVALID),
    # Between its own threads. A barrier of all processes stops the whole machine for a moment.
    "membarrier": Decided(0, ("linux/membarrier.h",), rf"^\s*(MEMBARRIER_CMD_(?!SHARED|FLAG_)\w+){FLAG}", {
        ALLOWED: "MEMBARRIER_CMD_QUERY:0 MEMBARRIER_CMD_PRIVATE_EXPEDITED:8 "
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED:16 MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE:32 "
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE:64 MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ:128 "
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ:256",
    }, INVALID),
    "preadv2": READ,
    "pwritev2": READ,
    "fallocate": Decided(1, ("linux/falloc.h",), rf"^#define\s+(FALLOC_\w+){FLAG}", {}, UNSUPPORTED),
    "msync": Decided(2, ("asm-generic/mman-common.h",), rf"^#define\s+(MS_\w+){FLAG}", {
        ALLOWED: "MS_ASYNC:1 MS_INVALIDATE:2", IDLE: "MS_SYNC:4",
    }, None),
    # Without the flags that are of clone3 alone.
    "clone": Decided(0, ("linux/sched.h",), rf"^#define\s+(CLONE_(?!ARGS_|CLEAR_SIGHAND|INTO_CGROUP)\w+){FLAG}", {
        ALLOWED: "CLONE_NEWTIME:0x80 CLONE_VM:0x100 CLONE_FS:0x200 CLONE_FILES:0x400 CLONE_SIGHAND:0x800 "
        "CLONE_PIDFD:0x1000 CLONE_PTRACE:0x2000 CLONE_VFORK:0x4000 CLONE_PARENT:0x8000 CLONE_THREAD:0x10000 "
        "CLONE_SYSVSEM:0x40000 CLONE_SETTLS:0x80000 CLONE_PARENT_SETTID:0x100000 CLONE_CHILD_CLEARTID:0x200000 "
        "CLONE_DETACHED:0x400000 CLONE_UNTRACED:0x800000 CLONE_CHILD_SETTID:0x1000000 CLONE_IO:0x80000000",
        FORBIDDEN: "CLONE_NEWNS:0x20000 CLONE_NEWCGROUP:0x2000000 CLONE_NEWUTS:0x4000000 CLONE_NEWIPC:0x8000000 "
        "CLONE_NEWUSER:0x10000000 CLONE_NEWPID:0x20000000 CLONE_NEWNET:0x40000000",
    }, None),
    # From SO_ATTACH_FILTER on all is refused: no program waits in vain for an option that it could do without.
    "setsockopt": Decided(2, ("asm-generic/socket.h",), rf"^#define\s+(SO_\w+)(?=\s+\d+\b){FLAG}", {
        ALLOWED: "SO_DEBUG:1 SO_REUSEADDR:2 SO_TYPE:3 SO_ERROR:4 SO_DONTROUTE:5 SO_BROADCAST:6 SO_RCVBUF:8 "
        "SO_KEEPALIVE:9 SO_OOBINLINE:10 SO_NO_CHECK:11 SO_PRIORITY:12 SO_LINGER:13 SO_BSDCOMPAT:14 SO_REUSEPORT:15 "
        "SO_PASSCRED:16 SO_PEERCRED:17 SO_RCVLOWAT:18 SO_SNDLOWAT:19 SO_RCVTIMEO_OLD:20 SO_SNDTIMEO_OLD:21 "
        "SO_SECURITY_AUTHENTICATION:22 SO_SECURITY_ENCRYPTION_TRANSPORT:23 SO_SECURITY_ENCRYPTION_NETWORK:24 "
        "SO_BINDTODEVICE:25",
    }, FORBIDDEN),
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
