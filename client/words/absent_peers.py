"""Sentences that say why an expected peer is absent, for all places that report that nobody or no table is there."""

from collections.abc import Callable

from quadrille.client.foreign import shown
from quadrille.client.words.story import sentence, stopped
from quadrille.net.core.ip_addresses import is_virtual
from quadrille.net.neighbours.neighbour import Halfway, Trouble
from quadrille.net.program.station import Station, now

_TROUBLES = {
    Trouble.REFUSED: "Nobody listens at {}: is Quadrille running there, and is the port right?",
    Trouble.SILENT: "{} does not answer: is the address right, and is that machine on?",
    Trouble.STRANGE: "{} takes connections, but what is there is not Quadrille: is the port right?",
    Trouble.FOREIGN: "The program at {} meets people as Quadrille does, but is another one: is the port right?",
    Trouble.FULL: "The program at {} has met as many others as it can: somebody there has to go first",
    Trouble.WALLED: "{} is heard, but neither machine lets the other in: open one of the two firewalls",
}
#: Minimum unanswered calls before a peer counts as one that lets nobody in: a lost packet or two is no wall.
_TRIES = 2
#: Troubles that are reported for any peer; the others are reported only for addresses that the person gave.
_ANYBODY = (Trouble.FULL, Trouble.WALLED)


def missing(station: Station) -> list[str]:
    """Return a sentence for each known cause; none if there is no trouble."""
    crowd, found = station.crowd(), []
    if crowd.refused:
        others = "another one" if crowd.refused == 1 else f"{crowd.refused} others"
        hall = crowd.there > crowd.met
        remedy = "update older programs, which link with everybody" if hall else "close some that nobody uses"
        found.append(
            f"{crowd.met} programs have been met here and {crowd.limit} are the most, so that {others} found no place: "
            f"{remedy}, or meet in a private room"
        )
    if crowd.there >= crowd.listed > 0:
        found.append(
            f"{crowd.listed} programs or more are here, and no more can be listed: some people and tables are missing "
            "in every list"
        )
    # A peer on the overlay does not answer calls where a way to the overlay has trouble.
    halfway = [one for one in station.halfway() if not is_virtual(one.endpoint.host)]
    found += [_sentence(one) for one in halfway if one.trouble and (one.named or one.trouble in _ANYBODY)]
    found += [sentence(shown(one.text)) for one in station.unlike()]
    found += station.node.overlay.missing(now()) if station.node.overlay else []
    return [stopped(text) for text in dict.fromkeys(found)]


def walled(station: Station, join: Callable[[str], str]) -> dict[bytes, str]:
    """Return a sentence for each peer that is heard and has not answered several calls, by its identity. `join`
    returns the command by which that peer calls us; "" for none.
    """
    found = {
        one.peer: one.endpoint.host
        for one in station.halfway()
        if one.peer and one.trouble is Trouble.WALLED and one.tries >= _TRIES
    }
    return {peer: _walled(host, join(host)) for peer, host in found.items() if not is_virtual(host)}


def _walled(host: str, command: str) -> str:
    if not command:
        return f"{host} is heard and lets nobody in: quadrille doctor there says how to open its firewall."
    return f"{host} is heard and lets nobody in: there {command} works, unless a firewall stands here, too."


def unreached(station: Station) -> list[str]:
    """Return a sentence for each shut way to the overlay of our far room."""
    return [stopped(text) for text in (station.node.overlay.unreached() if station.node.overlay else [])]


def expected(station: Station) -> str:
    """Say how many peers have been heard of but not met yet; "" if there are none."""
    many = sum(one.trouble is None and not one.named for one in station.halfway())
    if not many:
        return ""
    return f"{many} program{' has' if many == 1 else 's have'} been heard of and not met yet: try again."


def _sentence(one: Halfway) -> str:
    assert one.trouble is not None
    place = f"{one.endpoint.host}:{one.endpoint.port}" if one.named else one.endpoint.host
    return _TROUBLES[one.trouble].format(place)
