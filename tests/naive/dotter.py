"""Dotter, naively: cards are texts, jokers are tried as every rank, positions are lists of what lies where."""

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.naive.table import Table

RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13, **{str(rank): rank for rank in range(2, 11)}}


def series(ranks: list[int], guess: str) -> list[int]:
    """What three ranks are worth as a series by difference or by quotient: nothing, or one or two sums."""
    found = []
    hands = [sorted(ranks)]
    if 1 in ranks:
        hands.append(sorted([14 if at == ranks.index(1) else rank for at, rank in enumerate(ranks)]))
    for low, middle, high in hands:
        by_difference = middle - low == high - middle
        by_quotient = Fraction(middle, low) == Fraction(high, middle)
        if (by_difference and guess != "quotient") or (by_quotient and guess != "difference"):
            found.append(middle + high)
    return found


def natural(ranks: list[int], guess: str) -> int | None:
    """The points of three ranks; with a guess those of the hand guessed, doubled, or None if it is wrong."""
    kinds = len(set(ranks))
    double = [2 * rank for rank in ranks if ranks.count(rank) == 2]
    triple = [3 * ranks[0]] if kinds == 1 else []
    nothing = [] if series(ranks, "") or double or triple else [max(ranks)]
    match guess:
        case "":
            return max(series(ranks, "") + double + triple + nothing)
        case "double":
            found = double
        case "triple":
            found = triple
        case "nothing":
            found = nothing
        case _:
            found = series(ranks, guess)
    return 2 * max(found) if found else None


def points(cards: list[str], guess: str) -> int:
    """What three cards are worth; each joker stands for the rank that gives most."""
    ranks = [RANKS[card[:-1]] for card in cards if not card.startswith("JK")]
    hands = (ranks + list(jokers) for jokers in itertools.product(range(1, 14), repeat=3 - len(ranks)))
    return max((found for hand in hands if (found := natural(hand, guess)) is not None), default=min(ranks))


class Dotter(Table):
    def __init__(self, options: Mapping[str, Any], seats: int, deck: Callable[[int], list[str]]) -> None:
        """`deck` gives the shuffled cards of each round, counted from 1, the top one first."""
        super().__init__(options, seats)
        self.deck = deck
        self.lap_points = options["lap_points"]
        self.round = 0
        self.laps, self.hole, self.best = [0] * seats, [0] * seats, [0] * seats
        self.new_round()

    def new_round(self) -> None:
        self.round += 1
        self.cards = list(self.deck(self.round))
        self.down: dict[tuple[int, str], str] = {}
        self.rows = [0] * self.seats
        self.seen: list[set[str]] = [set() for _ in range(self.seats)]
        self.turn = (self.round - 1) % self.seats
        if self.turn in self.left:
            self.turn = self.after(self.turn)

    def slots(self, player: int) -> list[str]:
        slots = [slot for owner, slot in self.down if owner == player]
        return sorted(slots, key=lambda slot: (int(slot[:-1]), slot[-1]))

    def moves(self) -> list[str]:
        if self.over:
            return []
        found = ["draw"] if len(self.cards) >= 3 else []
        for player in range(self.seats):
            pairs = itertools.combinations(self.slots(player), 2)
            new = [pair for pair in pairs if not {self.down[player, slot] for slot in pair} <= self.seen[self.turn]]
            found += [f"peek p{player + 1} {' '.join(pair)}" for pair in new]
        guesses = ["", " double", " triple", " difference", " quotient"] + [" nothing"] * self.options["guess_nothing"]
        for player in range(self.seats):
            for slots in itertools.combinations(self.slots(player), 3):
                looked = len({self.down[player, slot] for slot in slots} & self.seen[self.turn])
                if player != self.turn and looked < self.options["looks"]:
                    continue
                found += [f"score p{player + 1} {' '.join(slots)}{guess}" for guess in guesses]
        return found

    def play(self, text: str) -> None:
        word, *words = text.split(" ")
        if word == "draw":
            self.rows[self.turn] += 1
            for letter in "abc":
                self.down[self.turn, f"{self.rows[self.turn]}{letter}"] = self.cards.pop(0)
        elif word == "peek":
            self.seen[self.turn] |= {self.down[int(words[0][1:]) - 1, slot] for slot in words[1:]}
        else:
            player = int(words[0][1:]) - 1
            cards = [self.down.pop((player, slot)) for slot in words[1:4]]
            worth = points(cards, words[4] if len(words) > 4 else "")
            self.score(worth if player == self.turn else worth // 2)
        self.turn = self.after(self.turn)
        if not self.over and len(self.cards) < 3 and not self.down:
            self.end_round()

    def score(self, worth: int) -> None:
        seat = self.turn
        self.best[seat] = max(self.best[seat], worth)
        waits = self.hole[seat] == self.lap_points
        self.hole = [0 if hole == self.lap_points and s != seat else hole for s, hole in enumerate(self.hole)]
        if not waits:
            self.hole[seat] = min(self.hole[seat] + worth, self.lap_points)
            if self.hole[seat] == self.lap_points:
                self.laps[seat] += 1
                self.over = self.laps[seat] == self.options["laps"]

    def along(self, seat: int) -> int:
        return self.hole[seat] % self.lap_points

    def end_round(self) -> None:
        if self.round == self.options["max_rounds"]:
            self.over = True
            return
        furthest = max(self.along(seat) for seat in self.staying)
        for seat in self.staying:
            self.hole[seat] = furthest if self.along(seat) == furthest else 0
        self.new_round()

    def figures(self) -> dict[str, Any]:
        return {"laps": list(self.laps), "points": list(self.hole), "best": list(self.best)}

    def rank(self, seat: int) -> Any:
        return self.laps[seat], self.along(seat)
