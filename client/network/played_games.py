"""Games that are kept, each in a few words for a list: who played, and the result.

A table's words come from its log in the store, and a record's from its first lines and its last, which stand in any
record that is read (rules/record.py).
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from quadrille.client.claimed_names import shown_name
from quadrille.client.network.surroundings import own_store
from quadrille.client.words.story import few
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import home, own_folder
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.identity import Identity
from quadrille.rules.registry import game, keys

_HEAD: Final = re.compile(r"^game ([a-z-]+) .*?^seats ([1-9][0-9]?) ", re.MULTILINE | re.DOTALL)
_PLACES: Final = re.compile(r"^end: places ((?:[1-9][0-9]? )+)", re.MULTILINE)
_YOU: Final = "you"


def of_tables(at_home: str | None, most: int, patience: float) -> Iterator[tuple[str, str]]:
    """Yield the number of each table that is over, and its words: the last ones, as many as so many seconds allow."""
    end = monotonic() + patience
    with own_store(at_home) as store:
        mine = Identity.open(own_folder(home(at_home)))
        shelf = StoredTables(store, mine)
        for kept in store.tables("over")[:most]:
            if monotonic() > end:
                return
            words = ""
            with suppress(NetError):  # one that can't be read hides no others
                if entries := shelf.entries(kept.id):
                    words = _of_log(kept_log(entries, ProofChecker()), mine.key)
            if words:
                yield kept.id.hex(), words


def _of_log(log: Log, own: bytes) -> str:
    standing = log.now
    names = [_YOU if chair.key == own else shown_name(chair.name, chair.key) for chair in standing.chairs]
    over = standing.match.over
    return f"{few(names)}: {_winners(names, over.places)}" if over else few(names)


def of_record(text: str) -> str:
    """Return the words of a record; "" for a text that is none."""
    found = _HEAD.search(text)
    if found is None or found[1] not in keys():
        return ""
    seats, ended = int(found[2]), _PLACES.search(text)
    places = [int(place) for place in ended[1].split()] if ended else []
    names = [f"player {seat + 1}" for seat in range(seats)]
    result = _winners(names, places) if len(places) == seats else "not finished"
    return f"{game(found[1]).title}, {seats} players: {result}"


def _winners(names: Sequence[str], places: Sequence[int]) -> str:
    first = [name for name, place in zip(names, places, strict=True) if place == 1]
    if len(first) != 1:
        return f"{few(first)} share the first place"
    return f"{first[0]} {'win' if first == [_YOU] else 'wins'}"
