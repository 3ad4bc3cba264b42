"""Detects whether the engine is compiled (build_engine.py), and handles unusable compiled files.

Extensions beside the plain files take precedence in imports. If they can't be imported, because a dependency is
missing or too old, or the build is incomplete, the plain files are imported instead, and `engine` says why.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Final

#: The base modules: either all of them are compiled, or nothing is.
BASES: Final = ("quadrille.rules.arrays", "quadrille.rules.dice", "quadrille.rules.board")
#: The packages that hold compiled modules.
_PACKAGES: Final = ("quadrille.rules.", "quadrille.extras.")
_trouble: list[str] = []


class PlainFiles:
    """Finds modules as plain files only."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find a module as `importlib.abc.MetaPathFinder` asks."""
        if name.startswith(_PACKAGES):
            for folder in path or ():
                spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)
                if spec is not None:
                    return spec
        return None


def is_plain(module: ModuleType) -> bool:
    """Return whether a module was imported from its source."""
    return str(module.__file__).endswith(".py")


def choose() -> None:
    """Import the compiled modules if all of them work; otherwise plain files."""
    try:
        modules = [import_module(name) for name in BASES]
        if len({is_plain(module) for module in modules}) == 1:
            return
        trouble = "only a part of it is there"
    except (ImportError, AttributeError, TypeError, ValueError, RuntimeError) as error:
        trouble = str(error)
    _trouble.append(trouble)
    for name in [name for name in sys.modules if name.startswith("quadrille.rules.") and not __name__.startswith(name)]:
        del sys.modules[name]
    sys.meta_path.insert(0, PlainFiles)


def engine() -> str:
    """Return the kind of engine, in a line: "compiled" or "plain", and a remedy for unusable compiled files."""
    if _trouble:
        hint = "install a newer librt (pip install --upgrade librt), or quadrille anew"
        return f"plain: there are compiled files, but they can't be used ({_trouble[0]}): {hint}"
    return "plain" if is_plain(sys.modules[BASES[0]]) else "compiled"


def advice() -> str:
    """Say in a sentence how to make a plain engine fast; "" for one that is compiled, and where it can't be."""
    if engine() != "plain" or sys.implementation.name != "cpython":
        return ""
    from quadrille.rules.native.install import COMPILE  # imported here: help imports the rules, and says nothing of it

    return f"The engine runs as plain Python; `{COMPILE}` in its sources makes bots 30 times faster."
