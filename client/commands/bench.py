"""`quadrille bench rules` and `bench batch`: the speed of the rules and of batches, beside other programs."""

import argparse
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from quadrille.client.commands.bench_batch import (
    TWO_AIM,
    YARDSTICKS,
    Stepped,
    TwoAtOnce,
    batch_rates,
    installed,
    process_rates,
)
from quadrille.client.commands.bench_cases import LISTED, Listing, Rate, listings, rates, starts, yardsticks
from quadrille.client.pages import set_text
from quadrille.client.table_setup import whole
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.errors import RulesError
from quadrille.rules.native.compiled import engine

DESCRIPTION: Final = """\
Measure random games of each kind: boards and States driven move by move from Python, and
playouts and searches inside the engine; and the same with OpenSpiel's connect_four and hex
if it is installed (pip install open_spiel), whose search is its C++ MCTSBot.
`bench batch` measures many games stepped at once on one core, in one process and in two;
and the same with OpenSpiel's SyncVectorEnv (connect_four), EnvPool (ConnectFour) and Pgx
(othello, on as many cores as JAX takes), those of them that are installed.
Trust the ratios; the rates are this machine's, today."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("rules", "batch"), help="the part to measure: rules, or batch for batches")
    parser.add_argument("--rounds", type=whole, default=7, help="number of rounds (default 7)")
    parser.add_argument(
        "--milliseconds", type=whole, default=200, help="milliseconds for each case and round (default 200)"
    )
    parser.add_argument("--json", action="store_true", help="as data")


def run(settings: argparse.Namespace) -> int:
    measured = measured_batches if settings.what == "batch" else measured_rules
    data, lines = measured(max(settings.rounds, 1), settings.milliseconds / 1000)
    if settings.json:
        head = {"python": platform.python_version(), "engine": engine(), "rounds": max(settings.rounds, 1)}
        print(json.dumps(head | data, indent=2))
    else:
        print("\n".join(lines))
    return 0


def measured_rules(rounds: int, seconds: float) -> tuple[dict[str, Any], list[str]]:
    """The data, and the lines."""
    found = rates(rounds, seconds)
    lists = list(listings(4 * rounds))
    started = starts(rounds)
    data = {
        "yardsticks": list(yardsticks()),
        "rates": [asdict(rate) | {"aim": rate.aim} for rate in found],
        "lists": [asdict(listing) for listing in lists],
        "starts": started,
    }
    return data, [*rate_lines(found), "", *list_lines(lists), "", *start_lines(started)]


def measured_batches(rounds: int, seconds: float) -> tuple[dict[str, Any], list[str]]:
    """The data, and the lines."""
    try:
        found = batch_rates(rounds, seconds)
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise RulesError(str(error)) from None
    both = process_rates(rounds, seconds)
    data = {
        "yardsticks": {YARDSTICKS[module][0]: YARDSTICKS[module][2] for module in installed()},
        "rates": [asdict(rate) | {"aim": rate.aim} for rate in found],
        "processes": asdict(both) | {"aim": TWO_AIM},
    }
    return data, [*step_lines(found), "", *process_lines(both)]


def rate_lines(found: list[Rate]) -> Iterator[str]:
    names = yardsticks()
    if not names:
        yield "OpenSpiel is not installed (pip install open_spiel): rates only, nothing to compare them with."
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


def step_lines(found: list[Stepped]) -> Iterator[str]:
    there = [YARDSTICKS[module] for module in installed()]
    if not there:
        yield "OpenSpiel is not installed (pip install open_spiel): rates only, nothing to compare them with."
    yield f"The engine is {engine()}. Steps a second of many games in one process, with random actions."
    rows = [("batches", "layout", "a second", "aim", *(f"/ {name}" for name, _, _ in there))]
    for rate in found:
        aim = f"{rate.aim:,}" if rate.aim else ""
        ratios = [f"{rate.ratios[name]:.2f}" for name, _, _ in there]
        rows.append((rate.name, rate.layout, f"{rate.steps:,.0f}", aim, *ratios))
    if there:
        rows.append(("aim", "planes", "", "", *(f"{aim:g}" for _, _, aim in there)))
    yield from aligned(rows, 2)


def process_lines(both: TwoAtOnce) -> Iterator[str]:
    rows = [("processes", "a second", "/ one", "by processor time"), ("one", f"{both.one:,.0f}", "1.00", "1.00")]
    rows += [("two", f"{both.two:,.0f}", f"{both.ratio:.2f}", f"{both.each:.2f}"), ("aim", "", f"{TWO_AIM:g}", "")]
    yield from aligned(rows, 1)
