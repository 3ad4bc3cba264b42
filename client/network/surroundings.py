"""A look around on the network, for lists and for people who know an address."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.own_name import own_name
from quadrille.client.network.shutdown import Ending
from quadrille.client.network.station import LOOKOUT, own_station
from quadrille.client.words.network.absent_peers import expected, missing
from quadrille.net.home import home, own_folder
from quadrille.net.identity import Identity, peer_of
from quadrille.net.interfaces import present
from quadrille.net.known import Known, peers
from quadrille.net.lobby import Lobby
from quadrille.net.names import LONGEST_NAME
from quadrille.net.neighbour import Endpoint
from quadrille.net.seeds import endpoints
from quadrille.net.station import Station, Unlike, now
from quadrille.net.store import Store
from quadrille.net.wire import Offer


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a look: the lobby, the peers of other protocols, sentences about absent peers, and the exit code
    of a signal that came meanwhile.
    """

    lobby: Lobby
    unlike: list[Unlike]
    missing: list[str]
    code: int | None

    def nobody(self, text: str) -> str:
        """Return the given sentence that nobody is there, or the sentences that say why."""
        return "\n".join(self.missing) or text


def look_around(options: NetworkOptions, time: int) -> Seen:
    """Look around for `time` milliseconds."""
    name = f"{own_name(options.name)[: LONGEST_NAME - 10]} (looking)"
    mine = own_station(options, bot=LOOKOUT, name=name)
    with Ending(mine.node.wake_up) as ending, mine:
        end = now() + time
        while now() < end and ending.code is None:
            mine.turn(end - now())
        about = missing(mine) or [text for text in (expected(mine),) if text and not mine.lobby.peers]
        return Seen(mine.lobby, mine.unlike(), about, ending.code)


def own(at_home: str | None) -> tuple[bytes, list[Known]]:
    """Return the person's key, and the known peers."""
    with own_store(at_home) as store:
        return Identity.open(own_folder(home(at_home))).key, peers(store)


@contextmanager
def own_store(at_home: str | None) -> Iterator[Store]:
    """Open the person's store, which other programs may have open too."""
    folder = own_folder(home(at_home))
    with closing(Store(folder, Identity.open(folder).key, alone=False)) as store:
        yield store


def at_address(mine: Station, text: str) -> Callable[[Offer], bool]:
    """Return a test for tables whose host is the program at HOST:PORT."""
    found = endpoints(text)
    here = {interface.address for interface in present()}
    places = {one.host for one in found}
    if any(address in here or address.startswith("127.") for address in places):
        places |= here  # a program on this machine may be met at any of its addresses
    there = [Endpoint(address, found[0].port) for address in sorted(places)]

    def is_there(offer: Offer) -> bool:
        return any(mine.node.is_at(peer_of(offer.host), place) for place in there)

    return is_there
