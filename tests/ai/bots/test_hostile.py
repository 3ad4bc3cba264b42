"""Hostile bots: what lies in a bot's folder opens nothing outside of it, and what a bot asks of the system reaches
nobody else. Each is tried in every box of test_system_calls.py.
"""

import ast
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import pytest

from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.process import cgroup, isolation
from quadrille.ai.bots.process.executable import why_not
from quadrille.ai.bots.process.isolation import SEEN, left_out, sight
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.process.program_lines import within
from quadrille.ai.bots.process.usage import descendants, fields
from quadrille.ai.faults import BotFault
from quadrille.client.bots.boxes import held
from quadrille.net.core.home import folder_in, own_folder
from quadrille.net.trust.identity import Identity
from tests.ai.bots.test_program import ended
from tests.ai.bots.test_system_calls import ON_X86, boxed, way
from tests.ai.tournament.programs import sights_in
from tests.ai.tournament.test_attacks import CLI, NAMESPACES
from tests.waiting import DEADLINE

__all__ = ["way"]  # a fixture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are those of Linux")
PLAIN: Final = [sys.executable, "-I", "-S"]
BOXED: Final = Limits(isolate="if possible")


def said(folder: Path, *words: str, env: dict[str, str] | None = None) -> str:
    """The first line of a program in a box, or why there is none."""
    try:
        with Program(words, cwd=folder, limits=BOXED, env=env) as one:
            try:
                return (one.line(DEADLINE) or b"").decode()
            except BotFault as fault:
                return f"{fault.why}: {one.protection.told}"
    except BotFault as fault:
        return fault.why


# Things in a bot's folder


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    """A bot's folder, beside the home of this installation, a rival and a folder with an interpreter."""
    for name in ("home", "rival", "other/bin", "other/lib", "ann/nets"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("home/key", "rival/bot.py", "other/lib/notes", "ann/nets/net"):
        (tmp_path / name).write_text(f"text of {Path(name).name}")
    (tmp_path / "other" / "bin" / "tool").write_text("#!/bin/sh\necho reached\n")
    (tmp_path / "other" / "bin" / "tool").chmod(0o755)
    read = (
        "import os, sys\nfound = []\nfor word in sys.argv[1:]:\n"
        "    try: found.append(open(word).read() if not os.path.isdir(word) else ' '.join(sorted(os.listdir(word))))\n"
        "    except OSError: found.append('')\nprint(found, flush=True)\n"
    )
    (tmp_path / "ann" / "bot.py").write_text(read)
    return tmp_path / "ann"


#: By what lies in the folder: how it is made, the words that name it, and what a bot reads by each.
OUTSIDE: Final[dict[str, tuple[dict[str, str], dict[str, str]]]] = {
    "a link to a file": ({"x": "../home/key"}, {"x": "", "../home/key": "text of key"}),
    "an absolute link": ({"x": "{}/home/key"}, {"x": ""}),
    "a link to a folder": ({"x": "../rival"}, {"x": "", "x/bot.py": "", "x/../../home/key": ""}),
    "a chain": ({"x": "nets/y", "nets/y": "../z", "z": "../rival/bot.py"}, {"x": "", "nets/y": "", "z": ""}),
    "a link in the middle": ({"nets/up": "../../rival"}, {"nets/up/bot.py": "", "nets/net": "text of net"}),
    "a dangling link": ({"x": "../nothing", "y": "y"}, {"x": "", "y": ""}),
    "a link within": ({"x": "nets/net", "y": "nets"}, {"x": "text of net", "y": "net", "y/net": "text of net"}),
    "a link to the system": ({"x": "/etc/nsswitch.conf", "y": "/etc/shadow"}, {"y": ""}),
    "a link to processes": ({"x": "/proc/1/root/{}/home/key", "y": "/proc/self/cwd/../home/key"}, {"x": "", "y": ""}),
}


@pytest.mark.parametrize("kind", OUTSIDE)
def test_what_a_link_leads_to_is_not_there(ann: Path, way: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUADRILLE_HOME", str(ann.parent / "home"))
    links, read = OUTSIDE[kind]
    for name, target in links.items():
        (ann / name).symlink_to(target.format(ann.parent))
    wanted = {word: "" if "key" in word else text for word, text in read.items()}
    assert said(ann, *PLAIN, "bot.py", *wanted) == str(list(wanted.values()))


def test_a_link_that_is_left_out_is_named_with_what_to_do(ann: Path, way: str) -> None:
    (ann / "x").symlink_to("../rival/bot.py")
    (ann / "bot").symlink_to("../other/bin/tool")
    with Program([*PLAIN, "bot.py", "x"], cwd=ann, limits=BOXED) as one:
        why = f'its box does not show "x", which leads to "{ann.parent / "rival" / "bot.py"}": a link may lead only'
        assert why in one.protection.told and why in held(one.protection)
    assert f'does not show "./bot", which leads to "{ann.parent / "other" / "bin" / "tool"}"' in said(ann, "./bot")


@pytest.mark.parametrize("line", ["{}/other/bin/tool", "../other/bin/tool", "/usr/bin/env tool", "{}/home/tool"])
def test_a_first_line_opens_no_folder(ann: Path, way: str, line: str) -> None:
    """Nor does the name of a program on the PATH that is no interpreter."""
    (ann.parent / "home" / "tool").write_bytes((ann.parent / "other" / "bin" / "tool").read_bytes())
    (ann.parent / "bin").mkdir()
    (ann.parent / "bin" / "tool").symlink_to("../other/bin/tool")
    (ann / "bot").write_text(f"#!{line.format(ann.parent)}\n")
    (ann / "bot").chmod(0o755)
    path = f"{ann.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    assert "reached" not in said(ann, "./bot", env={"PATH": path})
    places = sight(["./bot"], str(ann), {"PATH": path})
    assert not any("other" in place or "home" in place for place in places if str(ann.parent) in place)
    if not line.startswith("/usr"):
        assert "of its first line: name that" in left_out(["./bot"], str(ann), places)


def test_an_interpreter_in_a_bots_folder_is_that_of_its_user_or_left_out(ann: Path, way: str) -> None:
    """A virtual environment among a bot's files leads to the interpreter that runs here, and to no other program."""
    (ann / "venv" / "lib").mkdir(parents=True)
    (ann / "venv" / "bin").mkdir()
    (ann / "venv" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    (ann / "venv" / "bin" / "tool").symlink_to("../../../other/bin/tool")
    assert said(ann, "venv/bin/python", "-I", "-S", "bot.py", "nets/net") == "['text of net']"
    assert "reached" not in said(ann, "venv/bin/tool")
    assert not any(str(ann.parent / "other") in place for place in sight(["venv/bin/tool"], str(ann), {}))


def test_pipes_sockets_devices_and_other_links_to_files_show_nothing_else(ann: Path, way: str) -> None:
    """A second name of a file in the folder is the file itself, which no archive makes outside of its own folder."""
    os.mkfifo(ann / "pipe", 0o755)
    (ann / "hard").hardlink_to(ann / "nets" / "net")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(ann / "socket"))
    if os.geteuid() == 0:
        os.mknod(ann / "device", stat.S_IFCHR | 0o666, os.makedev(1, 9))
    for name in ("pipe", "socket", "device"):
        assert not any(place.endswith(f"/{name}") for place in sight(["python3", name], str(ann), {}))
    assert "it is a pipe, a socket or a device" in why_not(["./pipe"], ann)
    assert said(ann, *PLAIN, "bot.py", "hard") == "['text of net']"
    if way != "landlock":  # which lets a bot read a device that root has unpacked for it
        assert said(ann, *PLAIN, "bot.py", "device") == "['']"


def test_a_link_that_comes_after_the_look_is_not_followed(ann: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the places and their mounts somebody swaps a folder, a file and one on the way for links."""

    def swapped(*words: Any) -> list[str]:
        places = sight(*words)
        for name in ("nets", "bot.txt", "deep"):
            (ann / name).rename(ann.parent / f"was-{name}")
            (ann / name).symlink_to(ann.parent / "rival")
        return [place for place in places if not place.endswith("/ann")] + [SEEN + str(ann / name) for name in names]

    (ann / "bot.txt").write_text("text")
    (ann / "deep").mkdir()
    for name in ("bot.py", "deep/bot.py"):
        (ann / name).write_text((ann / "bot.py").read_text())
    monkeypatch.setattr("quadrille.ai.bots.process.program.sight", swapped)
    names = ["bot.py", "nets", "bot.txt", "deep/bot.py"]
    assert said(ann, *PLAIN, *names, "nets/bot.py") == str([""] * 4)


def test_nothing_in_a_box_is_a_device_or_gives_rights_but_the_few_devices_that_all_have(ann: Path, way: str) -> None:
    look = "print([row.split()[4:6] for row in open('/proc/self/mountinfo')], flush=True)"
    (ann / "bot.py").write_text(look)
    if way == "landlock":
        pytest.skip("it has the mounts of its user")
    found = {place: set(flags.split(",")) for place, flags in ast.literal_eval(said(ann, *PLAIN, "bot.py"))}
    assert str(ann) in found and "/dev/null" in found
    for place, flags in found.items():
        assert "nosuid" in flags, place
        assert ("nodev" in flags) == (not place.startswith("/dev/")), place
        assert ("ro" in flags) == (place != "/tmp"), place


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("way", ["landlock"], indirect=True)
def test_with_landlock_alone_temporary_files_go_with_the_program() -> None:
    """Also where its warden is killed."""
    for kill in (False, True):
        with boxed("import tempfile; print(tempfile.mkstemp()[1], flush=True); input()") as one:
            made = Path(os.fsdecode(one.line(DEADLINE) or b""))
            assert made.exists() and made.parent != Path(tempfile.gettempdir()), made
            if kill:
                os.kill(one._process.pid, signal.SIGKILL)
        assert not made.parent.exists()


#: Each of four processes continues itself, as often as it can.
RESTLESS: Final = """
import os, signal
os.fork(), os.fork()
while True:
    os.kill(os.getpid(), signal.SIGCONT)
"""


def test_no_bot_that_continues_itself_is_awake_in_others_turns(way: str) -> None:
    """A process that has not stopped yet drops the signal to stop when another continues it."""
    with boxed(RESTLESS) as one:
        assert within(DEADLINE, lambda: len(descendants(one.warden)) == 4)
        states = lambda: {fields(process)[0] for process in descendants(one.warden)}  # noqa: E731
        for _ in range(60):
            one.freeze(still=True)
            assert within(DEADLINE, lambda: states() == {b"T"})
            one.freeze(still=False)
            assert within(DEADLINE, lambda: b"T" not in states())


def test_what_is_hidden_stays_hidden_whoever_names_it(ann: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a command that names the home of this installation, or a folder on the PATH that it is part of."""
    monkeypatch.setenv("QUADRILLE_HOME", str(ann.parent / "home"))
    assert said(ann, *PLAIN, "bot.py", "../home/key", "../home", "nets/net") == "['', '', 'text of net']"
    (ann.parent / "home" / "bin").mkdir()
    secret = str(ann.parent / "home")
    for words in (["python3", "../home/key"], ["../home/key"], ["python3", str(ann.parent), "../home/bin"]):
        for env in ({"PATH": f"{secret}/bin"}, {"PYTHONPATH": secret}, {"VIRTUAL_ENV": secret, "PATH": "/usr/bin"}):
            assert not any(place.startswith(SEEN + secret) for place in sight(words, str(ann), env, [secret]))


SPY: Final = """
from pathlib import Path
from quadrille.ai import Bot

class Spy(Bot):
    def choose(self, view, clock, rng):
        found = [path for name in ("identity.key", "learn") for path in Path(__file__).parent.rglob(name)]
        assert not found, "has found a key, or what a package keeps"
        return next(iter(view.moves))
"""


@pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")
@pytest.mark.parametrize(("home", "folder"), [("second", "."), (".", "."), (".", "bot-mine"), (".", "bot-known")])
def test_the_home_that_a_command_names_is_hidden_from_the_bots_of_a_table(
    tmp_path: Path, home: str, folder: str
) -> None:
    """It may well lie beside them, or around them, where the command was typed."""
    Identity.open(own_folder(tmp_path / home, "known"))
    (folder_in(tmp_path / home, "learn") / "learn").touch()
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "spy.py").write_text(SPY)
    words = [*CLI, "play", "maze", "--set", "size=3", "--plain", "--home", home, "--against", f"{folder}/spy.py"]
    played = subprocess.run(words, cwd=tmp_path, input="a3-a2\n", text=True, capture_output=True, check=True).stdout
    assert (tmp_path / home / "identity.key").is_file() and "player 2 (spy): a2-" in played, played


def test_a_rivals_link_hides_nothing_of_others(ann: Path) -> None:
    """What a link of one bot leads to was hidden from all others: the system's library, or a rival's own file."""
    (ann.parent / "bob").mkdir()
    (ann.parent / "bob" / "lib").symlink_to("/usr/lib")
    (ann.parent / "bob" / "net").symlink_to("../ann/nets/net")
    [(_, places), _] = sights_in(ann.parent, {"ann": "ann/bot.py", "bob": "bob/lib bob/net"})
    assert {f"{SEEN}/usr", f"{SEEN}{ann}"} <= set(places)


def test_a_bot_that_is_started_with_a_rivals_folder_sees_nothing_of_it(ann: Path) -> None:
    """Its author says how it is started. A file that lies with no other bot is its own, though others name it."""
    (ann.parent / "nets").mkdir()
    (ann.parent / "rival" / "sub").mkdir()
    for name in ("nets/net", "rival/sub/x"):
        (ann.parent / name).touch()
    words = {
        "ann": "ann/bot.py rival rival/bot.py rival/sub/x nets nets/net",
        "bob": "rival/bot.py nets/net",
        "eve": "ann/bot.py -x",
    }
    found = []
    for name, (command, places) in zip(words, sights_in(ann.parent, words), strict=True):
        found.append({place[2 + len(str(ann.parent)) :] for place in places if str(ann.parent) in place})
        named = f'its box does not show "{ann.parent / "rival" / "bot.py"}": that is another bot\'s'
        assert (named in left_out(command, start_folder(command), places)) == (name == "ann")
    assert found == [{"ann", "ann/bot.py", "ann/nets", "nets"}, {"rival", "nets"}, {"ann", "ann/bot.py", "ann/nets"}]


def test_an_administrators_link_on_the_way_is_followed(ann: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as /home on another disk, but nobody else's."""
    (ann.parent / "disk").symlink_to("ann")
    word = str(ann.parent / "disk" / "bot.py")
    assert not any(str(ann.parent) in place for place in sight(["python3", word], "/", {"PATH": "/usr/bin"}))
    monkeypatch.setattr(isolation, "_ADMINISTERED", (str(ann.parent),))
    places = sight(["python3", word], "/", {"PATH": "/usr/bin"})
    assert {f"{SEEN}{ann}", f"{SEEN}{ann.parent / 'disk'}"} <= set(places)
    assert left_out(["python3", word], "/", places) == ""


# What a bot asks of the system

#: What a bot tries on FILE, which it may only read: 0, or the number of the error.
TRIED: Final = """
import ctypes, fcntl, os, sys
libc, file = ctypes.CDLL(None, use_errno=True), os.open(FILE, os.O_RDONLY)
ends, page = os.pipe(), ctypes.create_string_buffer(1 << 14)
def call(number, *words):
    done = libc.syscall(ctypes.c_long(number), *[ctypes.c_void_p(word) for word in words])
    return 0 if done >= 0 else ctypes.get_errno()
at = libc.mmap
at.restype, at.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
view, buffers = at(None, 4096, 1, 2, file, 0), (ctypes.c_uint64 * 2)(ctypes.addressof(page), 1)
name = ctypes.create_string_buffer(os.fsencode(FILE))
inside, path, vector = map(ctypes.addressof, (page, name, buffers))
found = {
    "lease": call(72, file, 1024, 0), "notes": call(72, os.open(".", os.O_RDONLY), 1026, 1),
    "signal": call(72, file, 10, 9), "owner": call(72, file, 8, os.getppid()),
    "asynchronous": call(72, ends[0], 4, 0o24000), "also by ioctl": call(16, file, 0x5452, inside),
    "high half": call(72, file, 1 << 32 | 1024, 0), "large pipe": call(72, ends[0], 1031, 1 << 20),
    "lock": call(72, file, 6, inside), "file's lock": call(72, file, 37, inside),
    "residency": call(27, view, 4096, inside), "residency by reading": call(327, file, vector, 1, 0, 0, 8),
    "merge": call(28, view, 4096, 12), "evict": call(28, view, 4096, 21), "filter": call(157, 22, 2, inside),
    "barrier": call(324, 1, 0, 0), "mode": call(90, path, 0), "mode if open": call(91, file, 0),
    "owner of file": call(92, path, os.getuid(), os.getgid()), "times": call(280, (1 << 64) - 100, path, 0, 0),
    "truncate": call(76, path, 0), "remove": call(87, path), "attribute": call(188, path, 0, 0, 0, 0),
    "device": call(133, path, 0o20666, 259),
}
print([name for name, error in found.items() if not error], flush=True)
"""


@ON_X86
def test_a_file_that_a_bot_may_read_is_touched_in_no_other_way(tmp_path: Path, way: str) -> None:
    """A lease keeps whoever opens it waiting for 45 seconds; a mode of 0, for good."""
    file = tmp_path / "file"
    file.write_text("whole")
    file.chmod(0o644)
    before = file.stat()
    (tmp_path / "bot.py").write_text(TRIED.replace("FILE", repr(str(file))))
    assert said(tmp_path, *PLAIN, "bot.py") == "[]"
    after = file.stat()
    assert (before.st_mode, before.st_uid, before.st_mtime_ns) == (after.st_mode, after.st_uid, after.st_mtime_ns)
    assert file.read_text() == "whole"
    with file.open("r+b") as opened:  # a lease on it would break, and wait for its holder
        assert opened.read() == b"whole"


#: Takes all locks there are of FILE, or says what another can tell of them.
LOCKS: Final = """
import fcntl, os, struct, sys
file = os.open(FILE, os.O_RDONLY)
def tried(what):
    try: return what()
    except OSError as error: return error.errno
lock = struct.pack("hhqqi4x", fcntl.F_RDLCK if TAKES else fcntl.F_WRLCK, 0, 0, 0, 0)
asks = (fcntl.F_SETLK, 37, fcntl.F_SETLEASE) if TAKES else (fcntl.F_GETLK, 36, fcntl.F_GETLEASE)
print([
    *(tried(lambda: fcntl.flock(file, kind | fcntl.LOCK_NB)) for kind in (fcntl.LOCK_EX, fcntl.LOCK_SH)),
    *(tried(lambda: fcntl.fcntl(file, ask, word)) for ask, word in zip(asks, (lock, lock, fcntl.F_RDLCK))),
], flush=True)
sys.stdin.read()
"""


def test_two_boxes_pass_no_bit_by_locks_and_leases(tmp_path: Path, way: str) -> None:
    """What one finds is the same while the other holds all that it can."""

    def bot(*, takes: bool) -> Program:
        name = tmp_path / f"takes-{takes}.py"
        name.write_text(LOCKS.replace("TAKES", str(int(takes))).replace("FILE", repr(os.path.realpath(sys.executable))))
        return Program([*PLAIN, name.name], cwd=tmp_path, limits=BOXED)

    with bot(takes=False) as alone:
        before = alone.line(DEADLINE)
    with bot(takes=True) as one, bot(takes=False) as other:
        assert (one.line(DEADLINE) or b"").startswith(b"[None, None, 37, 37, ")
        assert other.line(DEADLINE) == before


# The processor time of bots that hide it: children that nobody waits for, orphans, other processors


#: Let children of 15 ms work one after the other, 3 seconds in all. `AT_THE_END` says how a child is waited for.
HIDES = """
import os, signal, sys, time
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
signal.signal(signal.SIGCHLD, HOW)
for _ in range(COUNT):
    ready, done = os.pipe()
    if os.fork() == 0:
        os.close(ready)
        work(0.015)
        os._exit(0)
    os.close(done)
    os.read(ready, 1)  # until it has ended
    os.close(ready)
    if HOW == signal.SIG_DFL: os.wait()
"""


@pytest.fixture(params=["cgroup", "polls"])
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "polls":
        monkeypatch.setattr(cgroup, "make", lambda *_: None)
    elif cgroup._writable() is None:
        pytest.skip("this system gives no cgroup in which others can be made")
    return str(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["SIG_IGN", "SIG_DFL"])
def test_children_that_a_bot_never_waits_for_count_to_its_limit(way: str, counted: str, how: str) -> None:
    with boxed(HIDES.replace("HOW", f"signal.{how}").replace("COUNT", "200"), cpu=1) as bot:
        assert bot.protection is not None and bool(bot._cgroup and cgroup._members(bot._cgroup.folder)) == (
            counted == "cgroup"
        )
        assert "used more than its 1 seconds of processor time" in str(ended(bot))
