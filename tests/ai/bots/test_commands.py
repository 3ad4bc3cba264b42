"""Somebody has decided about each call of the kernel, and about each command of a call that is many in one.

A call or a command of later headers fails here until it has its place below. What is refused is refused by default
too, so that an undecided command opens nothing meanwhile. tests/ai/bots/test_hostile.py tries them in boxes.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from quadrille.ai.bots.process.system_calls import CONDITIONAL, PERMITTED, numbers
from tests.ai.bots.test_system_calls import ALLOWED, FORBIDDEN, MACHINES, Made, made

__all__ = ["made"]  # a fixture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are those of Linux")
INCLUDE: Final = Path("/usr/include")
IDLE, INVALID, NO_TERMINAL, NO_LOCK, UNSUPPORTED = (0x00050000 | error for error in (0, 22, 25, 37, 95))
#: Calls of the kernel's headers that no box has.
REFUSED: Final = """
  _sysctl acct add_key adjtimex afs_syscall arch_specific_syscall bpf capset chroot clock_adjtime clock_adjtime64
  clock_getres_time64 clock_gettime64 clock_nanosleep_time64 clock_settime clock_settime64 clone3 create_module
  delete_module epoll_ctl_old epoll_wait_old fanotify_init fanotify_mark file_getattr file_setattr finit_module
  fremovexattr fsconfig fsetxattr fsmount fsopen fspick fstatat futex_requeue futex_time64 futex_wait futex_wake
  get_kernel_syms get_thread_area getpmsg getxattrat init_module inotify_add_watch inotify_init inotify_init1
  inotify_rm_watch io_cancel io_destroy io_getevents io_pgetevents io_pgetevents_time64 io_setup io_submit
  io_uring_enter io_uring_register io_uring_setup ioperm iopl ioprio_get ioprio_set kcmp kexec_file_load kexec_load
  keyctl landlock_add_rule landlock_create_ruleset landlock_restrict_self listmount listns listxattrat lookup_dcookie
  lremovexattr lsetxattr lsm_get_self_attr lsm_list_modules lsm_set_self_attr map_shadow_stack mbind memfd_create
  memfd_secret migrate_pages mincore modify_ldt mount mount_setattr move_mount move_pages mq_getsetattr mq_notify
  mq_open mq_timedreceive mq_timedreceive_time64 mq_timedsend mq_timedsend_time64 mq_unlink mseal msgctl msgget msgrcv
  msgsnd name_to_handle_at nfsservctl open_by_handle_at open_tree open_tree_attr perf_event_open personality
  pidfd_getfd pivot_root ppoll_time64 process_madvise process_mrelease process_vm_readv process_vm_writev
  pselect6_time64 ptrace putpmsg query_module quotactl quotactl_fd reboot recvmmsg_time64 remap_file_pages removexattr
  removexattrat request_key rt_sigtimedwait_time64 sched_rr_get_interval_time64 sched_setaffinity seccomp security
  semctl semget semop semtimedop semtimedop_time64 set_mempolicy set_mempolicy_home_node set_thread_area setdomainname
  setfsgid setfsuid setgroups sethostname setns settimeofday setxattr setxattrat shmat shmctl shmdt shmget splice
  statmount swapoff swapon sync sync_file_range2 syncfs syscalls sysfs syslog tee timer_gettime64 timer_settime64
  timerfd_gettime64 timerfd_settime64 tuxcall umount2 unshare uprobe uretprobe uselib userfaultfd ustat
  utimensat_time64 vhangup vmsplice vserver
"""


@dataclass(frozen=True, slots=True)
class Decided:
    """What the filter answers to each command of a call, as NAME:VALUE; a name alone is refused as `otherwise`."""

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

    def found(self) -> dict[str, str]:
        there = [INCLUDE / name for name in self.headers if (INCLUDE / name).exists()]
        return {name: value for one in there for name, value in re.findall(self.pattern, one.read_text(), re.M)}


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
        INVALID: "F_SETOWN:8 F_GETOWN:9 F_SETSIG:10 F_GETSIG:11 F_GETLK64:12 F_SETLK64:13 F_SETLKW64:14 F_SETOWN_EX:15 "
        "F_GETOWN_EX:16 F_GETOWNER_UIDS:17 F_SETLEASE:1024 F_GETLEASE:1025 F_NOTIFY:1026 F_DUPFD_QUERY:1027 "
        "F_CREATED_QUERY:1028 F_CANCELLK:1029 F_ADD_SEALS:1033 F_GET_SEALS:1034 F_GET_RW_HINT:1035 F_SET_RW_HINT:1036 "
        "F_GET_FILE_RW_HINT:1037 F_SET_FILE_RW_HINT:1038 F_GETDELEG:1039 F_SETDELEG:1040",
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
        NO_TERMINAL: "TCSETS:0x5402 TCSETSW:0x5403 TCSETSF:0x5404 TCGETA:0x5405 TCSETA:0x5406 TCSETAW:0x5407 "
        "TCSETAF:0x5408 TCSBRK:0x5409 TCXONC:0x540A TCFLSH:0x540B TIOCEXCL:0x540C TIOCNXCL:0x540D TIOCSCTTY:0x540E "
        "TIOCSPGRP:0x5410 TIOCOUTQ:0x5411 TIOCSTI:0x5412 TIOCSWINSZ:0x5414 TIOCMGET:0x5415 TIOCMBIS:0x5416 "
        "TIOCMBIC:0x5417 TIOCMSET:0x5418 TIOCGSOFTCAR:0x5419 TIOCSSOFTCAR:0x541A TIOCLINUX:0x541C TIOCCONS:0x541D "
        "TIOCGSERIAL:0x541E TIOCSSERIAL:0x541F TIOCPKT:0x5420 TIOCNOTTY:0x5422 TIOCSETD:0x5423 TIOCGETD:0x5424 "
        "TCSBRKP:0x5425 TIOCSBRK:0x5427 TIOCCBRK:0x5428 TIOCGSID:0x5429 TCSETS2:0x402C542B TCSETSW2:0x402C542C "
        "TCSETSF2:0x402C542D TIOCGRS485:0x542E TIOCSRS485:0x542F TIOCGPTN:0x80045430 TIOCSPTLCK:0x40045431 "
        "TIOCGDEV:0x80045432 TCGETX:0x5432 TCSETX:0x5433 TCSETXF:0x5434 TCSETXW:0x5435 TIOCSIG:0x40045436 "
        "TIOCVHANGUP:0x5437 TIOCGPKT:0x80045438 TIOCGPTLCK:0x80045439 TIOCGEXCL:0x80045440 TIOCGPTPEER:0x5441 "
        "TIOCGISO7816:0x80285442 TIOCSISO7816:0xC0285443 FIOASYNC:0x5452 TIOCSERCONFIG:0x5453 TIOCSERGWILD:0x5454 "
        "TIOCSERSWILD:0x5455 TIOCGLCKTRMIOS:0x5456 TIOCSLCKTRMIOS:0x5457 TIOCSERGSTRUCT:0x5458 TIOCSERGETLSR:0x5459 "
        "TIOCSERGETMULTI:0x545A TIOCSERSETMULTI:0x545B TIOCMIWAIT:0x545C TIOCGICOUNT:0x545D FIOQSIZE:0x5460",
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
        INVALID: "PR_GET_UNALIGN:5 PR_SET_UNALIGN:6 PR_GET_KEEPCAPS:7 PR_SET_KEEPCAPS:8 PR_GET_FPEMU:9 PR_SET_FPEMU:10 "
        "PR_GET_FPEXC:11 PR_SET_FPEXC:12 PR_GET_TIMING:13 PR_SET_TIMING:14 PR_GET_ENDIAN:19 PR_SET_ENDIAN:20 "
        "PR_SET_SECCOMP:22 PR_CAPBSET_DROP:24 PR_GET_TSC:25 PR_SET_TSC:26 PR_GET_SECUREBITS:27 PR_SET_SECUREBITS:28 "
        "PR_TASK_PERF_EVENTS_DISABLE:31 PR_TASK_PERF_EVENTS_ENABLE:32 PR_MCE_KILL:33 PR_MCE_KILL_GET:34 PR_SET_MM:35 "
        "PR_MPX_ENABLE_MANAGEMENT:43 PR_MPX_DISABLE_MANAGEMENT:44 PR_SET_FP_MODE:45 PR_GET_FP_MODE:46 "
        "PR_CAP_AMBIENT:47 PR_SET_SPECULATION_CTRL:53 PR_SET_TAGGED_ADDR_CTRL:55 PR_GET_TAGGED_ADDR_CTRL:56 "
        "PR_SET_IO_FLUSHER:57 PR_GET_IO_FLUSHER:58 PR_SET_SYSCALL_USER_DISPATCH:59 PR_PAC_SET_ENABLED_KEYS:60 "
        "PR_SCHED_CORE:62 PR_SET_MDWE:65 PR_GET_MDWE:66 PR_SET_MEMORY_MERGE:67 PR_GET_MEMORY_MERGE:68 "
        "PR_RISCV_V_SET_CONTROL:69 PR_RISCV_V_GET_CONTROL:70 PR_RISCV_SET_ICACHE_FLUSH_CTX:71 PR_PPC_GET_DEXCR:72 "
        "PR_PPC_SET_DEXCR:73 PR_GET_SHADOW_STACK_STATUS:74 PR_SET_SHADOW_STACK_STATUS:75 "
        "PR_LOCK_SHADOW_STACK_STATUS:76 PR_TIMER_CREATE_RESTORE_IDS:77 PR_FUTEX_HASH:78 PR_SET_VMA:0x53564D41 "
        "PR_GET_AUXV:0x41555856 PR_SET_PTRACER:0x59616D61",
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
        INVALID: "MADV_MERGEABLE:12 MADV_UNMERGEABLE:13 MADV_COLD:20 MADV_PAGEOUT:21 MADV_COLLAPSE:25 "
        "MADV_HWPOISON:100 MADV_SOFT_OFFLINE:101 MADV_GUARD_INSTALL:102 MADV_GUARD_REMOVE:103",
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
        INVALID: "MEMBARRIER_CMD_GLOBAL:1 MEMBARRIER_CMD_GLOBAL_EXPEDITED:2 MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED:4 "
        "MEMBARRIER_CMD_GET_REGISTRATIONS:512",
    },
    INVALID,
)
#: RWF_NOWAIT asks which pages of a file are in memory, and RWF_DONTCACHE evicts them.
READ: Final = Decided(
    5,
    ("linux/fs.h",),
    rf"^#define\s+(RWF_(?!SUPPORTED)\w+){FLAG}",
    {
        UNSUPPORTED: "RWF_HIPRI:1 RWF_DSYNC:2 RWF_SYNC:4 RWF_NOWAIT:8 RWF_APPEND:16 RWF_NOAPPEND:32 RWF_ATOMIC:64 "
        "RWF_DONTCACHE:128 RWF_NOSIGNAL:256"
    },
    UNSUPPORTED,
)
ALLOCATE: Final = Decided(
    1,
    ("linux/falloc.h",),
    rf"^#define\s+(FALLOC_\w+){FLAG}",
    {
        UNSUPPORTED: "FALLOC_FL_KEEP_SIZE:1 FALLOC_FL_PUNCH_HOLE:2 FALLOC_FL_NO_HIDE_STALE:4 "
        "FALLOC_FL_COLLAPSE_RANGE:8 FALLOC_FL_ZERO_RANGE:16 FALLOC_FL_INSERT_RANGE:32 FALLOC_FL_UNSHARE_RANGE:64 "
        "FALLOC_FL_WRITE_ZEROES:128"
    },
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
        FORBIDDEN: "SO_SNDBUF:7",
    },
    FORBIDDEN,
)
DECIDED: Final = {
    "fcntl": FCNTL, "ioctl": IOCTL, "prctl": PRCTL, "madvise": MADVISE, "membarrier": MEMBARRIER, "preadv2": READ,
    "pwritev2": READ, "fallocate": ALLOCATE, "msync": SYNC, "clone": CLONE, "setsockopt": OPTIONS,
}  # fmt: skip


def asked_by(made: Made, call: str, value: int) -> int:
    """The filter's answer to a command; the bits beyond the lower 32 of it change nothing, as in the kernel."""
    words = [0] * 6
    answers = []
    for high in (0, 1 << 32, 0xFFFFFFFF << 32):
        words[DECIDED[call].argument] = value | high
        answers.append(made[0](call, *words))
    assert len(set(answers)) == 1
    return answers[0]


@pytest.mark.parametrize("call", DECIDED)
def test_the_filter_answers_each_command_as_somebody_has_decided(made: Made, call: str) -> None:
    decided = DECIDED[call]
    values = decided.values()
    assert {name: asked_by(made, call, value) for name, (value, _) in values.items()} == {
        name: answer for name, (_, answer) in values.items()
    }
    if decided.otherwise is not None:
        others = {*range(2000), *(1 << bit for bit in range(32)), 0x89F0, 0xFFFFFFFF} - {v for v, _ in values.values()}
        others -= {0} if call in ("preadv2", "pwritev2", "fallocate", "setsockopt") else set()  # no flag at all
        assert {asked_by(made, call, value) for value in others} == {decided.otherwise}


@pytest.mark.parametrize("call", DECIDED)
def test_a_command_of_the_headers_that_nobody_has_decided_about_is_named(call: str) -> None:
    decided, values = DECIDED[call], DECIDED[call].values()
    if not (found := decided.found()):
        pytest.skip("needs the kernel's headers")
    refused = {name for name, told in found.items() if call == "setsockopt" and int(told, 0) >= 26}
    assert found.keys() - values.keys() - refused == set(), "decide about these, in system_calls.py and here"
    for name, told in ((name, told) for name, told in found.items() if name in values):
        number = re.sub(r"\(\(__kernel_rwf_t\)(\w+)\)", r"\1", told).replace("F_LINUX_SPECIFIC_BASE", "1024")
        number = re.sub(r"\b0(\d+)\b", r"0o\1", number)
        if not re.search(r"_IO|[A-Za-z]{3,}", number):
            assert eval(number) == values[name][0], name


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_the_headers_that_nobody_has_decided_about_is_named(machine: str) -> None:
    named = {row.partition(":")[0] for row in (PERMITTED + CONDITIONAL).split()}
    assert not named & set(REFUSED.split())
    header = Path(MACHINES[machine][2])
    if not header.exists():
        pytest.skip("needs the kernel's headers")
    found = set(re.findall(r"#define __NR(?:3264)?_(\w+)\s+\d+", header.read_text()))
    assert found - named - set(REFUSED.split()) == set(), "decide about these, in system_calls.py or here"


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
