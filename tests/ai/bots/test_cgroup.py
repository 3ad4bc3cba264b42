"""A cgroup for each bot where one is delegated. Which controllers a machine has differs: what needs none is tried."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from quadrille.ai.bots.process import cgroup
from quadrille.ai.bots.process.program import Limits, Program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="cgroups are Linux's")

#: In a cgroup that is its own: what it takes it for, and what a worker that it starts finds.
TAKEN = """
import os, subprocess, sys
from pathlib import Path
from quadrille.ai.bots.process import cgroup
own = Path(sys.argv[1])
(own / "cgroup.procs").write_text(str(os.getpid()))
print(cgroup.take(own, ()))
print(cgroup.take(own / "quadrille-runner", ()))
made = cgroup.make_in(own, None, None)
child = subprocess.Popen(["sleep", "60"])
(made.folder / "cgroup.procs").write_text(str(child.pid))
print((made.folder / "cgroup.procs").read_text().split() == [str(child.pid)], made.was_short)
made.remove()
print(child.wait(), made.folder.exists())
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
    assert done.stdout.split("\n")[:4] == [str(own), str(own), "True False", "-9 False"], done.stderr


def test_a_cgroup_in_which_somebody_else_is_is_left_alone(own: Path) -> None:
    """Nobody but our own processes is moved."""
    with subprocess.Popen(["sleep", "60"]) as other:
        (own / "cgroup.procs").write_text(str(other.pid))
        script = "import sys; from pathlib import Path; from quadrille.ai.bots.process import cgroup\n"
        script += "print(cgroup.take(Path(sys.argv[1]), ()))"
        done = subprocess.run([sys.executable, "-c", script, str(own)], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "None"
        assert (own / "cgroup.procs").read_text().split() == [str(other.pid)]
        other.kill()


def test_a_cgroup_without_what_is_needed_is_left_alone(own: Path) -> None:
    """The kernel may have given memory to another hierarchy, or to nobody."""
    assert cgroup.take(own, ("no such controller",)) is None
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


def test_where_no_cgroup_can_be_entered_a_program_runs_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system that is none, and one that refuses."""
    assert cgroup.make_in(tmp_path / "none", 64, None) is None
    (tmp_path / "bot").mkdir()
    monkeypatch.setattr(cgroup, "make", lambda *_: cgroup.Cgroup(tmp_path / "bot", has_limits=True))
    with Program([sys.executable, "-I", "-S", "-c", "print(1)"], limits=Limits(memory=512)) as program:
        assert program.line(10) == b"1"
        assert not program.protection.cgroup
