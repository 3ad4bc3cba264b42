"""Every broken bot in a tournament of three seats: it loses its own games by name, and nobody else notices."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from quadrille.ai.bots.local import play as play_one
from quadrille.ai.bots.talk import Talk
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play import worker_bench
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.schedules.blocks import block_size
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.ai.bots.broken import BROKEN, FOLDER, Broken
from tests.ai.bots.programs import programs
from tests.ai.tournament.programs import FIRST, LAST, MIDDLE, clear, file, left_in, play, program
from tests.waiting import soon

#: What a bot of these tests may think in all, in seconds, and take to start; and what its end may cost besides.
CLOCK, START, MORE = 3.0, 6.0, 20.0
#: All but the one that a signal ends, which nobody can know to be its own fault (test_killers.py).
LOSERS = tuple(bot for bot in BROKEN if bot.file != "falls.py")
OTHERS = "first", "last", "middle", "second", "third"


def gauntlet(folder: Path, name: str, broken: tuple[Broken, ...], seats: int) -> list[GameOutcome]:
    """A bot that plays well, and broken ones, each at tables with others that play well."""
    choices = FIRST, LAST, MIDDLE, "said['moves'][1 % len(said['moves'])]", "said['moves'][2 % len(said['moves'])]"
    for other, choose in zip(("fine", *OTHERS), (FIRST, *choices), strict=True):
        program(folder, other, choose)
    for bot in broken:
        shutil.copy(bot.path, folder)
    text = file(
        ("fine", *map(str, broken), *OTHERS[: seats - 1]),
        form=f'kind = "gauntlet"\nseeds = {1 + len(broken)}',
        more=f'[time]\nclock = "{round(1000 * CLOCK)}ms"',
        game="barons",
        seats=seats,
    )
    with Journal(folder / f"{name}.sqlite", plan=parse(text, str(folder))) as journal:
        try:
            play(journal)
        finally:
            clear()
        assert journal.voids() == []
        return list(journal.outcomes())


def told(outcome: GameOutcome) -> list[str]:
    """A game's moves, without what names it."""
    return outcome.record.split("\n")[7:]


def check(folder: Path, broken: tuple[Broken, ...], seats: int) -> None:
    """All games are played, and end as they should."""
    calm = {outcome.result.seats: told(outcome) for outcome in gauntlet(folder, "calm", (), seats)}
    found = gauntlet(folder, "wild", broken, seats)
    assert len(found) == block_size(seats) * (1 + len(broken))
    same = 0
    for outcome in found:
        seat, who = min((entrant, seat) for seat, entrant in enumerate(outcome.result.seats))[::-1]
        faults = outcome.result.faults or (None,) * seats
        assert not [fault for other, fault in enumerate(faults) if other != seat and fault]
        bot = broken[who - 1] if who else None
        if bot is not None and bot.kind:
            fault, why = faults[seat], outcome.whys[seat]
            in_time = fault == bot.kind and bot.says in why
            assert in_time or (bot.file == "asks_for_ever.py" and fault == "time"), (bot, why)
            assert outcome.result.places[seat] == seats
            longest = START if fault == "stall" else CLOCK
            assert outcome.seconds - sum(outcome.result.times) <= longest + MORE, bot
        else:
            assert not any(faults)
        if bot is None:
            there = tuple(max(entrant - len(broken), 0) for entrant in outcome.result.seats)
            assert told(outcome) == calm[there]
            same += 1
    assert same == len(calm) == block_size(seats)
    assert soon(lambda: left_in(folder) == []), left_in(folder)


@pytest.fixture(autouse=True)
def _soon_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits ten seconds for a bot that does not start."""
    monkeypatch.setattr(worker_bench, "Talk", partial(Talk, start=round(1000 * START)))


@pytest.mark.slow
def test_nobody_is_late_because_another_was_waited_for() -> None:
    with programs() as made:
        broken = [made.broken(FOLDER / file, start=4000) for file in ("silent.py", "not_ready.py")]
        good = made.broken(FOLDER / "dies_between.py", start=6000)
        match = Match(game("barons"), {"width": 3, "height": 3}, 3, deal=Deal("late"))
        assert {seat: fault.kind for seat, fault in play_one(match, [*broken, good]).faults.items()} == {
            0: "stall",
            1: "stall",
        }


def test_one_that_is_gone_before_it_was_spoken_to_loses_once() -> None:
    with programs() as made:
        gone, good = made.talk(made.python("-I", "-S", "-c", "")), made.broken(FOLDER / "dies_between.py")
        assert soon(lambda: gone.program._process.poll() is not None)
        match = Match(game("barons"), {"width": 3, "height": 3}, 2, deal=Deal("gone"))
        assert [fault.kind for fault in play_one(match, [gone, good]).faults.values()] == ["crash"]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3])
def test_no_broken_bot_harms_anybody(tmp_path: Path, seats: int) -> None:
    check(tmp_path, LOSERS, seats)
