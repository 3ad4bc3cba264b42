"""Sentences about a table on the network: terms, clocks, motions, entries."""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

from quadrille.client.foreign import shown
from quadrille.client.pages import set_text
from quadrille.client.reports import entry_text, player
from quadrille.net import books
from quadrille.net.doubts import LAG
from quadrille.net.entry import Entry
from quadrille.net.identity import fingerprint
from quadrille.net.log import Log
from quadrille.net.shapes import unpack
from quadrille.net.standing import Standing
from quadrille.net.table import MOST_FAULTS, Table
from quadrille.net.terms import Terms
from quadrille.rules.core import HIDDEN, Pile
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

_GRACE: Final = 60_000


def terms_text(terms: Terms) -> str:
    """Which game this is and by which terms: `Barons, 2 players, width=4, clock 5m+10s, no takebacks`."""
    try:
        played = game(terms.game)
        options = played.read_options(dict(terms.options)).changed()
    except RulesError:  # not ours to play, and nothing to trip over
        return f"a game that is not known here ({shown(terms.game)})"
    parts = [played.title, f"{terms.seats} players"]
    if options:
        parts.append(set_text(options))
    if terms.clock:
        parts.append(f"clock {terms.clock}")
    if not terms.takebacks:
        parts.append("no takebacks")
    if not terms.lot:
        parts.append("seats in the order of sitting down")
    if terms.watchers != "anyone":
        parts.append(f"watchers: {terms.watchers}")
    if terms.arbiter is not None:
        parts.append(f"arbiter {fingerprint(terms.arbiter)}")
    if terms.grace != _GRACE:
        parts.append(f"grace {terms.grace // 1000}s")
    return ", ".join(parts)


def motion_text(motion: tuple[Any, ...], owners: Sequence[str], away: Container[int]) -> str:
    """What a motion asks for, to stand after "proposes". `owners` sat down; the seats `away` have no peer here."""
    kind, number, _, name = motion
    why = "who is gone" if number in away else "who keeps the table waiting"
    match kind:
        case "draw":
            return "a draw"
        case "abort":
            return "to abort the game, so that nobody wins or loses"
        case "takeback":
            return "to take back the last move" if number == 1 else f"to take back the last {number} moves"
        case "pause":
            return "a pause: no clock runs until the next move"
        case "adjourn":
            return "to adjourn the game, and to go on with it another time"
        case "drop":
            return f"that {player(number, owners)}, {why}, is out of the game"
        case "stand-in":
            return f"that {shown(name)} plays on for {player(number, owners)}, {why}"
        case "flag":
            return f"that the time of {player(number, owners)} is up, and it is out of the game"
    return f"to play again as {player(number, owners)}"


def taken_text(entry: Entry, standing: Standing, names: Sequence[str], owners: Sequence[str]) -> str:
    """What an entry did that led to this standing; `names` are those who play, perhaps for the `owners`."""
    match entry.kind, entry.body:
        case "motion", (("flag", number, _, _), *_):
            return f"{player(number, owners)} has run out of time, by the clocks of all the others."
        case "motion", ((kind, number, _, name), *_) if kind != "drop":
            match kind:
                case "draw":
                    return "A draw is agreed."
                case "abort":
                    return "The game is aborted."
                case "takeback":
                    return "The last move is taken back." if number == 1 else f"{number} moves are taken back."
                case "pause":
                    return "The game is paused: no clock runs until the next move."
                case "adjourn":
                    return "The game is adjourned."
                case "stand-in":
                    return f"{shown(name)} plays on for {player(number, owners)}."
            return f"{player(number, owners)} plays again."
        case "begin", _:
            return "The game begins."
        case "shuffle", _ if standing.deck and standing.deck.cards:
            return "The cards are shuffled."
        case "key" | "shuffle" | "look" | "share", _ if not _turned_up(standing):
            return ""
    match = standing.match
    return entry_text(match, len(match.entries) - 1, None, names)


def _turned_up(standing: Standing) -> bool:
    """Whether cards have just been turned up for all."""
    last = standing.match.entries[-1:]
    faces = getattr(last[0], "faces", ()) if last else ()
    return standing.owed == "move" and bool(faces) and HIDDEN not in faces


def deals_text(log: Log) -> str:
    """The cards of every deal, once all books are open; nothing before."""
    deals = books.deals(log, log.books)
    if not deals or any(deal.cards is None for deal in deals):
        return ""
    faces = {pile.name: pile.faces for standing in log.standings if (pile := _pile(standing))}
    rows = []
    for deal in deals:
        cards = " ".join(faces[deal.pile][value] for _, value in sorted((deal.cards or {}).items()))
        again = ", dealt anew" if deal.epoch else ""
        rows.append(f"The cards of {deal.pile}{again}, from the top: {cards}")
    return "\n".join(rows)


def _pile(standing: Standing) -> Pile | None:
    sealed = standing.match.state.sealed()
    return sealed.pile if sealed else None


def few(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def convicted_text(culprit: str, entries: int) -> str:
    """Why a seat that cheated is out of the game; `entries` prove it."""
    did = "signed two different entries for one place" if entries > 1 else "signed a position that can't be right"
    return f"The program of {culprit} {did}: it is out of the game, and the proof is kept."


def doubts_text(totals: Mapping[int, int], names: Sequence[str]) -> str:
    """By how much each seat understated its time, as this machine has measured it; a line each, small sums left out."""
    return "\n".join(
        f"By your clock {player(seat, names)} took {total / 1000:.1f} s more than it stated."
        for seat, total in sorted(totals.items())
        if total >= LAG
    )


def is_kept(table: Table, culprit: bytes, why: str) -> bool:
    """Whether what somebody signed and what can't stand is on the shelf, to be shown."""
    labels = ["proof", *(f"fault/{number}" for number in range(MOST_FAULTS))]
    kept = (table.shelf.secret(table.log.table, label) for label in labels)
    return any(unpack(data)[:2] == (culprit, why) for data in kept if data is not None)
