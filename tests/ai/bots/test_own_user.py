"""Each box has a user of its own where this machine has numbers for one: what users share, boxes do not."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quadrille.ai.bots.process import own_user, system_calls
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.process.usage import children
from tests.ai.tournament.test_attacks import NAMESPACES, works

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
    """Outside; inside each has the number of whoever runs it, so that its name and its home are found."""
    with ExitStack() as stack:
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
