"""A look around on the network, for lists and for people who know an address."""

from collections.abc import Callable

from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import Ending, own_station
from quadrille.client.settings import own_name
from quadrille.client.words.absent_peers import expected, missing
from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import is_loopback
from quadrille.net.entries.terms import LOOKOUT
from quadrille.net.link.interfaces import present
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.neighbours.seeds import endpoints
from quadrille.net.program.station import IncompatibleProgram, Station, now
from quadrille.net.program.stored_tables import tables_at
from quadrille.net.seating.lobby import Lobby
from quadrille.net.trust.identity import peer_of
from quadrille.net.trust.known import Known, peers
from quadrille.net.trust.names import LONGEST_NAME
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


def own(at_home: str | None) -> tuple[bytes, list[Known]]:
    with tables_at(at_home) as own:
        return own.identity.key, peers(own.store)


def at_address(mine: Station, text: str) -> Callable[[bytes], bool]:
    """Return a test for the keys of peers, whether one is the program at HOST:PORT."""
    meant = endpoints(text)
    if meant[0].port == 0:
        raise LocalError(f"{quoted(text)} has no port: give it too, as in [{text.strip('[]')}]:50000")
    here = {host for interface in present() for host in interface.hosts}
    places = {endpoint.host for endpoint in meant}
    if any(address in here or is_loopback(address) for address in places):
        places |= here  # a program on this machine may be met at any of its addresses
    there = [Endpoint(address, meant[0].port) for address in sorted(places)]

    def is_there(key: bytes) -> bool:
        return any(mine.node.neighbours.is_at(peer_of(key), place) for place in there)

    return is_there
