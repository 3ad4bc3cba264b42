"""Coin Isolation, naively, for small layouts: every path is walked, every choice of coins and squares tried."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from quadrille.laws.order import order
from tests.naive.table import Table, name, near, place, sheet

CENTS = {"p": 1, "n": 5, "d": 10, "q": 25}
SIDES = {"south": "north", "north": "south", "west": "east", "east": "west"}


class CoinIsolation(Table):
    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        super().__init__(options, seats)
        rows = options["layout"].split("/")[::-1]
        self.width, self.height = len(rows[0]), len(rows)
        self.squares = sheet(self.width, self.height)
        self.piles = {name(c, r): rows[r][c].replace(".", "") for c in range(self.width) for r in range(self.height)}
        self.pawns: dict[int, str] = {}
        self.sides: dict[int, str] = {}
        self.held = [""] * seats
        self.last_coin = [0] * seats
        self.renegades: set[int] = set()
        self.turns = self.passes = self.idle = 0
        self.turn = seats - 1

    def opposite(self, seat: int) -> int | None:
        return {2: {1: 0}, 3: {2: 1}, 4: {3: 1, 2: 0}}[self.seats].get(seat)

    # Paths

    def adjacent(self, square: str) -> list[str]:
        return near(square, self.squares, corners=self.options["adjacency"] == "diagonal")

    def starts(self) -> list[str]:
        if self.turn in self.pawns:
            return self.adjacent(self.pawns[self.turn])
        first = {"south": (1, 0), "north": (1, self.height - 1), "west": (0, 0), "east": (0, self.width - 1)}
        axis, number = first[self.sides[self.turn]]
        return [square for square in self.squares if place(square)[axis] == number]

    def common(self, path: list[str], *, wild: bool) -> list[str]:
        """The types of which all squares of a path hold a coin; "." for a renegade's, if all are empty."""
        types = [coin for coin in "pndq" if all(coin in self.piles[square] for square in path)]
        return types + ["."] * (wild and not any(self.piles[square] for square in path))

    def paths(self, *, wild: bool = False) -> Iterator[list[str]]:
        """Every path, those that do the same thing as well."""
        edge = [[square] for square in self.starts()]
        while edge:
            path = edge.pop()
            if path[-1] not in self.pawns.values() and self.common(path, wild=wild):
                yield path
                edge += [[*path, square] for square in self.adjacent(path[-1]) if square not in path]

    def ordinary(self) -> list[str]:
        """One path for each set of squares and target, with every clause it can have."""
        first: dict[Any, list[str]] = {}
        for path in self.paths():
            key = frozenset(path), path[-1]
            first[key] = min(path, first.get(key, path), key=lambda squares: list(map(place, squares)))
        return [text for path in first.values() for text in self.clauses(path)]

    def clauses(self, path: list[str]) -> Iterator[str]:
        types = self.common(path, wild=False)
        source = self.piles.get(self.pawns.get(self.turn, ""), "")
        half = len(source) // 2 if self.options["mixed_change"] else 0
        gifts = sorted(set(itertools.combinations(sorted(source, key="pndq".index), half)))
        for kind in types:
            pile = self.piles[path[-1]].count(kind)
            takes = {"one": [1], "greedy": [pile], "semi-greedy": range(pile + 1)}[self.options["take"]]
            for take, gift in itertools.product(takes, gifts):
                words = ["-".join(path)]
                if len(types) > 1:
                    words.append(f"type {kind}")
                if self.options["take"] == "semi-greedy":
                    words.append(f"take {take}")
                if half and len(set(source)) > 1:
                    words.append("give " + "".join(f"{gift.count(k)}{k}" for k in "pndq" if k in gift))
                if self.options["collect"].startswith("transplant") and len(path) > 1:
                    for squares in itertools.combinations(self.empty(path, take), len(path) - 1):
                        yield " ".join([*words, "to", ",".join(squares)])
                else:
                    yield " ".join(words)

    def empty(self, path: list[str], take: int) -> list[str]:
        """Where the coins of a transplant can go when so many coins of the target were taken."""
        after = self.options["collect"] == "transplant-after"
        piles = {square: len(pile) - (square in path[:-1]) for square, pile in self.piles.items()}
        piles[path[-1]] -= take
        pawns = {**self.pawns, self.turn: path[-1]} if after else self.pawns
        return [square for square in self.squares if not piles[square] and square not in pawns.values()]

    def renegade(self) -> list[str]:
        """One path for each target, a shortest one, and of those the first."""
        best: dict[str, list[str]] = {}
        for path in self.paths(wild=True):
            known = best.get(path[-1], path)
            best[path[-1]] = min(path, known, key=lambda squares: (len(squares), list(map(place, squares))))
        return ["-".join(path) for path in best.values()]

    # Moves

    def moves(self) -> list[str]:
        if self.over:
            return []
        if len(self.sides) < self.seats:
            return [f"side {side}" for side in SIDES if side not in self.sides.values()]
        if self.turn in self.renegades:
            found = self.renegade() or ["pass"]
        else:
            found = self.ordinary()
            pile = self.piles.get(self.pawns.get(self.turn, ""), "")
            if self.options["standing_still"] and pile:
                kinds = [kind for kind in "pndq" if kind in pile]
                found += [f"stand {kind}" for kind in kinds] if len(kinds) > 1 else ["stand"]
            found = found or ["pass"]
            if self.options["renegade"]:
                found += [f"renegade {path}" for path in self.renegade()]
        return sorted(found, key=lambda text: order("coin-isolation", text))

    def play(self, text: str) -> None:
        word, *words = text.split(" ")
        match word:
            case "side":
                self.pick(words[0])
                return
            case "pass":
                kept = ""
                self.passes += 1
            case "stand":
                square = self.pawns[self.turn]
                kept = words[0] if words else self.piles[square][0]
                self.remove(square, kept)
            case "renegade":
                self.renegades.add(self.turn)
                kept = self.walk(words[0].split("-"), {})
            case _:
                kept = self.walk(word.split("-"), dict(zip(words[::2], words[1::2], strict=True)))
        self.end_turn(kept, passes=word == "pass")

    def pick(self, side: str) -> None:
        self.sides[self.turn] = side
        if (other := self.opposite(self.turn)) is not None:
            self.sides[other] = SIDES[side]
        missing = [seat for seat in range(self.seats) if seat not in self.sides]
        self.turn = max(missing, default=0)

    def remove(self, square: str, coins: str) -> None:
        for coin in coins:
            self.piles[square] = self.piles[square].replace(coin, "", 1)

    def walk(self, path: list[str], clauses: dict[str, str]) -> str:
        """Move coins and pawn; the coins that were kept."""
        target, source = path[-1], self.pawns.get(self.turn, "")
        kept = ""
        if self.turn not in self.renegades:
            kind = clauses.get("type") or self.common(path, wild=False)[0]
            pile = self.piles[target].count(kind)
            kept = kind * {"one": 1, "greedy": pile}.get(self.options["take"], int(clauses.get("take", "0")))
            self.remove(target, kept)
            collected = ""
            for square in path[:-1]:
                coins = kind * (self.piles[square].count(kind) if self.options["collect"] == "cleanup" else 1)
                self.remove(square, coins)
                collected += coins
            if self.options["mixed_change"] and source:
                coins = self.piles[source]
                words = clauses.get("give", f"{len(coins) // 2}{coins[:1]}")
                gift = "".join(int(words[at]) * words[at + 1] for at in range(0, len(words) - 1, 2))
                self.remove(source, gift)
                self.piles[target] += gift
            if "to" in clauses:
                for square in clauses["to"].split(","):
                    assert not self.piles[square]
                    self.piles[square] = kind
            else:
                self.piles[target] += collected
        self.pawns[self.turn] = target
        return kept

    def end_turn(self, kept: str, *, passes: bool) -> None:
        self.turns += 1
        self.held[self.turn] += kept
        self.passes = self.passes if passes else 0
        self.idle = 0 if kept else self.idle + 1
        if kept:
            self.last_coin[self.turn] = self.turns
        self.turn = (self.turn + 1) % self.seats
        self.end_or_go_on()

    def end_or_go_on(self) -> None:
        """The game may be over; "the turns of a seat that is out are skipped", which "counts as its pass"."""
        limit = self.options["idle_rounds"] * self.seats
        if self.passes >= self.seats or self.idle >= limit or self.renegades >= set(self.staying):
            self.over = True
        elif self.turn in self.left:
            self.skip()

    def skip(self) -> None:
        self.passes += 1
        self.end_turn("", passes=True)

    def leave(self, seat: int) -> None:
        super().leave(seat)
        self.over = self.over or self.renegades >= set(self.staying)

    # Result

    def figures(self) -> dict[str, Any]:
        return {
            "cents": [sum(CENTS[coin] for coin in coins) for coins in self.held],
            "coins": [{coin: Counter(coins)[coin] for coin in CENTS} for coins in self.held],
            "last_coin": list(self.last_coin),
        }

    def rank(self, seat: int) -> Any:
        return self.figures()["cents"][seat], self.last_coin[seat]
