"""Words for the terms of a table, for its number and its arbiter, and for lists within a sentence."""

from shlex import quote
from typing import Final

from quadrille.client.foreign import shown
from quadrille.client.pages import options_text
from quadrille.client.table.network.notices import Arbiter, Role
from quadrille.client.words.answers import TYPED
from quadrille.client.words.story import few as few
from quadrille.net.entries.terms import Terms
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

#: Digits of a table's number that are shown.
DIGITS: Final = 8
_GRACE: Final = 60_000


def terms_text(terms: Terms) -> str:
    """A game with its terms: `Barons, 2 players, 4 x 4, clock 5m+10s, no takebacks`."""
    try:
        played = game(terms.game)
        options = options_text(played, played.read_options(dict(terms.options)))
    except RulesError:  # unplayable terms may still be listed
        return f"a game that is not known here ({shown(terms.game)})"
    parts = [played.title, f"{terms.seats} players"]
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
    if terms.arbiter is not None:
        parts.append(f"arbiter {fingerprint(terms.arbiter)}")
    if terms.grace != _GRACE:
        parts.append(f"grace {terms.grace // 1000}s")
    return ", ".join(parts)


def game_words(terms: Terms) -> tuple[str, str]:
    """The title of a game, and the options that differ from the defaults."""
    try:
        played = game(terms.game)
        return played.title, options_text(played, played.read_options(dict(terms.options)))
    except RulesError:
        return shown(terms.game), "not known here"


def number(table: bytes) -> str:
    """The number of a table for people."""
    return table.hex()[:DIGITS]


def in_room(room: str) -> str:
    """The option that names a private room."""
    return f" --room {quote(shown(room))}"


def arbiter_text(arbiter: Arbiter) -> str:
    """The peer that may forfeit a seat at a table, in a sentence without its end."""
    digits, name = fingerprint(arbiter.key), arbiter.name
    match arbiter.role:
        case Role.SELF:
            return f"You are the arbiter here ({digits}), and may put any player out on that player's turn"
        case Role.HOST:
            return f"The host may put you out of the game: its key ({digits}) is the arbiter's"
        case Role.SITTING:
            return f"{name}, who sits here, may put you out of the game: its key ({digits}) is the arbiter's"
        case Role.OTHER:
            return f"An arbiter, {f'{name} ({digits})' if name else digits}, may put you out of the game here"


def arbiter_question(arbiter: Arbiter) -> str:
    """The question whether this person accepts an arbiter."""
    return f"{arbiter_text(arbiter)}. Sit down anyway? {TYPED}"


def seats_taken(taken: int, seats: int) -> str:
    """How many seats are taken."""
    return f"{taken} of {seats} seats {'is' if taken == 1 else 'are'} taken"
