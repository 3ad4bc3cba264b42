"""Entries of a log as notices: what an entry did that led to a standing. Pure."""

from quadrille.client.table.network.notices import (
    CardsShown,
    Carried,
    EntryNotice,
    Fact,
    GameEnded,
    MovePlayed,
    OutOfGame,
    ShownMotion,
)
from quadrille.client.table.sight import seen
from quadrille.net import books
from quadrille.net.entry import Entry
from quadrille.net.log import Log
from quadrille.net.standing import Standing
from quadrille.rules.core import HIDDEN, Pile
from quadrille.rules.match import Adjudicated, Agreed, Left, Played


def entry_notice(entry: Entry, standing: Standing) -> EntryNotice | None:
    """What an entry did; None for what a program gives for the cards."""
    match entry.kind, entry.body:
        case "motion", (motion, *_) if motion[0] != "drop":
            return Carried(ShownMotion.of(motion))
        case "begin", _:
            return Fact.GAME_BEGAN
        case "shuffle", _ if standing.deck and standing.deck.cards:
            return Fact.SHUFFLED
        case "key" | "shuffle" | "look" | "share", _ if not _turned_up(standing):
            return None
    match = standing.match
    last = match.entries[-1]
    match last:
        case Played(seat, move):
            return MovePlayed(seat, str(move), tuple(map(str, seen(match, len(match.entries) - 1, None))))
        case Left(seat, how):
            return OutOfGame(seat, how)
        case Agreed():
            return GameEnded()
        case Adjudicated(_, why):
            return GameEnded(why)


def _turned_up(standing: Standing) -> bool:
    """Whether cards have just been turned up for all."""
    last = standing.match.entries[-1:]
    faces = getattr(last[0], "faces", ()) if last else ()
    return standing.owed == "move" and bool(faces) and HIDDEN not in faces


def cards_shown(log: Log) -> CardsShown | None:
    """The cards of every deal, once all books are open; None before."""
    deals = books.deals(log, log.books)
    if not deals or any(deal.cards is None for deal in deals):
        return None
    faces = {pile.name: pile.faces for standing in log.standings if (pile := _pile(standing))}
    rows = []
    for deal in deals:
        cards = tuple(str(faces[deal.pile][value]) for _, value in sorted((deal.cards or {}).items()))
        rows.append((deal.pile, bool(deal.epoch), cards))
    return CardsShown(tuple(rows))


def _pile(standing: Standing) -> Pile | None:
    sealed = standing.match.state.sealed()
    return sealed.pile if sealed else None
