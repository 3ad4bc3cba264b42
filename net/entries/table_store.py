"""What a table needs of whatever keeps its entries and promises: the store's shelf, or a test's.

A call returns when what it was given will survive a crash. Specification: protocols.md, "Play".
"""

from typing import Protocol

from quadrille.net.entries.entry import Entry


class TableStore(Protocol):
    """Where entries and promises are kept."""

    def keep_entry(self, entry: Entry) -> None:
        """Keep an entry."""

    def settle(self, table: bytes) -> None:
        """See to it that even others' entries, which they could tell again, survive whatever happens."""

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Keep something of one's own about a table."""

    def secret(self, table: bytes, label: str) -> bytes | None:
        """What was kept under that label."""

    def entries(self, table: bytes) -> list[bytes]:
        """All entries of a table that were kept, place by place."""
