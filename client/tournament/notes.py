"""Notes on a tournament, in sentences below its table: the verdict, then all that bears on how far to trust it.

The table and the report share these sentences. See ai/tournament/statistics/ratings.py for the computation of ratings.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isfinite
from typing import Final

from quadrille.ai.bots.lines.parameters import texts
from quadrille.ai.tournament.journals.proof import broken
from quadrille.ai.tournament.statistics import FEW_BLOCKS
from quadrille.ai.tournament.statistics.tables import seat_table
from quadrille.client.foreign import shown
from quadrille.client.reports import many as many
from quadrille.client.tournament.standings import TournamentStanding, ranks, slower
from quadrille.client.words.story import few
from quadrille.rules.registry import game

#: Maximum games without a result that are listed one by one.
MOST_UNPLAYED: Final = 5
#: The end of a verdict where nobody has an Elo.
_TOO_FEW: Final = "blocks are too few for Elo."
#: Minimum advantage of a seat that is mentioned, in Elo.
GREAT: Final = 100
#: Maximum groups, and names in a sentence.
MOST_GROUPS: Final = 4
MOST_LISTED: Final = 5


def notes(standing: TournamentStanding) -> Iterator[str]:
    yield verdict(standing)
    yield from _kills(standing)
    yield from _bounds(standing)
    yield from _differences(standing)
    yield from _cycles(standing)
    yield from _seats(standing)
    for entrant, name in zip(standing.plan.entrants, standing.names, strict=True):
        if entrant.parameters:
            yield f"{name} plays with {shown(texts(entrant.parameters))}."
    yield from _secrets(standing)
    yield from _isolation(standing)
    if uneven := standing.plan.uneven():
        yield uneven
    if gone := standing.plan.gone:
        yield f"{_listed(standing.names, gone)} {'is' if len(gone) == 1 else 'are'} in the file no more."
    if standing.counted.aside:
        yield f"{many(standing.counted.aside, 'game')} of older versions, or of those gone, are kept and do not count."
    if standing.counted.beyond:
        have, they = ("has", "it does") if standing.counted.beyond == 1 else ("have", "they do")
        ended = f"{many(standing.counted.beyond, 'more game')} {have} ended"
        if standing.counted.count.verdict is not None:
            yield f"{ended}, after the verdict: {they} not count."
        else:
            yield f"{ended}, in blocks that are not complete: {they} not count yet."
    if standing.duplicates.share > 0.05:
        same = standing.duplicates.games - standing.duplicates.effective
        yield f"{many(same, 'game')} went as another did, move by move, and told nothing new."
    quickest, parts = slower(standing.hosts)
    for name, part in parts.items():
        yield f"Machine {shown(name)} is {part:.2f} times as quick as {shown(quickest)}; bots had the same time there."
    for who, name, line in zip(standing.plan.entrants, standing.names, standing.counted.count.tallies, strict=True):
        faults = dict(line.faults)
        if forfeited := faults.pop("forfeit", None):
            yield f"{name} is withdrawn: it forfeited {many(len(forfeited), 'game')}, which nobody played."
        if faults:
            causes = ", ".join(f"{len(games)} by {shown(fault)}" for fault, games in sorted(faults.items()))
            whose = "by its own fault, or of the way to it, as each reason says" if who.peer else "by its own fault"
            yield f"{name} lost games {whose}: {causes}."


def _winner(standing: TournamentStanding) -> str:
    """Name the winner of a format that ranks its entrants itself, and says at its end who won; "" in any other."""
    if not (ranking := standing.counted.schedule.ranking):
        return ""
    best, names = ranking[0], standing.names
    if final := standing.plan.format.final(standing.counted.results):
        (first, most), *others = final.items()
        scores = ", ".join(f"{names[entrant]} {points:g}" for entrant, points in others)
        if most > max(points for _, points in others):
            return f"{names[first]} wins the final with {most:g} points; {scores}."
        return f"{names[best[0]]} wins: the final was level at {most:g} points ({scores}), and the better seed goes on."
    who = " and ".join(names[entrant] for entrant in best)
    return f"{who} {'wins' if len(best) == 1 else 'share the first place of'} the tournament."


def _kills(standing: TournamentStanding) -> Iterator[str]:
    """Report programs that signals ended. Nobody is accused, because the sender of a signal is unknown."""
    names = standing.names
    if standing.counted.schedule.stuck:
        yield f"The tournament ends here: {standing.counted.schedule.stuck}."
    void = standing.unplayed
    for number, kills in list(void.items())[:MOST_UNPLAYED]:
        table = ", ".join(names[entrant] for entrant in kills[0].seats)
        died = ", ".join(dict.fromkeys(names[kill.entrant] for kill in kills))
        yield (
            f"Game {number} ({table}) has no result for anybody: it was begun {len(kills)} times, and each time a "
            f"signal that no limit sent ended a program (of {died}). No game of its block counts."
        )
    if len(void) > MOST_UNPLAYED:
        yield f"{many(len(void) - MOST_UNPLAYED, 'more game')} have no result for the same reason."
    if again := len(standing.kills) - sum(map(len, void.values())):
        yield f"Signals ended programs {many(again, 'time')} more, in games that were played again."
    if standing.unjudged:
        yield "No ranks are given and no winner is named, since not all entrants could be judged."
    boxed = all(box.startswith("namespaces") for boxes in standing.boxes for box, _ in boxes)
    for entrant in sorted(standing.unjudged):
        there = [kill for kill in standing.kills if entrant in kill.seats]
        own = sum(kill.entrant == entrant for kill in there)
        yield (
            f"{names[entrant]} could not be judged: signals ended programs at its tables {many(len(there), 'time')}, "
            f"its own {many(own, 'time')}, at last so: {shown(there[-1].why)}."
        )
    if standing.unjudged and not boxed:
        yield (
            "A bot that ends another's program, or its own, can't be told from one to which that was done: let bots "
            'play in boxes (isolate = "required"), or take out of the file whom you suspect.'
        )


def _secrets(standing: TournamentStanding) -> Iterator[str]:
    """Say who can check the deals of games that have them, and report a secret that breaks its commitment."""
    for fault in broken(standing.secrets):
        yield f"Nothing that was dealt can be believed: {fault}."
    if any(game(contest.game).dealt for contest in standing.plan.contests):
        for row in standing.secrets:
            if row.kept and row.secret:
                yield f"Dealt by the secret {row.secret.hex()}: quadrille tournament verify checks it."
            elif row.secret is None:
                yield f"Dealt by a secret that is shown at the end; its commitment is {row.commitment}."


def _isolation(standing: TournamentStanding) -> Iterator[str]:
    """Report the bots' isolation by machine, and where they stood still."""
    names = standing.names
    who: dict[str, dict[str, list[str]]] = {}
    for name, boxes in zip(names, standing.boxes, strict=False):
        for box, host in boxes:
            who.setdefault(box, {}).setdefault(name, []).append(host)
    hosts = {host for boxes in standing.boxes for _, host in boxes}
    for box, bots in who.items():
        held, _, reason = box.partition(": ")
        because = f" ({shown(reason)})" if reason else ""
        boxed = {name for name, boxes in zip(names, standing.boxes, strict=False) if boxes}
        all_alike = len(who) == 1 and len(bots) == len(boxed)
        rows = [name + (f" on {', '.join(map(shown, at))}" if len(hosts) > 1 else "") for name, at in bots.items()]
        them = "the bots" if all_alike and len(hosts) == 1 else ", ".join(rows)
        rights = "; they had the organiser's rights" if held == "nothing" else ""
        yield f"Isolation of {them}: {held}{because}{rights}."
    if not standing.plan.ponder:
        yield "Each bot stood still while others were to move."


def verdict(standing: TournamentStanding) -> str:
    stop, rule = standing.plan.stop, standing.counted.count.rule
    names = standing.names
    if stop and rule:
        from quadrille.ai.tournament.statistics.stopping import Sprt  # imported here: numpy takes long

        other = names[stop.against] if stop.against is not None else "the others"
        if rule.verdict is not None and standing.verdict is None:
            return f"Not decided: {stop}, and not all entrants could be judged."
        if rule.verdict is not None:
            return f"{names[stop.entrant]} is {rule.verdict} than {other} ({stop}, after {rule.blocks} blocks)."
        if isinstance(rule, Sprt):
            rows = zip(("stronger", "not stronger"), rule.wager.winnings, rule.enough, strict=True)
            bets = ", ".join(f"{won:.2f} of {enough:.2f} for {word}" for word, won, enough in rows)
            return f"Not decided: {stop}; the logarithms of the bets' winnings are {bets}."
        return f"Not decided: {stop}; the score of {names[stop.entrant]} is from {rule.low:.3f} to {rule.high:.3f}."
    if not standing.counted.results:
        return "No block is complete yet."
    if standing.unjudged:
        return "Nobody can say who is the strongest: not all entrants could be judged."
    if winner := _winner(standing):
        return winner
    have_played = [entrant for entrant in standing.order if is_rated(standing, entrant)]
    if len(have_played) < 2:
        groups = ([entrant for entrant in row if entrant in standing.order] for row in standing.ranking)
        leaders = next(filter(None, groups))
        lead = "leads" if len(leaders) == 1 else "are level at the top"
        return f"{_listed(names, leaders)} {lead} by {standing.plan.format.places_by}; {_TOO_FEW}"
    first, second, *_ = best = sorted(have_played, key=lambda entrant: -standing.ratings.elo[entrant])
    likely = standing.ratings.superiority[first][second]
    top = round(standing.ratings.elo[first])
    level = [names[entrant] for entrant in best if round(standing.ratings.elo[entrant]) == top]
    if len(level) > 1:
        return f"By Elo {few(level)} are level at the top."
    ahead, other = f"By Elo {names[first]} is first", f"stronger than {names[second]}"
    if unsaid(standing, first, second):
        return f"{ahead}; blocks are too few to say how likely it is {other}."
    often = "Don't stop just because this looks high: use [stop] (quick: --sprt) for a sound test."
    sentence = f"{ahead}: the likelihood that it is {other} is {percent(likely)} %."
    return sentence if standing.is_over else f"{sentence} {often}"


def percent(share: float) -> str:
    """Return a probability in percent, never 0 or 100."""
    return "over 99.9" if share > 0.999 else "under 0.1" if share < 0.001 else f"{100 * share:.1f}"


def is_rated(standing: TournamentStanding, entrant: int) -> bool:
    """Tell whether blocks are enough for an Elo that says anything."""
    return standing.line(entrant).blocks >= FEW_BLOCKS and isfinite(standing.ratings.error[entrant])


def error_text(error: float) -> str:
    """Return half of an Elo interval; a question mark if there are too few blocks."""
    return str(round(error)) if isfinite(error) else "?"


def unsaid(standing: TournamentStanding, row: int, column: int) -> bool:
    """Return whether it is open which of two entrants is stronger, though their Elo differs."""
    return (
        standing.ratings.superiority[row][column] == 0.5
        and abs(standing.ratings.elo[row] - standing.ratings.elo[column]) > 1e-6
    )


def _bounds(standing: TournamentStanding) -> Iterator[str]:
    """Name the entrants whose Elo has no error, or one that means less."""
    names = standing.names
    have_played = {entrant for entrant in standing.order if standing.line(entrant).games}
    unknown = [entrant for entrant in standing.order if entrant in have_played and not is_rated(standing, entrant)]
    is_nobody_rated = len(unknown) == len(have_played)
    if unknown and not (is_nobody_rated and verdict(standing).endswith(_TOO_FEW)):
        who = "anybody" if is_nobody_rated else _listed(names, unknown)
        yield f"Too few blocks tell the Elo of {who}: it is not shown."
    if is_nobody_rated:
        return
    groups = [[entrant for entrant in group if entrant in have_played] for group in standing.ratings.groups]
    if len(groups := [group for group in groups if group]) > 1:
        groups_told = "; ".join(_listed(names, group) for group in groups[:MOST_GROUPS])
        more = f"; {len(groups) - MOST_GROUPS} more" if len(groups) > MOST_GROUPS else ""
        yield (
            f"Results bound Elo only within each of these groups, the strongest first: {groups_told}{more}. Nobody "
            "took anything from a group above. So between groups ± tells how close they may be, and "
            "nothing tells how far apart."
        )


def _listed(names: Sequence[str], chosen: Sequence[int]) -> str:
    """List some names, and the number of the others."""
    more = [f"{len(chosen) - MOST_LISTED} more"] if len(chosen) > MOST_LISTED else []
    return few([*(names[entrant] for entrant in chosen[:MOST_LISTED]), *more])


def _differences(standing: TournamentStanding) -> Iterator[str]:
    """Explain entrants that stand above others with more Elo."""
    ranked, rated = ranks(standing), [entrant for entrant in standing.order if is_rated(standing, entrant)]
    value = {entrant: round(standing.ratings.elo[entrant]) for entrant in rated}
    pairs = [
        (above, below)
        for above, below in combinations(rated, 2)
        if (ranked[above] or 0) < (ranked[below] or 0) and value[above] < value[below]
    ]
    if pairs:
        above, below = max(pairs, key=lambda pair: value[pair[1]] - value[pair[0]])
        names = standing.names
        yield (
            f"Places and Elo differ, as for {names[above]} and {names[below]}: places go by "
            f"{standing.plan.format.places_by}, and Elo also by the strength of the opponents, which were not the same "
            "for all."
        )


def _cycles(standing: TournamentStanding) -> Iterator[str]:
    """Name the cycles of three among entrants."""
    names = standing.names
    if len(names) < 3:
        return
    cycles = standing.cycles
    for cycle in cycles.clearest:
        first, second, third = (names[entrant] for entrant in cycle)
        yield (
            f"{first} beats {second}, {second} beats {third}, and {third} beats {first}, each beyond chance (5 in 100 "
            "for all pairs together): no single number, such as Elo, can tell that."
        )
    if (more := cycles.shown - len(cycles.clearest)) > 0:
        yield f"There {'is' if more == 1 else 'are'} {many(more, 'more cycle')} of this kind."


def _seats(standing: TournamentStanding) -> Iterator[str]:
    """Name seats with an advantage so great that strength decides little."""
    if standing.counted.count.blocks < FEW_BLOCKS:
        return
    scores = {(line.contest, line.seat): line.score for line in seat_table(standing.counted.results)}
    greatest = max(standing.ratings.seat_effects, key=lambda row: abs(row.elo), default=None)
    if greatest is None or abs(greatest.elo) <= GREAT:
        return
    where = f"seat {greatest.seat + 1} of {standing.plan.contests[greatest.contest].game}"
    score = scores[greatest.contest, greatest.seat]
    if abs(greatest.elo) > greatest.error or score in (0, 1):
        yield (
            f"Seats count for much here: {where} scores {score:.3f}. That favours nobody, since all sit in each seat "
            "equally often; but games that a seat decides tell little of who is stronger."
        )
