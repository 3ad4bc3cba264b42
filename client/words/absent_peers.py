"""The causes of an absence, each with its words for both ends, for all places that say that somebody is not there.

net/neighbours/neighbour.py finds the cause of a call in vain (`CAUSES`), net/link/broadcast.py those of this machine.
docs/guides/play-with-friends.md prints `WORDS`.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from quadrille.client.foreign import shown
from quadrille.client.table.stage import Absence
from quadrille.client.words.story import sentence, stopped
from quadrille.net.core.ip_addresses import is_virtual
from quadrille.net.neighbours.neighbour import Census, Halfway, Trouble
from quadrille.net.program.station import Station, now


class CauseWords(NamedTuple):
    """The sentence of a cause: what it is, and what helps. `there` is the cause that the other end reads meanwhile, and
    `over` what this end reads once it is over.
    """

    text: str
    helps: str
    there: Trouble | None = None
    over: str = ""


_PORT: Final = "is Quadrille running there, and is the port right?"
#: In the gaps: a peer, or interfaces of this machine.
WORDS: Final = {
    Trouble.REFUSED: CauseWords("Nobody listens at {}", _PORT),
    Trouble.SILENT: CauseWords("{} does not answer", "is the address right, and is that machine on?", Trouble.CUT_OFF),
    Trouble.STRANGE: CauseWords("{} accepts connections, but is not Quadrille", "is the port right?"),
    Trouble.FOREIGN: CauseWords(
        "The program at {} speaks the same protocol, but is not Quadrille", "is the port right?"
    ),
    Trouble.FULL: CauseWords("The program at {} has met as many others as it can", "somebody has to leave it first"),
    Trouble.WALLED: CauseWords(
        "{} is heard and lets nobody in", "quadrille doctor there says how to open its firewall", Trouble.SHUT
    ),
    Trouble.DEAF: CauseWords(
        "{} is heard and does not answer", "that machine is very busy, or has no room for a connection", Trouble.NO_ROOM
    ),
    Trouble.NO_ROOM: CauseWords(
        "This system has no room for another connection",
        "close other programs, or allow more open files (ulimit -n)",
        Trouble.DEAF,
        "There is room for connections again.",
    ),
    Trouble.SHUT: CauseWords(
        "Nothing gets into this machine through {}, not even its own broadcasts",
        "quadrille doctor says how to open its firewall",
        Trouble.WALLED,
        "The network is heard again.",
    ),
    Trouble.CUT_OFF: CauseWords(
        "Your own network is gone", "typed moves are kept until it is back", Trouble.SILENT, "Your network is back."
    ),
}
#: Causes that are reported for any peer; the others are reported only for addresses that the person gave.
_ANYBODY: Final = (Trouble.FULL, Trouble.WALLED, Trouble.DEAF, Trouble.NO_ROOM)
#: Rounds of calls in vain after which nobody doubts the cause: a lost packet or two is no firewall, and who let us in
#: had six seconds to answer.
_SURE: Final = {Trouble.DEAF: 1}
_SURE_OTHERS: Final = 2


def absences(station: Station, command: Callable[[str], str] = lambda _: "") -> list[Absence]:
    """Return all that keeps others from being here. `command` returns what a peer at an address does to call this
    program; "" for nothing.
    """
    return [*_own(station), *_of_census(station.census()), *_of_peers(station, command)]


def missing(station: Station) -> list[str]:
    """Return a sentence for each absence; none if there is no trouble."""
    return list(dict.fromkeys(absence.text for absence in absences(station)))


def cause_text(cause: Trouble, where: str = "", command: str = "") -> str:
    """Say the cause of an absence, and what helps."""
    words = WORDS[cause]
    also = f", or {command} there, unless a firewall stands here too" if command else ""
    return stopped(f"{words.text.format(where)}: {words.helps}{also}")


def of_peer(halfway: Halfway, command: str = "") -> str:
    """Say why a peer is not met, whose trouble is known."""
    assert halfway.trouble is not None
    place = f"{halfway.endpoint.host}:{halfway.endpoint.port}" if halfway.named else halfway.endpoint.host
    return cause_text(halfway.trouble, f"{place} ({shown(halfway.name)})" if halfway.name else place, command)


def expected(station: Station) -> str:
    """Say how many peers have been heard of but not met yet; "" if there are none."""
    many = sum(halfway.trouble is None and not halfway.named for halfway in station.halfway())
    if not many:
        return ""
    return f"{many} program{' has' if many == 1 else 's have'} been heard of but not met yet: try again."


def _own(station: Station) -> Iterator[Absence]:
    """Yield the causes that are on this machine, and the ways to an overlay that are shut."""
    for cause, where in station.node.own_troubles():
        yield Absence(cause.name + where, cause_text(cause, where), over=WORDS[cause].over)
    if (overlay := station.node.overlay) is not None:
        for way, reason in overlay.unreached().items():
            yield Absence(way, stopped(f"{way} can't be used: {reason}"), over=f"{way} works again.")
        yield from (Absence(text, stopped(text), is_sure=False) for text in overlay.missing(now()))


def _of_census(census: Census) -> Iterator[Absence]:
    if census.refused:
        others = "another one" if census.refused == 1 else f"{census.refused} others"
        hall = census.there > census.met
        remedy = "update older programs, which link with everybody" if hall else "close some that nobody uses"
        text = (
            f"This program has met {census.met} of at most {census.limit} others, so {others} found no place: {remedy}"
            ", or meet in a private room."
        )
        yield Absence(text, text, is_sure=False)
    if census.there >= census.listed > 0:
        text = (
            f"{census.listed} programs or more are here, and no more can be listed: some people and tables are missing "
            "in every list."
        )
        yield Absence(text, text, is_sure=False)


def _of_peers(station: Station, command: Callable[[str], str]) -> Iterator[Absence]:
    for halfway in station.halfway():
        # A peer on the overlay does not answer calls where a way to the overlay has trouble.
        if halfway.trouble and (halfway.named or halfway.trouble in _ANYBODY) and not is_virtual(halfway.endpoint.host):
            does = command(halfway.endpoint.host) if halfway.trouble is Trouble.WALLED else ""
            text = of_peer(halfway, does)
            yield Absence(
                halfway.peer or text,
                text,
                is_sure=bool(halfway.peer) and halfway.tries >= _SURE.get(halfway.trouble, _SURE_OTHERS),
            )
    for program in station.incompatible():
        text = sentence(shown(program.text))
        yield Absence(text, text, is_sure=False)
