"""The points of an evening: those of the games that have ended, and those of right bets. Pure.

Specification: docs/protocols/phones.md, "The evening".
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, Self

from quadrille.client.claimed_names import short_names, shown_name
from quadrille.client.reports import heading, many
from quadrille.client.words.story import few
from quadrille.net.entries.terms import GUEST, Chair
from quadrille.net.game_log.log import Log
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.match import Match
from quadrille.rules.record import write
from quadrille.value import value

#: "Bets are open until each player has made four moves, or a third of the longest game has been played."
_MOVES_EACH: Final = 4
_PART: Final = 3
HEADS: Final = ("", "", "points", "games", "won", "right bets")


def known_by(chair: Chair) -> str:
    """Return what an evening knows somebody by: who plays at another's program by the name, all others by the key."""
    return f"{GUEST} {chair.name}" if chair.at or chair.kind == GUEST else chair.key.hex()


def points_text(halves: int) -> str:
    return f"{halves / 2:g}"


@value
class EndedGame:
    """A game that has ended: its table, the time (milliseconds since 1970), its title, the players, and its record."""

    table: str
    ended: int
    title: str
    keys: tuple[str, ...]
    names: tuple[str, ...]
    places: tuple[int, ...]
    record: str

    @classmethod
    def of(cls, log: Log, ended: int) -> Self:
        """Read a finished game from its log. Points are for the person who sat down, also where a stand-in plays."""
        match, chairs = log.now.match, log.now.chairs
        assert match.over is not None
        keys = tuple(map(known_by, chairs))
        names = tuple(shown_name(chair.name, chair.key) for chair in chairs)
        return cls(log.table.hex(), ended, heading(match), keys, names, match.over.places, write(match))

    @property
    def halves(self) -> tuple[int, ...]:
        """ "A point for each player left behind, half a point for each with whom the place is shared": half points."""
        places = self.places
        return tuple(sum(2 * (other > own) + (other == own) for other in places) - 1 for own in places)


@value
class Bet:
    """A bet of a watcher: at that table, that seat comes first, perhaps beside others."""

    table: str
    key: str
    name: str
    seat: int


@value
class Score:
    """The points of a player or watcher, as half points; how many games, first places and right bets they had."""

    name: str
    halves: int = 0
    games: int = 0
    firsts: int = 0
    bets: int = 0


@value
class Scoreboard:
    """The games of an evening in their order, and all bets; each table counts once."""

    games: tuple[EndedGame, ...] = ()
    bets: tuple[Bet, ...] = ()

    def after(self, line: EndedGame | Bet) -> Self:
        """Add a game or a bet: "The last bet counts." A bet that comes after the game counts for nothing."""
        if line in self.bets or any(game.table == line.table for game in self.games):
            return self
        if isinstance(line, EndedGame):
            return replace(self, games=(*self.games, line))
        others = (bet for bet in self.bets if (bet.table, bet.key) != (line.table, line.key))
        return replace(self, bets=(*others, line))

    def bet_of(self, guest: str, table: str) -> int | None:
        """Return the seat on which a guest has bet at a table; None for no bet."""
        return next((bet.seat for bet in self.bets if (bet.table, bet.key) == (table, f"{GUEST} {guest}")), None)

    def bets_on(self, game: EndedGame) -> Iterator[tuple[Bet, bool]]:
        """Yield each bet on a game with whether it was right; a player's own bet counts for nothing."""
        for bet in self.bets:
            if bet.table == game.table and bet.key not in game.keys and 0 <= bet.seat < len(game.places):
                yield bet, game.places[bet.seat] == 1

    def scores(self) -> dict[str, Score]:
        """Return the scores by key, the best first."""
        players = {key: name for game in self.games for key, name in zip(game.keys, game.names, strict=True)}
        bets = {bet.key: bet.name for game in self.games for bet, _ in self.bets_on(game)}
        claimed = players | bets | players
        beside = tuple(GUEST if key.startswith(GUEST) else "" for key in claimed)  # a key has hexadecimal digits
        keys = tuple(b"" if guest else bytes.fromhex(key) for key, guest in zip(claimed, beside, strict=True))
        by_key = dict(zip(claimed, map(Score, short_names((*claimed.values(),), keys, beside)), strict=True))
        for game in self.games:
            for key, halves, place in zip(game.keys, game.halves, game.places, strict=True):
                games, firsts = by_key[key].games + 1, by_key[key].firsts + (place == 1)
                by_key[key] = replace(by_key[key], halves=by_key[key].halves + halves, games=games, firsts=firsts)
            for bet, is_right in self.bets_on(game):
                had = by_key[bet.key]
                by_key[bet.key] = replace(had, halves=had.halves + 2 * is_right, bets=had.bets + is_right)
        return dict(sorted(by_key.items(), key=lambda item: (-item[1].halves, -item[1].firsts)))

    # For people

    def rows(self) -> list[list[str]]:
        """Return a row for each score, to stand below `HEADS`."""
        scores = self.scores().values()
        places = [f"{1 + sum(other.halves > score.halves for other in scores)}." for score in scores]
        rows = [
            [score.name, points_text(score.halves), *map(str, (score.games, score.firsts, score.bets))]
            for score in scores
        ]
        return [[place, *row] for place, row in zip(places, rows, strict=True)]

    def lines(self) -> list[str]:
        """Format the table for a terminal."""
        if not self.games:
            return ["No game has ended this evening."]
        return [f"After {many(len(self.games), 'game')}:", *aligned([list(HEADS), *self.rows()], 2)]

    def sentence(self) -> str:
        """Return the points after a game, and who bet right on it; "" after a first game without bets."""
        bets = [f"{who} was {'right' if right else 'wrong'}" for who, _, right in self.told_bets(self.games[-1:])]
        if len(self.games) == 1 and not bets:
            return ""
        points = few([f"{score.name} {points_text(score.halves)}" for score in self.scores().values()])
        return f"The evening so far: {points}.{f' Bets: {few(bets)}.' if bets else ''}"

    def part(self) -> dict[str, Any]:
        """Return the part `evening` of a page: the table, and the bets on the last game."""
        return {"games": len(self.games), "rows": self.rows(), "bets": self.told_bets(self.games[-1:])}

    def told_bets(self, games: Iterable[EndedGame]) -> list[tuple[str, str, bool]]:
        """Return for each bet on these games who bet, on whom, and whether it was right."""
        called = {key: score.name for key, score in self.scores().items()}
        settled = [(game.keys, bet, is_right) for game in games for bet, is_right in self.bets_on(game)]
        return [(called[bet.key], called[keys[bet.seat]], is_right) for keys, bet, is_right in settled]


def may_bet(match: Match, players: Collection[str], who: str, seat: int = 0) -> bool:
    """Tell whether somebody may bet on a seat now. Players do not bet on their own game."""
    last = min(_MOVES_EACH * match.state.seats, match.after(0).longest // _PART)
    return match.over is None and match.ply < last and who not in players and 0 <= seat < match.state.seats
