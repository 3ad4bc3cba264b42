"""A look around on the network, for lists and for people who know an address."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple

from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import Ending, own_station
from quadrille.client.settings import own_name
from quadrille.client.words.absent_peers import expected, missing
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.home import home, own_folder
from quadrille.net.core.ip_addresses import is_loopback
from quadrille.net.entries.terms import LOOKOUT
from quadrille.net.game_log.log import Log
from quadrille.net.link.interfaces import present
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.neighbours.seeds import endpoints
from quadrille.net.program.station import IncompatibleProgram, Station, now
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.seating.lobby import Lobby
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.identity import Identity, peer_of
from quadrille.net.trust.known import Known, peers
from quadrille.net.trust.names import LONGEST_NAME
from quadrille.net.trust.store import Store
from quadrille.rules.squares import quoted
from quadrille.value import value


@value
class Seen:
    """The result of a look: the lobby, the peers of other protocols, sentences about absent peers, and the exit code
    of a signal that came meanwhile.
    """

    lobby: Lobby
    incompatible: list[IncompatibleProgram]
    missing: list[str]
    code: int | None

    def nobody(self, text: str) -> str:
        """Return the given sentence that nobody is there, or the sentences that say why."""
        return "\n".join(self.missing) or text


def look_around(options: NetworkOptions, time: int) -> Seen:
    name = f"{own_name(options.name)[: LONGEST_NAME - 10]} (looking)"
    mine = own_station(options, kind=LOOKOUT, bot=LOOKOUT, name=name)
    with Ending(mine.node.wake_up) as ending, mine:
        end = now() + time
        while now() < end and ending.code is None:
            mine.turn(end - now())
        about = missing(mine) or [text for text in (expected(mine),) if text and not mine.lobby.peers]
        return Seen(mine.lobby, mine.incompatible(), about, ending.code)


class OwnStore(NamedTuple):
    """The store of this person's tables and peers, which other programs may have open too."""

    identity: Identity
    shelf: StoredTables

    @property
    def store(self) -> Store:
        return self.shelf.store

    def log(self, table: bytes) -> Log | None:
        """Return the log of a stored table; None if it has no entry, or its game is not here any more."""
        entries = self.shelf.entries(table)
        with suppress(PeerError):
            return kept_log(entries, ProofChecker()) if entries else None
        return None


@contextmanager
def own_store(at_home: str | None) -> Iterator[OwnStore]:
    folder = own_folder(home(at_home))
    identity = Identity.open(folder)
    with closing(Store(folder, identity.key, alone=False)) as store:
        yield OwnStore(identity, StoredTables(store, identity))


def own(at_home: str | None) -> tuple[bytes, list[Known]]:
    with own_store(at_home) as own:
        return own.identity.key, peers(own.store)


def at_address(mine: Station, text: str) -> Callable[[bytes], bool]:
    """Return a test for the keys of peers, whether one is the program at HOST:PORT."""
    found = endpoints(text)
    if found[0].port == 0:
        raise LocalError(f"{quoted(text)} has no port: give it too, as in [{text.strip('[]')}]:50000")
    here = {host for interface in present() for host in interface.hosts}
    places = {one.host for one in found}
    if any(address in here or is_loopback(address) for address in places):
        places |= here  # a program on this machine may be met at any of its addresses
    there = [Endpoint(address, found[0].port) for address in sorted(places)]

    def is_there(key: bytes) -> bool:
        return any(mine.node.neighbours.is_at(peer_of(key), place) for place in there)

    return is_there
