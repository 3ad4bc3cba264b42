"""The storage interface of a table, which the store implements, and a storage in memory.

When a call returns, what it stored survives a crash. Specification: docs/protocols/play.md.
"""

from typing import Protocol

from quadrille.net.entries.entry import Entry


class TableStore(Protocol):
    """Stores the entries and promises of tables."""

    def keep_entry(self, entry: Entry, *, heard: bool = False) -> None:
        """Store an entry; one that was `heard` waits while the disk is full."""

    def settle(self, table: bytes) -> None:
        """Flush others' entries too, although others could send them again."""

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Keep our own data about a table."""

    def secret(self, table: bytes, label: str) -> bytes | None: ...

    def entries(self, table: bytes) -> list[bytes]:
        """Return all kept entries of a table, in order."""


class MemoryShelf:
    """A peer's storage in memory."""

    def __init__(self) -> None:
        self._entries: dict[bytes, list[Entry]] = {}
        self._secrets: dict[tuple[bytes, str], bytes] = {}

    def keep_entry(self, entry: Entry, *, heard: bool = False) -> None:
        kept = self._entries.setdefault(entry.table, [])
        if all(entry.data != other.data for other in kept):
            kept.append(entry)

    def settle(self, table: bytes) -> None:
        """Do nothing: everything is stored at once."""

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Keep our own data; the first value stays."""
        self._secrets.setdefault((table, label), data)

    def secret(self, table: bytes, label: str) -> bytes | None:
        return self._secrets.get((table, label))

    def entries(self, table: bytes) -> list[bytes]:
        """List all entries of a table by place, and within a place in order of arrival."""
        return [entry.data for entry in sorted(self._entries.get(table, []), key=lambda entry: entry.index)]
