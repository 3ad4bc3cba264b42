"""tools/release, in a scratch clone: what it refuses, and a whole release."""

import datetime
import hashlib
import io
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what is committed here, dated today and tagged, with addresses that are no placeholders."""
    folder = tmp_path_factory.mktemp("release") / "clone"
    git(folder.parent, "clone", "-q", str(ROOT), str(folder))
    changes = folder / "CHANGELOG.md"
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    changes.write_text(changes.read_text("utf-8").replace("(unreleased)", f"({today})", 1), "utf-8")
    setup = folder / "setup.cfg"
    setup.write_text(setup.read_text("utf-8").replace(".example/", ".test/"), "utf-8")
    git(folder, "commit", "-aqm", "A release")
    git(folder, "tag", "v0.1.0")
    return folder


@pytest.fixture
def clone(whole: Path) -> Path:
    """Return the clone as it was at first."""
    git(whole, "reset", "-q", "--hard", "v0.1.0")
    return whole


def release(clone: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, clone / "tools/release", *words]
    return subprocess.run([*map(str, command)], cwd=clone.parent, capture_output=True, text=True, check=False)


def test_a_release_is_made_twice_with_the_same_bytes_and_has_its_hashes(clone: Path) -> None:
    pytest.importorskip("build")
    out = clone.parent / "dist"
    done = release(clone, out)
    assert not done.returncode, done.stderr
    lines = (out / "SHA256SUMS").read_text("ascii").splitlines()
    files = sorted(path.name for path in out.iterdir() if path.name != "SHA256SUMS")
    assert files == ["quadrille_games-0.1.0-py3-none-any.whl", "quadrille_games-0.1.0.tar.gz"]
    assert lines == [f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}" for name in files]
    assert done.stdout.splitlines()[1:] == lines
    assert "is not empty" in release(clone, out).stderr
    lacks_a_package = {name: (out / name).read_bytes() for name in files}
    packed = io.BytesIO()
    with zipfile.ZipFile(out / files[0]) as old, zipfile.ZipFile(packed, "w") as new:
        for entry in old.infolist():
            if not entry.filename.startswith("quadrille/rules/search/"):
                new.writestr(entry, old.read(entry))
    lacks_a_package[files[0]] = packed.getvalue()
    check_contents = runpy.run_path(str(clone / "tools/release"))["check_contents"]
    with pytest.raises(SystemExit, match=r"lacks quadrille/rules/search/.*name them in setup.cfg"):
        check_contents("0.1.0", lacks_a_package)


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        ("package/__init__.py", '"0.1.0"', '"0.2.0"', "begins with 0.1.0, and package/__init__.py has 0.2.0"),
        ("package/__init__.py", '"0.1.0"', '"0.2"', "it takes the form 1.2.3"),
        ("CHANGELOG.md", "## 0.1.0 (2", "## 0.1.0 (soon, 2", "put the date of the release there"),
        ("CHANGELOG.md", "## 0.1.0 (2", "## 0.1.0 (1", "put today's date there"),
        ("setup.cfg", ".test/", ".example/", "the project_urls in setup.cfg are placeholders"),
        ("README.md", "Quadrille", "Quadrilles", "this commit has no tag v0.1.0: git tag -s v0.1.0"),
    ],
)
def test_what_does_not_fit_together_is_refused(clone: Path, file: str, before: str, after: str, said: str) -> None:
    path = clone / file
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    git(clone, "commit", "-aqm", "A slip")
    refused = release(clone, clone.parent / "none")
    assert refused.returncode == 1 and said in refused.stderr
    assert not (clone.parent / "none").exists()


def test_what_is_not_committed_is_refused(clone: Path) -> None:
    (clone / "README.md").write_text("Quadrilles")
    assert "changes that are not committed" in release(clone, clone.parent / "none").stderr
