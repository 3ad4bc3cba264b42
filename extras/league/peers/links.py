"""A tournament's station for entrants that are peers, and the quality of their links."""

import argparse
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.run_events import Event, Warned
from quadrille.client.foreign import shown
from quadrille.client.network.options import network_options
from quadrille.client.tournament.ways import Beside
from quadrille.extras.league.peers.program import reach

if TYPE_CHECKING:
    from quadrille.extras.league.peers.exchange import Exchange

#: The identity that runs tournaments, so that the person can sit at tables meanwhile.
RUNNER: Final = "runner"


def exchange(settings: argparse.Namespace) -> "Exchange":
    """Return the exchange by which workers find peers, not started yet."""
    from quadrille.client.network.station import own_station
    from quadrille.extras.league.peers.exchange import Exchange  # here alone: few tournaments use the network

    options = network_options(settings)  # it asks the person for the passphrase, so it must not run in a thread
    return Exchange(lambda: own_station(options, kind="runner", bot=RUNNER))


class ByPeers(Beside):
    """A run with entrants on their owners' machines."""

    def __init__(self, plan: Plan, peers: "Exchange") -> None:
        self._peers = peers
        self._named = {bytes.fromhex(entrant.peer): entrant.name for entrant in plan.entrants if entrant.peer}
        self.prepare = partial(reach, peers.address)

    def take(self, event: Event) -> Iterator[Event]:
        """Yield warnings about peers that a person should read at once."""
        while not self._peers.news.empty():
            key, why = self._peers.news.get()
            yield Warned(f"{self._named[key]} {why}")

    def data(self) -> dict[str, Any]:
        return {"links": self._links()}

    def lines(self) -> Iterator[str]:
        for row in self._links():
            lag = row["lag"]
            yield (
                f"The way to {shown(row['name'])} took {lag['median']} ms of an answer in the middle, {lag['longest']} "
                "ms at most, beside what its program is said to have taken, and beside outages."
            )
            if row["absences"]:
                times = "once" if row["absences"] == 1 else f"{row['absences']} times"
                yield f"It was out of reach {times} in games of this run, for {row['away'] / 1000:.1f} seconds in all."

    def _links(self) -> list[dict[str, Any]]:
        """Return each peer's link in this run as data (docs/protocols/journal.md, "JSON"); times in milliseconds."""
        return [
            {
                "name": self._named[key],
                "answers": link.delays.total(),
                "lag": {"median": link.at(0.5), "p99": link.at(0.99), "longest": link.at(1)},
                "absences": link.absences,
                "away": link.away,
            }
            for key in self._named
            if (link := self._peers.links.get(key)) is not None
        ]
