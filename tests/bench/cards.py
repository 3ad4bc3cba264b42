"""How long a shuffle of a deck without a dealer takes, to prove and to check, against multiplying ten points.

    python -m tests.bench.cards [--cards N] [--rounds N] [--json]

Both are measured in one run and in time of the processor; the shortest of some rounds counts. The first shuffle of a
new deck, which is quicker, does not count. The aims, for 54 cards: 60 to prove and 70 to check. A look at two cards and
a share of three are told as well.
"""

import argparse
import json
import time
from collections.abc import Callable

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, CARDS, ORDER, RISTRETTO, card_points, hashed_point, spare, spares
from quadrille.net.cards.proofs import check_known, check_same, prove_known, prove_same
from quadrille.net.cards.shuffle import check_shuffle, prove_shuffle, read_cards
from quadrille.net.core.hashing import decimal

SEED, GID, CONTEXT = bytes(32), bytes(16), b"bench"
SECRET = ORDER // 3


def took(work: Callable[[], object]) -> float:
    """Milliseconds of the processor."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e3


class Bench:
    """What one seat proves and another checks."""

    def __init__(self, cards: int) -> None:
        self.times: dict[str, list[float]] = {}
        self.joint = RISTRETTO.base(SECRET)
        spare(RISTRETTO), spares(RISTRETTO)
        new = [(BASE, RISTRETTO.plus(point, self.joint)) for point in card_points(RISTRETTO)[:cards]]
        self.deck = read_cards(prove_shuffle(RISTRETTO, CONTEXT, self.joint, new, Draws(SEED, GID, "new"))[0], cards)

    def note(self, name: str, work: Callable[[], object]) -> None:
        self.times.setdefault(name, []).append(took(work))

    def round(self, number: int) -> None:
        """Everything once, on points that were not there before."""
        name = decimal(number)
        points = [hashed_point(RISTRETTO, "bench", name, decimal(place)) for place in range(10)]
        self.note("unit", lambda: [RISTRETTO.times(SECRET + number, point) for point in points])

        said: list[tuple[bytes, bytes]] = []
        before, draws = self.deck, Draws(SEED, GID, "shuf", name)
        self.note("prove", lambda: said.append(prove_shuffle(RISTRETTO, CONTEXT, self.joint, before, draws)))
        ((o, f),) = said
        self.note("check", lambda: self.agreed(check_shuffle(RISTRETTO, CONTEXT, self.joint, before, o, f) is None))
        self.deck = read_cards(o, len(before))

        self.look(points[:2], draws)
        self.open(points[:3], draws)

    def look(self, points: list[bytes], draws: Draws) -> None:
        """What one seat does to see two cards, and what it takes each other seat to let it."""

        def asks() -> None:
            proofs.extend(prove_known(RISTRETTO, CONTEXT, draws, 5, RISTRETTO.base(5)) for _ in points)

        def answers() -> None:
            self.agreed(all(check_known(RISTRETTO, CONTEXT, RISTRETTO.base(5), proof) for proof in proofs))
            self.share(points, draws)

        proofs: list[bytes] = []
        self.note("look_asked", asks)
        self.note("look_answered", answers)

    def open(self, points: list[bytes], draws: Draws) -> None:
        """A share of three cards, said and checked."""
        shares = self.share(points, draws)
        self.note("share", lambda: self.share(points, draws))
        self.note("share_checked", lambda: self.agreed(check_same(RISTRETTO, CONTEXT, self.joint, points, *shares)))

    def share(self, points: list[bytes], draws: Draws) -> tuple[list[bytes], bytes]:
        shares = [RISTRETTO.times(SECRET, point) for point in points]
        return shares, prove_same(RISTRETTO, CONTEXT, draws, SECRET, self.joint, points, shares)

    @staticmethod
    def agreed(right: bool) -> None:
        if not right:
            raise AssertionError("a proof of ours was refused")


def measured(cards: int, rounds: int) -> dict[str, float]:
    """The shortest times in milliseconds, and the ratios."""
    bench = Bench(cards)
    for number in range(rounds):
        bench.round(number)
    best = {name: min(times) for name, times in bench.times.items()}
    ratios = {f"{name}_ratio": round(best[name] / best["unit"], 1) for name in ("prove", "check")}
    return {**{name: round(time, 3) for name, time in best.items()}, **ratios}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cards", type=int, default=CARDS)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.cards, given.rounds)
    if given.json:
        print(json.dumps({"cards": given.cards, **found}))
        return
    print(f"{given.cards} cards, milliseconds of the processor")
    print(f"  ten multiplications  {found['unit']:8.2f}")
    print(f"  to prove a shuffle   {found['prove']:8.2f}   {found['prove_ratio']} times")
    print(f"  to check it          {found['check']:8.2f}   {found['check_ratio']} times")
    print(f"  a look at two cards  {found['look_asked']:8.2f}   and {found['look_answered']:.2f} to answer it")
    print(f"  a share of three     {found['share']:8.2f}   and {found['share_checked']:.2f} to check it")


if __name__ == "__main__":
    main()
