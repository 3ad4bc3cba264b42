"""The addition of the league to `quadrille tournament` (client/tournament/ways.py). `--help` imports this module."""

import argparse
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import add_network
from quadrille.client.tournament.ways import Beside, TournamentWay

if TYPE_CHECKING:
    from quadrille.ai.tournament.journals.journal import Journal
    from quadrille.ai.tournament.plans.plan import Plan
    from quadrille.ai.tournament.play.farm import Workers
    from quadrille.client.tournament.standings import TournamentStanding

_PLAYS: Final = ("run", "quick")


class ByCluster(Beside):
    """Games on a Dask cluster."""

    def __init__(self, address: str) -> None:
        self._address = address

    def workers(self, slots: int) -> "Workers":
        from quadrille.extras.league.cluster import Cluster

        return Cluster(self._address, slots)


class LeagueWay(TournamentWay):
    """`--on` plays on the machines of a cluster, and entrants that are peers play on their owners' machines. `--serve`
    shows the report in browsers while games are played. The report names who helps whom.
    """

    def arguments(self, parser: argparse.ArgumentParser, what: str) -> None:
        if what in _PLAYS:
            parser.add_argument("--on", metavar="dask://HOST:PORT", help="on a Dask cluster (pip install distributed)")
        if what in (*_PLAYS, "report"):
            parser.add_argument(
                "--serve",
                nargs="?",
                const="",
                metavar="ADDRESS:PORT",
                help="show the report in browsers, and follow the games (default: only on this machine; 0.0.0.0 for "
                "all its networks)",
            )
        if what == "run":
            add_network(parser, home=False)

    @contextmanager
    def beside(self, plan: "Plan", path: Path, settings: argparse.Namespace) -> Iterator[Beside]:
        with _served(path, settings.serve):
            if not any(entrant.peer for entrant in plan.entrants):
                yield Beside() if settings.on is None else ByCluster(settings.on)
                return
            from quadrille.ai.tournament import TournamentError
            from quadrille.extras.league.peers.links import ByPeers, exchange

            if settings.on is not None:
                raise TournamentError("peers play with workers of this machine only: leave --on out")
            with exchange(settings) as peers:
                yield ByPeers(plan, peers)

    def instead(self, settings: argparse.Namespace) -> int | None:
        if getattr(settings, "serve", None) is None:
            return None
        from quadrille.ai.tournament import TournamentError
        from quadrille.extras.league.live.served import serve

        if settings.what == "quick" and settings.keep is None:
            raise TournamentError("--serve shows what is kept: give --keep FILE.toml too")
        return serve(settings) if settings.what == "report" else None

    def sections(self, one: "TournamentStanding", journal: "Journal") -> Iterable[tuple[str, str, str]]:
        from quadrille.extras.league.collusion import companions

        yield "companions", "Who helps whom", companions(one)


def _served(path: Path, text: str | None) -> AbstractContextManager[object]:
    """Serve the live page of a journal meanwhile, if that is wanted."""
    if text is None:
        return nullcontext()
    from quadrille.extras.league.live.served import served

    return served(path, text)


LEAGUE: Final = LeagueWay()
