"""The checks of records, worked out here as docs/protocols/records.md tells it: so that a lie can be told with its
checks right.
"""

import hashlib


def sealed(lines: list[str]) -> str:
    """The lines with their checks."""
    chain, found = b"", []
    for line in lines:
        chain = hashlib.sha256(chain + line.encode("ascii", "replace")).digest()
        found.append(f"{line} #{chain.hex()[:8]}\n")
    return "".join(found)


def bare(record: str) -> list[str]:
    """The lines without their checks."""
    return [line.rpartition(" #")[0] for line in record.splitlines()]
