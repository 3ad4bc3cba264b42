"""The speed of a proof beside that of alpha-beta to the end, which looks at every square for the key of a position.

    python -m tests.bench.proofs [--positions N] [--rounds N] [--memory MB]

For each board: millions of positions for each second of processor time, of both in turns, and the median of their
ratio. Both begin anew in each round, with tables of the same size in bytes.
"""

import argparse
import time
from collections.abc import Mapping
from statistics import median
from typing import Any, Final

from quadrille.rules.engine.alpha_beta import TO_THE_END, WON, AlphaBetaSearch
from quadrille.rules.native.compiled import engine
from quadrille.rules.search import Position, Proof
from quadrille.rules.search.proof import ENTRY_BYTES

#: The boards: none is proven within a round.
BOARDS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("dollar-draw", {"width": 7, "height": 7}),
    ("maze", {"size": 9}),
    ("barons", {"width": 5, "height": 5, "end": "full"}),
)
#: Bytes of an entry of alpha-beta.
OLD_BYTES: Final = 32


def proof_rate(position: Position, positions: int, memory: int) -> float:
    """The positions for each second of a proof."""
    proof = Proof(position, memory // ENTRY_BYTES)
    begin = time.process_time()
    proof.go_on(positions)
    return proof.positions / (time.process_time() - begin)


def alpha_beta_rate(position: Position, positions: int, memory: int) -> float:
    """The positions for each second of alpha-beta."""
    search = AlphaBetaSearch(position.board.copy(), 1 << (memory // OLD_BYTES).bit_length() - 1)
    search.most = positions
    begin = time.process_time()
    search.look(TO_THE_END, 0, -WON, WON)
    return search.nodes / (time.process_time() - begin)


def compared(key: str, options: Mapping[str, Any], positions: int, rounds: int, memory: int) -> tuple[float, ...]:
    """The median of both rates, and that of their ratio."""
    position = Position.start(key, options, 2)
    rates = [
        (proof_rate(position, positions, memory), alpha_beta_rate(position, positions, memory)) for _ in range(rounds)
    ]
    new, old = (median(column) for column in zip(*rates, strict=True))
    return new, old, median(one / other for one, other in rates)


def main(words: list[str] | None = None) -> None:
    """Print a line for each board."""
    parser = argparse.ArgumentParser(description="how fast a proof is")
    parser.add_argument("--positions", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, default=256)
    options = parser.parse_args(words)
    print(f"{engine()} rules, {options.memory} MB")
    print(f"{'':40} proof  alpha-beta  times")
    for key, board in BOARDS:
        new, old, times = compared(key, board, options.positions, options.rounds, options.memory << 20)
        text = f"{key} {' '.join(f'{name}={value}' for name, value in board.items())}"
        print(f"{text:40} {new / 1e6:5.2f}  {old / 1e6:10.2f}  {times:5.2f}")


if __name__ == "__main__":
    main()
