"""The addition of the league to `quadrille tournament` (client/tournament/ways.py). `--help` imports this module."""

import argparse
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import add_network
from quadrille.client.table_setup import within
from quadrille.client.tournament.ways import Beside, ReportSection, ReportTable, TournamentWay

if TYPE_CHECKING:
    from quadrille.ai.tournament.journals.journal import Journal
    from quadrille.ai.tournament.plans.plan import Plan
    from quadrille.ai.tournament.play.farm import Workers
    from quadrille.client.tournament.standings import TournamentStanding

_PLAYS: Final = ("run", "quick")
#: The options that an open league lacks.
_OF_FILES: Final = (
    *("on", "untried", "skip_failing", "strict", "lenient", "dialogues", "secret"),
    *("folder", "game", "games", "work", "openings"),
)


class ByCluster(Beside):
    """Games on a Dask cluster."""

    def __init__(self, address: str) -> None:
        self._address = address

    def workers(self, slots: int) -> "Workers":
        from quadrille.extras.league.cluster import Cluster

        return Cluster(self._address, slots)


class LeagueWay(TournamentWay):
    """`--on` plays on the machines of a cluster, and entrants that are peers play on their owners' machines."""

    def arguments(self, parser: argparse.ArgumentParser, what: str) -> None:
        if what in _PLAYS:
            parser.add_argument("--on", metavar="dask://HOST:PORT", help="on a Dask cluster (pip install distributed)")
        if what == "run":
            add_network(parser, home=False)
            group = parser.add_argument_group("open league")
            group.add_argument("--open", metavar="GAME", help="every bot plays that serves in the room, without a FILE")
            group.add_argument(
                "--each", type=within(1), default=2, metavar="N", help="maximum bots of a machine (default 2)"
            )

    def beside(self, plan: "Plan", path: Path, settings: argparse.Namespace) -> AbstractContextManager[Beside]:
        if not any(entrant.peer for entrant in plan.entrants):
            return nullcontext(Beside() if settings.on is None else ByCluster(settings.on))
        from quadrille.ai.tournament import TournamentError
        from quadrille.extras.league.peers.exchange import by_peers

        if settings.on is not None:
            raise TournamentError("peers play with workers of this machine only: leave --on out")
        return by_peers(plan, settings)

    def instead(self, settings: argparse.Namespace) -> int | None:
        if settings.what != "run" or settings.open is None:
            return None
        from quadrille.ai.tournament import TournamentError

        for name in _OF_FILES:
            if getattr(settings, name):
                raise TournamentError(f"--{name.replace('_', '-')} is for a tournament with a file only: leave it out")
        from quadrille.extras.league.open_league.run import run

        return run(settings)

    def sections(self, standing: "TournamentStanding", journal: "Journal") -> Iterable[ReportSection]:
        from quadrille.extras.league.formats.knockout import Knockout, bracket
        from quadrille.extras.league.open_league.field import FACT, rows_in

        if rows := rows_in(journal.fact(FACT)):
            table = ReportTable(("bot", "key", "now"), rows, words=(0, 1, 2))
            yield "here", "Who is here", [table]
        if isinstance(standing.plan.format, Knockout):
            series = (
                (str(nth), ", ".join(f"{standing.names[who]} {halves / 2:g}" for who, halves in points.most_common()))
                for nth, points in bracket(journal.results())
            )
            yield "bracket", "The bracket", [ReportTable(("round", "points of the entrants"), [*series], (1,))]


class LiveWay(TournamentWay):
    """`--serve` shows the report in browsers while games are played."""

    def arguments(self, parser: argparse.ArgumentParser, what: str) -> None:
        if what in (*_PLAYS, "report"):
            parser.add_argument(
                "--serve",
                nargs="?",
                const="",
                metavar="ADDRESS:PORT",
                help="show the report in browsers, and follow the games (default: only on this machine; 0.0.0.0 for "
                "all its networks)",
            )

    def beside(self, plan: "Plan", path: Path, settings: argparse.Namespace) -> AbstractContextManager[Beside]:
        if settings.serve is None:
            return nullcontext(Beside())
        from quadrille.extras.league.live.served import followed

        return followed(path, settings.serve)

    def instead(self, settings: argparse.Namespace) -> int | None:
        if getattr(settings, "serve", None) is None:
            return None
        from quadrille.ai.tournament import TournamentError
        from quadrille.extras.league.live.served import serve

        if settings.what == "quick" and settings.keep is None:
            raise TournamentError("--serve shows what is kept: give --keep FILE.toml too")
        return serve(settings) if settings.what == "report" else None


LEAGUE: Final = LeagueWay()
LIVE: Final = LiveWay()
