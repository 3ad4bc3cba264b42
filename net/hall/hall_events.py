"""Events of one peer of a hall. Part of hall.py."""

from dataclasses import dataclass
from typing import TypeAlias

from quadrille.net.hall.posting import Posting


@dataclass(frozen=True, slots=True)
class Listed:
    """A peer's posting is new, or its content is."""

    posting: Posting


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A peer has said farewell, or was not heard of for too long."""

    key: bytes


HallEvent: TypeAlias = Listed | Unlisted
