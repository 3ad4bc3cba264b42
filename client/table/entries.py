"""Entries of a log as notices: what each entry did, and which entries were replaced and why.

No change of a game goes unreported. See net/game_log/precedence.py for which entries stand.
"""

from dataclasses import replace

from quadrille.client.table import notices
from quadrille.client.table.notices import About, Carried, Cause, Fact, Instead, Replaced, ShownMotion
from quadrille.net.entries.bodies import BeginBody, KeyBody, LookBody, MotionBody, ShareBody, ShuffleBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import BackMotion, DropMotion, HandMotion, StandInMotion
from quadrille.net.entries.standing import Standing
from quadrille.net.game_log import books
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.precedence import decided_about
from quadrille.rules.core import HIDDEN, Pile
from quadrille.rules.match import Left, Played


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
    last = match.entries[-1]
    if not isinstance(last, Played):
        return last
    number = len(match.entries) - 1
    faces = tuple(map(str, match.seen(number, None)))
    return notices.MoveMade(last.seat, str(last.move), faces, story=match.story(number), number=number)


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
            left = [one.seat for one in standings[at + 1].match.entries if isinstance(one, Left)]
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
    faces = {pile.name: pile.faces for standing in log.standings if (pile := _pile(standing))}
    rows = []
    for deal in deals:
        cards = tuple(str(faces[deal.pile][value]) for _, value in sorted((deal.cards or {}).items()))
        rows.append((deal.pile, bool(deal.epoch), cards))
    return notices.CardsShown(tuple(rows))


def _pile(standing: Standing) -> Pile | None:
    sealed = standing.match.state.sealed()
    return sealed.pile if sealed else None


class ReadEntries:
    """The entries of one table that a person has read."""

    __slots__ = ("_last", "_read")

    def __init__(self) -> None:
        self._read: list[tuple[Entry, bool]] = []  # each with whether the game was over after it
        self._last = b""  # the newest of the replacing entries

    def begin(self, log: Log) -> None:
        """Treat all entries of the log as read."""
        self._read = [(entry, after.over is not None) for entry, after in zip(log.entries, log.standings, strict=True)]

    def has_all(self, log: Log) -> bool:
        """Tell whether the person has read how far the log is now."""
        return len(self._read) == len(log.entries) and self._read[-1][0].hash == log.head

    def hear(self, log: Log, entry: Entry, *, replaced: bool) -> Replaced | None:
        """Return the notice before an entry that was added; None if it continues what was read."""
        here = entry.index < len(log.entries) and log.entries[entry.index].hash == entry.hash
        over = here and log.standings[entry.index].over is not None
        old, self._read[entry.index :] = self._read[entry.index :], [(entry, over)]
        goes_on, self._last = entry.before == self._last, entry.hash if replaced else b""
        if not old or goes_on or not replaced:
            return None
        cause, seat = _cause(entry, old[0][0], log)
        what = Instead.ENTRIES
        if old[-1][1]:
            what = Instead.END_TO_GO_ON if log.now.over is None else Instead.END
        return Replaced(what, len(old), cause, seat)


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
