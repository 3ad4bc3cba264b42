"""A bot program's view of this machine, and its protection. The table's side of enclosure.py.

A program in a box sees the system's programs and libraries, its interpreter with its packages, and the files of its
own command. It sees no home, no journal, no plan and no other bot: places that are not named here do not exist in the
box. A bot's author wrote its links and its first line too, so neither opens anything here: a command names places
without links, and an interpreter is one that the bot's user has by himself. Specification: docs/protocols/isolation.md.
"""

import os
import re
import shutil
import stat
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from quadrille.ai.bots.process.executable import INTERPRETER, named_path, quoted_path, script_line
from quadrille.plugs import GAME_FILE, plugged_packages
from quadrille.value import value

Isolate: TypeAlias = Literal["none", "if possible", "required"]
ISOLATE: Final[tuple[Isolate, ...]] = get_args(Isolate)
#: Marks of places in a box (enclosure.py): fully visible, or a folder that may only be listed.
SEEN: Final = "+"
LISTED: Final = "."
#: The end of the name of a socket that a box shows, if the bot's command names it: the way out that its user gives it.
OUTLET: Final = ".outlet"
#: The default.
USUAL: Final[Isolate] = "if possible"

_SYSTEM: Final = (
    "/bin", "/gnu/store", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/opt", "/sbin", "/snap",
    "/sys/devices/system/cpu", "/usr",
)  # fmt: skip
#: The part of /etc that programs need to start: the rest holds keys and passwords.
_ETC: Final = re.compile(
    r"alternatives|dotnet|group|java.*|ld\.so\.cache|ld-musl.*|localtime|mono|nsswitch\.conf|OpenCL|passwd|php.*|R"
)
_CERTIFICATES: Final = "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/ca-trust", "/etc/pki/tls/certs"
#: Environment variables that name folders of programs.
_FOLDERS: Final = "LD_LIBRARY_PATH", "NODE_PATH", "PYTHONPATH"
_RUNTIMES: Final = "JAVA_HOME", "VIRTUAL_ENV"
#: Shared folders: none is the own folder of a program that lies there.
_SHARED: Final = "/", "/dev/shm", "/home", "/root", "/tmp", "/var", "/var/tmp", "/srv", "/mnt", "/media", "/etc", "/run"  # noqa: S108
#: Folders in which only an administrator makes links, as of /home to another disk.
_ADMINISTERED: Final = "/", "/home", "/media", "/mnt", "/run", "/srv", "/var"
#: Programs that make a box of their own, which is impossible in ours.
_BOXES: Final = "bwrap", "firejail", "nsjail"


@value
class Protection:
    """The isolation of a program: namespaces, perhaps with a user of its own; Landlock; or neither. `why` is the reason
    for missing parts, or "".

    With a `cgroup` the kernel bounds the memory of all its processes together, which isolates nothing.
    """

    namespaces: bool = False
    landlock: bool = False
    why: str = ""
    cgroup: bool = False
    user: bool = False

    def __str__(self) -> str:
        held = [name for name, there in (("namespaces", self.namespaces), ("Landlock", self.landlock)) if there]
        more = [name for name, there in (("a user of its own", self.user), ("a cgroup", self.cgroup)) if there]
        return (" and ".join(held) or "nothing") + (f", with {' and '.join(more)}" if more else "")

    @property
    def told(self) -> str:
        """The protection with its reason, in a line."""
        return f"{self}: {self.why}" if self.why else str(self)


def protection_of(line: str) -> Protection:
    """Read the protection from a line of a warden (warden.py)."""
    held, _, reason = line.removeprefix("held ").partition(": ")
    return Protection("namespaces" in held, "landlock" in held, reason, "cgroup" in held, "user" in held)


def makes_a_box(command: Sequence[str]) -> bool:
    """Return whether a command makes a box of its own, so that ours is impossible."""
    name = os.path.basename(command[0])  # which a bot's own file may have
    return name in _BOXES and (name == command[0] or _real(command[0]) == _real(shutil.which(name) or "/"))


def sight(command: Sequence[str], folder: str, env: Mapping[str, str], hidden: Iterable[str] = ()) -> list[str]:
    """Return the places that a program started in a folder sees: paths with their marks (enclosure.py), none beneath
    another. `hidden` places, named without links, are invisible with all that lies in them, whoever names them.
    """
    names = ("PATH", *_FOLDERS, *_RUNTIMES)
    known = tuple((name, env[name]) for name in names if name in env)
    away = {*hidden}
    seen = {*_own(command, folder, {os.path.dirname(path) for path in away})}
    links = {path for path in seen if os.path.islink(path)}
    seen -= links
    around = [_around(program, folder, env.get("PATH", os.defpath)) for program in _started(command)]
    for there, steps in (_surroundings(known), _resolved([env[GAME_FILE]] if GAME_FILE in env else []), *around):
        seen, links = seen | there, links | steps
    places: dict[str, str] = {}
    for path in sorted(seen, key=_depth):
        if away.isdisjoint(_above(path)):
            _spread(path, away, places)
    for path in sorted(links, key=_depth):
        above = {path, *_above(path)}
        if away.isdisjoint(above) and not any(places.get(place) == SEEN for place in above):
            places[path] = SEEN
    return [places[path] + path for path in sorted(places, key=_depth)]


def left_out(command: Sequence[str], folder: str, places: Iterable[str]) -> str:
    """Say what a command names that these places do not show, by a link or not, and why; "" if they show all."""
    shown = {place[1:] for place in places if place[0] == SEEN}
    is_named = bool(os.path.dirname(command[0]))
    first = _first_line(os.path.join(folder, command[0]))[:1] if is_named else []
    for number, word in enumerate([*first, *(command if is_named else command[1:])]):
        path = named_path(word, folder)
        real = _real(path) if os.path.exists(path) else ""
        steps = [*_links(path), real] if real and (real != path or os.path.isfile(path)) else []
        if not any(shown.isdisjoint((step, *_above(step))) for step in steps):
            continue
        sentence = f"its box does not show {quoted_path(word)}"
        if number < len(first):
            return f"{sentence} of its first line: name that interpreter in its command, or add its folder to the PATH"
        if real == path:
            return f"{sentence}: that is another bot's, or belongs to this installation"
        inside = "a link may lead only inside the folder of a file that its command names"
        return f"{sentence}, which leads to {quoted_path(real)}: {inside}"
    return ""


def _started(command: Sequence[str]) -> Iterator[str]:
    """Yield the program, and the one that `env` starts."""
    yield command[0]
    if os.path.basename(command[0]) == "env":
        yield from [word for word in command[1:] if not word.startswith("-") and "=" not in word][:1]


@lru_cache
def _surroundings(env: tuple[tuple[str, str], ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return what every program of this system and this environment sees: real paths, and links on the way there."""
    return _resolved({*_system(), *_folders(dict(env))})


@lru_cache
def _around(program: str, folder: str, path: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the interpreters that a program needs, the same for all its starts, as `_surroundings` does."""
    return _resolved({*_runtime(program, folder, path)})


def _resolved(paths: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the real paths of the existing places, and the links on the way. The bot's author may have made none."""
    there = [path for path in paths if os.path.lexists(path)]
    return frozenset(map(_real, there)), frozenset(link for path in there for link in _links(path))


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _spread(path: str, hidden: set[str], places: dict[str, str]) -> None:
    """Add a place to the view, without its hidden parts."""
    if any(places.get(above) == SEEN for above in (path, *_above(path))):
        return
    if path in hidden or path in ("/proc", "/dev") or path.startswith(("/proc/", "/dev/")):
        return
    if not any(path in _above(inner) for inner in hidden) or os.path.islink(path):
        places[path] = SEEN
        return
    places[path] = LISTED
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return
    for name in names:
        _spread(os.path.join(path, name), hidden, places)


@lru_cache(1024)
def _above(path: str) -> tuple[str, ...]:
    """List the folders above a path, nearest first. Cached, because each start asks for the same ones."""
    above = os.path.dirname(path)
    return () if above == path else (above, *_above(above))


def _links(path: str) -> Iterator[str]:
    """Yield the links on the way to a path, each named without another link."""
    for _ in range(40):  # the usual maximum of systems
        at, link = "/", ""
        for name in path.split("/"):
            at = os.path.join(at, name)
            if os.path.islink(at):
                link = at
                break
        if not link:
            return
        yield link
        rest = os.path.relpath(path, link)
        try:
            target = os.path.join(os.path.dirname(link), os.readlink(link))
        except OSError:  # such as the root of another user's process
            return
        path = os.path.normpath(target if rest == "." else os.path.join(target, rest))


def _system() -> Iterator[str]:
    yield from _SYSTEM
    yield from _CERTIFICATES
    try:
        names = os.listdir("/etc")
    except OSError:
        return
    yield from (f"/etc/{name}" for name in names if _ETC.fullmatch(name))


def _own(command: Sequence[str], folder: str, shared: Collection[str]) -> Iterator[str]:
    """Yield the files and folders that a command's words name without links, and the folders of those files. A link
    opens its own folder if it leads inside that. A folder `shared` with others is no runtime, whatever they are called.
    """
    for number, word in enumerate(command):
        path = _plain(named := named_path(word, folder))
        try:
            status = os.lstat(path)
        except (OSError, ValueError):  # such as a word that no file system accepts as a name
            continue
        yield from (link for link in _links(named) if os.path.dirname(link) in _ADMINISTERED)
        around, is_outlet = os.path.dirname(path), path.endswith(OUTLET) and status.st_uid == os.geteuid()
        if number == 0 and (not os.path.dirname(word) or _prefix(path) not in ("", *shared)):
            yield from _installed(path) if os.path.dirname(word) else ()
        elif os.path.isfile(path) or (stat.S_ISLNK(status.st_mode) and os.path.isdir(path)):
            yield path
            if not is_shared(around) and _real(path).startswith(f"{around}/"):
                yield around
        elif (stat.S_ISDIR(status.st_mode) and not is_shared(path)) or (stat.S_ISSOCK(status.st_mode) and is_outlet):
            yield path


def _real(path: str) -> str:
    """Return a path without links; the path itself if one of them can't be read, as into another user's process."""
    try:
        return os.path.realpath(path)
    except OSError:
        return path


def _plain(path: str) -> str:
    """Return a path without the administrator's links on the way; "" if somebody else's link is there."""
    at, *names = "/", *path.split("/")[1:-1]
    for name in names:
        step = os.path.join(at, name)
        if os.path.islink(step):
            if at not in _ADMINISTERED:
                return ""
            step = _real(step)
        at = step
    return os.path.join(at, os.path.basename(path))


def is_everybodys(path: str) -> bool:
    """Return whether every box shows a place, or none does, or it is an interpreter that its user has by himself."""
    shown_alike = any(f"{path}/".startswith(f"{place}/") for place in (*_SYSTEM, "/dev"))
    return shown_alike or path in _SHARED or bool(_of_user(path, os.environ.get("PATH", os.defpath)))


def is_own(program: str, *, alone: bool) -> bool:
    """Return whether a program named by its path, `alone` or with other files, is the bot's own, and no interpreter."""
    real, is_named_so = _real(program), INTERPRETER.fullmatch(os.path.basename(program))
    is_interpreter = (is_named_so or not alone) and (_prefix(program) or _prefix(real))
    return not (is_interpreter or any(real.startswith(f"{place}/") for place in _SYSTEM))


def is_shared(folder: str) -> bool:
    """Return whether a folder is a home, has one in it, or is for everybody's files."""
    real, home = _real(folder), _real(os.path.expanduser("~"))
    return real in _SHARED or os.path.dirname(real) == "/home" or f"{home}/".startswith(real.rstrip("/") + "/")


def _prefix(program: str) -> str:
    """Return the installation folder of this interpreter; "" if it does not look like one."""
    folder = os.path.dirname(program)
    root = os.path.dirname(folder)
    is_one = os.path.basename(folder) in ("bin", "sbin") and any(
        os.path.isdir(os.path.join(root, name)) for name in ("lib", "lib64", "libexec")
    )
    return root if is_one and not is_shared(root) else ""


def _folders(env: Mapping[str, str]) -> Iterator[str]:
    """Yield the runtimes and folders of packages that the environment names."""
    for folder in filter(None, env.get("PATH", os.defpath).split(os.pathsep)):
        if os.path.isdir(folder) and not is_shared(folder):
            yield from _installed(os.path.join(folder, "any"))
    for name in _FOLDERS:
        yield from (path for path in env.get(name, "").split(os.pathsep) if path and not is_shared(path))
    yield from (env[name] for name in _RUNTIMES if env.get(name) and not is_shared(env[name]))


def _runtime(word: str, folder: str, path: str) -> Iterator[str]:
    """Yield the interpreters of a program with their packages, as far as names tell."""
    for program in _interpreters(word, folder, path):
        yield program
        for step in dict.fromkeys((program, *_links(program), _real(program))):
            yield from _installed(step)
        if _real(program) == _real(sys.executable or "/"):
            yield from _python()
        elif os.path.basename(program).startswith("python"):
            yield from map(str, Path(os.path.expanduser("~/.local/lib")).glob("python*"))  # its user's packages


def _interpreters(word: str, folder: str, path: str) -> Iterator[str]:
    """Yield a program of the PATH, and the interpreter in its first line. Of a program that is named by its path, yield
    what its user has by himself of that.
    """
    program = os.path.join(folder, word) if os.path.dirname(word) else shutil.which(word, path=path)
    for name in (program, *_first_line(program)) if program and os.path.isfile(program) else ():
        inner = os.path.join(folder, name) if os.path.dirname(name) else shutil.which(name, path=path)
        if os.path.dirname(word):
            inner = _of_user(inner or "", path)
        if inner and os.path.isfile(inner):
            yield inner


def _first_line(program: str) -> list[str]:
    """Return the interpreter that a script's first line names, and the one that `env` starts there."""
    words = [name for name in script_line(program).removeprefix("#!").split() if not name.startswith("-")]
    return words[: 2 if words and os.path.basename(words[0]) == "env" else 1]


def _of_user(program: str, path: str) -> str:
    """Return the same interpreter as our own or by its name on the PATH, which no author of a bot has made; else ""."""
    real = _real(program)
    if real == _real(sys.executable or "/"):
        return sys.executable
    for name in filter(INTERPRETER.fullmatch, map(os.path.basename, (program, real))):
        if (candidate := shutil.which(name, path=path)) and _real(candidate) == real:
            return candidate
    return ""


def _installed(program: str) -> Iterator[str]:
    """Yield the folder of an interpreter, with its libraries."""
    if (root := _prefix(program)) and os.path.basename(root) == ".local":
        yield from (os.path.join(root, name) for name in ("bin", "lib"))  # its share folder holds people's files
    elif root:
        yield root
    elif not is_shared(os.path.dirname(program)):
        yield os.path.dirname(program)


def _python() -> Iterator[str]:
    """Yield the running Python and its import folders."""
    yield from {sys.prefix, sys.base_prefix, sys.exec_prefix}
    here = os.getcwd()
    for entry in sys.path:
        if entry and os.path.exists(entry) and not is_shared(entry) and not f"{here}/".startswith(f"{entry}/"):
            yield entry
    # an editable install imports each from its source, which is on no path
    floors = (f"quadrille.{floor}" for floor in ("rules", "net", "ai", "client", "extras", "laws"))
    for name in ("quadrille", *floors, *sorted(plugged_packages())):
        spec = find_spec(name)
        yield from spec.submodule_search_locations or () if spec else ()
