"""`quadrille bench rules` and `quadrille bench batch`: the speed of the rules, and of OpenSpiel if it is installed."""

import argparse
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from quadrille.client.commands.bench_cases import LISTED, Listing, Rate, listings, rates, starts, yardsticks
from quadrille.client.pages import set_text
from quadrille.client.table_setup import whole
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.native.compiled import engine

DESCRIPTION: Final = """\
Measure random games of each kind. rules: boards and States driven move by move from Python, and
playouts and searches inside the engine; and the same with OpenSpiel's connect_four and hex
if it is installed (pip install "quadrille[bench]"), whose search is its C++ MCTSBot.
batch: many games stepped at once (NumPy), and OpenSpiel's SyncVectorEnv.
Trust the ratios; the rates are this machine's, today."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("rules", "batch"), help="the part to measure")
    parser.add_argument("--rounds", type=whole, default=7, help="number of rounds (default 7)")
    parser.add_argument(
        "--milliseconds", type=whole, default=200, help="milliseconds for each case and round (default 200)"
    )
    parser.add_argument("--json", action="store_true", help="as data")


def run(settings: argparse.Namespace) -> int:
    rounds = max(settings.rounds, 1)
    if settings.what == "batch":
        return run_batch(rounds, settings.milliseconds / 1000, json_wanted=settings.json)
    found = rates(rounds, settings.milliseconds / 1000)
    lists = list(listings(4 * rounds))
    started = starts(rounds)
    if settings.json:
        data = {
            "python": platform.python_version(),
            "engine": engine(),
            "rounds": rounds,
            "yardsticks": list(yardsticks()),
            "rates": [asdict(rate) | {"aim": rate.aim} for rate in found],
            "lists": [asdict(listing) for listing in lists],
            "starts": started,
        }
        print(json.dumps(data, indent=2))
        return 0
    print("\n".join([*rate_lines(found), "", *list_lines(lists), "", *start_lines(started)]))
    return 0


def run_batch(rounds: int, seconds: float, *, json_wanted: bool) -> int:
    """Measure batches."""
    from quadrille.client.commands.bench_batch import batch_lines, batch_rates  # imported here: it needs NumPy

    found = batch_rates(rounds, seconds)
    if json_wanted:
        data = {"python": platform.python_version(), "engine": engine(), "rounds": rounds, **asdict(found)}
        print(json.dumps(data, indent=2))
    else:
        print("\n".join(batch_lines(found)))
    return 0


def rate_lines(found: list[Rate]) -> Iterator[str]:
    names = yardsticks()
    if not names:
        yield 'OpenSpiel is not installed (pip install "quadrille[bench]"): rates only, nothing to compare them with.'
    yield f"The engine is {engine()}. Moves a second; of searches, simulations a second."
    head = ("random games", "", "a second", *(f"/ {name}" for name in names), "aim" if names else "")
    rows = [head]
    for rate in found:
        parts = [f"{rate.ratios[name]:.2f}" for name in names]
        aim = f"{rate.aim:.3g}" if names and rate.aim else ""
        rows.append((rate.name, rate.kind, f"{rate.moves:,.0f}", *parts, aim))
    yield from aligned(rows, 2)


def list_lines(lists: list[Listing]) -> Iterator[str]:
    rows = [(f"Coin Isolation, listing at most {LISTED}", "moves", "median ms", "worst ms")]
    rows += [
        (set_text(listing.options) or "standard", str(listing.moves), f"{listing.median:.2f}", f"{listing.worst:.2f}")
        for listing in lists
    ]
    yield from aligned(rows, 1)


def start_lines(started: dict[str, float]) -> Iterator[str]:
    yield from aligned([("from nothing to", "ms"), *((name, f"{spent:.0f}") for name, spent in started.items())], 1)
