"""What every part of net/ keeps, read from its sources: bounded lists, and the one shape of its machines.

Every bounded list is bounded for each signer, or there is a reason why a liar can't fill it for others: a new `MOST_…`
fails here until its reason is written down. A machine (net/core/machine.py) reads no clock and does no I/O; its driver
on the simulated network checks the rest of the contract after every call (network.py, check_contract).
"""

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from quadrille import net
from quadrille.net.hall.hall import Hall
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.private_room.door import Door
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.lobby import Lobby
from quadrille.net.tables.table import Table

NET: Final = Path(next(iter(net.__path__)))
NAME: Final = re.compile(r"_?MOST_[A-Z_]+")

#: The reasons, and the names that each holds for by module.
REASONS: Final[dict[str, str]] = {
    "It bounds one value that somebody sends, and what is longer is refused: a message, a frame, an entry, a word.": """
        core.shapes: MOST_BYTES; entries.bodies: MOST_PROOF_BYTES MOST_PROOF_ENTRY;
        entries.terms: MOST_ENTRIES MOST_SEATS _MOST_TIME; entries.wire: MOST_ENTRIES_TOLD MOST_OFFERS MOST_ROWS;
        game_log.archive: MOST_CHARACTERS;
        hall.posting: MOST_OF_PART MOST_PARTS MOST_SERIAL; link.broadcast: _MOST_BYTES;
        trust.names: _MOST_LETTERS _MOST_MARKS _MOST_STACKED;
        zeromq.zre: MOST_CONTENT_FRAMES MOST_FRAME_BYTES MOST_GROUPS MOST_HEADERS MOST_HEADER_BYTES
    """,
    "It bounds what this peer itself says, asks or does in one go; nobody else adds to it.": """
        program.stored_tables: MOST_TABLES;
        seating.gathering: MOST_PATIENCE; seating.lobby: MOST_TOLD; seating.offers: MOST_UNPLAYABLE;
        tables.accord: MOST_PROMISES; tables.said_lines: MOST_BYTES_SINCE MOST_TOLD;
        tables.table: MOST_BYTES; trust.guard: MOST_BYTES MOST_OF_ONE MOST_WRITTEN
    """,
    "Each link, stream or member has a list of its own.": """
        hall.hall: MOST_PLACES; neighbours.neighbours: MOST_CONTACTS MOST_OF_ONE;
        program.hall_desk: MOST_HELD; zeromq.connection: MOST_INSIDE MOST_OPENING MOST_UNSENT;
        zeromq.libzmq: MOST_UNREAD MOST_WAITING
    """,
    "One row for each key that sits at a table, and a table has no more seats.": """
        tables.accord: MOST_ACQUITTALS
    """,
    "Only the author of a place writes in it; what others decide about it is our own, and is always stored.": """
        trust.store: MOST_VARIANTS
    """,
    "Whoever has a row has proved something first: the passphrase, our consent, or an own link.": """
        private_room.door: MOST_MEMBERS; program.hall_desk: MOST_HELD_FOR; tables.table: MOST_IN_LINE
    """,
    "What is forgotten gives nobody an advantage: it is heard, told or computed again.": """
        core.limits: MOST_KEYS;
        neighbours.neighbours: MOST_DOUBLED; private_room.guesses: MOST_BANNED; program.station_news: MOST_UNLIKE;
        trust.known: MOST_STRANGERS; zeromq.connection: MOST_LEAVING
    """,
    "Addresses count, not keys: the part of the TCP listeners.": """
        core.doorkeeper: MOST_PACED; zeromq.connection: MOST_HELD; zeromq.libzmq: _MOST_SOCKETS
    """,
    "The address with most loses one: test_a_full_directory_takes_the_oldest_of_the_address_with_most.": """
        hall.hall: MOST_BYTES MOST_POSTINGS
    """,
    "The address with most loses one: test_a_crowd_at_one_address_pushes_nobody_of_another_out_of_the_queue.": """
        private_room.door: MOST_WAITING
    """,
}


@cache
def sources(folder: Path) -> list[tuple[str, ast.Module]]:
    return [
        (".".join(path.relative_to(folder).with_suffix("").parts), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(folder.rglob("*.py"))
    ]


def bounds(folder: Path) -> set[str]:
    """Every constant of that name, with its module."""
    found = set()
    for module, tree in sources(folder):
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            found |= {f"{module}.{one.id}" for one in targets if isinstance(one, ast.Name) and NAME.fullmatch(one.id)}
    return found


def enforced(folder: Path) -> set[str]:
    """Those that a `FairBuffer` holds, in the module that makes it or in one that it names."""
    found = set()
    for module, tree in sources(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("FairBuffer["):
                names = {name.id for part in node.args for name in ast.walk(part) if isinstance(name, ast.Name)}
                found |= {f"{module}.{name}" for name in names if NAME.fullmatch(name)}
    return found


def explained(reasons: dict[str, str]) -> list[str]:
    rows = [row.strip().split(": ") for text in reasons.values() for row in text.split(";")]
    return [f"{module}.{name}" for module, names in rows for name in names.split()]


def test_every_bounded_list_is_bounded_for_each_signer_or_says_why_not() -> None:
    reasons = explained(REASONS)
    assert len(reasons) == len({*reasons}), "one reason each"
    held = enforced(NET)
    assert {*reasons} | held == bounds(NET)
    assert not {*reasons} & held, "these need no reason any more"
    assert {"game_log.log.MOST_ASIDE", "tables.said_lines.MOST_LINES"} <= held


MACHINES: tuple[type, ...] = (Gathering, Table, Lobby, Door, Neighbours, Hall)
#: Modules by which a machine could read a clock or do I/O.
SHELL = {"asyncio", "os", "select", "selectors", "socket", "sqlite3", "subprocess", "threading", "time"}


@pytest.mark.parametrize("kind", MACHINES, ids=lambda kind: kind.__name__)
def test_a_machine_has_the_one_shape_and_no_shell(kind: type) -> None:
    heard = inspect.signature(kind.receive).parameters.values()  # type: ignore[attr-defined]
    assert len([one for one in heard if one.kind != one.KEYWORD_ONLY]) == 4
    assert len(inspect.signature(kind.wake).parameters) == 2  # type: ignore[attr-defined]
    assert isinstance(inspect.getattr_static(kind, "deadline"), property)
    for part in kind.__mro__[:-1]:
        source = ast.parse(Path(inspect.getfile(part)).read_text("utf-8"))
        nodes = [node for node in ast.walk(source) if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name for node in nodes for alias in node.names} | {
            node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module
        }
        assert not names & SHELL, part


def test_no_machine_is_left_out() -> None:
    """A class that hears messages and wants to be woken is a machine."""
    found = {
        node.name
        for _, tree in sources(NET)
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and {"receive", "wake"} <= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    }  # fmt: skip
    parts = {part.__name__ for kind in MACHINES for part in kind.__mro__}
    assert found <= parts and {kind.__name__ for kind in MACHINES} <= parts
