"""Another system, as far as its names go: what it lacks is not there for our code, and /proc is empty.

    python -m tests.platforms.elsewhere win32|darwin imports
    python -m tests.platforms.elsewhere win32|darwin run WORD...

First everything foreign that our code imports is imported as it is here. Then our code gets modules that lack what the
other system lacks. What a system does otherwise with the same names (open files, consoles, processes) can't be seen in
this way.
"""

import builtins
import importlib
import io
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_IMPORTS: Final = re.compile(r"^ *(?:import ([\w.]+)|from ([a-z][\w.]*) import ([\w, ]+))", re.MULTILINE)
ROOT: Final = Path(__file__).resolve().parents[2]
FLOORS: Final = ("rules", "net", "ai", "client")


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_POSIX_ONLY: Final = names(
    """
    chown chroot confstr ctermid fchdir fchmod fchown fork forkpty fpathconf fstatvfs getegid geteuid getgid
    getgrouplist getgroups getloadavg getpgid getpgrp getpriority getresgid getresuid getsid getuid initgroups killpg
    lchown lockf major makedev minor mkfifo mknod nice openpty pathconf posix_fadvise posix_fallocate posix_spawn
    posix_spawnp pread preadv pwrite pwritev readv register_at_fork sched_getaffinity sched_setaffinity sched_yield
    sched_get_priority_max sendfile setegid seteuid setgid setgroups setpgid setpriority setregid setresgid setresuid
    setreuid setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid writev
    WIFSIGNALED WIFEXITED WIFSTOPPED WEXITSTATUS WTERMSIG WNOHANG WUNTRACED WSTOPPED WNOWAIT P_PID O_CLOEXEC O_NONBLOCK
    O_NOFOLLOW O_DIRECTORY O_SYNC O_PATH memfd_create pidfd_open eventfd unshare setns pipe2 set_blocking get_blocking
    """
)
_LINUX_ONLY: Final = names(
    """
    sched_getaffinity sched_setaffinity pipe2 posix_fadvise posix_fallocate memfd_create pidfd_open eventfd unshare
    setns O_PATH getresuid getresgid setresuid setresgid waitid WNOWAIT
    """
)
_SIGNALS: Final = names(
    """
    SIGKILL SIGSTOP SIGCONT SIGTSTP SIGTTIN SIGTTOU SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGALRM SIGWINCH
    SIGXCPU SIGXFSZ SIGBUS SIGTRAP SIGSYS SIGURG SIGIO SIGVTALRM SIGPROF pthread_sigmask pthread_kill alarm setitimer
    sigwait sigpending siginterrupt SIG_BLOCK SIG_UNBLOCK SIG_SETMASK
    """
)
#: Of each system: modules that it has not, names that modules have not, and names that are otherwise.
_SYSTEMS: Final[dict[str, tuple[frozenset[str], dict[str, frozenset[str]], dict[tuple[str, str], object]]]] = {
    "win32": (
        names("resource fcntl termios tty pty grp pwd posix syslog curses readline _signal"),
        {
            "os": _POSIX_ONLY,
            "signal": _SIGNALS,
            "select": names("poll epoll kqueue POLLIN POLLOUT POLLHUP POLLERR"),
            "socket": names("AF_UNIX SO_REUSEPORT MSG_DONTWAIT MSG_NOSIGNAL SCM_RIGHTS SO_PEERCRED"),
            "time": names("tzset clock_gettime pthread_getcpuclockid CLOCK_MONOTONIC"),
        },
        {("sys", "platform"): "win32", ("os", "name"): "nt", ("subprocess", "CREATE_NEW_PROCESS_GROUP"): 0},
    ),
    "darwin": (
        frozenset(),
        {
            "os": _LINUX_ONLY,
            "select": names("epoll EPOLLIN"),
            "socket": names("SO_PEERCRED SO_BINDTODEVICE TCP_KEEPIDLE"),
            "resource": names("prlimit RLIMIT_NICE RLIMIT_SIGPENDING"),
        },
        {("sys", "platform"): "darwin"},
    ),
}


#: What takes long to import, and no game needs.
_EXTRAS: Final = names("distributed gymnasium mypy mypyc numpy pettingzoo pyspiel setuptools")


class OtherModule(ModuleType):
    """A module of this system without what the other one lacks."""

    def __init__(self, real: ModuleType, lacks: frozenset[str], other: dict[str, object]) -> None:
        super().__init__(real.__name__, real.__doc__)
        vars(self).update(__spec__=real.__spec__, __real__=real, __lacks__=lacks, __other__=other)

    def __getattr__(self, name: str) -> Any:
        known = vars(self)
        if name in known["__other__"]:
            return known["__other__"][name]
        if name in known["__lacks__"]:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(known["__real__"], name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(vars(self)["__real__"], name, value)


def modules() -> Iterator[str]:
    """All our modules."""
    for floor in FLOORS:
        package = importlib.import_module(f"quadrille.{floor}")
        yield package.__name__
        yield from (found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))


def foreign() -> set[str]:
    """The names of all that our code imports and that is not ours."""
    found = {"concurrent.futures.process", "ctypes.util", "encodings.idna", "multiprocessing.spawn"}
    for path in (path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")):
        for plain, module, in_it in _IMPORTS.findall(path.read_text("utf-8")):
            found |= {plain} if plain else {module, *(f"{module}.{name}" for name in in_it.replace(",", " ").split())}
    return {name for name in found if name.partition(".")[0] != "quadrille"}


def become(system: str, *, extras: bool) -> None:
    """From here on our code finds itself on that system."""
    for name in sorted(foreign()):
        if not extras and name.partition(".")[0] in _EXTRAS:
            continue
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # a name in a module, or a module of another system
    absent, lacking, other = _SYSTEMS[system]
    for name in {*lacking, *(module for module, _ in other)}:
        changed = {key: value for (module, key), value in other.items() if module == name}
        sys.modules[name] = OtherModule(sys.modules[name], lacking.get(name, frozenset()), changed)
    if system == "win32":
        import fcntl

        lock = ModuleType("msvcrt")
        vars(lock).update(
            LK_NBLCK=2, locking=lambda file, *_: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB), kbhit=lambda: False
        )
        sys.modules["msvcrt"] = lock
        subprocess.run = _without_taskkill(subprocess.run)  # type: ignore[assignment]
    sys.modules.update(dict.fromkeys(absent, None))  # type: ignore[arg-type]
    builtins.open = io.open = _without_proc(io.open)  # type: ignore[assignment]


def _without_proc(opened: Callable[..., Any]) -> Callable[..., Any]:
    def other(file: Any, *words: Any, **named: Any) -> Any:
        if str(file).startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", str(file))
        return opened(file, *words, **named)

    return other


def _without_taskkill(run: Callable[..., Any]) -> Callable[..., Any]:
    """What ends a program and all that it has started there."""

    def other(words: Any, *more: Any, **named: Any) -> Any:
        if words[0] == "taskkill":
            words = ["kill", "-9", words[-1]]
        return run(words, *more, **named)

    return other


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if "pip install" not in str(error):  # an extra that is not installed says so
            raise


def main(system: str, todo: str, *words: str) -> int:
    become(system, extras=todo == "imports")
    if todo == "imports":
        sys.path.append(str(ROOT / "ai/bots/process"))  # as where a warden is started
        for name in modules():
            # a program of its own, which is started where there is POSIX
            if (system, name) != ("win32", "quadrille.ai.bots.process.warden"):
                _import(name)
        return 0
    cli = importlib.import_module("quadrille.client.cli")
    code: int = cli.main(list(words))
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
