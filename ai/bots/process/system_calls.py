"""The system calls that a program in a box may make, as a filter for the kernel (seccomp).

The filter refuses all other calls: keys, mounts, namespaces, memory that no limit counts, every network, timers that
wake a stopped bot, and calls of later kernels. `program` makes the filter, which warden.py applies before the bot's
program starts. Specification: docs/protocols/isolation.md, "System calls".
"""

import struct
from collections.abc import Iterable
from functools import cache, partial
from typing import Final, TypeAlias

#: Without any condition, as NAME:X86_64:AARCH64. "-": the machine lacks it; one number: the same on both.
PERMITTED: Final = """

  read:0:63 write:1:64 open:2:- openat:257:56 openat2:437 creat:85:- close:3:57 close_range:436 lseek:8:62
  pread64:17:67 pwrite64:18:68 readv:19:65 writev:20:66 preadv:295:69 pwritev:296:70 stat:4:- fstat:5:80 lstat:6:-
  newfstatat:262:79 statx:332:291 access:21:- faccessat:269:48 faccessat2:439 statfs:137:43 fstatfs:138:44
  readlink:89:- readlinkat:267:78 getdents:78:- getdents64:217:61 getcwd:79:17 chdir:80:49 fchdir:81:50 mkdir:83:-
  mkdirat:258:34 rmdir:84:- mknod:133:- mknodat:259:33 unlink:87:- unlinkat:263:35 rename:82:- renameat:264:38
  renameat2:316:276 link:86:- linkat:265:37 symlink:88:- symlinkat:266:36 umask:95:166 ftruncate:77:46
  copy_file_range:326:285 dup:32:23 dup2:33:- dup3:292:24 getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10
  listxattr:194:11 llistxattr:195:12 flistxattr:196:13 pipe:22:- pipe2:293:59 poll:7:- ppoll:271:73 select:23:-
  pselect6:270:72 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21 epoll_wait:232:- epoll_pwait:281:22
  epoll_pwait2:441 eventfd:284:- eventfd2:290:19 signalfd:282:- signalfd4:289:74 timerfd_create:283:85
  timerfd_settime:286:86 timerfd_gettime:287:87 bind:49:200 connect:42:203 listen:50:201 accept:43:202 accept4:288:242
  getsockname:51:204 getpeername:52:205 getsockopt:55:209 sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212
  sendmmsg:307:269 recvmmsg:299:243 shutdown:48:210 munmap:11:215 mprotect:10:226 mremap:25:216 brk:12:214
  mlock:149:228 mlock2:325:284 munlock:150:229 mlockall:151:230 munlockall:152:231 pkey_mprotect:329:288
  pkey_alloc:330:289 pkey_free:331:290 get_mempolicy:239:236 fork:57:- vfork:58:- execve:59:221 execveat:322:281
  exit:60:93 exit_group:231:94 wait4:61:260 waitid:247:95 kill:62:129 tkill:200:130 tgkill:234:131 pidfd_open:434
  pidfd_send_signal:424 getpid:39:172 gettid:186:178 getppid:110:173 getpgrp:111:- getpgid:121:155 setpgid:109:154
  getsid:124:156 setsid:112:157 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177 getresuid:118:148
  getresgid:120:150 getgroups:115:158 setuid:105:146 setgid:106:144 setreuid:113:145 setregid:114:143
  setresuid:117:147 setresgid:119:149 capget:125:90 arch_prctl:158:- set_tid_address:218:96 set_robust_list:273:99
  get_robust_list:274:100 rseq:334:293 futex:202:98 futex_waitv:449 sched_yield:24:124 restart_syscall:219:128
  getrusage:98:165 getrlimit:97:163 setrlimit:160:164 getpriority:140:141 sched_getaffinity:204:123
  sched_getparam:143:121 sched_getscheduler:145:120 sched_getattr:315:275 sched_get_priority_max:146:125
  sched_get_priority_min:147:126 sched_rr_get_interval:148:127 rt_sigaction:13:134 rt_sigprocmask:14:135
  rt_sigpending:127:136 rt_sigtimedwait:128:137 rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240
  rt_sigsuspend:130:133 rt_sigreturn:15:139 sigaltstack:131:132 pause:34:- alarm:37:- setitimer:38:103
  getitimer:36:102 nanosleep:35:101 clock_nanosleep:230:115 clock_gettime:228:113 clock_getres:229:114
  gettimeofday:96:169 time:201:- times:100:153 sysinfo:99:179 uname:63:160 getrandom:318:278 getcpu:309:168
"""
#: Calls that `_conditions` permits by their arguments.
CONDITIONAL: Final = """

  clone:56:220 mmap:9:222 socket:41:198 socketpair:53:199 setsockopt:54:208 sendfile:40:71 prlimit64:302:261
  sched_setscheduler:144:119 sched_setparam:142:118 sched_setattr:314:274
  setpriority:141:140 prctl:157:167 preadv2:327:286 pwritev2:328:287 chmod:90:- fchmod:91:52 fchmodat:268:53
  fchmodat2:452 chown:92:- fchown:93:55 lchown:94:- fchownat:260:54 utime:132:- utimes:235:- futimesat:261:-
  utimensat:280:88 truncate:76:45 fallocate:285:47 fadvise64:221:223 readahead:187:213 sync_file_range:277:84
  fsync:74:82 fdatasync:75:83 flock:73:32 fcntl:72:25 ioctl:16:29 madvise:28:233 msync:26:227 membarrier:324:283
"""
#: By machine: the column of its numbers, and its number in the kernel's audit.
_MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (-1, 0xC00000B7)}
#: Calls from this number on are newer than many runtimes: they fall back to older ones where the kernel lacks them.
#: clone3 is among them, whose flags no filter can read, and all calls of x86-64's second kind, with short pointers.
NEWER: Final = 424
#: clone makes a namespace: of mounts, cgroups, host names, IPC, users, processes or networks.
_NAMESPACE: Final = 0x7E020000
_SHARED, _ANONYMOUS, _HUGE = 0x01, 0x20, 0x40000
_UNIX, _INET, _INET6, _DATAGRAMS, _SEND_BUFFER, _ATTACH_FILTER = 1, 2, 10, 2, 7, 26
_SET_FLAGS, _SET_PIPE_SIZE, _LOCKS, _WAIT_FOR_DISK = 4, 1031, (5, 6, 7, 36, 37, 38), 4
#: All that F_SETFL may name or change but O_ASYNC, by which a file sends signals; and the usual size of a pipe.
_FLAGS, _PIPE = 0o7756003, 1 << 16
#: The commands that work, of calls that are many in one; tests/ai/bots/test_system_calls.py has all names and reasons.
_FCNTL, _MEMBARRIER = (0, 1, 2, 3, 1030, 1032), (0, 8, 16, 32, 64, 128, 256)
_IOCTL: Final = 0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451
_PRCTL: Final = 1, 2, 3, 4, 15, 16, 21, 23, 29, 30, 36, 37, 38, 39, 40, 41, 42, 50, 51, 52, 54, 61, 63, 64
_MADVISE: Final = 0, 1, 2, 3, 4, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24
#: Calls that change a file of its user's without opening it, which Landlock does not see.
_CHANGES: Final = """
  chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat truncate
"""

#: An instruction: what to do, how many to skip if a comparison holds, and if not, and a number.
_Block: TypeAlias = tuple[tuple[int, int, int, int], ...]
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN, _SKIP = 0x20, 0x15, 0x35, 0x45, 0x06, 0x05
#: The most steps that a comparison skips by itself.
_FAR: Final = 255
#: Places of what is asked: the call, the machine, the lower 32 bits of arguments.
_NUMBER, _MACHINE, _FIRST, _SECOND, _THIRD, _FOURTH, _SIXTH = 0, 4, 16, 24, 32, 40, 56
_ALLOW: Final[_Block] = ((_RETURN, 0, 0, 0x7FFF0000),)
#: The warden hears of it if it listens (warden.py), and the call does not exist.
_TELL: Final[_Block] = ((_RETURN, 0, 0, 0x7FC00000),)
#: The call does nothing and succeeds, or fails with an error.
_IDLE, _FORBIDDEN, _INVALID, _NO_TERMINAL, _NO_LOCK, _UNKNOWN, _UNSUPPORTED, _NO_FAMILY = (
    ((_RETURN, 0, 0, 0x00050000 | error),) for error in (0, 1, 22, 25, 37, 38, 95, 97)
)


@cache
def program(machine: str, *, boxed: bool) -> bytes:
    """Make the filter for a machine, `boxed` in namespaces or with Landlock alone; empty for an unknown machine."""
    if machine not in _MACHINES:
        return b""
    column, audit = _MACHINES[machine]
    conditions, conditional = _conditions(boxed=boxed), numbers(CONDITIONAL, column)
    rules = dict.fromkeys(numbers(PERMITTED, column).values(), _ALLOW)
    rules |= {number: conditions[name] for name, number in conditional.items()}
    ranges: list[tuple[int, _Block]] = []
    for number in range(max(rules) + 2):
        block = rules.get(number, _FORBIDDEN if number < NEWER else _UNKNOWN)
        if not ranges or block != ranges[-1][1]:
            ranges.append((number, block))
    steps = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, audit), *_UNKNOWN, (_LOAD, 0, 0, _NUMBER), *_search(ranges)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def numbers(calls: str, column: int) -> dict[str, int]:
    """Return the numbers by name in a column, without those that the machine lacks."""
    table = [word.split(":") for word in calls.split()]
    return {name: int(columns[column]) for name, *columns in table if columns[column] != "-"}


def _search(ranges: list[tuple[int, _Block]]) -> _Block:
    """Make the steps that find the range of a number by halves. A range is a first number and the steps that follow."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    first, below, above = ranges[middle][0], _search(ranges[:middle]), _search(ranges[middle:])
    if len(below) > _FAR:
        return ((_AT_LEAST, 0, 1, first), (_SKIP, 0, 0, len(below)), *below, *above)
    return ((_AT_LEAST, len(below), 0, first), *below, *above)


def _conditions(*, boxed: bool) -> dict[str, _Block]:
    """Return the steps that check a call's arguments, by its name. The kernel reads the lower 32 bits of each."""
    if boxed:  # nobody but the warden is there, as number 1, and the bot's own; sockets reach only those
        process = partial(_by, cases=[(_EQUAL, 1, _FORBIDDEN)])
        sockets = _by(_FIRST, [(_EQUAL, _UNIX, _ALLOW), (_EQUAL, _INET, _TELL), (_EQUAL, _INET6, _TELL)], _NO_FAMILY)
        pair = _ALLOW
    else:
        process, sockets = partial(_by, cases=[(_EQUAL, 0, _ALLOW)], otherwise=_FORBIDDEN), _NO_FAMILY
        pair = _by(_SECOND, [(_ANY_BIT, _DATAGRAMS, _NO_FAMILY)])  # those could go to any socket that is a file
    # not sched_setaffinity: no filter can read which processors it names, and a bot would leave those that it was given
    about = "sched_setscheduler", "sched_setparam", "sched_setattr", "prlimit64"
    # shared memory without a file stays when nobody maps it any more, and huge pages count nowhere
    kept = _by(_FOURTH, [(_ANY_BIT, _SHARED, _FORBIDDEN)])
    # Two boxes see the same files, and would talk by their locks: flock locks nothing, because Java complains where it
    # fails. Advice on a file's pages delays who reads it next, and nothing of a bot must reach a disk.
    idle = "flock", "fadvise64", "readahead", "fsync", "fdatasync", "sync_file_range"
    same: dict[str, _Block] = dict.fromkeys(idle, _IDLE)
    same |= dict.fromkeys(_CHANGES.split(), _ALLOW if boxed else _FORBIDDEN) | dict.fromkeys(about, process(_FIRST))
    flags = _by(_THIRD, [(_ANY_BIT, ~_FLAGS & 0xFFFFFFFF, _FORBIDDEN)])
    size = _by(_THIRD, [(_AT_LEAST, _PIPE + 1, _FORBIDDEN)])
    sets = [(_EQUAL, _SET_FLAGS, flags), (_EQUAL, _SET_PIPE_SIZE, size), *((_EQUAL, lock, _NO_LOCK) for lock in _LOCKS)]
    return same | {
        "clone": _by(_FIRST, [(_ANY_BIT, _NAMESPACE, _FORBIDDEN)]),
        "mmap": _by(_FOURTH, [(_ANY_BIT, _HUGE, _FORBIDDEN), (_ANY_BIT, _ANONYMOUS, kept)]),
        "socket": sockets,
        "socketpair": _by(_FIRST, [(_EQUAL, _UNIX, pair)], _NO_FAMILY),
        # a larger buffer is memory that nobody maps, and later options attach programs to a socket
        "setsockopt": _by(_THIRD, [(_EQUAL, _SEND_BUFFER, _FORBIDDEN), (_AT_LEAST, _ATTACH_FILTER, _FORBIDDEN)]),
        "prctl": _only(_FIRST, _PRCTL, _INVALID),
        "sendfile": _INVALID,  # pages of files would stay in pipes; all who use it copy where it is impossible
        "setpriority": _by(_FIRST, [(_EQUAL, 0, process(_SECOND))], _FORBIDDEN),
        "fcntl": _by(_SECOND, sets, _only(_SECOND, _FCNTL, _INVALID)),
        "ioctl": _only(_SECOND, _IOCTL, _NO_TERMINAL),
        "madvise": _only(_THIRD, _MADVISE, _INVALID),
        "membarrier": _only(_FIRST, _MEMBARRIER, _INVALID),
        "msync": _by(_THIRD, [(_ANY_BIT, _WAIT_FOR_DISK, _IDLE)]),
        "preadv2": _only(_SIXTH, (0,), _UNSUPPORTED),  # a flag asks which pages of a file are in memory
        "pwritev2": _only(_SIXTH, (0,), _UNSUPPORTED),
        "fallocate": _only(_SECOND, (0,), _UNSUPPORTED),  # the warden counts the bytes of files by their ends
    }


def _by(argument: int, cases: Iterable[tuple[int, int, _Block]], otherwise: _Block = _ALLOW) -> _Block:
    """Make the steps that decide by an argument: the first case that holds."""
    steps = otherwise
    for test, value, then in reversed(list(cases)):
        steps = ((test, 0, len(then), value), *then, *steps)
    return ((_LOAD, 0, 0, argument), *steps)


def _only(argument: int, values: Iterable[int], otherwise: _Block) -> _Block:
    """Make the steps that permit a call with these values of an argument."""
    return _by(argument, [(_EQUAL, value, _ALLOW) for value in values], otherwise)
