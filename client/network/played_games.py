"""Finished tables in a few words each, for a list: players and result, from the logs in the store."""

from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

from quadrille.client.claimed_names import chair_names
from quadrille.client.network.surroundings import own_store
from quadrille.client.words.kept import winners
from quadrille.client.words.story import YOU, few
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import home, own_folder
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.identity import Identity


def of_tables(at_home: str | None, most: int, patience: float) -> Iterator[tuple[str, str]]:
    """Yield the number and the words of finished tables: the last ones, as many as `patience` seconds allow."""
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
    called = chair_names(standing.chairs)
    names = [YOU if chair.key == own else name for name, chair in zip(called, standing.chairs, strict=True)]
    over = standing.match.over
    return f"{few(names)}: {winners(names, over.places)}" if over else few(names)
