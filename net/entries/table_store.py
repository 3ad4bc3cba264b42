"""The storage interface of a table: implemented by the store and by tests.

When a call returns, what it stored survives a crash. Specification: docs/protocols/play.md.
"""

from typing import Protocol

from quadrille.net.entries.entry import Entry


class TableStore(Protocol):
    """Stores the entries and promises of tables."""

    def keep_entry(self, entry: Entry) -> None: ...

    def settle(self, table: bytes) -> None:
        """Flush others' entries too, although others could send them again."""

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Keep our own data about a table."""

    def secret(self, table: bytes, label: str) -> bytes | None: ...

    def entries(self, table: bytes) -> list[bytes]:
        """Return all kept entries of a table, in order."""
