"""The house, read from the source: which floor imports what, and what may not stand where (ARCHITECTURE.md).

A failing test here names the file and the line. Nothing in this file runs the project's code, but for the walk of a
move, and for the last part, which asks that each game comes with its page, its numbers and its records.
"""

import ast
import configparser
import functools
import gc
import itertools
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from quadrille.rules.registry import own_keys as keys
from tests.perft.entries import wanted

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("rules", "net", "ai", "client")

#: The world outside: rules know none of it. `os` is among it for its environment, files and clock.
NOT_IN_RULES = {
    "asyncio", "datetime", "multiprocessing", "os", "random", "secrets", "select", "selectors", "socket", "subprocess",
    "threading", "time", "uuid",
}  # fmt: skip
#: What each floor may take from the package index; a floor may use what those below it use.
THIRD_PARTY = {
    # librt and mypy_extensions: types alone, for the compiler; numpy: only where it is installed
    "rules": {"librt", "msgpack", "mypy_extensions", "numpy"},
    "net": {"ifaddr", "nacl", "platformdirs", "rbcl", "zmq"},
    "ai": {"numpy"},
    "client": {"jinja2", "prompt_toolkit", "segno", "shtab", "wcwidth", "websockets"},
}
#: What plugs into the floors, a folder each; any of them may be missing.
EXTRAS = tuple(sorted(path.parent.name for path in (ROOT / "extras").glob("*/entry_points.txt")))
BANNED_NAMES = ("manager", "handler", "helper", "util")


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def place(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if isinstance(node, ast.stmt | ast.expr | ast.excepthandler) else ""
    return f"{path.relative_to(ROOT)}{line}"


@pytest.fixture(autouse=True, scope="module")
def _no_search_for_garbage() -> Iterator[None]:
    """A million nodes stay until the last of these tests: to search them again and again takes most of the time."""
    gc.disable()
    yield
    for cached in (syntax, imports):
        cached.cache_clear()
    gc.enable()


@functools.cache
def text(path: Path) -> str:
    return path.read_text("utf-8")


@functools.cache
def syntax(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of its syntax, which takes long for all files of the tests: those are looked through as texts."""
    return tuple(ast.walk(ast.parse(text(path), str(path))))


@functools.cache
def imports(path: Path) -> tuple[tuple[ast.stmt, str], ...]:
    """Return every module that a file imports, wherever in it, by its full name; relative ones begin with a dot."""
    found: list[tuple[ast.stmt, str]] = []
    for node in syntax(path):
        if isinstance(node, ast.Import):
            found += ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            found += ((node, f"{start}.{alias.name}" if start == "quadrille" else start) for alias in node.names)
    return tuple(found)


def places(files: Iterable[Path], is_wrong: Callable[[ast.AST], bool]) -> list[str]:
    return [place(path, node) for path in files for node in syntax(path) if is_wrong(node)]


def lines(files: Iterable[Path], begins: str) -> list[str]:
    wrong = re.compile(rf"^ *({begins}).*", re.MULTILINE)
    return [f"{place(path)}: {found[0].strip()}" for path in files for found in wrong.finditer(text(path))]


def importers(files: Iterable[Path], is_wrong: Callable[[str], bool]) -> list[str]:
    return [f"{place(path, node)} imports {name}" for path in files for node, name in imports(path) if is_wrong(name)]


@pytest.mark.parametrize("floor", FLOORS)
def test_each_floor_imports_only_from_itself_and_below(floor: str) -> None:
    allowed = {*FLOORS[: FLOORS.index(floor) + 1], "__version__", "plugs", "value"}  # the last are below all floors
    assert not importers(
        python_files(floor),
        lambda name: f"{name}.".startswith("quadrille.") and f"{name}.".split(".")[1] not in allowed,
    )


def product_files() -> list[Path]:
    extras = python_files(*(f"extras/{extra}" for extra in EXTRAS))
    return [*python_files(*FLOORS), *(path for path in extras if not {"tests", "examples"} & {*path.parts})]


def test_an_extra_imports_the_core_and_itself() -> None:
    """So each can be deleted without the others; that the core names none, the test of its floors shows."""
    for extra in EXTRAS:
        others = rf"from quadrille import .*\bextras|(from|import) (quadrille\.)?extras\b(?!\.{extra}\b)"
        assert not lines(python_files(f"extras/{extra}"), others)


def test_the_core_has_no_test_of_an_extra() -> None:
    assert not lines(python_files("tests"), r"(from|import) (quadrille\.)?extras\b")


def no_games() -> list[Path]:
    """Return the files that are to know no game."""
    return [path for path in python_files(*FLOORS) if ROOT / "rules/games" not in path.parents]


def test_no_game_is_asked_for_by_its_key() -> None:
    """No key of a game stands in the source outside the games' own files, so that nothing can dispatch on one."""
    wrong = []
    for path in no_games():
        nodes = syntax(path)
        told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
        texts = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in told]
        wrong += [f"{place(path, node)}: {node.value}" for node in texts if node.value in keys()]
    assert not wrong


def test_no_file_outside_the_games_imports_one() -> None:
    assert not importers(no_games(), lambda name: name.startswith("quadrille.rules.games."))


#: What the rooms of the client that other rooms look down upon may import of it. Faces may import all of them.
LOW_ROOMS = {
    room: tuple(f"quadrille.client.{name}." for name in names.split())
    for room, names in {
        "analysis": "analysis",
        "table": "table bots.names claimed_names foreign table_setup",
        "words": "analysis table words bots.names claimed_names foreign lobby_rows reports table_setup",
    }.items()
}


#: The rooms of each floor, from the lowest to the highest; each may import only those before it. A loose file of a
#: floor serves several rooms.
ROOMS = {
    "rules": (
        "native", "patterns", "engine", "drawing", "core",
        "games.barons", "games.coin_isolation", "games.dollar_draw", "games.dotter", "games.maze", "games", "search",
    ),
    "net": (
        "core", "cards", "trust", "zeromq", "neighbours", "private_room", "link", "entries", "hall",
        "game_log", "tables", "seating", "program",
    ),
    "ai": (
        "bots.lines", "bots.process", "bots", "opponents", "peer", "checks", "tournament.statistics",
        "tournament.schedules", "tournament.plans", "tournament.play", "tournament.journals", "tournament",
    ),
    "client": (
        "analysis", "table", "table.network", "words", "bots", "kept", "network",
        "picture", "evening", "presence", "plain", "screen.draw", "screen.table", "screen.network", "screen.lobby",
        "screen", "phones", "tournament", "commands",
    ),
}  # fmt: skip
#: Known everywhere on their floors, as loose files are: names of bots, what the host shows to phones and asks about
#: guests, and the result and the error of tournaments.
SHARED = {
    "quadrille.client.bots.names", "quadrille.client.phones.guests", "quadrille.client.presence.invitation",
    "quadrille.ai.tournament", "quadrille.ai.tournament.results",
}  # fmt: skip
#: Maximum files in a folder beside its `__init__.py`.
MOST_FILES = 12


def room_of(floor: str, name: str) -> str:
    """Return the room of a module by its full name; "" for a loose file."""
    parts = name.removeprefix(f"quadrille.{floor}").strip(".").split(".")
    while parts and ".".join(parts) not in ROOMS[floor]:
        parts.pop()
    return "" if name in SHARED else ".".join(parts)


@pytest.mark.parametrize("floor", ROOMS)
def test_rooms_import_only_rooms_below_them(floor: str) -> None:
    """Lazy and type-only imports count, so that no ring of rooms is kept open by them."""
    wrong = []
    for path in python_files(floor):
        here = room_of(floor, "quadrille." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
        if not here:
            continue
        for node, name in imports(path):
            there = room_of(floor, name) if name.startswith(f"quadrille.{floor}.") else ""
            if there and ROOMS[floor].index(there) > ROOMS[floor].index(here):
                wrong.append(f"{place(path, node)} imports {name}")
    assert not wrong


@pytest.mark.parametrize("floor", ROOMS)
def test_every_folder_is_a_room(floor: str) -> None:
    folders = {".".join(path.parent.relative_to(ROOT / floor).parts) for path in python_files(floor)}
    assert folders - {""} == set(ROOMS[floor])


def test_folders_are_glanceable() -> None:
    """Of the client its top alone: a face has many small files."""
    files = [*python_files("rules", "net", "ai"), *(ROOT / "client").glob("*.py")]
    folders = Counter(path.parent for path in files if path.name != "__init__.py")
    assert {place(folder): count for folder, count in folders.items() if count > MOST_FILES} == {}


@pytest.mark.parametrize("room", LOW_ROOMS)
def test_a_table_knows_no_face_and_no_sentence(room: str) -> None:
    """A table knows no face and no sentence, and words know no face."""
    allowed = LOW_ROOMS[room]
    assert not importers(
        python_files(f"client/{room}"),
        lambda name: name.startswith("quadrille.client.") and not f"{name}.".startswith(allowed),
    )


def test_a_table_knows_no_shell_and_no_time() -> None:
    """Wishes, effects and notices are values; `os`, threads and the screen are for faces and their shells."""
    assert not importers(
        python_files("client/table", "client/words"),
        lambda name: (
            name.split(".")[0] in NOT_IN_RULES | {"prompt_toolkit"}
            or (name.startswith("quadrille.ai") and name != "quadrille.ai.house")  # mere names
        ),
    )


def test_our_own_modules_are_imported_from_quadrille() -> None:
    """A bot author's own net.py or ai.py must never hide ours."""
    floors = "|".join(FLOORS)
    wrong = rf"from (\.|({floors})\b)|import (quadrille|{floors})\b"
    assert not lines(python_files(*FLOORS, "extras", "tests"), wrong), "write from quadrille.… import …"


def test_rules_know_no_clock_no_socket_and_no_randomness() -> None:
    assert not importers(python_files("rules"), lambda name: name.split(".")[0] in NOT_IN_RULES)


@pytest.mark.parametrize("floor", FLOORS)
def test_what_comes_from_the_package_index(floor: str) -> None:
    below = FLOORS[: FLOORS.index(floor) + 1]
    allowed = {"quadrille", *sys.stdlib_module_names}.union(*map(THIRD_PARTY.__getitem__, below))
    assert not importers(python_files(floor), lambda name: name.split(".")[0] not in allowed)


def test_one_file_imports_zmq_and_only_the_client_prompt_toolkit() -> None:
    zmq = importers(python_files(*FLOORS), lambda name: name.split(".")[0] == "zmq")
    assert {line.partition(":")[0] for line in zmq} == {"net/zeromq/libzmq.py"}
    assert not importers(python_files("rules", "net", "ai"), lambda name: name.split(".")[0] == "prompt_toolkit")


def test_no_fraction_in_the_rules() -> None:
    """Neither a literal such as 0.5 nor a division that makes one; `//` and cross products do."""

    def is_fraction(node: ast.AST) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, float | complex)
        return isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)

    assert not places(python_files("rules"), is_fraction)


def test_hash_and_id_decide_nothing_in_the_rules() -> None:
    """`hash(text)` differs from process to process; only a `__hash__` may ask for it."""
    wrong = []
    for path in python_files("rules"):
        nodes = syntax(path)
        calls = {node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in ("hash", "id")}
        for node in nodes:
            if isinstance(node, ast.FunctionDef) and node.name == "__hash__":
                calls -= set(ast.walk(node))
        wrong += [place(path, call) for call in calls]
    assert not wrong


def test_rules_catch_what_they_expect_and_no_more() -> None:
    wide = re.compile(r"except(:|.*\b(Base)?Exception\b)")
    assert not places(
        python_files("rules"), lambda node: isinstance(node, ast.ExceptHandler) and bool(wide.match(ast.unparse(node)))
    )


def rooms() -> Counter[str]:
    """Count the lines of each room: a folder of a floor, or the files beside the folders."""
    found = Counter[str]()
    for path in python_files(*FLOORS, "package", "tests", "extras"):
        floor, *rest = path.relative_to(ROOT).parts
        room = f"{floor}/{rest[0]}" if len(rest) > 1 else floor
        if floor == "extras" and rest[1:2] == ["tests"]:
            room += "/tests"
        found[room] += len(text(path).splitlines())
    return found


def test_no_room_grows() -> None:
    """Lines only go down, or move between rooms within one commit: tests/budgets.toml says how many each may have."""
    budgets, there = tomllib.loads(text(ROOT / "tests/budgets.toml"))["rooms"], rooms()
    gone = {room for room in budgets if room.startswith("extras/") and room.split("/")[1] not in EXTRAS}
    budgets = {room: most for room, most in budgets.items() if room not in gone}
    assert budgets.keys() == there.keys()
    above = {room: f"{there[room]} lines of {most}" for room, most in budgets.items() if there[room] > most}
    assert not above, "delete what the change makes superfluous, or take the lines from another room"
    spare = {room: there[room] for room, most in budgets.items() if most > there[room] * 1.03 + 20}
    assert not spare, "these rooms need fewer lines now: write that into tests/budgets.toml"


def distance() -> str:
    """Say how far each floor is from its aim. conftest.py prints it below a whole run."""
    floors = Counter[str]()
    for room, count in rooms().items():
        floor = "tests" if room.endswith("/tests") else room.split("/")[0].replace("package", "client")
        floors[floor] += count
    aims = tomllib.loads(text(ROOT / "tests/budgets.toml"))["aims"]
    return "; ".join(f"{floor} {floors[floor]:,} of {aim:,}" for floor, aim in aims.items())


def test_every_module_says_what_it_is() -> None:
    texts = {place(path): text(path) for path in python_files(*FLOORS, "extras", "tests")}
    assert not [name for name, told in texts.items() if told and not re.match('r?"""', told)]


def test_a_state_has_few_methods() -> None:
    """What one caller alone asks of a position lives with that caller."""
    found = (node for node in syntax(ROOT / "rules/core/__init__.py") if isinstance(node, ast.ClassDef))
    [body] = [node.body for node in found if node.name == "State"]
    assert sum(isinstance(part, ast.FunctionDef) for part in body) <= 45


def test_names_are_nouns_of_the_table() -> None:
    wrong = []
    for path in python_files(*FLOORS, "extras", "tests"):
        names = [path.stem, *re.findall(r"^\s*class (\w+)", text(path), re.MULTILINE)]
        wrong += [f"{place(path)}: {name}" for name in names if any(word in name.lower() for word in BANNED_NAMES)]
    assert not wrong


def test_modules_of_the_client_are_nouns() -> None:
    assert not {path.stem for path in python_files("client") if re.search(r"(?<!even)ing$", path.stem)}


def test_no_class_name_is_used_twice() -> None:
    """One name, one meaning: a reader who meets a class's name anywhere knows which class it is."""
    classes = Counter(node.name for path in product_files() for node in syntax(path) if isinstance(node, ast.ClassDef))
    assert [name for name, count in classes.items() if count > 1] == []


def test_what_was_typed_is_repeated_in_one_kind_of_quotes() -> None:
    """A sentence quotes by `rules.squares.quoted` or `rules.options.shown`; Python's `!r` and quotes by hand differ."""

    def quotes(node: ast.AST) -> bool:
        if isinstance(node, ast.Raise):
            texts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
            return any(isinstance(text, str) and re.search(r"(^|[ (])'", text) for text in texts)
        return isinstance(node, ast.FormattedValue) and node.conversion == ord("r")

    assert not places(product_files(), quotes)


def test_no_stub_is_left() -> None:
    """`pass` and `...` are for protocols and classes without a body; a promise to write it later is for nobody."""
    words = ["TO" + "DO", "FIX" + "ME", "X" * 3, "NotImplemented" + "Error"]
    wrong = [
        f"{place(path)}:{number}: {word}"
        for path in python_files(*FLOORS, "extras", "tests")
        for number, line in enumerate(text(path).splitlines(), 1)
        for word in words
        if word in line
    ]
    assert not wrong


def test_every_folder_is_packed() -> None:
    """A folder that setup.cfg forgets is there in an editable install and missing in every other."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", "utf-8")
    packed = set(config["options"]["packages"].split())
    folders = {path.parent.relative_to(ROOT) for path in python_files(*FLOORS)}
    assert packed == {"quadrille", "quadrille.laws", *(".".join(("quadrille", *folder.parts)) for folder in folders)}
    assert not [folder for folder in folders if not (ROOT / folder / "__init__.py").exists()]
    assert (ROOT / "package/py.typed").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
def test_the_document_names_the_rooms_that_a_move_crosses_and_no_walk_gets_longer(tmp_path: Path) -> None:
    from tests.trace import measured, modules, rooms

    rows = re.compile(r"^(From .+), at most (\d+) modules: ([^.]+)\.$", re.MULTILINE)
    told = {
        title: (int(most), re.findall(r"`([a-z_/]+)`", named))
        for title, most, named in rows.findall(text(ROOT / "ARCHITECTURE.md"))
    }
    # What else is due in a move, on a busy machine, can only add modules: of three games one is within the bounds.
    for number in range(3):
        found = {
            title: (len(modules(steps)), rooms(steps)) for title, steps in measured(tmp_path / f"{number}").items()
        }
        if all(
            told[title][0] - 3 < count <= told[title][0] and told[title][1] == crossed
            for title, (count, crossed) in found.items()
        ):
            return
    assert found == told, "ARCHITECTURE.md says how many there may be"


def test_the_document_names_modules_that_are_there() -> None:
    """By the end of their paths; `net.py` is that of somebody else."""
    files = python_files(*FLOORS, "package", "extras", "tests", "examples")
    there = [*map(place, files), "build_engine.py", "setup.py"]
    named = set(re.findall(r"`([a-z_/]+\.py)`", text(ROOT / "ARCHITECTURE.md"))) - {"net.py"}
    assert not sorted(name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there))


@pytest.mark.parametrize("key", keys())
def test_every_game_has_its_page(key: str) -> None:
    """One screen for the goal and the moves, with a drawn example; then the details and the options."""
    page = wanted(f"rules/games/{key.replace('-', '_')}/page.md")
    screen = list(itertools.takewhile(lambda line: not line.startswith("## "), page.splitlines()))
    assert len(screen) <= 24, f"the first part has {len(screen)} lines: a screen has 24"
    assert not [line for line in screen if len(line) > 80], "a screen has 80 columns"
    assert len(screen) < len(page.splitlines()), "after the first screen come the details, under a heading"


@pytest.mark.parametrize("key", keys())
def test_every_game_has_its_numbers_records_and_tests(key: str) -> None:
    numbers = json.loads(wanted(f"tests/perft/{key}.json"))
    assert numbers and all(entry["counts"] for entry in numbers)
    assert list((ROOT / "tests/golden").glob(f"{key}*.txt")), "make one: python -m tests.golden.make"
    assert list((ROOT / "tests").rglob(f"test_{key.replace('-', '_')}*.py")), "a game has a test file of its own"
