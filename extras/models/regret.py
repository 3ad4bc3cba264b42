"""Points lost to perfect play: what the moves of a tournament gave away, where a proof says what they were worth.

A game is judged from its last move back, as long as each position is proved within so many others. So every loss is
exact, and what is not proved is not counted; the table says how much was. A seat that left lost what it had.
Specification: extras/models/docs/regret.md.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from quadrille.client.table_setup import within
from quadrille.client.tournament.ways import ReportSection, ReportTable, TournamentWay

if TYPE_CHECKING:  # `--help` imports this module
    from quadrille.ai.tournament.journals.journal import Journal
    from quadrille.client.tournament.standings import TournamentStanding
    from quadrille.rules.match import Match
    from quadrille.rules.search import Proof

#: Maximum positions for the proof of one position, if nobody says more.
POSITIONS: Final = 100_000
_HEAD: Final = (
    *("entrant", "points lost a game", "games", "whole", "moves", "proved", "errors", "legal", "tokens a move"),
)
#: What a move of a chat service cost, as its note begins (chat_bot.py).
_COST: Final = re.compile(r"(\d+)\+(\d+) tokens, [0-9.]+ s, try (\d+):")
_ABOUT: Final = (
    "A won position that becomes a lost one costs 1 point, and a half where one of both is tied. A game is judged from "
    "its last move back, as far as each position is proved within {:,} others. Only games in whole blocks count, and "
    "no move of a given opening."
)


@dataclass(slots=True)
class Loss:
    """The half points that an entrant lost, and the games in which any move, or every move, was proved. A chat service
    may also tell the cost of the moves: answers, moves and tokens.
    """

    half_points: int = 0
    games: int = 0
    whole: int = 0
    moves: int = 0
    proved: int = 0
    errors: int = 0
    answers: int = 0
    told: int = 0
    tokens: int = 0

    def take(self, note: str) -> None:
        """Count what a move cost."""
        if cost := _COST.match(note):
            asked, answered, tried = map(int, cost.groups())
            self.told += 1
            self.answers += tried
            self.tokens += asked + answered

    def row(self, name: str) -> tuple[str, ...]:
        lost = f"{self.half_points / 2 / self.games:.3f}" if self.games else "n/a"
        share = f"{100 * self.proved / self.moves:.0f} %" if self.moves else "n/a"
        legal = f"{100 * self.told / self.answers:.0f} %" if self.answers else "n/a"
        tokens = f"{self.tokens / self.told:.0f}" if self.told else "n/a"
        return (name, lost, *map(str, (self.games, self.whole, self.moves)), share, str(self.errors), legal, tokens)


def losses(match: "Match", given: int, proof: "Proof | None", positions: int) -> Iterator[tuple[int, int | None]]:
    """Yield, from the last entry back to the opening, each seat with the half points that it lost; None: not proved."""
    from quadrille.client.analysis.verdicts import proved
    from quadrille.rules.match import Left, Played
    from quadrille.rules.search import Position

    for number in range(match.length - 1, given - 1, -1):
        entry, lost = match.entries[number], None
        if not isinstance(entry, Played | Left):
            continue
        if proof is not None:
            before = match.before(number)
            if isinstance(entry, Played):
                proved_verdict = proved(proof, Position(before.state), entry.move, before.ply + 1, positions)
                lost = None if proved_verdict is None or proved_verdict.fall is None else round(proved_verdict.fall)
            elif (worth := proof.payoff(Position(before.state), entry.seat, positions)) is not None:
                lost = worth + 1
        if lost is None:
            proof = None
        yield entry.seat, lost


def judge(standing: "TournamentStanding", journal: "Journal", positions: int) -> list[Loss]:
    """Add up the losses of all entrants, by the games in whole blocks."""
    from quadrille.ai.tournament.journals.book import openings_in
    from quadrille.client.analysis.verdicts import can_be_proved
    from quadrille.rules.match import Played
    from quadrille.rules.record import read
    from quadrille.rules.search import Position, Proof

    losses_of = [Loss() for _ in standing.plan.entrants]
    results, given = {result.game: result for result in standing.counted.results}, openings_in(journal)
    proofs: dict[int, Proof | None] = {}
    for number, game, record, thoughts in journal.rows(("number", "id", "record", "thoughts")):
        if (result := results.get(game)) is None or result.void:
            continue
        match = read(record)
        if match.length and result.contest not in proofs:
            position = Position(match.before(0).state)
            proofs[result.contest] = Proof(position) if can_be_proved(position) else None
        for entry, thought in thoughts.by_entry.items():
            if isinstance(played := match.entries[entry], Played):
                losses_of[result.seats[played.seat]].take(thought.note)
        rows = list(losses(match, len(given(number)), proofs.get(result.contest), positions))
        for seat, entrant in enumerate(result.seats):
            own = [lost for mover, lost in rows if mover == seat]
            exact = [lost for lost in own if lost is not None]
            loss = losses_of[entrant]
            loss.moves += len(own)
            loss.proved += len(exact)
            loss.games += bool(exact)
            loss.whole += bool(own) and len(exact) == len(own)
            loss.half_points += sum(exact)
            loss.errors += sum(map(bool, exact))
    return losses_of


class Regret(TournamentWay):
    """The option `--regret` of `tournament show` and `tournament report`."""

    def __init__(self) -> None:
        self._positions: int | None = None

    def arguments(self, parser: argparse.ArgumentParser, what: str) -> None:
        if what in ("show", "report"):
            parser.add_argument(
                "--regret", type=within(1), nargs="?", const=POSITIONS, metavar="N",
                help=f"points lost to perfect play, where N positions prove it (default {POSITIONS})",
            )  # fmt: skip

    def instead(self, settings: argparse.Namespace) -> int | None:
        self._positions = getattr(settings, "regret", None)
        if settings.what != "show" or self._positions is None:
            return None
        from quadrille.client.tournament.inspection import opened
        from quadrille.client.tournament.standings import standing_of
        from quadrille.rules.drawing.plain_text import WIDTH, aligned

        with opened(settings.file) as journal:
            about, rows = self._table(standing_of(journal, moves=False), journal, self._positions)
        print("\n".join([*aligned([_HEAD, *rows], 1), "", *wrap(about, WIDTH)]))
        return 0

    def sections(self, standing: "TournamentStanding", journal: "Journal") -> Iterable[ReportSection]:
        if self._positions is not None:
            about, rows = self._table(standing, journal, self._positions)
            yield "regret", "Points lost to perfect play, and costs", [about, ReportTable(_HEAD, rows, (0,))]

    def _table(
        self, standing: "TournamentStanding", journal: "Journal", positions: int
    ) -> tuple[str, Sequence[tuple[str, ...]]]:
        losses_of, names = judge(standing, journal, positions), standing.names
        rows = [(losses_of[entrant], names[entrant]) for entrant in standing.order]
        rows.sort(key=lambda row: row[0].half_points / (row[0].games or 1))
        return _ABOUT.format(positions), [loss.row(name) for loss, name in rows]


REGRET: Final = Regret()
