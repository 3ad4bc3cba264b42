"""What digests are taken over (docs/protocols/games.md, "Digest"): its vectors, and a second writer of positions.

The second writer is made from the document's text alone. It packs msgpack by itself and stands on the naive games
(tests/naive), which share nothing with the engine: so another program can make the same digests.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import pytest

from quadrille.laws.settings import everywhere, tried
from quadrille.laws.walks import random_match
from quadrille.rules import record
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import ToDraw
from quadrille.rules.match import Deal, Left, Match, Played
from quadrille.rules.registry import game, keys
from tests.documents import block
from tests.naive.barons import Barons
from tests.naive.coin_isolation import CoinIsolation
from tests.naive.dollar_draw import DollarDraw
from tests.naive.dotter import Dotter
from tests.naive.maze import Maze
from tests.naive.table import Table, place

ROOT = Path(__file__).parent.parent
Vector = dict[str, str]


def vectors() -> list[Vector]:
    """Each position of the document with what stands at the head of its block."""
    told = []
    for group in block("positions").split("\n\n"):
        head: Vector = {}
        for line in group.splitlines():
            name, value = line.split(" ", 1)
            if name in ("after", "owing"):
                told.append({**head, "what": name, "moves": value})
            elif name in ("game", "options", "seats", "seed"):
                head[name] = value
            else:
                told[-1][name] = value
    return told


def words(vector: Vector) -> list[str]:
    return [] if vector["moves"] == "start" else vector["moves"].split("; ")


# A second writer: bytes


def packed(value: Any) -> bytes:
    """msgpack of arrays, whole numbers, texts and flags, each in its shortest form."""
    match value:
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int() if -32 <= value < 128:
            return value.to_bytes(1, "big", signed=value < 0)
        case int():
            number = next(n for n, bits in enumerate((8, 16, 32, 64)) if value < 1 << bits)
            return bytes([0xCC + number]) + value.to_bytes(1 << number, "big")
        case str():
            text = value.encode()
            return (bytes([0xA0 + len(text)]) if len(text) < 32 else bytes([0xD9, len(text)])) + text
    body = b"".join(map(packed, value))
    return (bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + len(value).to_bytes(2, "big")) + body


def test_the_second_writer_packs_as_others_do() -> None:
    import msgpack

    for value in (0, 127, 128, 255, 256, 65535, 65536, 2**32, -1, -32, True, "x" * 31, "x" * 32, [1] * 15, [1] * 16):
        assert packed(value) == msgpack.packb(value)


# A second writer: positions


class Writer(ABC):
    """A naive game, and of its history what the document asks for."""

    def __init__(self, key: str, options: Mapping[str, Any], seats: int, seed: str) -> None:
        self.key, self.options, self.seats = key, dict(options), seats
        self.left = [0] * seats
        self.dealer = SeedDealer(seed)
        #: Whose turn it was before what was done last.
        self.last = 0

    table: Table

    @property
    def turn(self) -> int:
        return self.table.turn

    @abstractmethod
    def position(self) -> list[Any]:
        """As the document has it."""

    def play(self, text: str) -> None:
        self.last = self.turn
        self.table.play(text)

    def leave(self, seat: int) -> None:
        self.left[seat] = max(self.left) + 1
        self.last = self.turn
        self.table.leave(seat)

    def bytes(self) -> bytes:
        options = sorted([name, value] for name, value in self.options.items())
        return packed([self.key, 1, options, self.seats, self.left, self.position()])


class MazeWriter(Writer):
    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.table = Maze(self.options, 2)
        self.segments: list[int] = []

    def play(self, text: str) -> None:
        (column, row), (to, up) = map(place, text.split("-"))
        direction = {(-1, 0): 0, (0, -1): 1, (0, 1): 2, (1, 0): 3}[to - column, up - row]
        self.segments.append(4 * (column * self.options["size"] + row) + direction)
        super().play(text)

    def position(self) -> list[Any]:
        return [len(self.segments) % 2, self.segments]


class BaronsWriter(Writer):
    table: Barons

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.table = Barons(self.options, self.seats)

    def position(self) -> list[Any]:
        return [self.turn, [self.table.owner.get(square, -1) for square in self.table.squares]]


class DollarDrawWriter(Writer):
    table: DollarDraw
    HOLDS = ("", "|S", "|", "S", "|S0", "|S1")

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.table = DollarDraw(self.options, 2)

    def position(self) -> list[Any]:
        table = self.table
        holds = [self.HOLDS.index(table.holds[square]) for square in table.squares]
        return [self.turn, holds, [table.squares.index(token) for token in table.tokens]]


class CoinWriter(Writer):
    table: CoinIsolation
    SIDES = ("south", "north", "west", "east")
    COINS: ClassVar = {
        "standard": (24, 24, 12, 4),
        "many-pennies": (27, 22, 11, 4),
        "many-many-pennies": (30, 20, 10, 4),
    }

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        layout = self.options["layout"]
        if not layout:
            counts = self.COINS[self.options["coins"]]
            coins = "".join(coin * count for coin, count in zip("pndq", counts, strict=True))
            dealt = [self.dealer.face("layout", tuple(coins), at) for at in range(64)]
            layout = "/".join("".join(dealt[first : first + 8]) for first in range(0, 64, 8))
        self.table = CoinIsolation(self.options | {"layout": layout}, self.seats)

    def leave(self, seat: int) -> None:
        self.last = self.turn  # a naive turn passes on even when the game ends
        super().leave(seat)

    def position(self) -> list[Any]:
        table, seats = self.table, range(self.seats)
        picked = len(table.sides) == self.seats
        coins = [table.piles[square].count(coin) for square in table.squares for coin in "pndq"]
        pawns = [table.squares.index(table.pawns[seat]) if seat in table.pawns else -1 for seat in seats]
        sides = [self.SIDES.index(table.sides[seat]) if seat in table.sides else -1 for seat in seats]
        held = [table.held[seat].count(coin) for seat in seats for coin in "pndq"]
        renegades = [int(seat in table.renegades) for seat in seats]
        counted = [table.turns, table.passes, table.idle, len(table.squares), 1 + picked]
        turn = self.last if table.over else self.turn
        return [turn, counted, coins, pawns + sides + held + renegades + table.last_coin]


class DotterWriter(Writer):
    table: Dotter
    GUESSES = ("", "double", "triple", "difference", "quotient", "nothing")

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
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
            self.rows[self.turn].append(self.dealt)
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
        mover = self.turn
        for at in self.asked if self.doing else ():
            if text.startswith("score"):
                self.seen[at], self.faces[at] = -1, self.cards.index(self.pile[at])
            else:
                self.seen[at] |= 2**mover
        self.doing = 0
        super().play(text)
        if self.table.round != self.round:
            self.clear()

    def position(self) -> list[Any]:
        table = self.table
        turn = self.last if table.over and not self.doing else self.turn
        cards = [self.dealt, self.faces, self.seen, self.rows]
        return [self.round - 1, turn, self.doing, *cards, table.hole, table.laps, table.best]


WRITERS: Mapping[str, type[Writer]] = {
    "maze": MazeWriter,
    "barons": BaronsWriter,
    "dollar-draw": DollarDrawWriter,
    "coin-isolation": CoinWriter,
    "dotter": DotterWriter,
}


def do(writer: Writer, text: str) -> None:
    if text.endswith(" resigned"):
        writer.leave(int(text[1:].split(" ")[0]) - 1)
    else:
        writer.play(text)


def play(match: Match, moves: Iterable[str]) -> None:
    for text in moves:
        if text.endswith(" resigned"):
            match.leave(int(text[1:].split(" ")[0]) - 1)
        else:
            match.play(text)


# The vectors


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: f"{vector['game']} {vector['moves'][-20:]}")
def test_the_vectors_of_the_document(vector: Vector) -> None:
    options, moves = json.loads(vector["options"]), words(vector)
    match = Match(game(vector["game"]), options, int(vector["seats"]), deal=Deal(json.loads(vector["seed"])))
    all_options = match.state.options.plain()
    writer = WRITERS[vector["game"]](vector["game"], all_options, int(vector["seats"]), json.loads(vector["seed"]))
    owing = moves.pop() if vector["what"] == "owing" else None
    for text in moves:
        do(writer, text)
    play(match, moves)
    state = match.state
    if owing is not None:
        assert isinstance(writer, DotterWriter)
        writer.asks(owing)
        state = state.play(match.game.parse(owing, state))
        assert isinstance(state.pending, ToDraw)
    assert json.loads(vector["position"]) == json.loads(json.dumps(state.view(None).plain())) == writer.position()
    assert writer.bytes() == bytes.fromhex(vector["packed"])
    assert state.digest().hex() == vector["digest"]
    assert hashlib.blake2b(bytes.fromhex(vector["packed"]), digest_size=32).hexdigest() == vector["digest"]


def test_each_game_has_its_first_position_one_on_its_way_and_its_last() -> None:
    for key in keys():
        own = [vector for vector in vectors() if vector["game"] == key]
        assert own[0]["moves"] == "start"
        assert sum(vector["moves"] != "start" for vector in own) >= 2
        last = next(v for v in reversed(own) if v["moves"] != "start" and v["what"] == "after")
        match = Match(game(key), json.loads(last["options"]), int(last["seats"]), deal=Deal(json.loads(last["seed"])))
        play(match, words(last))
        assert match.over is not None


# Recorded games


#: The golden records whose writer saw everything.
RECORDS = sorted(path for path in (ROOT / "tests/golden").glob("*.txt") if "-view-" not in path.stem)


def follow(match: Match, compare: Callable[[Writer, int], None]) -> None:
    """A match once more by the second writer."""
    state = match.state
    seed = match.deal.seed if match.deal else ""
    writer = WRITERS[match.game.key](match.game.key, state.options.plain(), state.seats, seed)
    compare(writer, 0)
    for number, entry in enumerate(match.entries, 1):
        if isinstance(entry, Played):
            writer.play(str(entry.move))
        elif isinstance(entry, Left):
            writer.leave(entry.seat)
        compare(writer, number)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_second_writer_follows_recorded_games(path: Path) -> None:
    match = record.read(path.read_text("ascii"))

    def compare(writer: Writer, number: int) -> None:
        state = match.positions[number]
        assert writer.position() == json.loads(json.dumps(state.view(None).plain())), f"after entry {number}"
        assert hashlib.blake2b(writer.bytes(), digest_size=32).digest() == state.digest()

    follow(match, compare)


@pytest.mark.parametrize("setting", tried(setting for setting in everywhere() if setting.key in WRITERS), ids=str)
def test_the_second_writer_follows_random_games_with_leavers(setting: Any) -> None:
    for seed in map(str, range(2)):
        match = random_match(setting, seed, 40, leaving=True)
        early = any(isinstance(entry, Left) for entry in islice(match.entries, 3))
        if setting.key == "coin-isolation" and early:
            continue  # the naive game has its sides picked before anybody leaves

        def compare(writer: Writer, number: int, match: Match = match) -> None:
            assert writer.position() == json.loads(json.dumps(match.positions[number].view(None).plain())), number

        follow(match, compare)


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
