"""The floors of dependencies are versions that the project's own checks run with."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tests.packaging.floors import SETUP, apart, floors, numbers, requirements

ROOT = Path(__file__).parents[2]
FLOORS = floors(SETUP.read_text("utf-8"))


def test_every_dependency_has_one_floor() -> None:
    assert {"PyNaCl", "pyzmq", "msgpack", "numpy", "distributed", "pytest", "mypy"} <= FLOORS.keys()
    text = "[options]\ninstall_requires =\n    one>=1\n[options.extras_require]\nmore =\n    %s\n"
    assert floors(text % "two>=2.1") == {"one": "1", "two": "2.1"}
    assert floors(text % "two>=2.1,<3") == {"one": "1", "two": "2.1"}
    assert requirements(text % "one>=2") == {"one": {"1", "2"}}
    with pytest.raises(ValueError, match="several floors of one"):
        floors(text % "one>=2")
    for loose in ("two", "two==1", "two>=1,!=2", "two>1"):
        with pytest.raises(ValueError, match="no floor"):
            floors(text % loose)


def test_no_floor_lies_below_a_known_hole() -> None:
    """CVE-2025-69277: PyNaCl before 1.6.2."""
    assert numbers(FLOORS["PyNaCl"]) >= (1, 6, 2)


@pytest.mark.parametrize("name", FLOORS)
def test_what_is_installed_here_is_not_below_its_floor(name: str) -> None:
    try:
        here = version(name)
    except PackageNotFoundError:
        pytest.skip(f"{name} is not installed here")
    assert numbers(here) >= numbers(FLOORS[name])


def test_what_is_installed_otherwise_is_named() -> None:
    here = version("pytest")
    assert apart({"pytest": here, "no-such-package": "1"}) == []
    assert apart({"pytest": "1"}) == [f"pytest is installed as {here}, and its floor is 1"]
    assert numbers("2.0") == numbers("2") and numbers("2.0.1") > numbers("2") and numbers("4.14.0") > numbers("4.9")


def test_the_checks_install_exactly_the_floors_once_and_run_with_them() -> None:
    said = (ROOT / ".ci/run").read_text("utf-8")
    install = said.index('pip" install -q -c "$work/floors.txt"')
    assert said.index('floors.py" >"$work/floors.txt"') < install < said.index('floors.py" --installed')
    assert said.index('floors.py" --installed') < said.index(
        '"$played/pytest" tests/packaging/test_floors.py tests/net'
    )
