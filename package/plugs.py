"""What plugs in: the entry points of installed packages, those of extras/ among them (docs/guides/plug-in.md).

A package names what it brings in six groups: `quadrille.games`, `.commands`, `.bots`, `.formats`, `.pages` and
`.views`. All but commands are known by the name with the package after it: `nim@acme`. The game of a file is
`nim@file`. A group is read when a list or an unknown name needs it. `importlib.metadata` would take half as long to
import as `quadrille help` takes in all, so the few lines of the packages' own entry_points.txt are read here.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple

#: The package that our own extras belong to. Its names come before those of others.
OURS: Final = "quadrille-games"
#: Instead of a package: a game is plugged in from the file that this variable names, here and in bots' programs.
FILE: Final = "file"
GAME_FILE: Final = "QUADRILLE_GAME_FILE"
_FILE_MODULE: Final = "quadrille_game_file"
#: A name with the package that plugs it in: nothing that could bend a command line.
PLUGGED: Final = re.compile(r"[a-z0-9-]+@([a-z0-9]+(?:-[a-z0-9]+)*)")
#: The group whose names are typed first on a command line.
COMMANDS: Final = "quadrille.commands"
GAMES: Final = "quadrille.games"
#: Maximum characters of an error of somebody's game: a sentence has room for it.
LONGEST_ERROR: Final = 200


class BrokenPlug(Exception):
    """A package is installed, and what it plugs in can't be loaded."""


class Plug(NamedTuple):
    """A name that a package plugs in, and where it is: `module`, or `module:attribute`."""

    name: str
    package: str
    where: str

    @property
    def key(self) -> str:
        """The name, and behind it the package, but for what is ours."""
        return self.name if self.package == OURS else f"{self.name}@{self.package}"

    def load(self) -> Any:
        """Import the plug-in; a `BrokenPlug` names it, its package and the cause."""
        module, _, attribute = (self.where, "", "") if self.package == FILE else self.where.partition(":")
        if self.package == FILE and not os.path.isfile(module):
            raise BrokenPlug(f"there is no file {module}")
        try:
            module_found = _run(module) if self.package == FILE else import_module(module)
            return getattr(module_found, attribute) if attribute else module_found
        except Exception as error:  # a stranger's module may do anything when it is imported
            raise self.broken(f"{type(error).__name__}: {error}") from error

    def broken(self, reason: str) -> BrokenPlug:
        """Return the error for a plug-in that is not what its group asks for."""
        what = self.where if self.package == FILE else f"{self.name} of the package {self.package}"
        return BrokenPlug(f"{what} can't be used: {reason}")


def _run(path: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    file_mark(path)  # of what is run now, however the file is edited later
    spec = spec_from_file_location(_FILE_MODULE, path)
    assert spec and spec.loader, "its name ends in .py"
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def game_name(text: str) -> str:
    """Return the key of a game that a person names: a name ending in .py is that of a file, which is plugged in."""
    if not text.endswith(".py"):
        return "-".join(text.lower().split()) if " " in text else text
    os.environ[GAME_FILE] = os.path.abspath(text)
    for cached in (_entry_points, plugs):
        cached.cache_clear()
    return _of_file(text)[2] + f"@{FILE}"


def whole_names(words: Sequence[str]) -> list[str]:
    """Join the two words of a game's name that is written with a blank, such as Coin Isolation."""
    joined = [*words[:1]]
    for word in words[1:]:
        from quadrille.rules.registry import own_keys  # imported here: a help needs no rules

        pair = f"{joined[-1]}-{word}".lower()
        joined[-1:] = [pair] if pair in own_keys() else [joined[-1], word]
    return joined


@cache
def file_mark(path: str) -> str:
    """Return a file's bytes and the SHA-256 of them: peers at a table have the same game if that is the same."""
    from hashlib import sha256

    with open(path, "rb") as file:
        data = file.read()
    return f"{len(data)} {sha256(data).hexdigest()}"


def _of_file(path: str) -> tuple[str, str, str, str]:
    return (FILE, GAMES, os.path.basename(path).removesuffix(".py").lower().replace("_", "-"), path)


def missing(key: str) -> str | None:
    """Say what a name with a package behind it lacks; None for others. No command: the name may be a stranger's."""
    package = PLUGGED.fullmatch(key)
    return package and f"it is not installed here; ask whoever plays it for the package {package[1]}"


@cache
def plugs(group: str) -> Mapping[str, Plug]:
    """Return the plugs of a group, by name. If two packages bring the same name, the first package counts."""
    listed = [Plug(name, package, where) for package, section, name, where in _entry_points() if section == group]
    rows: dict[str, Plug] = {}
    for plug in sorted(listed, key=lambda plug: (plug.package != OURS, plug.package, plug.name)):
        rows.setdefault(plug.name if group == COMMANDS else plug.key, plug)
    return rows


def plugged_packages() -> set[str]:
    """Return the Python packages of strangers that plug something in."""
    tops = {where.partition(":")[0].partition(".")[0] for package, _, _, where in _entry_points() if package != FILE}
    return tops - {"quadrille"}


def game_fault(error: BaseException) -> str:
    """Say whose game raised an error, and in which file and line; "" for an error of our own."""
    rows = [(where, package) for package, group, _, where in _entry_points() if group == GAMES and package != OURS]
    owners = {re.split("[.:]", where)[0]: f"a game of the package {package}" for where, package in rows}
    owners[_FILE_MODULE] = f"{_of_file(os.environ.get(GAME_FILE, ''))[2]}@{FILE}"
    trace, culprit = error.__traceback__, None
    while trace:  # the innermost of its lines counts: what of ours is below was called wrongly
        if owner := owners.get(str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]):
            culprit = owner, os.path.basename(trace.tb_frame.f_code.co_filename), trace.tb_lineno
        trace = trace.tb_next
    if not culprit:
        cause = error.__cause__ or error.__context__
        return game_fault(cause) if cause else ""
    from traceback import format_exception_only  # an error of a stranger may fail to say itself

    error_text = format_exception_only(error)[-1].strip()[:LONGEST_ERROR]
    sentence = f"{culprit[0]} failed: {error_text} ({culprit[1]}, line {culprit[2]})"
    return "".join(letter if letter.isprintable() else "?" for letter in sentence)


def loaded(group: str) -> Mapping[str, Any]:
    """Load all of a group, but for what is broken."""
    by_name = {}
    for name, plug in plugs(group).items():
        try:
            by_name[name] = plug.load()
        except BrokenPlug as error:
            tell_broken(error)
    return by_name


def beside(group: str, where: Callable[[Any], str]) -> tuple[Any, ...]:
    """Load what the rows of a group name beside themselves, but for what is broken; `where` gives that, or ""."""
    modules = []
    for name, row in loaded(group).items():
        if place := where(row):
            try:
                modules.append(plugs(group)[name]._replace(where=place).load())
            except BrokenPlug as error:
                tell_broken(error)
    return tuple(modules)


@cache
def _told(reason: str) -> None:
    print(f"quadrille: {reason}", file=sys.stderr)


def tell_broken(error: BrokenPlug) -> None:
    """Tell once of a broken plug-in; everything else goes on."""
    _told(str(error))


@cache
def _entry_points() -> tuple[tuple[str, str, str, str], ...]:
    """Read our entry points: package, group, name and place. The first folder on the path with a package counts."""
    rows, packages = [_of_file(file) for file in (os.environ.get(GAME_FILE),) if file], {FILE}
    for folder in dict.fromkeys(sys.path):
        for name in sorted(os.listdir(folder or ".")) if os.path.isdir(folder or ".") else ():
            path = os.path.join(folder, name, "entry_points.txt")
            package = name.partition("-")[0].lower().replace("_", "-").replace(".", "-")
            if name.endswith(".dist-info") and package not in packages and os.path.isfile(path):
                packages.add(package)
                with open(path, encoding="utf-8", errors="replace") as file:
                    rows += [(package, *row) for row in _rows(file)]
    return tuple(rows)


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    section = ""
    for line in map(str.strip, lines):
        name, sign, where = map(str.strip, line.partition("="))
        if line.startswith("["):
            section = line.strip("[]")
        elif sign and section.startswith("quadrille.") and not line.startswith(("#", ";")):
            yield section, name, where.partition("[")[0].strip()
