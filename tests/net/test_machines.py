"""One shape for all machines of the network (net/core/machine.py), which read no clock and do no I/O.

Their drivers on the simulated network check the rest of the contract after every call (network.py, check_contract).
"""

import ast
import inspect
from pathlib import Path

import pytest

from quadrille import net
from quadrille.net.hall.hall import Hall
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.private_room.door import Door
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.lobby import Lobby
from quadrille.net.tables.table import Table

MACHINES: tuple[type, ...] = (Gathering, Table, Lobby, Door, Neighbours, Hall)
FOLDER = Path(str(net.__file__)).parent
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
        for path in FOLDER.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name != "Machine"
        and {"receive", "wake"} <= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    }  # fmt: skip
    parts = {part.__name__ for kind in MACHINES for part in kind.__mro__}
    assert found <= parts and {kind.__name__ for kind in MACHINES} <= parts
