"""What digests are taken over (docs/protocols/games.md, "Digest"): docs/position.vectors.jsonl, byte by byte.

Dotter's are made by a second writer, too: its positions have cards that are owed. That positions hold what the rules
say is shown with the naive games (tests/naive), and that digests stay as they are by the golden records.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgpack
import pytest

from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import ToDraw
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.naive.dotter import Dotter
from tests.schemas import FOLDER

Vector = dict[str, Any]
VECTORS: list[Vector] = list(map(json.loads, (FOLDER / "position.vectors.jsonl").read_text("utf-8").splitlines()))


def words(vector: Vector) -> list[str]:
    moves: str = vector["after"] if "after" in vector else vector["owing"]
    return [] if moves == "start" else moves.split("; ")


class DotterWriter:
    """Positions of Dotter once more, by the document's words alone and the naive game: with the cards that are owed."""

    GUESSES = ("", "double", "triple", "difference", "quotient", "nothing")

    def __init__(self, options: Mapping[str, Any], seats: int, seed: str) -> None:
        self.options, self.seats, self.left = dict(options), seats, [0] * seats
        self.dealer = SeedDealer(seed)
        #: Whose turn it was before what was done last.
        self.last = 0
        ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
        self.cards = [rank + suit for suit in "SHDC" for rank in ranks] + ["JK1", "JK2"][: self.options["jokers"]]
        self.table = Dotter(self.options, self.seats, self.deck)
        self.doing = 0
        self.clear()

    def deck(self, number: int) -> list[str]:
        return [self.dealer.face(f"round {number}", tuple(self.cards), at) for at in range(len(self.cards))]

    def clear(self) -> None:
        """A round begins."""
        self.round = self.table.round
        self.pile = self.deck(self.round)
        self.faces, self.seen = [-1] * len(self.pile), [0] * len(self.pile)
        self.dealt, self.rows = 0, [list[int]() for _ in range(self.seats)]

    def asks(self, text: str) -> None:
        """A move is made, and the cards that it asks for are not there."""
        word, *rest = text.split(" ")
        if word == "draw":
            self.rows[self.table.turn].append(self.dealt)
            self.dealt += 3
            return
        player = int(rest[0][1:]) - 1
        slots = [3 * (int(slot[:-1]) - 1) + "abc".index(slot[-1]) for slot in rest[1 : 3 if word == "peek" else 4]]
        self.asked = [self.rows[player][slot // 3] + slot % 3 for slot in slots]
        number = player
        for slot in slots:
            number = 54 * number + slot
        guess = self.GUESSES.index(rest[4] if len(rest) > 4 else "") if word == "score" else 0
        self.doing = 1 + number if word == "peek" else 17497 + 6 * number + guess

    def play(self, text: str) -> None:
        self.asks(text)
        mover = self.table.turn
        for at in self.asked if self.doing else ():
            if text.startswith("score"):
                self.seen[at], self.faces[at] = -1, self.cards.index(self.pile[at])
            else:
                self.seen[at] |= 2**mover
        self.doing, self.last = 0, mover
        self.table.play(text)
        if self.table.round != self.round:
            self.clear()

    def leave(self, seat: int) -> None:
        self.left[seat] = max(self.left) + 1
        self.last = self.table.turn
        self.table.leave(seat)

    def position(self) -> list[Any]:
        """As the document has it."""
        table = self.table
        turn = self.last if table.over and not self.doing else self.table.turn
        cards = [self.dealt, self.faces, self.seen, self.rows]
        return [self.round - 1, turn, self.doing, *cards, table.hole, table.laps, table.best]

    def bytes(self) -> bytes:
        # one that is younger than the game, and leaves it as it was, is left out
        options = sorted([*each] for each in self.options.items() if each != ("looks", 0))
        packed: bytes = msgpack.packb(["dotter", 1, options, self.seats, self.left, self.position()])
        return packed


def play(table: Match | DotterWriter, moves: Iterable[str]) -> None:
    for text in moves:
        if text.endswith(" resigned"):
            table.leave(int(text[1:].split(" ")[0]) - 1)
        else:
            table.play(text)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']} {'; '.join(words(vector))[-20:]}")
def test_the_vectors_of_the_document(vector: Vector) -> None:
    moves, seats = words(vector), vector["seats"]
    match = Match(game(vector["game"]), vector["options"], seats, deal=Deal(vector["seed"]))
    owing = moves.pop() if "owing" in vector else None
    play(match, moves)
    state = match.state
    if owing is not None:
        state = state.play(match.game.parse(owing, state))
        assert isinstance(state.pending, ToDraw)
    position, told = vector["position"], bytes.fromhex(vector["packed"])
    assert position == json.loads(json.dumps(state.view(None).plain()))
    all_options = sorted([*each] for each in state.options.plain().items() if each != ("looks", 0))
    assert told == msgpack.packb([vector["game"], 1, all_options, seats, [*state.board.left], position])
    if vector["game"] == "dotter":
        writer = DotterWriter(state.options.plain(), seats, vector["seed"])
        play(writer, moves)
        if owing is not None:
            writer.asks(owing)
        assert told == writer.bytes()
    assert hashlib.blake2b(told, digest_size=32).hexdigest() == vector["digest"] == state.digest().hex()


def test_each_game_has_its_first_position_one_on_its_way_and_its_last() -> None:
    for key in keys():
        own = [vector for vector in VECTORS if vector["game"] == key]
        assert words(own[0]) == []
        assert sum(words(vector) != [] for vector in own) >= 2
        last = next(vector for vector in reversed(own) if "after" in vector and words(vector))
        match = Match(game(key), last["options"], last["seats"], deal=Deal(last["seed"]))
        play(match, words(last))
        assert match.over is not None


def test_a_digest_tells_nothing_that_one_seat_alone_has_seen() -> None:
    """The same peek at other cards: the log's digest is the same, what the seat knows is not."""
    states = []
    for seed in ("one", "two"):
        match = Match(game("dotter"), None, 2, deal=Deal(seed))
        for text in ("draw", "peek p1 1a 1b"):
            match.play(text)
        states.append(match.state)
    assert states[0].view(1).plain() != states[1].view(1).plain()
    assert states[0].digest() == states[1].digest() == states[0].view(None).digest() == states[0].view(1).digest()
