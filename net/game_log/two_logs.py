"""Comparison of two logs of one table: where they differ first, and who must have lied.

A pure function of two logs, each valid by itself. Both have the same entries before the difference, so both entries
there follow the same one, and their signers' promises about that place can be compared. A vouch could excuse a
signer, but no log holds vouches: where one would matter, nobody is accused. Specification: docs/protocols/log.md,
"Precedence".
"""

from dataclasses import dataclass
from enum import Enum, auto

from quadrille.net.entries.bodies import ExcludedBody
from quadrille.net.entries.entry import NOBODY
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.precedence import decided_about, deciders, signed_twice


class Ground(Enum):
    """Why two entries compete for one place."""

    #: A key signed both entries.
    SIGNED_BOTH = auto()
    #: A key signed one decision in two ways, which makes two entries.
    SIGNED_TWICE = auto()
    #: A seat is excluded in one log, with the proof in that entry.
    EXCLUDED = auto()
    #: Keys signed a decision about a seat, and went on from that seat's own entry: one signer has lied.
    WENT_ON = auto()
    #: The others decided about a seat, and none of them went on from its own entry.
    UNSEEN = auto()
    #: There are two decisions about a seat; a key may change from one to a lower one.
    DECIDED_TWICE = auto()
    #: The seats agreed on two beginnings.
    BEGUN_TWICE = auto()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two logs differ. `keys` lied, or some of them if the ground is `WENT_ON`."""

    place: int
    ground: Ground
    keys: tuple[bytes, ...] = ()


def difference(log: Log, other: Log) -> Difference | None:
    """Find the first difference of two logs of one table; None if one is the beginning of the other."""
    assert log.table == other.table
    for place, (here, there) in enumerate(zip(log.entries, other.entries, strict=False)):
        if here.hash != there.hash:
            return _judged(place, log, other)
    return None


def _judged(place: int, log: Log, other: Log) -> Difference:
    here, there = log.entries[place], other.entries[place]
    if place == 0:
        return Difference(place, Ground.BEGUN_TWICE)
    if here.author == there.author != NOBODY:
        return Difference(place, Ground.SIGNED_BOTH, (here.author,))
    before = log.standings[place - 1]
    for entry in (here, there):
        if isinstance(entry.body, ExcludedBody):
            return Difference(place, Ground.EXCLUDED, (before.keys[entry.body.seat],))
    if decided_about(here) is not None and decided_about(there) is not None:
        twice = signed_twice(here, there, before.keys)
        return Difference(place, Ground.SIGNED_TWICE, twice) if twice else Difference(place, Ground.DECIDED_TWICE)
    decision, log = (here, other) if decided_about(here) is not None else (there, log)
    after = {entry.author for entry in log.entries[place + 1 :]}
    both = tuple(sorted(deciders(decision, before) & after))
    return Difference(place, Ground.WENT_ON if both else Ground.UNSEEN, both)
