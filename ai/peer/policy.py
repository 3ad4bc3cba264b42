"""The tables at which a bot sits down: games, clocks, how many at once, with whom, and how many seats stay free for
people.

A value with queries for guest.py; client/network/bot_seat.py reads it from a command line.
"""

from collections.abc import Collection

from quadrille.net.entries.terms import Chair, Terms
from quadrille.value import value

#: The bot plays with anyone, not only with listed keys.
ANYONE = "anyone"
PEOPLE = "people"
BOTS = "bots"
NOBODY = "nobody"


@value
class Policy:
    """The conditions of a bot. Empty `games` are all that it knows; times are in milliseconds.

    `shortest` and `longest` bound the time of each seat for the whole game; `untimed` are tables without a clock.
    `opponents` are keys in hexadecimal digits, or one of "anyone", "people", "bots": it applies to the host of the
    table and those who already sit there. `runners` are such keys or "anyone": the tournaments it plays in, although
    runners deal and see all cards. A name proves nothing, because anybody can claim it.
    """

    games: frozenset[str] = frozenset()
    tables: int = 1
    shortest: int = 0
    longest: int | None = None
    untimed: bool = True
    opponents: frozenset[str] = frozenset({ANYONE})
    kept_for_people: int = 0
    runners: frozenset[str] = frozenset({ANYONE})

    def objection(self, terms: Terms, host: Chair, chairs: Collection[Chair], at_tables: int) -> str | None:
        """Return why the bot does not sit down there; None if it does."""
        if self.games and terms.game not in self.games:
            return f"it does not play {terms.game}, only {', '.join(sorted(self.games))}"
        if at_tables >= self.tables:
            return f"it sits at {at_tables} table{'' if at_tables == 1 else 's'} already, as many as it may"
        if terms.clock is None and not self.untimed:
            return "it plays with a clock only"
        if terms.clock is not None and terms.clock.initial < self.shortest:
            return f"the clock {terms.clock} is too short for it"
        if terms.clock is not None and self.longest is not None and terms.clock.initial > self.longest:
            return f"the clock {terms.clock} is too long for it"
        for other in {chair.key: chair for chair in (host, *chairs)}.values():
            kind = PEOPLE if other.is_person else BOTS
            if self.opponents.isdisjoint({ANYONE, kind, other.key.hex()}):
                return f"it does not play with {other.name}"
        people = sum(chair.is_person for chair in chairs)
        free = terms.seats - len(chairs)
        if free - 1 < self.kept_for_people - people:
            return "the seats that are left are kept for people"
        return None

    def objection_to_runner(self, terms: Terms, runner: Chair) -> str | None:
        """Return why the bot does not play in a tournament, where all seats are bots; None if it does."""
        if self.runners.isdisjoint({ANYONE, runner.key.hex()}):
            return f"it does not play in tournaments of {runner.name}"
        if self.kept_for_people:
            return "it plays where seats are kept for people, and a tournament has none"
        return self.objection(terms, runner, (), 0)
