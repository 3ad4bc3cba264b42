"""Words for the terms of a table, for its number, and for lists within a sentence."""

from shlex import quote
from typing import Final

from quadrille.client.foreign import shown
from quadrille.client.words.rules import options_text
from quadrille.client.words.sentences import line
from quadrille.net.entries.terms import Terms
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

#: Digits of a table's number that are shown.
DIGITS: Final = 8
_GRACE: Final = 60_000
_UNKNOWN: Final = "not known here"


def terms_text(terms: Terms) -> str:
    """Describe a game with its terms: `Barons, 2 players, 4 x 4, clock 5m+10s, no takebacks`."""
    title, options = game_words(terms)
    if options == _UNKNOWN:  # unplayable terms may still be listed
        return f"a game that is not known here ({title})"
    parts = [title, f"{terms.seats} players"]
    if options:
        parts.append(options)
    if terms.clock:
        parts.append(f"clock {terms.clock}")
    if not terms.takebacks:
        parts.append("no takebacks")
    if terms.hints:
        parts.append("hints")
    if not terms.lot:
        parts.append("seats in the order of sitting down")
    if terms.watchers != "anyone":
        parts.append(f"watchers: {terms.watchers}")
    if terms.held is not None:
        parts.append(f"at most {terms.held} for each program" if terms.held > 1 else "one seat for each program")
    if terms.grace != _GRACE:
        parts.append(f"grace {terms.grace // 1000}s")
    return ", ".join(parts)


def game_words(terms: Terms) -> tuple[str, str]:
    """Return the title of a game, and the options that differ from the defaults."""
    try:
        played = game(terms.game)
        return played.title, options_text(played, terms.read_options())
    except RulesError:
        return shown(terms.game), _UNKNOWN


def number(table: bytes) -> str:
    """Shorten the number of a table for people."""
    return table.hex()[:DIGITS]


def in_room(room: str) -> str:
    """Return the option that names a private room."""
    return f" --room {quote(shown(room))}"


def seats_taken(taken: int, seats: int) -> str:
    """Say how many seats are taken."""
    return line("chairs", taken=taken, seats=seats)
