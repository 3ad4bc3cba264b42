"""The workflows, which nobody can run here, read as texts: what they may do, are made of, and try."""

import configparser
import re
from pathlib import Path
from typing import Final

import pytest

from tests.packaging.floors import numbers

ROOT: Final = Path(__file__).resolve().parents[2]
#: Ours, and the one that an author's repository begins with.
TEMPLATE: Final = ROOT / "examples/template/.github/workflows/check.yml"
CONSTRAINTS: Final = ROOT / "tools/build-constraints.txt"
FILES: Final = [*sorted((ROOT / ".github/workflows").glob("*.yml")), TEMPLATE]


def jobs(text: str) -> dict[str, str]:
    parts = re.split(r"^  (\w+):$", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def text(request: pytest.FixtureRequest) -> str:
    path: Path = request.param
    return path.read_text("utf-8")


def test_it_says_that_it_is_untried_and_may_do_nothing_but_read(text: str) -> None:
    assert text.startswith("# Untried: ")
    assert "\npermissions:\n  contents: read\n\n" in text
    assert "secrets." not in text and "pull_request_target" not in text


def test_each_job_has_an_end_and_a_system_of_a_stated_version(text: str) -> None:
    assert "\nconcurrency:\n  group: " in text
    for name, job in jobs(text).items():
        assert re.search(r"^    timeout-minutes: \d+$", job, re.MULTILINE), name
        assert "-latest" not in job


def test_actions_are_pinned_by_a_commit_and_name_its_version() -> None:
    """All files have the same one of each."""
    used = {line for path in FILES for line in re.findall(r"uses: (.+)", path.read_text("utf-8"))}
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line) for line in used)
    assert len(used) == len({line.partition("@")[0] for line in used}) == 6


def test_what_builds_a_release_has_fixed_versions() -> None:
    """Those that build_engine.py and pyproject.toml ask for, at or above their floors; and the two that are called."""
    fixed = dict(re.findall(r"^(\w+)==([\d.]+)$", CONSTRAINTS.read_text("utf-8"), re.MULTILINE))
    asked = (ROOT / "build_engine.py").read_text("utf-8") + (ROOT / "pyproject.toml").read_text("utf-8")
    floors = re.findall(r'"(\w+)(?:\[\w+\])?>=([\d.]+)"', asked)
    assert {name for name, _ in floors} == {"setuptools", "mypy", "librt", "mypy_extensions"}
    assert all(numbers(fixed[name]) >= numbers(floor) for name, floor in floors)
    release = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert all("==" in tool for tool in re.findall(r"pip install (\S+)", release))
    assert len(re.findall(r"PIP_CONSTRAINT.*tools/build-constraints\.txt$", release, re.MULTILINE)) == 2


def test_a_checkout_leaves_no_token_behind(text: str) -> None:
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")


def test_text_of_strangers_reaches_no_shell(text: str) -> None:
    for command in re.findall(r"run: (.*)", text):
        assert "${{" not in command


def test_all_pythons_from_the_first_that_is_allowed_are_tried() -> None:
    told = configparser.ConfigParser()
    told.read(ROOT / "setup.cfg", "utf-8")
    first = told["options"]["python_requires"].removeprefix(">=3.")
    tried = re.search(r"python: \[(.*)\]", (ROOT / ".github/workflows/tests.yml").read_text("utf-8"))
    assert tried
    minors = [int(minor) for minor in re.findall(r'"3\.(\d+)"', tried[1])]
    assert minors == list(range(int(first), max(minors) + 1)) and max(minors) >= 14
    wheels = re.search(r"CIBW_BUILD: (.*)", (ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    assert wheels and wheels[1].split() == [f"cp3{minor}-*" for minor in minors]


def test_only_what_publishes_and_attests_may_ask_for_a_token_and_only_a_tag_is_published() -> None:
    found = jobs((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    assert {name for name, job in found.items() if "id-token: write" in job} == {"attest", "publish"}
    assert "if: startsWith(github.ref, 'refs/tags/')" in found["publish"] and "environment: pypi" in found["publish"]
    assert "    needs: attest\n" in found["publish"] and "    needs: [plain, compiled]\n" in found["attest"]
