"""The oldest versions of its dependencies that setup.cfg allows, as constraints for pip.

    python tests/packaging/floors.py                prints a line for each, such as `msgpack==1.2`
    python tests/packaging/floors.py --installed    fails unless those that are installed here have these versions

.ci/run installs them once and runs tests with them. Nothing but the standard library is needed.
"""

import re
import sys
from configparser import ConfigParser
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

SETUP: Final = Path(__file__).parents[2] / "setup.cfg"
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)>=([0-9]+(?:\.[0-9]+)*)(?:,<[0-9]+)?")


def requirements(text: str) -> dict[str, set[str]]:
    """Return each dependency, of all extras, with the floors that it has."""
    parser = ConfigParser()
    parser.read_string(text)
    lines = [parser["options"]["install_requires"], *dict(parser["options.extras_require"]).values()]
    found: dict[str, set[str]] = {}
    for line in filter(None, "\n".join(lines).split("\n")):
        read = _REQUIREMENT.fullmatch(line)
        if read is None:
            raise ValueError(f"{line!r} in setup.cfg has no floor: write NAME>=VERSION or NAME>=VERSION,<MAJOR")
        found.setdefault(read[1], set()).add(read[2])
    return found


def floors(text: str) -> dict[str, str]:
    """One floor for each dependency."""
    found = requirements(text)
    if apart := [name for name, versions in found.items() if len(versions) > 1]:
        raise ValueError(f"setup.cfg has several floors of {', '.join(apart)}")
    return {name: versions.pop() for name, versions in found.items()}


def numbers(text: str) -> tuple[int, ...]:
    """Return a version to compare: zeros at its end count for nothing."""
    found = [int(part) for part in re.match(r"[0-9.]*[0-9]", text)[0].split(".")]  # type: ignore[index]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def apart(wanted: dict[str, str]) -> list[str]:
    """Return what is installed here in another version; what is not installed at all is no matter."""
    lines = []
    for name, floor in wanted.items():
        try:
            here = version(name)
        except PackageNotFoundError:
            continue
        if numbers(here) != numbers(floor):
            lines.append(f"{name} is installed as {here}, and its floor is {floor}")
    return lines


if __name__ == "__main__":
    told = floors(SETUP.read_text("utf-8"))
    if "--installed" in sys.argv[1:]:
        sys.exit("\n".join(apart(told)) or None)
    print("\n".join(f"{name}=={floor}" for name, floor in told.items()))
