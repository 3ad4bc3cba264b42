"""A cgroup for each bot where one is delegated. Which controllers a machine has differs: what needs none is tried."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quadrille.ai.bots.process import cgroup, own_user, system_calls
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.process.usage import children
from tests.ai.tournament.test_attacks import NAMESPACES, works

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="cgroups are Linux's")

#: In a cgroup that is its own: what it takes it for, and what a worker that it starts finds.
TAKEN = """
import os, subprocess, sys
from pathlib import Path
from quadrille.ai.bots.process import cgroup
own = Path(sys.argv[1])
ended = subprocess.Popen(["true"])
ended.wait()
(left := own / f"bot-{ended.pid}-1").mkdir()
(own / "cgroup.procs").write_text(str(os.getpid()))
print(cgroup.take(own, ()))
print(cgroup.take(own / "quadrille-runner", ()))
made = cgroup.make_in(own, None, None)
child = subprocess.Popen(["sleep", "60"])
(made.folder / "cgroup.procs").write_text(str(child.pid))
print((made.folder / "cgroup.procs").read_text().split() == [str(child.pid)], not made.shortage)
made.remove()
print(child.wait(), made.folder.exists(), left.exists())
"""


@pytest.fixture
def own() -> Iterator[Path]:
    """A new cgroup below that of this process."""
    mounts = Path("/proc/self/mountinfo").read_text("utf-8")
    found = cgroup._own(Path("/proc/self/cgroup").read_text("utf-8"), mounts)
    if found is None or not os.access(found, os.W_OK):
        pytest.skip("no cgroups of version 2 that can be written to")
    folder = found / f"quadrille-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("no cgroup can be made here")
    yield folder
    for left in (*folder.glob("*/"), folder):
        with suppress(OSError):
            left.rmdir()


def test_a_delegated_cgroup_is_taken_and_what_is_left_in_a_bots_is_killed(own: Path) -> None:
    """Its processes go to a leaf, a worker finds what was made, and a bot's cgroup goes with all that is in it."""
    done = subprocess.run([sys.executable, "-c", TAKEN, str(own)], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:4] == [str(own), str(own), "True True", "-9 False False"], done.stderr


def test_a_cgroup_with_somebody_else_in_it_or_without_what_is_needed_is_left_alone(own: Path) -> None:
    """Only our own processes are moved; the kernel may have given memory to another hierarchy, or to nobody."""
    assert cgroup.take(own, ("no such controller",)) is None
    with subprocess.Popen(["sleep", "60"]) as other:
        (own / "cgroup.procs").write_text(str(other.pid))
        script = "import sys; from pathlib import Path; from quadrille.ai.bots.process import cgroup\n"
        script += "print(cgroup.take(Path(sys.argv[1]), ()))"
        done = subprocess.run([sys.executable, "-c", script, str(own)], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "None"
        assert (own / "cgroup.procs").read_text().split() == [str(other.pid)]
        other.kill()
    assert not (own / "quadrille-runner").exists()


@pytest.mark.parametrize(
    ("groups", "mounts", "found"),
    [
        ("0::/a/b\n", "31 23 0:28 / /sys/fs/cgroup rw shared:1 - cgroup2 c rw\n", "/sys/fs/cgroup/a/b"),
        ("1:cpu:/x\n0::/\n", "31 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 c rw\n", "/sys/fs/cgroup/unified"),
        ("0::/a/b\n", "31 23 0:28 /a /sys/fs/cgroup rw - cgroup2 c rw\n", "/sys/fs/cgroup/b"),
        ("0::/ab\n", "31 23 0:28 /a /sys/fs/cgroup rw - cgroup2 c rw\n", None),
        ("0::/../b\n", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 c rw\n", None),
        ("4:memory:/x\n", "31 23 0:28 / /sys/fs/cgroup rw - cgroup c rw\n", None),
    ],
)
def test_where_the_own_cgroup_is(groups: str, mounts: str, found: str | None) -> None:
    """As the files of /proc tell it."""
    assert cgroup._own(groups, mounts) == (None if found is None else Path(found))


@pytest.mark.parametrize("has_limits", [False, True])
@pytest.mark.parametrize("isolate", ["none", "if possible"])
def test_a_program_is_in_its_cgroup_before_it_begins(
    own: Path, isolate: str, has_limits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also behind namespaces. It is gone afterwards."""
    made = cgroup.make_in(own, None, None)
    assert made is not None and not made.has_limits
    made.has_limits = has_limits
    monkeypatch.setattr(cgroup, "make", lambda *_: made)
    script = "import sys; print(open('/proc/self/cgroup').read().split('0::')[1], flush=True); sys.stdin.read()"
    limits = Limits(memory=512, isolate=isolate)  # type: ignore[arg-type]
    with Program([sys.executable, "-I", "-S", "-c", script], limits=limits) as program:
        line = program.line(10)
        assert line is not None
        (folder,) = own.glob("bot-*")
        assert line.decode().endswith(f"/{folder.name}")
        assert program.protection.cgroup == (isolate != "none" and has_limits)
    assert not folder.exists()


def test_where_no_cgroup_can_be_entered_a_program_still_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that is none, and one that refuses."""
    assert cgroup.make_in(tmp_path / "none", 64, None) is None
    (tmp_path / "bot").mkdir()
    monkeypatch.setattr(cgroup, "make", lambda *_: cgroup.Cgroup(tmp_path / "bot", has_limits=True))
    with Program([sys.executable, "-I", "-S", "-c", "print(1)"], limits=Limits(memory=512)) as program:
        assert program.line(10) == b"1"
        assert not program.protection.cgroup


# Each box has a user of its own where this machine has numbers for one: what users share, boxes do not


REPOSITORY = Path(__file__).parents[3]


def boxed(code: str, folder: Path | None = None) -> Program:
    words = [sys.executable, "-I", "-S", "-c", code] if folder is None else [sys.executable, "-I", "-S", "bot.py"]
    if folder is not None:
        folder.chmod(0o755)
        (folder / "bot.py").write_text(code)
    return Program(words, cwd=folder, limits=Limits(isolate="if possible"))


def has_own_user() -> bool:
    if not NAMESPACES:
        return False
    with boxed("") as one:
        return one.protection.user


OWN = pytest.mark.skipif(not has_own_user(), reason="needs a system with numbers of users for boxes")


@OWN
def test_boxes_at_the_same_time_have_different_users_and_keep_their_name() -> None:
    """Outside; inside each has the number of its runner, so that its name and its home are found, under any umask."""
    with ExitStack() as stack:
        stack.callback(os.umask, os.umask(0o077))
        code = "import os; print(os.getuid(), open('/dev/stdout', 'w').write(''), flush=True); input()"
        bots = [stack.enter_context(boxed(code)) for _ in range(4)]
        assert {bot.line(20) for bot in bots} == {f"{os.geteuid()} 0".encode()}
        users = {Path(f"/proc/{children(bot.warden)[0]}").stat().st_uid for bot in bots}
        assert len(users) == 4 and os.geteuid() not in users
        assert all(bot.protection.told.endswith(", with a user of its own") for bot in bots)


#: What one user may do once or so often, tried without the filter of calls that refuses it too.
SHARED = {
    "a lease": "fcntl.fcntl(os.open('bot.py', os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "pipes": "[libc.fcntl(os.pipe()[0], 1031, 1 << 20) for _ in range(200)].index(-1) or [].index(0)",
    "a file of mode 600": "open('later').read()",
}


@OWN
@pytest.mark.parametrize("what", SHARED)
def test_what_users_share_boxes_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The second box of two can make its pipes as large as the first; none leases or reads what is the runner's."""
    monkeypatch.setattr(system_calls, "program", lambda *_, **__: b"")
    code = "import ctypes, fcntl, os\nlibc = ctypes.CDLL(None)\n"
    code += f"try: print({SHARED[what]}, flush=True)\nexcept (OSError, ValueError): print('refused', flush=True)\n"
    with ExitStack() as stack:
        assert stack.enter_context(boxed("print(1, flush=True)", tmp_path)).line(20) == b"1"
        (tmp_path / "later").touch(mode=0o600)
        first, second = (stack.enter_context(boxed(f"{code}input()", tmp_path)) for _ in range(2))
        said = {first.line(20), second.line(20)}
        assert len(said) == 1 and (said == {b"refused"}) == (what != "pipes")


@OWN
def test_a_bot_whose_files_only_their_owner_reads_has_the_users_and_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "weights").touch(mode=0o600)
    with boxed("print(open('weights').read() == '', flush=True)", tmp_path) as one:
        assert one.line(20) == b"True"
        assert not one.protection.user
        assert f"only their owner reads {tmp_path}/weights, so the bot has your user" in one.protection.told


def test_where_files_are_readable_is_told_by_their_modes(tmp_path: Path) -> None:
    """A group's rights count where this user is in it; a link is no file; what the owner lacks is not missed."""
    for number, (name, mode) in enumerate({"a": 0o644, "b": 0o640, "c": 0o200, "d": 0o755}.items()):
        (tmp_path / name).write_bytes(bytes(number))
        (tmp_path / name).chmod(mode)
    (tmp_path / "link").symlink_to("/etc/shadow")
    tmp_path.chmod(0o750)
    assert own_user.unreadable([f"+{tmp_path}"]) is None
    for name, mode in (("e", 0o604), ("f", 0o711)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
        (tmp_path / name / "file").chmod(mode)
        assert own_user.unreadable([f"+{tmp_path / name}", f".{tmp_path}"]) == str(tmp_path / name / "file")


#: As an ordinary user with a range of numbers, or without.
ORDINARY = """
mount --bind {0}/subuid /etc/subuid && mount --bind {0}/passwd /etc/passwd &&
exec setpriv --reuid=1234 --regid=1234 --clear-groups env HOME=/tmp PYTHONPATH={0} PATH={1} "$@"
"""
TOLD = """
from quadrille.ai.bots.process.program import Limits, Program
with Program(["/bin/sh", "-c", "echo there"], limits=Limits(isolate="if possible")) as one:
    print(one.line(20), one.protection.told)
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("newuidmap") or not NAMESPACES, reason="needs newuidmap and namespaces")
@pytest.mark.parametrize(
    ("numbers", "path", "told"),
    [
        ("somebody:300000:65536", "/usr/bin:/bin", "with a user of its own"),
        ("1234:300000:2", "/usr/bin:/bin", "with a user of its own"),
        ("somebody:300000:65536", "/nowhere", "there is no newuidmap"),
        ("other:300000:65536", "/usr/bin:/bin", "there is no number for another user here"),
        ("somebody:what", "/usr/bin:/bin", "there is no number for another user here"),
    ],
)
def test_an_ordinary_user_has_users_for_boxes_by_newuidmap(numbers: str, path: str, told: str) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "subuid").write_text(f"{numbers}\n")
        (folder / "passwd").write_text(Path("/etc/passwd").read_text() + "somebody:x:1234:1234::/tmp:/bin/sh\n")
        package = folder / "quadrille"
        package.mkdir()
        for part in (*(REPOSITORY / "package").iterdir(), *(REPOSITORY / floor for floor in ("rules", "net", "ai"))):
            (package / part.name).symlink_to(part)
        script = ORDINARY.format(folder, path)
        words = ["unshare", "--mount", "sh", "-c", script, "sh", "/usr/bin/python3"]
        if not works(words, "-c", "import quadrille.ai.bots.process.program"):
            pytest.skip("this system starts no other user's program so")
        done = subprocess.run([*words, "-c", TOLD], capture_output=True, text=True, check=False, timeout=900)
    assert done.stdout.startswith("b'there' namespaces") and told in done.stdout, done.stderr
