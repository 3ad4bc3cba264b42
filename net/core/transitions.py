"""Transition tables: what a machine does with each input in each phase.

Each table is a constant that docs/protocols/ prints; tests/net/test_protocols.py compares the two.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TypeVar

Row = TypeVar("Row")
Column = TypeVar("Column", bound=Enum)
Cell = TypeVar("Cell", bound=Enum)


def transitions(columns: Iterable[Column], rows: Mapping[Row, tuple[Cell, ...]]) -> Mapping[Row, Mapping[Column, Cell]]:
    """Build a table with these columns; each row has one reaction for each column."""
    heads = tuple(columns)
    return MappingProxyType({row: dict(zip(heads, cells, strict=True)) for row, cells in rows.items()})
