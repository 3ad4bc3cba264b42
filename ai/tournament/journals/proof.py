"""Checks that a journal's games were dealt by its committed secret; possible for everybody once it is revealed.

Everything is computed again from the plan, the results and the secrets: the seats, the deal, the opening. Nothing
that the journal says about a game is trusted. Specification: docs/protocols/tournaments.md, "The secret".
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quadrille.ai.tournament.journals.book import starts_in
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.openings import Opening
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.play.playing import GameOutcome, moves_hash
from quadrille.ai.tournament.schedules.schedule import Fixture
from quadrille.ai.tournament.schedules.secret import Committed, deal_label, dealing, made
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.options import Options
from quadrille.rules.record import read
from quadrille.rules.registry import game


@dataclass(slots=True)
class Checked:
    """The result: games that are right, those whose secret is not revealed, and all faults, in sentences."""

    right: int = 0
    closed: int = 0
    wrong: list[str] = field(default_factory=list)


def check(journal: Journal) -> Checked:
    plan, commitments, start = journal.plan(), journal.commitments, starts_in(journal)
    result = Checked(wrong=list(broken(commitments)))
    setups = [(one.game, one.seats, game(one.game).read_options(dict(one.options))) for one in plan.contests]
    again = Counter(number for number, _, _ in journal.voids())
    for outcome in journal.outcomes():
        number = outcome.number
        row = dealing(commitments, number)
        try:
            fixture, opening = start(number)
            match = read(outcome.record)
            fault = _differs(plan, setups, fixture, outcome, match, row, again[number]) or _opened(match, opening)
        except RulesError as error:
            fault = str(error)
        if fault or row is None:
            result.wrong.append(f"game {number}: {fault or 'no commitment says how it is dealt'}")
        elif row.secret is None:
            result.closed += 1
        else:
            result.right += 1
    return result


def _opened(match: Match, opening: Opening) -> str:
    """Return the fault of a game's beginning; "" for none."""
    first = match.entries[: len(opening)]
    same = tuple(str(entry.move) for entry in first if isinstance(entry, Played)) == opening
    return "" if same else f"it does not begin with {' '.join(opening)}"


def broken(commitments: Sequence[Committed]) -> Iterator[str]:
    """Yield a sentence for each secret that does not fit the journal's commitments."""
    for row in commitments:
        if row.secret is not None and not row.kept:
            yield f"the secret that is shown for the commitment {row.commitment[:16]}… is another one"


def _differs(
    plan: Plan,
    setups: Sequence[tuple[str, int, Options]],
    fixture: Fixture,
    outcome: GameOutcome,
    match: Match,
    row: Committed | None,
    again: int,
) -> str:
    """Return the difference between a game and the one that should have been played; "" for none."""
    result, contest = outcome.result, plan.contests[fixture.contest]
    if (result.game, result.seats, result.contest) != (fixture.id, fixture.seats, fixture.contest):
        return "the schedule has another game there"
    if (match.game.key, match.state.seats, match.state.options) != setups[fixture.contest]:
        return "its record is of another game"
    if moves_hash(match) != result.moves or match.over is None or match.over.places != result.places:
        return "its record and its result do not agree"
    if row is None or row.secret is None:
        return ""
    label = deal_label(contest, fixture, again)
    seed = made(row.secret, label) if label else fixture.start
    if match.deal is None or match.deal.seed != seed or match.deal.piles:
        return "the secret deals it otherwise"
    return ""
