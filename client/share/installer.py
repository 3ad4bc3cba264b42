"""The program that installs Quadrille on another machine. `quadrille share` serves it, with a list of wheels behind it.

It runs alone, by one typed line, in whatever Python is there: it imports nothing of Quadrille, makes its own sentences,
and is written so that a Python that is too old reads as far as the sentence that says so. The line leaves two names:
`r`, the answer of the host, and `s`, these bytes.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"Quadrille needs Python 3.11 or later, and this is {sys.version_info[0]}.{sys.version_info[1]}.")

import hashlib
import http.client
import itertools
import os
import platform
import shutil
import subprocess
import tempfile
import urllib.request
import venv
from pathlib import Path
from typing import Any

#: The folder of the environment, below the folder in which somebody types the line.
FOLDER = "quadrille"
#: Seconds in which the host must say something.
PATIENCE = 30
#: Prints the tags of wheels that fit this Python, the best first; pip knows them.
TAGS = "import sys; sys.path[:0] = sys.argv[1:]; from pip._vendor.packaging import tags; print(*tags.sys_tags())"
ANY = "py3-none-any"
CHUNK = 1 << 16
#: How pip installs: what is here, whatever this machine's settings of pip say, and anew if it was here before.
INSTALL = ["--isolated", "--disable-pip-version-check", "install", "-q", "--no-index", "--force-reinstall"]
#: A wheel: its distribution, its file name, its size in bytes, and its hash.
File = tuple[str, str, int, str]


def main(parcel: dict[str, Any], address: str, source: bytes) -> None:
    """Show what comes from where, ask, and install it."""
    address = address.rstrip("/")
    digits = hashlib.sha256(source).hexdigest()[:16]
    print(f"Quadrille {parcel['version']}, from {address}")
    print(f"Fingerprint: {' '.join(digits[at : at + 4] for at in range(0, 16, 4))}")
    target = Path.cwd() / FOLDER
    is_new = not target.exists()
    if not is_new and not (target / "pyvenv.cfg").is_file():
        sys.exit(f"Here is a {FOLDER} already, and it is no environment of Python: go to another folder.")
    try:
        agreed()
        with tempfile.TemporaryDirectory() as scratch:
            install(parcel, address, target, Path(scratch))
    except (KeyboardInterrupt, EOFError):
        gone(target, is_new)
        sys.exit("\nNothing was installed.")
    except (OSError, ValueError, http.client.HTTPException) as error:
        gone(target, is_new)
        sys.exit(f"Nothing was installed: {error}")


def agreed() -> None:
    """Let a person compare the fingerprint; nobody is asked where nobody types."""
    if sys.stdin is not None and sys.stdin.isatty():
        print("Compare the fingerprint with the one on the host's screen.")
        input(f"Enter installs Quadrille into the folder {FOLDER}, Ctrl-C ends: ")


def gone(target: Path, is_new: bool) -> None:
    """Remove what is half installed."""
    if is_new:
        shutil.rmtree(target, ignore_errors=True)


def install(parcel: dict[str, Any], address: str, target: Path, scratch: Path) -> None:
    """Make the environment, fetch what fits, and have pip install it."""
    print(f"Making an environment of Python in {target} ...")
    venv.EnvBuilder(symlinks=os.name != "nt").create(target)
    folder = target / ("Scripts" if os.name == "nt" else "bin")
    python = str(folder / ("python.exe" if os.name == "nt" else "python"))
    own_pip = subprocess.run([python, "-Im", "ensurepip", "--default-pip"], capture_output=True, check=False)  # noqa: S603
    bare = own_pip.returncode != 0
    pips = [fetched(address, one, scratch) for one in parcel["files"] if one[0] == "pip"] if bare else []
    if bare and not pips:
        raise ValueError("this Python has no pip (Debian: python3-venv), and the host has none to share")
    chosen, missing = choice(parcel, said(python, "-Ic", TAGS, *pips).split())
    lost = [name for name in missing if not parcel["needs"][name]]
    if lost:
        raise ValueError(f"the host has no {and_list(lost)} for this machine, {machine()}")
    wheels = [*pips, *(fetched(address, one, scratch) for one in chosen)]
    pip = ["-I", pips[0] + "/pip"] if pips else ["-Im", "pip"]
    print("Installing ...")
    said(python, *pip, *INSTALL, "--no-deps", *wheels)
    ending(missing, parcel["needs"], str(folder.relative_to(Path.cwd())))


def choice(parcel: dict[str, Any], tags: list[str]) -> tuple[list[File], list[str]]:
    """Return the best file of each distribution, Quadrille as the last one, and what is missing for this machine."""
    own = parcel["name"]
    ranks = {tag: rank for rank, tag in enumerate(tags)}
    ranked = ((rank_of(one[1], ranks), one) for one in parcel["files"])
    files = sorted((rank, one) for rank, one in ranked if rank is not None)
    best: dict[str, File] = {}
    for _, one in files:
        best.setdefault(one[0], one)
    engine = [name for name, purpose in parcel["needs"].items() if purpose == "engine"]
    if not all(name in best for name in engine):  # a compiled Quadrille could not start its engine
        best[own] = next(one for _, one in files if one[0] == own and one[1].endswith(ANY + ".whl"))
    if best[own][1].endswith(ANY + ".whl"):
        best = {name: one for name, one in best.items() if name not in engine}
    best.pop("pip", None)
    chosen = sorted(best.values(), key=lambda one: one[0] == own)
    return chosen, [name for name in parcel["needs"] if name not in best and name not in engine]


def rank_of(file: str, ranks: dict[str, int]) -> int | None:
    """Return how well a wheel fits, by its best tag; None if it does not."""
    pythons, abis, platforms = (part.split(".") for part in file[: -len(".whl")].split("-")[-3:])
    found = (ranks.get("-".join(tag)) for tag in itertools.product(pythons, abis, platforms))
    return min((rank for rank in found if rank is not None), default=None)


def fetched(address: str, one: File, scratch: Path) -> str:
    """Fetch a wheel into a folder; a ValueError unless its hash is the one in the list."""
    _, name, size, sha256 = one
    print(f"{size // 1000 + 1:6} kB  {' '.join(name.split('-')[:2])}")
    way = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a neighbour is behind no proxy
    digest, path = hashlib.sha256(), scratch / name
    with way.open(f"{address}/{name}", timeout=PATIENCE) as answer, path.open("wb") as file:
        for at in range(0, size + 1, CHUNK):  # a host that lies about the size fills no disk
            piece = answer.read(min(CHUNK, size + 1 - at))
            digest.update(piece)
            file.write(piece)
    if path.stat().st_size < size:
        raise ValueError(f"the host broke off in the middle of {name}")
    if digest.hexdigest() != sha256:
        raise ValueError(f"{name} came with another hash than the list has: something on the way has changed it")
    return str(path)


def said(*command: str) -> str:
    """Return what a program prints; a ValueError with its last line if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    if done.returncode:
        raise ValueError((done.stderr.strip() or f"{command[0]} ended with {done.returncode}").splitlines()[-1])
    return done.stdout


def machine() -> str:
    """Return what this machine is, for people."""
    return f"{platform.system()} {platform.machine()} with Python {platform.python_version()}"


def and_list(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def ending(missing: list[str], needs: dict[str, str], folder: str) -> None:
    """Say what works, what does not, and how to begin."""
    network = [name for name in missing if needs[name] == "network"]
    if network:
        print(f"The host has no {and_list(network)} for this machine, {machine()}.")
        print("Games at this keyboard, and against bots, work. Tables on the network do not, until this machine has")
        print(f"been on the internet: {os.path.join(folder, 'pip')} install {' '.join(missing)}")
    elif missing:
        print(f"The host has no {and_list(missing)} for this machine, {machine()}: shuffled decks take longer.")
    first = " play maze --against 1" if network else ""
    print(f"Quadrille is installed. Start it: {os.path.join(folder, 'quadrille')}{first}")
