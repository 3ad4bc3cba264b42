"""The addition of the study to `quadrille tournament` (client/tournament/ways.py). `--help` imports this module."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from quadrille.client.tournament.ways import ReportSection, TournamentWay

if TYPE_CHECKING:
    from quadrille.ai.tournament.journals.journal import Journal
    from quadrille.client.tournament.standings import TournamentStanding


class FirstMoves(TournamentWay):
    """The section of the report that tells how first moves did."""

    def sections(self, standing: "TournamentStanding", journal: "Journal") -> Iterable[ReportSection]:
        from quadrille.extras.study.openings.tournament import section

        yield "openings", "First moves", section(standing, journal)


FIRST_MOVES: Final = FirstMoves()
