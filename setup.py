"""The parts of the build that setup.cfg can't express: the compiled engine (build_engine.py), extras and texts.

Each folder of extras/ that is there is installed as quadrille.extras.NAME, with the entry points in its
entry_points.txt; without the folder the package is built as if it had never been.

The documents are at the top of the sources and in docs/. A wheel has them in quadrille/client/docs, where
client/documents.py finds them. It has examples/ in quadrille/client/examples.
"""

import configparser
import re
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_engine import RUN_TIME, compiled, extensions

#: The files of an extra beside its modules.
ENDINGS = ("css", "html", "js", "json", "jsonl", "toml", "weights")
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


class WithExtras(Distribution):
    """Adds the folders of extras/ to the packages of setup.cfg, without their tests."""

    def parse_config_files(self, *args: object, **settings: object) -> None:
        """Add the folders, as `Distribution` reads its settings."""
        super().parse_config_files(*args, **settings)
        for plug in sorted(Path("extras").glob("*/entry_points.txt")):
            folders = {path.parent for path in plug.parent.rglob("*.py")} - {plug.parent}
            folders = {folder for folder in folders if "tests" not in folder.relative_to(plug.parent).parts}
            self.packages += [".".join(("quadrille", *folder.parts)) for folder in sorted({plug.parent, *folders})]
            points = configparser.ConfigParser(delimiters="=")
            points.optionxform = str
            points.read(plug, "utf-8")
            for group in points.sections():
                self.entry_points.setdefault(group, []).extend(f"{name} = {at}" for name, at in points.items(group))
        if Path("extras").is_dir():
            self.packages.append("quadrille.extras")
            self.package_dir["quadrille.extras"] = "extras"
            self.package_data["quadrille.extras"] = ["*/**/*." + ending for ending in ENDINGS]


class WithTexts(build_py):
    """Lays documents and examples into the package. An editable install reads them where they stand."""

    def run(self) -> None:
        """Copy the modules first: this folder is theirs."""
        super().run()
        if not self.editable_mode:
            root = Path(__file__).resolve().parent
            listed = runpy.run_path(str(root / "client/documents.py"))["example_paths"]
            files = {
                f"docs/{path.relative_to(root)}": path
                for pattern in ("*.md", "docs/**/*.md", "extras/*/README.md", "extras/*/docs/*.md")
                for path in root.glob(pattern)
            }
            files |= {f"examples/{name}": root / "examples" / name for name in listed(root / "examples")}
            for name, path in files.items():
                target = Path(self.build_lib, "quadrille/client", name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


def told() -> str:
    """Return the README for a package index, where its pictures and the files that it links to are not."""
    text = Path("README.md").read_text("utf-8")
    text = re.sub(r"^<img .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\[([^]]+)\]\((?!https?:)[^)]+\)", r"\1", text)


def needs() -> dict[str, list[str]]:
    """Return the run-time requirements of a compiled engine, in addition to those in setup.cfg."""
    config = configparser.ConfigParser()
    config.read("setup.cfg", "utf-8")
    plain = config["options"]["install_requires"].split("\n")
    return {"install_requires": [*filter(None, plain), *RUN_TIME]} if FOUND else {}


try:
    setup(
        distclass=WithExtras,
        cmdclass={"build_ext": LayOver, "build_py": WithTexts},
        ext_modules=extensions(FOUND, SCRATCH),
        long_description=told(),
        **needs(),
    )
finally:
    shutil.rmtree(SCRATCH, ignore_errors=True)
