"""The part of the build that setup.cfg can't express: an engine compiled where possible (build_engine.py)."""

import configparser
import shutil
import sys
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_engine import RUN_TIME, compiled, extensions

SCRATCH = Path(tempfile.mkdtemp(prefix="quadrille-"))
#: Only a wheel is compiled: nothing of it is left beside the sources.
FOUND = compiled(SCRATCH) if "bdist_wheel" in sys.argv else []


class LayOver(build_ext):
    """Puts compiled files beside the plain ones."""

    def run(self) -> None:
        """Remove the files of an earlier build, and copy the compiled ones."""
        for left in (*Path(self.build_lib).rglob("*.so"), *Path(self.build_lib).rglob("*.pyd")):
            left.unlink()
        for path in FOUND:
            target = Path(self.build_lib) / path.relative_to(SCRATCH)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def needs() -> dict[str, list[str]]:
    """The run-time requirements of a compiled engine, in addition to those in setup.cfg."""
    config = configparser.ConfigParser()
    config.read("setup.cfg", "utf-8")
    plain = config["options"]["install_requires"].split("\n")
    return {"install_requires": [*filter(None, plain), *RUN_TIME]} if FOUND else {}


try:
    setup(cmdclass={"build_ext": LayOver}, ext_modules=extensions(FOUND, SCRATCH), **needs())
finally:
    shutil.rmtree(SCRATCH, ignore_errors=True)
