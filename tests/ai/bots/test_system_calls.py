"""The filter of system calls: its numbers, what it permits on either machine, and what boxed programs find.

Programs are boxed in all ways: by namespaces or by Landlock alone, as whoever runs the tests and as an ordinary user.
"""

import ctypes
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from quadrille.ai.bots.process import system_calls
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.process.system_calls import CONDITIONAL, NEWER, PERMITTED, numbers
from quadrille.ai.bots.process.warden_link import WardenLink
from quadrille.ai.faults import BotFault
from tests.ai.tournament.test_attacks import NAMESPACES, NO_MORE, ORDINARY, works

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are those of Linux")
ALLOWED, TOLD, REFUSED = 0x7FFF0000, 0x7FC00000, 0x00050000
FORBIDDEN, UNKNOWN, NO_FAMILY = (REFUSED | number for number in (1, 38, 97))
#: By machine: the column of its numbers, its number in the audit, and the header that numbers its calls.
MACHINES: Final = {
    "x86_64": (0, 0xC000003E, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": (-1, 0xC00000B7, "/usr/include/asm-generic/unistd.h"),
}
WAYS: Final = {"namespaces": [], "namespaces, ordinary": ORDINARY, "Landlock": NO_MORE}
PYTHON: Final = [sys.executable, "-I", "-S", "-c"]


# The filter itself


def decide(program: bytes, audit: int, number: int, *words: int) -> int:
    """What the kernel makes of a call by a filter."""
    data = struct.pack("=IIQ6Q", number, audit, 0, *words, *[0] * (6 - len(words)))
    steps, at, loaded = list(struct.iter_unpack("=HBBI", program)), 0, 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        match code:
            case 0x06:
                return int(value)
            case 0x20:
                (loaded,) = struct.unpack_from("=I", data, value)
            case 0x15 | 0x35 | 0x45:
                holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: loaded & value}[code]
                at += yes if holds else no
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


Decide = Callable[..., int]


@pytest.fixture(params=[(name, boxed) for name in MACHINES for boxed in (True, False)], ids=str)
def made(request: pytest.FixtureRequest) -> tuple[Decide, dict[str, int], bool]:
    """A filter, by name and arguments of a call, with the numbers of its machine; and whether it is of namespaces."""
    machine, boxed = request.param
    column, audit, _ = MACHINES[machine]
    program = system_calls.program(machine, boxed=boxed)
    of = numbers(PERMITTED, column) | numbers(CONDITIONAL, column)
    return lambda name, *words: decide(program, audit, of.get(name, name), *words), of, boxed


def test_what_is_named_is_permitted_and_all_else_is_refused(made: tuple[Decide, dict[str, int], bool]) -> None:
    asked, of, _ = made
    conditional = set(numbers(CONDITIONAL, 0))
    assert {asked(name) for name in of if name not in conditional} == {ALLOWED}
    others = set(range(1024)) - set(of.values())
    assert {asked(number) for number in others if number < NEWER} == {FORBIDDEN}
    assert {asked(number) for number in others if number >= NEWER} == {UNKNOWN}  # so that C libraries fall back
    assert {asked(0x40000000 + number) for number in of.values()} == {UNKNOWN}  # x86-64 has them once more there
    assert asked(0xFFFFFFFF) == UNKNOWN


def test_calls_of_another_machine_are_refused() -> None:
    for machine, (_, audit, _) in MACHINES.items():
        for boxed in (True, False):
            program = system_calls.program(machine, boxed=boxed)
            assert {decide(program, audit ^ 1, number) for number in range(1024)} == {UNKNOWN}
            assert decide(program, 0x40000003, 1) == UNKNOWN  # i386
    assert system_calls.program("sparc", boxed=True) == b""


def test_arguments_decide_about_some_calls(made: tuple[Decide, dict[str, int], bool]) -> None:
    asked, _, boxed = made
    threads, child, namespaces = (
        0x3D0F00,
        17,
        (0x00020000, 0x02000000, 0x04000000, 0x08000000, 1 << 28, 1 << 29, 1 << 30),
    )
    assert asked("clone", threads) == asked("clone", child) == ALLOWED
    assert {asked("clone", child | flag) for flag in namespaces} == {FORBIDDEN}
    private, shared, anonymous = 2, 1, 0x20
    assert asked("mmap", 0, 9, 3, private | anonymous) == asked("mmap", 0, 9, 3, shared) == ALLOWED
    assert asked("mmap", 0, 9, 3, shared | anonymous) == asked("mmap", 0, 9, 3, private | 0x40000) == FORBIDDEN
    families = {number: asked("socket", number, 1) for number in range(50)}
    assert {families.pop(number) for number in (2, 10)} == {TOLD if boxed else NO_FAMILY}
    assert families.pop(1) == (ALLOWED if boxed else NO_FAMILY)
    assert set(families.values()) == {NO_FAMILY}
    assert asked("socketpair", 1, 1) == asked("socketpair", 1, 5 | 0o2000000) == ALLOWED
    assert {asked("socketpair", 1, kind) for kind in (2, 3)} == {ALLOWED if boxed else NO_FAMILY}
    assert asked("socketpair", 16, 1) == NO_FAMILY
    assert [asked("setsockopt", 3, 1, option) for option in (2, 7, 26, 32)] == [ALLOWED, *[FORBIDDEN] * 3]
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        found = {number: asked(name, number) for number in (0, 1, 2, 1 << 32 | 1)}
        assert list(found.values()) == [ALLOWED, FORBIDDEN, ALLOWED if boxed else FORBIDDEN, FORBIDDEN], name
        assert [asked("setpriority", kind, 1) for kind in range(3)] == [FORBIDDEN] * 3
    assert asked("setpriority", 0, 0) == ALLOWED and asked("setpriority", 2, 0) == FORBIDDEN


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    column, _, header = MACHINES[machine]
    if not Path(header).exists():
        pytest.skip("needs the kernel's headers")
    rows = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text())
    there = {name: int(number) for name, number in rows} | {"fchmodat2": 452}  # newer than some headers
    there.setdefault("newfstatat", there.get("fstatat", -1))  # its other name
    found = numbers(PERMITTED + CONDITIONAL, column)
    assert found == {name: there.get(name) for name in found}
    lacks = {name for name in numbers(PERMITTED, 0) if name not in found}
    assert not lacks & there.keys()


# In boxes


@pytest.fixture(params=[pytest.param(way, marks=() if way == "namespaces" else pytest.mark.slow) for way in WAYS])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Programs are started in such a box. Where it is another one than the system makes here, the test is skipped."""
    before = WAYS[request.param]
    if not NAMESPACES or not works(before):
        pytest.skip("this system starts no program so")
    words = WardenLink.words
    monkeypatch.setattr(WardenLink, "words", lambda *given: [*before, *words(*given)])
    with Program([*PYTHON, ""], limits=Limits(isolate="if possible")) as one:
        held = one.protection
    if held.namespaces == (request.param == "Landlock") or not (held.namespaces or held.landlock):
        pytest.skip(f"this system has {held}")
    yield request.param


def boxed(code: str, **limits: Any) -> Program:
    return Program([*PYTHON, code], limits=Limits(isolate="if possible", **limits))


def ends(program: Program) -> BotFault:
    with program, pytest.raises(BotFault) as caught:
        while program.line(60) is not None:
            pass
    return caught.value


#: Says which calls were not refused. Those that would do harm get senseless arguments.
PROBE: Final = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def tried(number, *words):
    if libc.syscall(ctypes.c_long(number), *[ctypes.c_void_p(word) for word in words]) >= 0: return True
    return ctypes.get_errno() not in (1, 38, 97)
print([name for name, words in CALLS.items() if tried(*words)], flush=True)
"""
_X86: Final = {
    "add_key": 248, "request_key": 249, "keyctl": (250, 0, -3, 0), "vsock": (41, 40, 1, 0), "netlink": (41, 16, 3, 0),
    "inet": (41, 2, 1, 0), "inet6": (41, 10, 2, 0), "packet": (41, 17, 3, 0), "alg": (41, 38, 5, 0),
    "io_uring": (425, 1, 0), "memfd": (319, 0, 0), "memfd_secret": (447, 0), "shmget": (29, 0, 4096, 0o1700),
    "msgget": (68, 0, 0o1700), "semget": (64, 0, 1, 0o1700), "mq_open": 240, "unshare": (272, 0x10000000),
    "clone": (56, 0x10000011, 0, 0, 0, 0), "clone3": (435, 0, 0), "setns": (308, 0, 0), "ptrace": (101, 0, 0, 0, 0),
    "process_vm_readv": 310, "bpf": (321, 0, 0, 0), "perf": 298, "userfaultfd": (323, 1), "mount": 165,
    "fsopen": (430, 0, 0), "open_tree": (428, -100, 0, 0), "handle": 303, "kexec": 246, "pivot_root": 155,
    "pidfd_getfd": (438, 0, 0, 0), "x32": 0x40000027, "splice": 275, "vmsplice": 278, "io_setup": 206,
    "prlimit of the warden": (302, 1, 7, 0, 0), "idle warden": (144, 1, 5, 0), "nice warden": (141, 0, 1, 19),
    "nice user": (141, 2, 0, 19), "affinity": (203, 1, 8, 0), "seccomp": (317, 1, 0, 0), "fanotify": 300, "quota": 179,
    "shared memory": (9, 0, 4096, 3, 0x21, -1, 0), "syslog": (103, 10, 0, 0), "reboot": 169, "swapon": 167,
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux" or not Path(MACHINES["x86_64"][2]).exists(), reason="numbers of x86-64")
def test_what_leads_out_of_a_box_is_refused_in_each(way: str) -> None:
    calls = {name: words if isinstance(words, tuple) else (words,) for name, words in _X86.items()}
    with boxed(f"CALLS = {calls!r}\n{PROBE}") as one:
        assert one.line(20) == b"[]", one.errors


#: Runs in a session with a key: two programs in boxes without a filter look for it, and leave one behind.
KEYS: Final = """
import ctypes, sys
from quadrille.ai.bots.process import system_calls
from quadrille.ai.bots.process.program import Limits, Program
libc = ctypes.CDLL(None)
assert libc.syscall(250, 1, None) > 0
own = libc.syscall(248, b"user", b"secret", b"it is here", 10, -3)
assert own > 0 and libc.syscall(250, 10, -3, b"user", b"secret", 0) == own
if len(sys.argv) > 1: system_calls.program = lambda *_, **__: b""
look = '''
import ctypes
libc = ctypes.CDLL(None)
found = [libc.syscall(250, 10, -3, b"user", name, 0) for name in (b"secret", b"left")]
read = libc.syscall(250, 11, %d, ctypes.create_string_buffer(99), 99)
left = libc.syscall(248, b"user", b"left", b"for you", 7, -3)
print(found, read, left > 0, flush=True)
''' % own
for _ in range(2):
    with Program([sys.executable, "-I", "-S", "-c", look], limits=Limits(isolate="if possible")) as one:
        print(one.line(20).decode(), one.protection.namespaces)
"""


@pytest.mark.skipif(system_calls.program(__import__("platform").machine(), boxed=True) == b"", reason="unknown machine")
@pytest.mark.parametrize("filtered", [True, False])
def test_a_box_has_no_key_of_the_runner_or_of_the_box_before(filtered: bool) -> None:
    """Without the filter it has a keyring of its own, and with it no keys at all."""
    if ctypes.CDLL(None).syscall(250, 0, -3, 0) < 0 or not Path(MACHINES["x86_64"][2]).exists():
        pytest.skip("needs a kernel with keys, on x86-64")
    for before in ([], NO_MORE) if works(NO_MORE) else ([],):
        words = [*before, sys.executable, "-c", KEYS, *([] if filtered else ["open"])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert done.stdout.splitlines() == [f"[-1, -1] -1 {not filtered} {NAMESPACES and not before}"] * 2, done.stderr


def test_no_user_namespace_can_be_made_in_namespaces_even_without_a_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_calls, "program", lambda *_, **__: b"")
    code = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); print(libc.unshare(1 << 28), ctypes.get_errno())"
    if not NAMESPACES:
        pytest.skip("needs a system that lets programs make namespaces")
    with boxed(code) as one:
        assert one.line(20) == b"-1 28"  # "no space left", which is what the limit says


# Memory that no process maps

#: Each holds as much as it can, up to 600 MiB, and then says how much that is, in MiB.
HOLDERS: Final = {
    "a file in memory": "fd = os.memfd_create('x')\nfor _ in range(600): held += os.write(fd, MIB) >> 20",
    "a file": "fd = os.open(TMP + '/x', os.O_CREAT | os.O_RDWR)\nfor _ in range(600): held += os.write(fd, MIB) >> 20",
    "files": "for n in range(600): held += os.write(os.open(f'{TMP}/{n}', os.O_CREAT | os.O_RDWR), MIB) >> 20",
    "reserved": "for n in range(6): os.posix_fallocate(os.open(f'{TMP}/{n}', 66), 0, 60 << 20); held += 60",
    "System V": "for n in range(6): held += (100 if SYS(29, 0, 100 << 20, 0o1700) >= 0 else 1 / 0)",
    "queues": "for n in range(6): held += (100 if SYS(68, 0, 0o1700) >= 0 else 1 / 0)",
    "sockets": "SOCKETS",
    "sockets of children": "[os.fork() for _ in range(4)]\nSOCKETS",
    "pipes": "PIPES",
    "pipes of children": "[os.fork() for _ in range(4)]\nPIPES",
    "unmapped": "m = mmap.mmap(-1, 600 << 20)\nfor n in range(600): m.write(MIB); m.madvise(4); held += 1",
    "zeros": "fd = os.open('/dev/zero', os.O_RDWR); m = mmap.mmap(fd, 600 << 20)\n"
    "for n in range(600): m.write(MIB); m.madvise(4); held += 1",
    "page tables": "m = mmap.mmap(-1, 300 << 30, flags=0x4022, prot=1)\n"
    "for n in range(0, 300 << 30, 2 << 20): m[n]; held += 1 / 256\ntime.sleep(9)",
    "threads": "threading.stack_size(32768)\n"
    "for n in range(20000): threading.Thread(target=time.sleep, args=(60,)).start(); held += 1 / 32",
}
HOLD: Final = """
import ctypes, itertools, mmap, os, resource, signal, socket, threading, time
TMP, MIB, held = os.environ.get("TMPDIR", "/tmp"), bytes(1 << 20), 0
SYS = ctypes.CDLL(None).syscall
resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
while resource.getrlimit(resource.RLIMIT_DATA)[0] < 0: time.sleep(0.001)
def fill(fd):
    os.set_blocking(fd, False)
    size = 0
    try:
        while True: size += os.write(fd, MIB[:4096])
    except BlockingIOError: return size / (1 << 20)
try:
    CODE
except (OSError, ArithmeticError, MemoryError, RuntimeError) as error:
    print(error)
print("held", round(held), flush=True)
time.sleep(0.3)
"""
PIECES: Final = {
    "SOCKETS": "kept = []\nfor n in range(6000):\n  a, b = socket.socketpair(); kept += a, b\n"
    "  try: a.setsockopt(1, 7, 1 << 20)\n  except OSError: pass\n  held += fill(a.fileno()) + fill(b.fileno())",
    "PIPES": "import fcntl\nfor n in range(6000):\n  a, b = os.pipe()\n  try: fcntl.fcntl(b, 1031, 1 << 20)\n"
    "  except OSError: pass\n  held += fill(b)",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HOLDERS)
def test_no_memory_beyond_the_limit_is_held_without_being_mapped(way: str, what: str) -> None:
    code = HOLDERS[what]
    for name, piece in PIECES.items():
        code = code.replace(name, piece)
    program = boxed(HOLD.replace("CODE", code.replace("\n", "\n    ")), memory=256)
    with program:
        said = []
        with pytest.raises(BotFault) as caught:
            while (line := program.line(60)) is not None:
                said.append(line.decode())
    print(what, way, said[:3], caught.value.why)
    if caught.value.why not in ("used more than its 256 MiB of memory", "wrote more than 64 MiB of temporary files"):
        assert "exit code 0" in caught.value.why, program.errors
        assert sum(int(line.split()[1]) for line in said if line.startswith("held")) <= 256
