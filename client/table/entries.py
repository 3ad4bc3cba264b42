"""Entries of a log as notices: what each entry did, and which entries were replaced and why.

No change of a game goes unreported. See net/game_log/precedence.py for which entries stand.
"""

from dataclasses import replace
from typing import Any

from quadrille.client.table import notices
from quadrille.client.table.notices import About, Carried, Cause, Fact, Instead, Replaced, ShownMotion
from quadrille.net.entries.bodies import BeginBody, KeyBody, LookBody, MotionBody, ShareBody, ShuffleBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import BackMotion, DropMotion, HandMotion, StandInMotion
from quadrille.net.entries.standing import Standing
from quadrille.net.game_log import books
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Took
from quadrille.net.game_log.precedence import decided_about
from quadrille.rules.core import HIDDEN, State, ToMove, Viewer
from quadrille.rules.match import Left, Match, Played


def entry_notice(entry: Entry, standing: Standing) -> notices.EntryNotice | None:
    """Tell the effect of an entry; return None for duties to the deck."""
    match entry.body:
        case MotionBody(HandMotion(seat) as motion):
            holder = standing.chairs[seat]
            return Carried(replace(ShownMotion.of(motion), name=holder.at or holder.name))
        case MotionBody(motion) if not isinstance(motion, DropMotion):
            return Carried(ShownMotion.of(motion))
        case BeginBody():
            return Fact.GAME_BEGAN
        case ShuffleBody() if standing.deck and standing.deck.cards:
            return Fact.SHUFFLED
        case KeyBody() | ShuffleBody() | LookBody() | ShareBody() if not _turned_up(standing):
            return None
    match = standing.match
    return entry_told(match, match.length - 1, None)


def entry_told(match: Match, number: int, viewer: Viewer) -> notices.EntryNotice:
    """Tell an entry of a match: of a move, the cards that the viewer has seen."""
    entry = match.entries[number]
    if not isinstance(entry, Played):
        return entry
    move, faces = str(entry.move), tuple(map(str, match.seen(number, viewer)))
    is_forced = move == notices.PASSING and forced(match.after(number))
    return notices.MoveMade(entry.seat, move, faces, is_forced, match.story(number), number)


def forced(state: State[Any, Any]) -> bool:
    """Return whether passing is the only move."""
    moves = state.moves
    return isinstance(state.pending, ToMove) and moves.count(2) == 1 and str(next(iter(moves))) == notices.PASSING


def dealt_anew(log: Log, place: int) -> About | None:
    """Say why the shuffle that ends at this entry deals the same round again; None for any other shuffle."""
    standings, deck = log.standings, log.standings[place].deck
    if deck is None or not deck.epoch:
        return None
    for at in range(place - 1, -1, -1):
        before = standings[at].deck
        if before is None or (before.epoch == deck.epoch and before.cards):
            return None
        if before.epoch != deck.epoch:
            match log.entries[at + 1].body:
                case MotionBody(StandInMotion(seat)):
                    return About(Fact.SHARE_TAKEN, seat=seat)
                case MotionBody(BackMotion(seat)):
                    return About(Fact.SHARE_BROUGHT, seat=seat)
            left = [entry.seat for entry in standings[at + 1].match.entries if isinstance(entry, Left)]
            return About(Fact.SHARE_TAKEN, seat=left[-1]) if left else None
    return None


def _turned_up(standing: Standing) -> bool:
    """Return whether cards have just been turned up for all."""
    last = standing.match.entries[-1:]
    faces = getattr(last[0], "faces", ()) if last else ()
    return standing.due is None and bool(faces) and HIDDEN not in faces


def cards_shown(log: Log) -> notices.CardsShown | None:
    """Return the cards of every deal, once all books are open; None before."""
    deals = books.deals(log, log.books)
    if not deals or any(deal.cards is None for deal in deals):
        return None
    piles = [sealed.pile for standing in log.standings if (sealed := standing.match.state.sealed())]
    faces = {pile.name: pile.faces for pile in piles}
    rows = []
    for deal in deals:
        cards = tuple(str(faces[deal.pile][value]) for _, value in sorted((deal.cards or {}).items()))
        rows.append((deal.pile, bool(deal.epoch), cards))
    return notices.CardsShown(tuple(rows))


def replaced(event: Took, log: Log) -> Replaced:
    """Say why entries that were read have given way to another branch."""
    cause, seat = _cause(event.entry, event.replaced[0], log)
    what = Instead.ENTRIES
    if event.reopened:
        what = Instead.END_TO_GO_ON if log.now.over is None else Instead.END
    return Replaced(what, len(event.replaced), cause, seat)


def _cause(entry: Entry, old: Entry, log: Log) -> tuple[Cause, int | None]:
    """Say why an entry stands now instead of the one that was read, and name the seat concerned."""
    seat, undone = decided_about(entry), decided_about(old)
    if entry.index == 0:
        return Cause.BEGAN_LATER, None
    if entry.author == old.author != NOBODY:
        keys = log.standings[0].keys
        return Cause.SIGNED_TWICE, keys.index(entry.author) if entry.author in keys else None
    if seat is not None:
        return (Cause.DECIDED_BEFORE if undone is None else Cause.DECIDED_TWICE), seat
    return (Cause.KEPT_BY_OTHERS if undone is None else Cause.MOVED_BEFORE), undone
