"""Installed in fresh environments, as people do: plain, or compiled by wish, importable always."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from functools import cache
from pathlib import Path
from typing import Self

import pytest

from quadrille import __version__
from quadrille.client.documents import example_paths
from quadrille.rules.native.install import DISTRIBUTION
from tests.client.phones.served import is_open
from tests.documents import ROOT, documents, name_of
from tests.guides.typed import GUIDES, OFFLINE, blocks, typed
from tests.net.ports import tcp_port
from tests.waiting import soon

#: Prints what the engine is, and what a seed comes to.
ASK = """
from quadrille.rules.native.compiled import engine
from quadrille.rules.search import Position
found = Position.start("barons", {"width": 4, "height": 4}, 3).search(200, seed=5)
print(found.move, found.visits, sep=" | ")
print(engine())
"""
#: What only a compiled engine needs.
NEEDED = ("librt>=0.16", "mypy_extensions>=1")
#: The files of extras beside modules and texts.
DATA = {
    str(path.relative_to(ROOT))
    for path in ROOT.glob("extras/*/**/*.*")
    if path.suffix in (".css", ".html", ".js", ".json", ".jsonl", ".toml", ".weights")
    if "tests" not in path.relative_to(ROOT).parts
}
DOCUMENTS = {str(path.relative_to(ROOT)) for path in documents()}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.implementation.name != "cpython" or os.name != "posix", reason="tried on posix by CPython"),
]


def run(*command: str | Path, where: Path, **environment: str) -> str:
    """Return what a command prints; what it complains of is shown where it fails."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CC", "PYTHONPATH")}
    # To compile all modules takes longer than these tests run them.
    never = ("PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_COMPILE", "PYTHONDONTWRITEBYTECODE")
    kept |= dict.fromkeys(never, "1") | environment
    done = subprocess.run([*map(str, command)], cwd=where, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Place:
    """A fresh environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        self.python = folder / "bin/python"

    def install(self, *words: str | Path, **environment: str) -> None:
        """By the pip of this environment: to install one in each takes seconds."""
        pip = (sys.executable, "-m", "pip", "--python", self.python)
        run(*pip, "install", "-q", *words, where=self.folder, **environment)

    def beside_our_packages(self, *words: str | Path) -> Self:
        """Install these words alone: what they need is that of the Python that runs the tests."""
        (self.packages() / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.install("--no-deps", *words)
        return self

    def packages(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages"))

    def ask(self) -> list[str]:
        return run(self.python, "-c", ASK, where=self.folder).splitlines()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources, so that nothing is left in them."""
    target = tmp_path_factory.mktemp("packaging") / "tree"
    hidden = (".git", ".venv", ".ci", ".*_cache", ".hypothesis")  # the template's .github belongs to the package
    leave = shutil.ignore_patterns(*hidden, "*.egg-info", "__pycache__", "tests", "build", "dist", "*.so")
    shutil.copytree(ROOT, target, ignore=leave)
    shutil.copytree(ROOT / "tests/laws", target / "tests/laws", ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture(scope="module")
def wheels(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both wheels, of a release that was rehearsed, as in .ci/run, or by the one command. That takes the better part of
    a minute: all workers share those of the first.
    """
    import fcntl  # not on Windows, where these tests are skipped

    if rehearsed := os.environ.get("QUADRILLE_WHEELS"):
        return Path(rehearsed)

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = shared / "both-wheels"
    with (shared / "both-wheels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            build(tree).rename(folder)
    return folder


def build(tree: Path) -> Path:
    folder = tree.parent / "wheels"
    place = Place(tree.parent / "builder")
    place.install("setuptools>=77", "pip")
    # What is asked of it here does not need to be fast: a better compilation takes a minute more.
    quick = tree.parent / "quick-cc"
    quick.write_text('#!/bin/sh\nexec cc "$@" -O0\n')
    quick.chmod(0o755)
    run(place.python, "build_engine.py", folder, where=tree, CC=str(quick))
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "fresh")


@pytest.fixture(scope="module")
def compiled(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return an environment for which pip has chosen among both wheels."""
    place = Place(tmp_path_factory.mktemp("compiled") / "fresh")
    place.install("--find-links", wheels, "--no-deps", DISTRIBUTION, *NEEDED)
    return place


def files(wheel: Path, folder: str = "") -> list[str]:
    """Return the files that a wheel has in a folder."""
    with zipfile.ZipFile(wheel) as opened:
        return sorted(name.removeprefix(folder) for name in opened.namelist() if name.startswith(folder))


def metadata(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as opened:
        return next(opened.read(name).decode() for name in opened.namelist() if name.endswith("METADATA"))


@cache
def plain_answer() -> list[str]:
    """Return what the sources beside this test say."""
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_there_are_two_wheels_and_pip_takes_the_one_that_fits(wheels: Path, compiled: Place, tmp_path: Path) -> None:
    assert [path.name.endswith("-py3-none-any.whl") for path in sorted(wheels.iterdir())] == [False, True]
    assert compiled.ask() == [plain_answer()[0], "compiled"]
    # for another machine the plain one, which fits everywhere
    other = tmp_path / "other"
    words = ("--no-index", "--find-links", wheels, "--no-deps", "--target", other, "--only-binary", ":all:")
    compiled.install(*words, "--platform", "other_machine", "--python-version", "3.13", DISTRIBUTION)
    assert not list(other.rglob("*.so")) and (other / "quadrille/rules/board.py").exists()


def test_what_a_compiled_engine_needs_is_said_by_its_wheel_only(wheels: Path) -> None:
    for wheel in wheels.iterdir():
        assert ("librt>=" in metadata(wheel)) == ("none-any" not in wheel.name)
        assert "pyzmq" in metadata(wheel)


def test_quadrille_is_carried_to_a_machine_without_internet(wheels: Path, tmp_path: Path) -> None:
    """As the guide has it, by the network and by a stick; all but our wheels comes from the index, as for anybody."""
    guide, port, eli = blocks(GUIDES / "play-with-friends.md"), str(tcp_port()), tmp_path / "eli"
    collects, serves, installs = (block.text.replace("8765", port) for block in guide if block.word in OFFLINE)
    [plain] = wheels.glob("*none-any.whl")
    typed(collects.replace(" .", f" {plain}"), tmp_path)
    eli.mkdir()
    command = [sys.executable, *shlex.split(serves)[1:], "--bind", "127.0.0.1"]
    server = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        assert soon(lambda: is_open(int(port)))
        assert "quadrille" in typed(installs.replace("192.168.1.5", "127.0.0.1"), eli, PIP_NO_COMPILE="1")
    finally:
        server.terminate()
        server.wait()
    [line] = [line for line in installs.splitlines() if "--find-links" in line]
    stick = "--dry-run --ignore-installed --find-links ../wheels"
    assert "Would install" in typed(re.sub("--find-links .*(?= quadrille-games$)", stick, line), eli)


def test_compiled_files_that_can_not_be_used_are_done_without(wheels: Path, place: Place, tmp_path: Path) -> None:
    place.install("--find-links", wheels, "--no-deps", DISTRIBUTION, *NEEDED)
    packages, away = place.packages(), tmp_path / "away"
    for missing in ("quadrille_engine__mypyc*", "quadrille/rules/dice.c*", "librt"):
        file = next(packages.glob(missing))
        file.rename(away)
        assert_done_without(place)
        away.rename(file)
    shutil.rmtree(packages / "librt")
    (packages / "librt").mkdir()
    (packages / "librt/__init__.py").write_text("")  # as one that is too old
    assert_done_without(place)


def assert_done_without(place: Place) -> None:
    answer, engine = place.ask()
    assert answer == plain_answer()[0]
    assert engine.startswith("plain: there are compiled files, but they can't be used") and "pip install" in engine


def test_what_can_not_be_compiled_is_refused_with_the_reason_and_changes_nothing(
    tree: Path, wheels: Path, place: Place, tmp_path: Path
) -> None:
    broken = Path(shutil.copytree(tree, tmp_path / "broken", ignore=shutil.ignore_patterns("build")))
    with (broken / "rules/dice.py").open("a") as file:
        file.write("NUMBER: int =\n")  # which is found before all types are looked at
    place.install("--no-deps", *wheels.glob("*none-any.whl"))
    with pytest.raises(AssertionError, match=r"dice.py:\d+: error: .*\[syntax\]") as refused:
        place.install("--no-deps", broken, "--config-settings", "compile=yes")
    assert "install it plain: pip install ." in str(refused.value)
    assert place.ask() == [plain_answer()[0], "plain"]


def test_an_editable_install_is_never_compiled_and_shows_the_documents_where_they_stand(
    tree: Path, place: Place, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(tree, tmp_path / "edited", ignore=shutil.ignore_patterns("build")))
    place.install("--no-deps", "-e", copy)
    assert place.ask() == [plain_answer()[0], "plain"]
    assert not list(copy.rglob("*.so"))
    (copy / "SECURITY.md").write_text("# Security\n\nIt was edited.\n", "utf-8")
    listed = run(place.python, "-m", "quadrille.client.cli", "docs", "security", where=place.folder)
    assert listed == "# Security\n\nIt was edited.\n"
    assert not (copy / "client/docs").exists()


def all_shown(place: Place) -> list[str]:
    """Return what `quadrille docs` prints of each document, by one program: one for each takes a minute."""
    names = [name_of(path) for path in documents()]
    ask = f"from quadrille.client.cli import main\nfor name in {names!r}: main(['docs', name]), print(end='\\0')"
    return run(place.python, "-c", ask, where=place.folder).split("\0")[:-1]


def test_every_document_is_in_both_wheels_and_can_be_shown(wheels: Path, compiled: Place) -> None:
    assert [files(wheel, "quadrille/client/docs/") for wheel in wheels.iterdir()] == [sorted(DOCUMENTS)] * 2
    assert all_shown(compiled) == [path.read_text("utf-8") for path in documents()]
    listed = run(compiled.python, "-m", "quadrille.client.cli", "docs", where=compiled.folder)
    assert all(f"  {name_of(path)} " in listed for path in documents())


def test_of_the_tests_a_wheel_has_the_laws_alone_and_all_data_of_extras(wheels: Path) -> None:
    for wheel in wheels.iterdir():
        ours = [name for name in files(wheel) if not name.startswith("quadrille/client/examples/")]
        tests = [name for name in ours if re.search(r"\btests?\b|/test_|conftest", name)]
        assert tests and all(name.startswith("quadrille/laws/") for name in tests)
        assert {f"quadrille/{name}" for name in DATA} <= {*ours}


def test_every_example_is_in_both_wheels_and_is_found(wheels: Path, compiled: Place) -> None:
    there = example_paths(ROOT / "examples")
    assert [files(wheel, "quadrille/client/examples/") for wheel in wheels.iterdir()] == [there] * 2
    name, ask = "jsonlines/bot.c", "from quadrille.client.documents import example; print(example({!r}).read_text())"
    printed = run(compiled.python, "-c", ask.format(name), where=compiled.folder)
    assert printed == (ROOT / "examples" / name).read_text("utf-8") + "\n"


def test_a_package_index_shows_the_readme_without_what_is_not_there(wheels: Path) -> None:
    for wheel in wheels.iterdir():
        _, text = metadata(wheel).split("\n# Quadrille\n")
        assert "<img" not in text and "](" not in text
        assert text.rstrip().splitlines()[-1] == (ROOT / "README.md").read_text("utf-8").rstrip().splitlines()[-1]


def test_what_is_made_of_the_sdist_is_plain_unless_somebody_asks_and_has_every_document(
    tree: Path, place: Place, tmp_path: Path
) -> None:
    """Without the network, and without mypy: setuptools is enough."""
    place.install("setuptools>=77", "wheel")
    build = f"import build_engine; print(build_engine.build_sdist({str(tmp_path)!r}))"
    archive = tmp_path / run(place.python, "-c", build, where=tree).splitlines()[-1]
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert DATA | DOCUMENTS | {*(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.svg"))} <= names
    assert {f"examples/{name}" for name in example_paths(ROOT / "examples")} <= names
    with pytest.raises(AssertionError, match="takes yes or no, not 'maybe'"):
        run(place.python, "-c", "import build_engine; build_engine.wanted({'compile': 'maybe'})", where=tree)
    place.install("--no-index", "--no-build-isolation", "--no-deps", archive, CC="/bin/false")
    assert place.ask() == [plain_answer()[0], "plain"]
    assert not list(place.packages().rglob("quadrille*.so"))
    assert run(place.python, "-m", "quadrille", "--version", where=place.folder) == f"quadrille {__version__}\n"
    assert all_shown(place) == [path.read_text("utf-8") for path in documents()]
