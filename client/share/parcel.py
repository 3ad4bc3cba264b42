"""The files to share: Quadrille, all that it needs, pip, and the installer that lists them with their hashes.

The parcel is made from the environment that this program runs in. Compiled files fit only machines like this one. Some
distributions work without theirs, so a plain wheel of them is shared, too. An organizer can add wheels for other
machines from a folder.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from importlib.resources import files
from pathlib import Path
from typing import Final

from quadrille.client.share.wheel import ANY, RebuiltWheel, contents, normalized, packed
from quadrille.client.value import value
from quadrille.net.core.errors import LocalError
from quadrille.rules.native.install import DISTRIBUTION

_PIP: Final = "pip"
#: Needs of a compiled engine alone (build_engine.py, RUN_TIME).
ENGINE_NEEDS: Final = frozenset({"librt", "mypy-extensions"})
#: Tournaments alone need it, and it is larger than all the rest: only a host that brings its wheel shares it.
NOT_SHARED: Final = frozenset({"numpy"})
#: The distributions whose compiled files only make them faster: without them, their plain Python does the same.
PLAIN_WITHOUT: Final = frozenset({"msgpack", "wcwidth", "websockets"})
#: Purposes of distributions that games at one keyboard go without. See `ending` in installer.py.
_FOR: Final = {
    "pynacl": "network", "cffi": "network", "pycparser": "network",
    "pyzmq": "cards",
    **dict.fromkeys(ENGINE_NEEDS, "engine"),
}  # fmt: skip
#: NAME-VERSION-PYTHON-ABI-PLATFORM, perhaps with a build number.
_WHEEL_NAME: Final = re.compile(r"([\w.]+)-([\w.!+]+)(?:-\d\w*)?-([\w.]+)-([\w.]+)-([\w.]+)\.whl", re.ASCII)
_CHUNK: Final = 1 << 20


@value
class SharedFile:
    """A file of the parcel: in memory, or on the disk as a wheel that somebody has prepared."""

    name: str
    size: int
    sha256: str
    data: bytes | Path


@value
class MachineKind:
    """A kind of machine that wheels fit: the system and processor of a tag, and a minor version of Python 3."""

    platform: str
    python: int


@value
class Parcel:
    """All that is shared. `needs` says what each distribution is for; `own` is the version of Quadrille."""

    own: str
    needs: Mapping[str, str]
    wheels: tuple[tuple[str, SharedFile], ...]
    installer: bytes

    @property
    def fingerprint(self) -> str:
        """Return the beginning of the installer's hash, which covers the hashes of all files."""
        return hashlib.sha256(self.installer).hexdigest()[:16]

    @property
    def files(self) -> dict[str, SharedFile]:
        """Return the files by their paths in an address."""
        first = SharedFile(
            "install.py", len(self.installer), hashlib.sha256(self.installer).hexdigest(), self.installer
        )
        return {"/": first} | {f"/{file.name}": file for _, file in self.wheels}

    @property
    def is_for_all(self) -> bool:
        """Whether every machine can play at its keyboard: all that nothing works without is plain Python, too."""
        plain = {name for name, file in self.wheels if file.name.endswith(f"-{ANY}.whl")}
        return all(name in plain for name, purpose in self.needs.items() if not purpose)

    def machines(self) -> tuple[MachineKind, ...]:
        """Return the kinds of machines for which everything that the network needs is here, in order."""
        fits = [
            {machine for name, file in self.wheels if name == needed for machine in _machines(file.name)}
            for needed, purpose in self.needs.items()
            if purpose in ("", "network")
        ]
        known = {machine for some in fits for machine in some if machine.platform}
        return tuple(
            sorted(
                (one for one in known if all(one in some or MachineKind("", one.python) in some for some in fits)),
                key=lambda one: (one.platform, one.python),
            )
        )


def parcel(folder: Path | None = None) -> Parcel:
    """Make the parcel of this environment, with the wheels of a folder; a LocalError where that can't be done."""
    found = dict(_closure())
    wheels = [wheel for name, one in found.items() if one is not None for wheel in _wheels(name, one)]
    shared = [(wheel.name, _in_memory(wheel)) for wheel in (*wheels, *_pip())]
    there = {file.name for _, file in shared}
    shared += [one for one in _prepared(folder) if one[1].name not in there]
    shared.sort(key=lambda one: (one[0] == DISTRIBUTION, one[1].name))  # Quadrille comes last, and so is fetched last
    needs = {name: _FOR.get(name, "") for name in sorted(found)}
    version = next(one.version for name, one in found.items() if name == DISTRIBUTION and one is not None)
    return Parcel(version, needs, tuple(shared), _installer(version, needs, shared))


def _closure() -> Iterator[tuple[str, Distribution | None]]:
    """Yield Quadrille and all that it needs here, directly or not; None for what is missing, if a game goes without."""
    waiting, seen = [DISTRIBUTION], {DISTRIBUTION}
    while waiting:
        name = waiting.pop()
        found = _installed(name)
        if found is None and name not in _FOR:
            raise LocalError(f"{name} is not installed here, so it can't be shared: install Quadrille anew")
        yield name, found
        for line in (found and found.requires) or ():
            needed = normalized(re.match(r"[\w.-]+", line)[0])  # type: ignore[index]
            marker = line.partition(";")[2]
            # A conditional need that is not installed was for other machines; a known one could not be had here.
            wanted = not marker or needed in _FOR or _installed(needed)
            if needed not in seen | NOT_SHARED and wanted and not re.search(r"\bextra\b", marker):
                seen.add(needed)
                waiting.append(needed)


def _installed(name: str) -> Distribution | None:
    """Return a distribution; one with a list of its files if there are several, as beside a clone."""
    found = sorted(distributions(name=name), key=lambda one: one.read_text("RECORD") is None)
    return found[0] if found else None


def _wheels(name: str, found: Distribution) -> Iterator[RebuiltWheel]:
    inside = contents(found)
    yield packed(inside)
    if not inside.is_plain and name in (DISTRIBUTION, *PLAIN_WITHOUT):
        yield packed(inside.without_compiled(ENGINE_NEEDS))


def _pip() -> Iterator[RebuiltWheel]:
    """Yield pip, for machines whose Python has none to make environments with, as a bare Debian."""
    found = _installed(_PIP)
    try:
        if found is not None:
            yield packed(contents(found))
            return
    except LocalError:
        pass  # some distributors change it, and most machines have their own
    bundled = files("ensurepip").joinpath("_bundled")
    for one in bundled.iterdir() if bundled.is_dir() else ():
        if one.name.startswith("pip-") and one.name.endswith(f"-{ANY}.whl"):
            yield RebuiltWheel(one.name, _PIP, (ANY,), one.read_bytes())


def _in_memory(wheel: RebuiltWheel) -> SharedFile:
    return SharedFile(wheel.file, len(wheel.data), hashlib.sha256(wheel.data).hexdigest(), wheel.data)


def _prepared(folder: Path | None) -> Iterator[tuple[str, SharedFile]]:
    """Yield the wheels of a folder."""
    found = sorted(folder.iterdir()) if folder is not None else []
    paths = [path for path in found if _WHEEL_NAME.fullmatch(path.name) and path.is_file()]
    if folder is not None and not paths:
        raise LocalError(f"there is no wheel (.whl) in {folder}: quadrille share --help says how to get some")
    for path in paths:
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
                size += len(piece)
        yield normalized(path.name.partition("-")[0]), SharedFile(path.name, size, digest.hexdigest(), path)


def _installer(version: str, needs: Mapping[str, str], shared: Iterable[tuple[str, SharedFile]]) -> bytes:
    """Return the program that runs on the other machine: installer.py, and after it what it installs."""
    source = files("quadrille.client.share").joinpath("installer.py").read_text("utf-8")
    lines = "".join(f"    {(name, file.name, file.size, file.sha256)},\n" for name, file in shared)
    about = f"'name': '{DISTRIBUTION}', 'version': '{version}', 'needs': {dict(needs)}"
    given = f"PARCEL = {{{about}, 'files': [\n{lines}]}}"
    return f"{source}\n\n{given}\nmain(PARCEL, r.url, s)\n".encode()


def _machines(name: str) -> Iterator[MachineKind]:
    """Yield the kinds of machines that a wheel fits, each Python from 3.11 to 3.14; of any platform as ""."""
    read = _WHEEL_NAME.fullmatch(name)
    pythons, abis, platforms = (part.split(".") for part in read.groups()[2:]) if read else ([], [], [])
    for python in pythons:
        number = int(python[3:]) if re.fullmatch(r"cp3\d\d?", python) else 0
        every = abis == ["none"] or "abi3" in abis
        for minor in range(11, 15):
            if (number == minor and python in abis) or (
                every and number <= minor and python.startswith(("cp3", "py3"))
            ):
                yield from (MachineKind(name, minor) for tag in platforms for name in _platforms(tag))


def _platforms(tag: str) -> tuple[str, ...]:
    """Return the platforms of a tag without the oldest system, such as linux_x86_64 or win_amd64; "" for any."""
    if tag == "any":
        return ("",)
    system, _, processor = re.sub(r"^(many)?(linux|musllinux|macosx)(\d+|_\d+_\d+)?_", r"\2 ", tag).partition(" ")
    if not processor:
        return (tag,)
    processors = ("arm64", "x86_64") if processor == "universal2" else (processor,)
    return tuple(f"{system}_{one}" for one in processors)
