"""The box of a bot's program on Linux: namespaces that show only the named parts of this machine.

`Enclosure` makes it, `restrict` adds Landlock, with the namespaces or in their place, and `filter_calls` the filter of
system calls. warden.py calls them before the program starts. Like it this module imports nothing of the project and
little else. isolation.py decides what a program may see; docs/protocols/isolation.md says what each protection stops.
"""

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: Maximum bytes of a box's /tmp, in memory; and of the temporary folder with Landlock only.
TEMPORARY = 64 << 20
#: Marks of places in a box (isolation.py): fully visible, or a folder that may only be listed.
SEEN = "+"
LISTED = "."

_CLONE_NEWNS, _CLONE_NEWIPC, _CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET = 1 << 17, 1 << 27, 1 << 28, 1 << 29, 1 << 30
_CLONE_PARENT, _CLONE_INTO_CGROUP = 1 << 15, 1 << 33
_O_PATH = 0o10000000
#: System calls with the same numbers on all machines.
_CLONE3, _OPENAT2, _MOUNT_SETATTR, _LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 435, 437, 442, 444, 445, 446
#: Of openat2: no link on the way.
_NO_LINKS = 4
#: By machine: pivot_root, keyctl, seccomp.
_NUMBERS = {
    "x86_64": (155, 250, 317), "aarch64": (41, 219, 277), "riscv64": (41, 219, 277), "ppc64le": (203, 271, 358),
    "s390x": (217, 280, 348), "armv7l": (218, 311, 383), "i686": (217, 288, 354),
}  # fmt: skip
_JOIN_SESSION_KEYRING = 1
#: Of seccomp: a filter, that can be listened to, and without the brake on guesses of the processor.
_FILTER, _LISTENER, _FAST = 1, 8, 4
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_MNT_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38
#: Version 3 of the capability words.
_CAPABILITIES = 0x20080522
_OLD = "/.old"
#: File types in a file's mode.
_KIND, _LINK, _FOLDER = 0o170000, 0o120000, 0o040000
_DEVICES = "null", "full", "random", "urandom"

_LIBC = ctypes.PyDLL(None, use_errno=True)  # it keeps the interpreter's lock: a clone must not lose it


def call(name: str, *words: object) -> int:
    """Call a function of the C library; its error is an OSError."""
    result: int = getattr(_LIBC, name)(*words)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _system(number: int, *words: object) -> int:
    return call("syscall", ctypes.c_long(number), *words)


# Namespaces


class Enclosure:
    """The first process in namespaces of its own.

    `enter`, `build` and `close` follow each other; then it may start the program.
    """

    def __init__(self, places: "list[str]", folder: str, user: str) -> None:
        """`places` are paths after a mark (SEEN, LISTED); the program starts in `folder`. `user`: the number of a user
        for it alone, and the program that maps it ("" if we may); "" if there is none.
        """
        self.places = places
        self.folder = folder
        self.user = user
        self.has_own_user = False
        self._told = -1
        self.is_in_group = False
        #: Existing folders of the box.
        self._made = {"/"}

    def enter(self, tell: "Callable[[int], None]", cgroup: int) -> bool:
        """Clone this process. Return True in the clone, which has to build the box, and False here, once that is built.
        An OSError here says why it is impossible. The clone is a child of this process's parent, which is to `tell` its
        number, so that this process may end. It begins in the cgroup whose folder is `cgroup`, if that takes it (-1:
        there is none): to be moved later would take up to 20 ms, and leave behind what was started meanwhile.
        """
        user, group = os.geteuid(), os.getegid()
        heard, write_end = os.pipe()
        ready, go = os.pipe()
        flags = _CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNET | _CLONE_NEWIPC | _CLONE_NEWNS | _CLONE_PARENT
        try:
            child = _clone(flags, cgroup)
            self.is_in_group = cgroup >= 0
        except OSError:
            child = _clone(flags)
        if child:
            tell(child)
            os.write(go, b"u" if self.user and _map_user(child, user, *self.user.split(" ")) else b"-")
            os.close(write_end)
            with open(heard, "rb") as answer:
                number, _, what = answer.read().decode().partition(" ")
            if number != "0":
                raise OSError(int(number or 0), what or "its first process ended")
            return False
        os.close(heard)
        self._told = write_end
        os.close(go)  # so that this process hears of the other's end
        self.has_own_user = os.read(ready, 1) == b"u"
        os.close(ready)
        try:
            _set_user(user, group, is_mapped=self.has_own_user)
        except OSError as error:
            self._fail(error, "the name of its user")
        return True

    def build(self) -> None:
        """Lay out the files of the box, in the clone. An error ends the clone, and is reported to the process
        outside.
        """
        try:
            self._build()
        except OSError as error:
            self._fail(error, "its own files")

    def close(self) -> None:
        """Hide everything else, and give up all rights."""
        what = "its own files"
        try:
            self._close()
            what = "the end of its rights"
            if self.has_own_user:
                _become_own_user()
            _shut()
        except OSError as error:
            self._fail(error, what)
        os.write(self._told, b"0 ")
        os.close(self._told)

    def _fail(self, error: OSError, what: str) -> None:
        os.write(self._told, f"{error.errno or 5} {what}".encode())
        os._exit(1)

    def _build(self) -> None:
        """Build the files of the box, on a root in memory."""
        os.umask(0o022)  # they are for the user of the box, who is another
        _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
        _mount("root", "/tmp", "tmpfs", _MS_NOSUID, "mode=755,size=4m")  # noqa: S108 - until it is the root
        os.mkdir(f"/tmp{_OLD}")  # noqa: S108
        machine = os.uname().machine
        if machine not in _NUMBERS:
            raise OSError(_NO_SUCH_CALL, f"unknown machine {machine}")
        _system(_NUMBERS[machine][0], b"/tmp", f"/tmp{_OLD}".encode())  # noqa: S108
        os.chdir("/")
        for folder in ("/tmp", "/dev", "/proc", "/var"):  # noqa: S108
            self._make(folder)
        _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
        _allow_no_users()
        _mount("tmp", "/tmp", "tmpfs", _MS_NOSUID | _MS_NODEV, f"mode=1777,size={TEMPORARY},nr_inodes=16k")  # noqa: S108
        os.symlink("/tmp", "/var/tmp")  # noqa: S108
        _make_devices()
        for place in self.places:
            self._lay(place[1:], listed=place[0] == LISTED)
        if not os.path.isdir(self.folder):
            os.makedirs(self.folder, 0o755)

    def _close(self) -> None:
        """Remove the files outside, for which the system waits for all its processors."""
        call("umount2", _OLD.encode(), _MNT_DETACH)
        os.rmdir(_OLD)
        # a device among a bot's files would be the machine's
        _set_mount("/", _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV, 0, _AT_RECURSIVE)
        _set_mount("/tmp", 0, _ATTR_RDONLY, 0)  # noqa: S108
        for name in (*_DEVICES, "zero"):
            if os.path.exists(f"/dev/{name}"):
                _set_mount(f"/dev/{name}", 0, _ATTR_NODEV, 0)
        os.chdir(self.folder)

    def _lay(self, path: str, *, listed: bool) -> None:
        """Show an outside file or folder at the same path inside; skip one that can't be shown."""
        try:
            place = _opened(_OLD + path)
        except OSError:
            return  # the program itself reports best what it lacks
        try:
            kind = os.fstat(place).st_mode & _KIND
            self._make(path if kind == _FOLDER else os.path.dirname(path))
            if kind == _LINK:
                os.symlink(os.readlink("", dir_fd=place), path)
            elif kind != _FOLDER:
                _bind_file(path, f"/proc/self/fd/{place}")
            elif not listed:
                _mount(f"/proc/self/fd/{place}", path, None, _MS_BIND | _MS_REC)
        except OSError:
            pass
        finally:
            os.close(place)

    def _make(self, folder: str) -> None:
        """Make a folder and its parents with few system calls, because each start waits for this."""
        if folder not in self._made:
            self._make(os.path.dirname(folder))
            self._made.add(folder)
            try:
                os.mkdir(folder)
            except FileExistsError:
                return


def _clone(flags: int, cgroup: int = -1) -> int:
    """Clone this process, into a cgroup if there is one."""
    more = (0,) * 9 + (cgroup,) if cgroup >= 0 else (0,) * 7
    words = (ctypes.c_uint64 * (1 + len(more)))(flags | (_CLONE_INTO_CGROUP if cgroup >= 0 else 0), *more)
    return _system(_CLONE3, ctypes.byref(words), ctypes.c_size_t(ctypes.sizeof(words)))


def _map_user(process: int, user: int, number: str, mapper: str) -> bool:
    """Map the user's number in a clone to another user outside, so that programs find its name and home as usual. This
    user, who builds the box, is the next number there. Return False where the system refuses.
    """
    ranges = [(user, number, 1), (user + 1, user, 1)]
    try:
        if not mapper:
            with open(f"/proc/{process}/uid_map", "wb", buffering=0) as file:
                file.write("".join(f"{inside} {outside} 1\n" for inside, outside, _ in ranges).encode())
            return True
        words = [mapper, str(process), *(str(word) for row in ranges for word in row)]
        quiet = [(os.POSIX_SPAWN_OPEN, stream, "/dev/null", os.O_RDWR, 0) for stream in (0, 1, 2)]
        return os.waitpid(os.posix_spawn(mapper, words, os.environ, file_actions=quiet), 0)[1] == 0
    except OSError:
        return False


def _become_own_user() -> None:
    """Become the user who has this user's number here, in place of the builder, who is the next."""
    user = os.geteuid() - 1
    for stream in (0, 1, 2):  # else the program could not open /dev/stdout
        os.fchown(stream, user, -1)
    call("setresuid", user, user, user)  # by its name in C, because Python has none on macOS


def _set_user(user: int, group: int, *, is_mapped: bool) -> None:
    """Map user and group to the same numbers inside, unless the user is mapped already."""
    files = [("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")]
    for name, text in files[::2] if is_mapped else files:
        with open(f"/proc/self/{name}", "wb", buffering=0) as file:
            file.write(text.encode())


def _allow_no_users() -> None:
    """Forbid user namespaces within this one, and hide the names of keys."""
    with open("/proc/sys/user/max_user_namespaces", "wb", buffering=0) as file:
        file.write(b"0")
    if os.path.exists("/proc/keys"):
        _mount(f"{_OLD}/dev/null", "/proc/keys", None, _MS_BIND)


def _make_devices() -> None:
    for name in _DEVICES:
        if os.path.exists(f"{_OLD}/dev/{name}"):
            _bind_file(f"/dev/{name}", f"{_OLD}/dev/{name}")
    _bind_file("/dev/zero", f"{_OLD}/dev/full")  # zeros too, which nobody can map as shared memory
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"/dev/{name}")
    os.symlink("/tmp", "/dev/shm")  # noqa: S108 - a second file system would cost each start its mount


def _bind_file(path: str, source: str) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    _mount(source, path, None, _MS_BIND)


def _opened(path: str) -> int:
    """Open a place, and not what a link leads to that somebody has made since isolation.py looked."""
    words = (ctypes.c_uint64 * 3)(_O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW, 0, _NO_LINKS)
    size = ctypes.c_size_t(ctypes.sizeof(words))
    return _system(_OPENAT2, _AT_FDCWD, os.fsencode(path), ctypes.byref(words), size)


def _mount(source: "str | None", target: str, kind: "str | None", flags: int, options: str = "") -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    call("mount", *words, ctypes.c_ulong(flags), options.encode() or None)


def _set_mount(path: str, given: int, taken: int, flags: int) -> None:
    words = (ctypes.c_uint64 * 4)(given, taken, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(words))
    _system(_MOUNT_SETATTR, _AT_FDCWD, path.encode(), flags, ctypes.byref(words), size)


def give_up_rights() -> None:
    """Give up all capabilities for good: without new privileges a program gets none back, not even as root. It has none
    of its user's keys either, but a keyring of its own.
    """
    if numbers := _NUMBERS.get(os.uname().machine):
        _LIBC.syscall(ctypes.c_long(numbers[1]), _JOIN_SESSION_KEYRING, None)  # the filter refuses what this may leave
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def _shut() -> None:
    """Keep every process of the box from gaining rights, and from inspecting this one."""
    give_up_rights()
    call("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)


# Landlock

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_READING = _EXECUTE | _READ_FILE | _READ_DIR


def landlock() -> int:
    """Return the Landlock version of this system; 0 if it has none."""
    try:
        return _system(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    except OSError:
        return 0


def restrict(places: "list[str]", temporary: "list[str]", *, boxed: bool) -> None:
    """Restrict this process and its children to read only these places, write only to temporary ones, and use no TCP.
    They reach only their own processes by signals or abstract sockets. All this holds as far as this system's Landlock
    supports it. `boxed`: in namespaces too. The caller has given up its rights before.
    """
    version = landlock()
    everything = (1 << (13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16)) - 1
    words = (ctypes.c_uint64 * 3)(everything, 3, 3)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _system(_LANDLOCK_CREATE, ctypes.byref(words), ctypes.c_size_t(size), 0)
    rows = [(place[1:], _READ_DIR if place[0] == LISTED else _READING) for place in places]
    devices = ["/dev"] if boxed else [f"/dev/{name}" for name in _DEVICES]  # a box has no others
    rows += [(device, _READ_FILE | _WRITE_FILE) for device in devices]
    rows += [(os.path.realpath(folder), everything) for folder in temporary]
    for path, rights in rows:
        _allow(rules, path, rights & everything)
    _system(_LANDLOCK_RESTRICT, rules, 0)
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    """Allow rights on a path. A missing path allows nothing; a link does not allow its target."""
    try:
        place = _opened(path)
    except OSError:
        return
    try:
        kind = os.fstat(place).st_mode & _KIND
        if kind != _LINK:
            rights &= -1 if kind == _FOLDER else _OF_FILES
            words = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
            _system(_LANDLOCK_ADD, rules, 1, words, 0)
    finally:
        os.close(place)


# System calls


def filter_calls(program: bytes) -> int:
    """Restrict this process and its children to the calls that a filter permits (system_calls.py). Return a file to
    poll for the first try to use a network; -1 if the system, or a filter around this one, allows none.
    """
    if not program:  # an unknown machine
        return -1
    kept = ctypes.create_string_buffer(program, len(program))
    words = (ctypes.c_uint64 * 2)(len(program) // 8, ctypes.addressof(kept))
    number = _NUMBERS[os.uname().machine][2]
    try:
        return _system(number, _FILTER, _LISTENER | _FAST, ctypes.byref(words))
    except OSError:
        _system(number, _FILTER, _FAST, ctypes.byref(words))
        return -1


# Reasons for the lack of a box

_NO_SUCH_CALL = 38
_SETTINGS = (
    ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for this Python with userns",
    ),
)


def why_not(error: OSError) -> str:
    """Explain in a line why there are no namespaces, and what to do."""
    for name, value, todo in _SETTINGS:
        try:
            with open(f"/proc/sys/{name}") as file:
                setting = file.read().strip()
        except OSError:
            continue
        if setting == value and (os.geteuid() or name.startswith("user/")):
            return f"{name.replace('/', '.')} is {value} ({todo})"
    what = f"{os.strerror(error.errno)}" if error.errno else "no reason was given"
    if error.errno == _NO_SUCH_CALL:
        return f"the kernel is older than 5.12, or a seccomp profile hides its calls ({what})"
    where = error.strerror or ""
    at = f" at {where}" if where and where != what else ""
    return (
        f"the system refuses them ({what}{at}): in a container, allow it user namespaces and a /proc of its own "
        "(docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined)"
    )
