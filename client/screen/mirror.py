"""The match of another thread, played again from its entries: no position is shared, since positions compute in places
of their own. Pure, and for the thread of the screen.
"""

from dataclasses import replace
from typing import Final

from quadrille.client.screen.model import Table
from quadrille.client.screen.network_news import Seated
from quadrille.rules.match import Adjudicated, Agreed, Left, Match, Played

ABORTED: Final = "the game was aborted"


def adopted(before: Match | None, theirs: Match, *, aborted: bool = False) -> Match:
    """The match of another thread, played again from its entries as far as it is not the one `before`."""
    if before is not None and before.opening != theirs.opening:
        before = None  # cards that are still being turned up
    same = _same(before, theirs)
    if before is not None and len(before.entries) == same == len(theirs.entries) and not aborted:
        return before
    mine = before.before(same) if before is not None else _started(theirs)
    for entry in theirs.entries[same:]:
        match entry:
            case Played(_, move, faces):
                mine.play(move)
            case Left(seat, how, faces):
                mine.leave(seat, how)
            case Agreed():
                mine.agree()
                continue
            case Adjudicated(places, why):
                mine.adjudicate(places, why)
                continue
        for face in faces:
            mine.answer(face)
    if aborted and not mine.over:
        mine.adjudicate((1,) * mine.state.seats, ABORTED)
    return mine


def _same(before: Match | None, theirs: Match) -> int:
    """How many entries both begin with."""
    if before is None:
        return 0
    pairs = enumerate(zip(before.entries, theirs.entries, strict=False))
    shorter = min(len(before.entries), len(theirs.entries))
    return next((at for at, (one, other) in pairs if one != other), shorter)


def _started(theirs: Match) -> Match:
    """The match at its start, without a deal: faces come from the other one's entries."""
    state = theirs.before(0).state
    fresh = Match(theirs.game, state.options, state.seats, viewer=theirs.viewer)
    for face in theirs.opening:
        fresh.answer(face)
    return fresh


def adopted_table(before: Table | None, theirs: Seated) -> Table:
    """The table with a match of one's own."""
    match = adopted(before.match if before else None, theirs.table.match, aborted=theirs.aborted)
    return replace(theirs.table, match=match)
