"""Sealed files: a first line with kind and version, a line of JSON, a body, and the SHA-256 of all before.

Weights, trainings and certificates are such files. A reader refuses every other file than `seal` would make of the same
fields and body. The caller keeps the bytes, and judges the fields. See docs/protocols/records.md, "Sealed files".
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Final

from quadrille.rules.errors import RulesError

#: Maximum characters of the line of JSON, and the greatest whole number in it.
_MOST_HEAD: Final = 4096
_MOST_NUMBER: Final = (1 << 62) - 1
_DIGEST: Final = hashlib.sha256().digest_size
_FIRST: Final = re.compile(rb"quadrille ([a-z]{1,20}) ([0-9]{1,9})\n")


@dataclass(frozen=True, slots=True)
class SealedKind:
    """A kind of file: the name in its first line and its version, its name in sentences, and the maximum bytes.

    `again` says how a person makes another one.
    """

    word: str
    version: int
    name: str
    most: int
    again: str


def seal(kind: SealedKind, fields: dict[str, Any], body: bytes) -> bytes:
    """Return the bytes of a file of that kind."""
    sealed = _head(kind, fields) + body
    return sealed + hashlib.sha256(sealed).digest()


def unseal(kind: SealedKind, data: bytes, name: str) -> tuple[dict[str, Any], bytes]:
    """Return the fields and the body of a file of that name; a `RulesError` says what is wrong with it."""
    _check(kind, data, name)
    first = data.index(b"\n") + 1
    after = data.find(b"\n", first, first + _MOST_HEAD) + 1
    fields = _fields(data[first : after - 1]) if after else None
    if fields is None or data[:after] != _head(kind, fields):
        raise unusable(kind, name, "its second line is not as quadrille writes it")
    return fields, data[after:-_DIGEST]


def unusable(kind: SealedKind, name: str, reason: str) -> RulesError:
    """Return the refusal of a whole file with senseless contents."""
    return RulesError(f"{name} can't be used: {reason}. {kind.again[0].upper()}{kind.again[1:]}")


def whole_number(fields: dict[str, Any], name: str) -> int:
    """Return a whole number among the fields; a `RulesError` if there is none."""
    number = fields.get(name)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _MOST_NUMBER:
        raise RulesError(f"its {name} is no whole number")
    return number


def _head(kind: SealedKind, fields: dict[str, Any]) -> bytes:
    line = json.dumps(fields, separators=(",", ":"))
    return f"quadrille {kind.word} {kind.version}\n{line}\n".encode("ascii")


def _check(kind: SealedKind, data: bytes, name: str) -> None:
    """Refuse another file, another version and damage."""
    heading = _FIRST.match(data)
    if heading is None:
        raise RulesError(f"{name} is no file of {kind.name}: name another file, or {kind.again}")
    word, version = heading[1].decode(), int(heading[2])
    if word != kind.word:
        raise RulesError(f"{name} is no file of {kind.name}, but a quadrille {word}: name another file")
    if version != kind.version:
        update = "update it, or " if version > kind.version else ""
        raise RulesError(
            f"{name} is in version {version} of the format, and this quadrille reads version {kind.version}: "
            f"{update}{kind.again}"
        )
    if len(data) > kind.most:
        raise RulesError(f"{name} is longer than any file of {kind.name} ({kind.most >> 20} MB): name another file")
    if hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise RulesError(f"{name} is damaged: it was cut or changed. Copy it again, or {kind.again}")


def _fields(line: bytes) -> dict[str, Any] | None:
    """Read the object of a line of JSON; None if there is none."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None
