"""All games that an exploration of openings has found, in a tree for each game, options and seats.

It takes records as texts, and knows neither files nor journals. Games that it leaves out are counted, too.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament.results import half_points
from quadrille.client.kept.own_games import record_number
from quadrille.client.table.players import opening_in
from quadrille.extras.study.openings.tree import CountedGame, OpeningTree
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left, Match
from quadrille.rules.record import first_moves, read_with_table, story

#: A game's key, its options as JSON, and its seats.
Terms: TypeAlias = tuple[str, str, int]
#: What is counted: games in whole blocks and single ones; ended games of blocks that do not count, games that are not
#: over, counted games that a seat left, records that came twice, and those that can't be used.
COUNTS: Final = ("in_blocks", "single", "beyond", "unfinished", "left", "copies", "damaged")
#: Maximum unusable records that are named.
MOST_NAMED: Final = 20


class OpeningBook:
    """The trees of all tables, and the numbers of games that are not in them."""

    def __init__(self, plies: int) -> None:
        """Follow this many moves of each game."""
        self.plies = plies
        self.trees: dict[Terms, OpeningTree] = {}
        self.counts = Counter[str]()
        #: Sentences about the first records that can't be used.
        self.named: list[str] = []
        self._seen: set[str] = set()

    @property
    def games(self) -> int:
        """Number of games in all trees."""
        return sum(tree.games for tree in self.trees.values())

    def tree(self, game: Game[Any, Any], options: Mapping[str, object], seats: int) -> OpeningTree:
        terms = game.key, json.dumps(options, sort_keys=True), seats
        if terms not in self.trees:
            self.trees[terms] = OpeningTree(game, options, seats, self.plies)
        return self.trees[terms]

    def ordered(self) -> list[OpeningTree]:
        """Return the trees, those of most games first."""
        rows = sorted(self.trees.items(), key=lambda row: (-row[1].games, row[0][0], row[0][2], row[0][1]))
        return [tree for _, tree in rows]

    def meet(self, record: str) -> bool:
        """Note a record; return whether it is a new one. Those with the same seed and the same moves are one game.

        Without a seed two people may have played the same moves, so only the same text is the same game.
        """
        dealt = any(line.startswith("seed ") for line in record.split("\n", 7)[:7])
        known = record_number(record) if dealt else hashlib.sha256(record.encode()).hexdigest()
        new = known not in self._seen
        self._seen.add(known)
        return new

    def take_record(self, record: str, name: str) -> None:
        """Count the game of a record that anybody may have made; damage is noted."""
        try:
            match, table = read_with_table(record)
            self._take_match(match, table, record)
        except RulesError as error:
            self.unusable(f"{name}: {error}")

    def unusable(self, reason: str) -> None:
        """Note a record that can't be used."""
        self.counts["damaged"] += 1
        if len(self.named) < MOST_NAMED:
            self.named.append(reason)

    def _take_match(self, match: Match, table: Mapping[str, Any], record: str) -> None:
        if not self.meet(record):
            self.counts["copies"] += 1
            return
        if (over := match.over) is None:
            self.counts["unfinished"] += 1
            return
        given = opening_in(table, match.ply)
        moves = first_moves(record, given + self.plies)
        tree = self.tree(match.game, match.state.options.plain(), match.state.seats)
        halves, whole = half_points(over.places), "\n".join(story(record))
        tree.add(CountedGame(moves, given, halves, object(), whole))
        self.counts["single"] += 1
        self.counts["left"] += any(isinstance(entry, Left) for entry in match.since(0))
