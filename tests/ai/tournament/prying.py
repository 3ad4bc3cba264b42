"""Two bots for Dotter that want to know the deck: by what they remember, and by what lies in their folder.

A deck is the order of the cards of a round. A bot believes in one that agrees with two cards that it has seen, and is
sure of one that agrees with five. Both play as the house's `greedy` would that had looked at all of it.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, ClassVar

from quadrille.ai.bot import Bot, Clock
from quadrille.rules.arrays import array
from quadrille.rules.board import UNKNOWN
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import Move, State
from quadrille.rules.dice import Dice
from quadrille.rules.match import Entry
from quadrille.rules.search import Position

#: Cards that have to agree before a bot believes in a deck, and before it is sure.
LIKELY, SURE = 2, 5
Deck = dict[int, int]


class Pries(Bot):
    """Knows decks, and plays the one that agrees with what it sees."""

    name = "pries"

    def __init__(self) -> None:
        self.decks: list[tuple[str, Deck]] = []
        #: How often it was sure of a deck, a game and a round counted once, and how many rounds it saw that far.
        self.sure: set[tuple[int, str]] = set()
        self.rounds: set[tuple[int, str]] = set()
        self.game = 0

    def starts(self, view: State[Any, Any], seat: int) -> None:
        self.game += 1

    def choose(self, view: State[Any, Any], clock: Clock, rng: Any) -> Move:
        sealed = view.sealed()
        assert sealed is not None
        faces = list(view.board.faces)
        seen = {at: face for at, face in enumerate(faces) if face != UNKNOWN}
        here = self.game, sealed.pile.name
        deck = next((deck for pile, deck in reversed(self.decks) if pile == here[1] and agree(seen, deck)), None)
        if len(seen) >= SURE:
            self.rounds.add(here)
            if deck is not None:
                self.sure.add(here)
        board = view.board.copy()
        if deck is not None:
            board.faces = array([deck.get(at, face) for at, face in enumerate(faces)])
            mask = 1 << view.board.turn
            down = {at for player in range(view.seats) for at in self._down(board, player)} & deck.keys()
            board.seen = array([seen | mask if at in down else seen for at, seen in enumerate(board.seen)])
        state = view.on(board)
        position = Position(state)
        return position.move([position.board.at_sight(Dice(rng.randrange(1 << 31)))])

    @staticmethod
    def _down(board: Any, player: int) -> Iterator[int]:
        for slot in board.down(player):
            yield board.position(player, slot)


def agree(seen: Deck, deck: Deck) -> bool:
    """Whether a deck holds what was seen, as far as it is known at all."""
    known = [at for at in seen if at in deck]
    return len(known) >= (SURE if len(seen) >= SURE else LIKELY) and all(deck[at] == seen[at] for at in known)


class Remembers(Pries):
    """Keeps every card that it saw in the games before."""

    name = "remembers"

    def __init__(self) -> None:
        super().__init__()
        self._now: dict[str, Deck] = {}

    def starts(self, view: State[Any, Any], seat: int) -> None:
        super().starts(view, seat)
        self.decks += self._now.items()
        self._now = {}

    def choose(self, view: State[Any, Any], clock: Clock, rng: Any) -> Move:
        self._keep(view)
        return super().choose(view, clock, rng)

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:
        self._keep(view)

    def _keep(self, view: State[Any, Any]) -> None:
        if (sealed := view.sealed()) is not None:
            deck = self._now.setdefault(sealed.pile.name, {})
            deck |= {at: face for at, face in enumerate(view.board.faces) if face != UNKNOWN}


class Reads(Pries):
    """Works out decks from all that is written in its folder: any seed or hash, by what docs/protocols/ says."""

    name = "reads"
    folder: ClassVar[Path] = Path()
    ROUNDS = 2
    GAMES = 40

    def starts(self, view: State[Any, Any], seat: int) -> None:
        super().starts(view, seat)
        self.decks = list(self._decks(view))

    def _decks(self, view: State[Any, Any]) -> Iterator[tuple[str, Deck]]:
        sealed = view.sealed()
        assert sealed is not None
        faces = sealed.pile.faces
        for seed in seeds(texts(self.folder)):
            for number in range(1, self.ROUNDS + 1):
                pile = f"round {number}"
                dealer = SeedDealer(seed)
                row = [dealer.face(pile, faces, at) for at in range(len(faces))]
                yield pile, {at: faces.index(face) for at, face in enumerate(row)}


def texts(folder: Path) -> Iterator[str]:
    """All that is written there, journals row by row."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".sqlite":
            with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
                for table in ("facts", "games"):
                    yield from (json.dumps(row, default=str) for row in file.execute(f"SELECT * FROM {table}"))
        elif path.is_file():
            yield path.read_text("utf-8", "replace")


def seeds(written: Iterator[str]) -> set[str]:
    """Seeds of deals that follow from what is written: as it stands, or as a tournament's seed or secret."""
    words: set[str] = set()
    for text in written:
        words |= set(re.findall(r'seed\W+?= *\W*"(.*?)"', text)) | set(re.findall(r'seed\\?": *\\?"(.*?)\\?"', text))
        words |= set(re.findall(r"\b[0-9a-f]{32}\b|\b[0-9a-f]{64}\b", text))
    return words | {made(word, label) for word in words for label in labels()}


def labels() -> Sequence[str]:
    return [f"{what} {number}" for what in ("start", "game") for number in range(Reads.GAMES)]


def made(seed: str, label: str) -> str:
    words = Stream(seed, label)
    return f"{words.word():016x}{words.word():016x}"
