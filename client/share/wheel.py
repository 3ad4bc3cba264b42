"""A wheel made again from an installed distribution: the files that its RECORD lists, each checked by its hash.

The same installed files make the same bytes on every machine, so that two hosts show the same fingerprint. Nothing is
compressed, because the output of compressors differs from version to version. All files have the same time and are
sorted by name, and WHEEL and RECORD are written anew. An editable install of Quadrille has no such files, so its wheel
is made of the clone, by the lists in setup.cfg.
"""

import base64
import configparser
import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from email.parser import HeaderParser
from importlib.metadata import Distribution
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from quadrille.client.example_files import example_paths
from quadrille.client.value import value
from quadrille.net.core.errors import LocalError

#: The tag of a wheel for every machine.
ANY: Final = "py3-none-any"
#: Files of metadata that belong to this machine, or that are written anew.
_WRITTEN_HERE: Final = {
    "INSTALLER", "RECORD", "RECORD.jws", "RECORD.p7s", "REQUESTED", "WHEEL", "direct_url.json", "uv_cache.json",
}  # fmt: skip
_BYTECODE: Final = (".pyc", ".pyo")
_COMPILED: Final = (".so", ".pyd", ".dll", ".dylib")
#: The ends of a command's name: a script of its own, or what pip makes of it on Windows.
_SCRIPT: Final = re.compile(r"(-script\.pyw?|\.exe(\.manifest)?)?$")
_HASHES: Final = ("sha256", "sha384", "sha512")
_INFO: Final = ".dist-info"


@value
class RebuiltWheel:
    """A wheel in memory: its file name, the distribution's normalized name, and its tags."""

    file: str
    name: str
    tags: tuple[str, ...]
    data: bytes


@value
class Contents:
    """The files of a wheel by their paths in it, without WHEEL and RECORD. `stem` is NAME-VERSION."""

    stem: str
    files: Mapping[str, bytes]
    tags: tuple[str, ...]

    @property
    def is_plain(self) -> bool:
        return self.tags == (ANY,)

    def without_compiled(self, needs: frozenset[str] = frozenset()) -> "Contents":
        """Return what every machine can use: no compiled file, and none of the needs that only those have."""
        kept = {
            path: data
            for path, data in self.files.items()
            if not path.endswith(_COMPILED) and not re.search(r"\.so\.[0-9.]+$|^[^/]+\.libs/|/\.dylibs/", path)
        }
        about = f"{self.stem}{_INFO}/METADATA"
        lines = kept[about].decode().splitlines(keepends=True)
        kept[about] = "".join(line for line in lines if normalized(_needed(line)) not in needs).encode()
        return Contents(self.stem, kept, (ANY,))


def normalized(name: str) -> str:
    """Return the name of a distribution as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed(line: str) -> str:
    found = re.match(r"Requires-Dist: *([A-Za-z0-9._-]+)", line)
    return found[1] if found else ""


def contents(found: Distribution) -> Contents:
    """Return the files of an installed distribution; a LocalError where they are not as they were installed."""
    record = found.read_text("RECORD")
    if record is None:
        raise LocalError(
            f"{found.name} is installed without a list of its files (RECORD), so it can't be shared: install Quadrille "
            "with pip in a virtual environment, and share it from there"
        )
    rows = [row for row in csv.reader(record.splitlines()) if row]
    about = next((row[0] for row in rows if re.fullmatch(r"[^/]+\.dist-info/METADATA", row[0])), None)
    if about is None:
        raise LocalError(f"{found.name} has a RECORD without its METADATA: install it anew")
    folder = about.partition("/")[0]
    files = dict(_checked(found, rows, folder))
    if root := _editable_root(found):
        own = {path: data for path, data in files.items() if path.startswith(f"{folder}/")}
        return Contents(folder.removesuffix(_INFO), own | dict(_from_clone(root)), (ANY,))
    told = HeaderParser().parsestr(found.read_text("WHEEL") or "")
    return Contents(folder.removesuffix(_INFO), files, tuple(sorted(told.get_all("Tag", [])) or [ANY]))


def _checked(found: Distribution, rows: list[list[str]], folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield each file that belongs into the wheel, by its path there."""
    commands = {one.name for one in found.entry_points if one.group in ("console_scripts", "gui_scripts")}
    for path, digest, *_ in rows:
        parts = PurePosixPath(path).parts
        if path.endswith(_BYTECODE) or (parts[0] == folder and parts[1:2] and parts[1] in _WRITTEN_HERE):
            continue
        where = Path(str(found.locate_file(path)))
        inside = path
        if ".." in parts or Path(path).is_absolute():
            if _SCRIPT.sub("", where.name) in commands:
                continue  # pip makes these anew for the other machine
            inside = f"{folder.removesuffix(_INFO)}.data/data/{_below_prefix(found, where)}"
        try:
            data = where.read_bytes()
        except OSError as error:
            raise LocalError(f"{path} of {found.name} can't be read ({error.strerror}): install it anew") from None
        method, _, expected = digest.partition("=")
        if method not in _HASHES or _digest(data, method) != expected:
            raise LocalError(f"{path} of {found.name} is not as it was installed: install {found.name} anew")
        yield inside, data


def _below_prefix(found: Distribution, where: Path) -> str:
    """Return the path of a file of data below the environment; a LocalError for what is no data."""
    prefix, there = Path(sys.prefix).resolve(), where.resolve()
    if not there.is_relative_to(prefix) or there.relative_to(prefix).parts[0].lower() in ("bin", "scripts", "include"):
        raise LocalError(f"{found.name} has {where} as a script, as a header or out of place: no wheel is made of that")
    return there.relative_to(prefix).as_posix()


def _editable_root(found: Distribution) -> Path | None:
    """Return the folder of sources of an editable install."""
    told = json.loads(found.read_text("direct_url.json") or "{}")
    if not told.get("dir_info", {}).get("editable"):
        return None
    root = Path(url2pathname(urlsplit(told["url"]).path))
    if not (root / "setup.cfg").is_file():
        raise LocalError(f"{found.name} was installed from {root} as an editable package, and its setup.cfg is gone")
    return root


def _from_clone(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what a build would put into a plain wheel: modules, data, documents, examples (setup.cfg, setup.py)."""
    config = configparser.ConfigParser()
    config.read(root / "setup.cfg", "utf-8")
    folders = dict(re.findall(r"(?m)^([\w.]+) *= *(\S+)$", config["options"]["package_dir"]))
    data = config["options.package_data"]
    for package in config["options"]["packages"].split():
        top = ".".join(package.split(".")[:2])
        folder = root / folders[top] / Path(*package.split(".")[2:])
        for pattern in ("*.py", *re.split(r"[,\s]+", data.get(package, ""))):
            for path in sorted(folder.glob(pattern)) if pattern else ():
                yield f"{package.replace('.', '/')}/{path.relative_to(folder).as_posix()}", path.read_bytes()
    for path in (*root.glob("*.md"), *root.glob("docs/**/*.md")):
        yield f"quadrille/client/docs/{path.relative_to(root).as_posix()}", path.read_bytes()
    for name in example_paths(root / "examples"):
        yield f"quadrille/client/examples/{name}", (root / "examples" / name).read_bytes()


def packed(inside: Contents) -> RebuiltWheel:
    """Return the wheel of these files."""
    info = f"{inside.stem}{_INFO}"
    tags = _one_set(inside.tags)
    about = "Wheel-Version: 1.0\nGenerator: quadrille share\n"
    about += f"Root-Is-Purelib: {'true' if inside.is_plain else 'false'}\n" + "".join(f"Tag: {tag}\n" for tag in tags)
    files = {**inside.files, f"{info}/WHEEL": about.encode()}
    # The metadata comes last, as the specification of wheels recommends.
    order = sorted(files, key=lambda path: (path.startswith(f"{info}/"), path))
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    rows.writerows((path, f"sha256={_digest(files[path])}", len(files[path])) for path in order)
    rows.writerow((f"{info}/RECORD", "", ""))
    files[f"{info}/RECORD"] = record.getvalue().encode()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as wheel:
        for path in (*order, f"{info}/RECORD"):
            entry = zipfile.ZipInfo(path)  # of the first of January 1980
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            wheel.writestr(entry, files[path])
    name = "-".join([inside.stem, *(".".join(sorted(part)) for part in _parts(tags))])
    return RebuiltWheel(f"{name}.whl", normalized(inside.stem.partition("-")[0]), tags, target.getvalue())


def _parts(tags: tuple[str, ...]) -> list[set[str]]:
    """Return all Pythons, all ABIs and all platforms of tags."""
    return [set(part) for part in zip(*(tag.split("-") for tag in tags), strict=True)]


def _one_set(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tags if one file name can say them all, and else the first."""
    return tags if {"-".join(tag) for tag in product(*_parts(tags))} == set(tags) else tags[:1]


def _digest(data: bytes, method: str = "sha256") -> str:
    """Return a hash as RECORD writes it."""
    return base64.urlsafe_b64encode(hashlib.new(method, data).digest()).rstrip(b"=").decode()
