"""A small distribution as pip leaves it behind, for tests that make a wheel of it again."""

import base64
import hashlib
from importlib.metadata import Distribution, distributions
from pathlib import Path

METADATA = b"Metadata-Version: 2.1\nName: a-thing\nVersion: 1.5\nRequires-Dist: librt>=0.16\nRequires-Dist: other\n"
FILES = {
    "a_thing/__init__.py": b"VALUE = 5\n",
    "a_thing/data/page.html": b"<p>\n",
    "a_thing/fast.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
    "a_thing.libs/libthing.so.1.2": b"\x7fELF",
    "a_thing-1.5.dist-info/METADATA": METADATA,
    "a_thing-1.5.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_17_x86_64\n"
    b"Tag: cp311-cp311-manylinux2014_x86_64\n",
    "a_thing-1.5.dist-info/entry_points.txt": b"[console_scripts]\na-thing = a_thing:VALUE\n",
    "a_thing-1.5.dist-info/INSTALLER": b"pip\n",
    "a_thing-1.5.dist-info/REQUESTED": b"",
    "a_thing-1.5.dist-info/direct_url.json": b'{"url": "file:///somewhere", "dir_info": {}}',
    "../../../bin/a-thing": b"#!/somewhere/python\n",
}


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def install(prefix: Path, files: dict[str, bytes]) -> Distribution:
    """Lay the files as an installer does, with a RECORD in no certain order, and find what is installed."""
    packages = prefix / "lib/python3/site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    lines = []
    for path, data in files.items():
        target = packages / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        lines.append(f"{path},{digest(data)},{len(data)}\n")
    lines += ["a_thing/__pycache__/__init__.cpython-311.pyc,,\n", "a_thing-1.5.dist-info/RECORD,,\n"]
    (packages / "a_thing-1.5.dist-info/RECORD").write_text("".join(lines))
    [found] = distributions(name="a-thing", path=[str(packages)])
    return found
