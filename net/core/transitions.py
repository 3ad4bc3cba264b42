"""Transition tables: what a machine does with each input in each phase.

A machine looks up its action in one constant table. docs/protocols/ prints each table, and tests/net/test_protocols.py
compares the two.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TypeVar

Row = TypeVar("Row")
Column = TypeVar("Column", bound=Enum)
Deed = TypeVar("Deed", bound=Enum)


def transitions(columns: Iterable[Column], rows: Mapping[Row, tuple[Deed, ...]]) -> Mapping[Row, Mapping[Column, Deed]]:
    """Build a table with these columns; each row has one action for each column."""
    heads = tuple(columns)
    return MappingProxyType({row: dict(zip(heads, deeds, strict=True)) for row, deeds in rows.items()})
