"""Sentences of `quadrille share`: the line to type, the files, the networks and machines, and the neighbours served."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Final

from quadrille.client.words.story import few
from quadrille.rules.drawing.plain_text import WIDTH

#: Systems and processors by the words of tags.
_SYSTEMS: Final = {"linux": "Linux", "musllinux": "Linux with musl", "macosx": "macOS", "win": "Windows"}
_PROCESSORS: Final = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "ARM64", "arm64": "ARM64"}
_START: Final = "from urllib.request import*;"
STOPPED: Final = "Nothing is shared any more."
TAKEN: Final = "this machine can't be reached: it has no address there, or another program has the port"
ALONE: Final = "this machine is on no network with IPv4 and others: join a Wi-Fi, or plug in a cable, and share then"


def short_line(address: str) -> str:
    """The line to type."""
    return f"""python3 -c "{_START}r=urlopen('{address}');s=r.read();exec(s)\""""


def checking_line(address: str, fingerprint: str) -> str:
    """The line that runs nothing unless what comes has this fingerprint."""
    check = f"exec(s)if sha256(s).hexdigest()[:16]=='{fingerprint}'else print('Altered')"
    return f"""python3 -c "{_START}from hashlib import*;r=urlopen('{address}');s=r.read();{check}\""""


def grouped(fingerprint: str) -> str:
    """Sixteen digits as people read them aloud."""
    return " ".join(fingerprint[at : at + 4] for at in range(0, len(fingerprint), 4))


def invitation(version: str, fingerprint: str, port: int, networks: Mapping[str, str], served: str, who: str) -> str:
    """Return the text for the host's screen. `networks` names the network of each address, the likeliest first."""
    address, *others = networks
    paragraphs = [
        _filled(f"Quadrille {version} is shared with everybody on {few(list(networks.values()))}, until Ctrl-C."),
        _filled("Type this on the other machine, which needs Python 3.11 or later (on Windows type py for python3):"),
        f"  {short_line(f'http://{address}:{port}')}",
        f"Fingerprint: {grouped(fingerprint)}",
        _filled("The other screen shows a fingerprint, too, and waits. Go on there only if it is the same."),
        _filled(
            "An attacker who can change the traffic of this network could change what that line runs. This line, "
            "typed or sent, runs nothing that has another fingerprint:"
        ),
        f"  {checking_line(f'http://{address}:{port}', fingerprint)}",
        _filled(f"Shared: {served}"),
        _filled(who),
    ]
    if others:
        paragraphs.insert(3, _filled(f"For other networks type one of these addresses instead: {', '.join(others)}."))
    return "\n\n".join(paragraphs)


def served_text(count: int, size: int, names: Sequence[str]) -> str:
    return f"{few(names)} ({count} files, {size / 1e6:.0f} MB). Nothing else of this machine can be read."


def machines_text(machines: Sequence[tuple[str, int]], *, for_all: bool) -> str:
    """Say which machines can play. A machine is its platform by a tag, and the minor version of its Python 3."""
    pythons: dict[str, list[int]] = {}
    for platform, python in machines:
        pythons.setdefault(_platform(platform), []).append(python)
    kinds = [f"{name} with Python {few([f'3.{one}' for one in found])}" for name, found in pythons.items()]
    nothing = "Something that the network needs is missing for every machine (see --help)."
    all_of_it = f"{'; '.join(kinds)}: everything works." if kinds else nothing
    others = "games at one keyboard and against bots, but no network" if for_all else "nothing works"
    return f"{all_of_it} Other machines: {others}."


def listed(files: Sequence[tuple[str, int, str]]) -> Iterator[str]:
    """A line for each file: its hash, its size in bytes, its name."""
    for name, size, sha256 in files:
        yield f"{sha256}  {size:9}  {name}"


def sent_text(address: str, name: str) -> str | None:
    """Return a line about a fetched file; None for most files."""
    if name == "install.py":
        return f"{address} has fetched the installer."
    return f"{address} has fetched Quadrille." if name.startswith("quadrille-") else None


def _platform(tag: str) -> str:
    system, _, processor = tag.partition("_")
    return f"{_SYSTEMS.get(system, system)} {_PROCESSORS.get(processor, processor)}".strip()


def _filled(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
