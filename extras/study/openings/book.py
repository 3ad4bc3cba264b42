"""All games that an exploration of openings has found, in a tree for each game, options and seats.

It takes records as texts, and knows neither files nor journals. Games that it leaves out are counted, too.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament.results import half_points
from quadrille.client.table.players import opening_in
from quadrille.extras.study.openings.tree import CountedGame, OpeningTree
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left, Match, Played
from quadrille.rules.record import read_with_table, story

#: A game's key, its options as JSON, and its seats.
Terms: TypeAlias = tuple[str, str, int]
#: Maximum unusable records that are named.
MOST_NAMED: Final = 20


class OpeningBook:
    """The trees of all tables, and the numbers of games that are not in them."""

    def __init__(self, plies: int) -> None:
        """`plies`: the number of moves that are followed."""
        self.plies = plies
        self.trees: dict[Terms, OpeningTree] = {}
        #: Records that came twice, games that are not over, and counted games that a seat left.
        self.copies = self.unfinished = self.left = 0
        #: Ended games of tournaments in blocks that do not count.
        self.beyond = 0
        #: Games by their unit: in whole blocks, and single ones.
        self.in_blocks = self.single = 0
        #: The number of records that can't be used, and sentences about the first of them.
        self.damaged = 0
        self.named: list[str] = []
        self._seen: set[str] = set()

    @property
    def games(self) -> int:
        """Number of games in all trees."""
        return sum(tree.games for tree in self.trees.values())

    def tree(self, game: Game[Any, Any], options: Mapping[str, object], seats: int) -> OpeningTree:
        """The tree of a table."""
        terms = game.key, json.dumps(options, sort_keys=True), seats
        if terms not in self.trees:
            self.trees[terms] = OpeningTree(game, options, seats, self.plies)
        return self.trees[terms]

    def ordered(self) -> list[OpeningTree]:
        """The trees, those of most games first."""
        rows = sorted(self.trees.items(), key=lambda row: (-row[1].games, row[0][0], row[0][2], row[0][1]))
        return [tree for _, tree in rows]

    def take(self, tree: OpeningTree, game: CountedGame, *, in_block: bool) -> None:
        """Count a game."""
        tree.add(game)
        if in_block:
            self.in_blocks += 1
        else:
            self.single += 1

    def meet(self, record: str) -> bool:
        """Note a record; return whether it is a new one. Those with the same seed and the same moves are one game."""
        digest = hashlib.sha256(_bare(record).encode()).hexdigest()
        new = digest not in self._seen
        self._seen.add(digest)
        return new

    def take_record(self, record: str, name: str) -> None:
        """Count the game of a record that anybody may have made; damage is noted."""
        try:
            match, table = read_with_table(record)
            self._take_match(match, table, record)
        except RulesError as error:
            self.unusable(f"{name}: {error}")

    def unusable(self, why: str) -> None:
        """Note a record that can't be used."""
        self.damaged += 1
        if len(self.named) < MOST_NAMED:
            self.named.append(why)

    def _take_match(self, match: Match, table: Mapping[str, Any], record: str) -> None:
        if not self.meet(record):
            self.copies += 1
            return
        if (over := match.over) is None:
            self.unfinished += 1
            return
        given, moves = opening_in(table, match.ply), []
        for entry in match.since(0)[: given + self.plies]:
            if not isinstance(entry, Played):
                break
            moves.append(str(entry.move))
        tree = self.tree(match.game, match.state.options.plain(), match.state.seats)
        halves, whole = half_points(over.places), "\n".join(story(record))
        self.take(tree, CountedGame(tuple(moves), given, halves, object(), whole), in_block=False)
        self.left += any(isinstance(entry, Left) for entry in match.since(0))


def _bare(record: str) -> str:
    """The part of a record that is the same for the same game: with a seed all but the players, else the whole text.

    Checks go with the lines before them, so they are left out.
    """
    lines = [line.rpartition(" #")[0] for line in record.split("\n")]
    if not any(line.startswith("seed ") for line in lines[:7]):
        return record
    return "\n".join(line for line in lines if not line.startswith("table "))
