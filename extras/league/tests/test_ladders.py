"""The ladders that the package brings along: whole, made from their games, and found again by a second run."""

import json
import random
import runpy
from itertools import pairwise
from pathlib import Path

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.kit import load
from quadrille.ai.tournament.schedules import formats
from quadrille.extras.league.ladder.ladders import HERE, RATINGS, RatedLadder, drafts, ladder
from quadrille.extras.league.ladder.place import rated
from quadrille.extras.league.ladder.workshop import Workshop
from quadrille.rules.match import Match, Played
from quadrille.rules.registry import game, rules_of

#: The ratings of a run with another seed.
SECOND = Path(__file__).parent / "second"
GAMES = sorted(drafts())
TWICE = sorted(path.stem for path in SECOND.glob("*.json"))


def names_of(one: RatedLadder) -> list[str]:
    return [rung.sample.name for rung in one.rungs]


@pytest.mark.parametrize("key", GAMES)
def test_ratings_are_those_of_the_games_behind_them(key: str) -> None:
    one = ladder(key)
    ratings = rated(one.pairs, names_of(one))
    zero = ratings.elo[names_of(one).index(one.draft.samples[0].name)]
    for number, rung in enumerate(one.rungs):
        assert rung.elo == pytest.approx(ratings.elo[number] - zero, abs=0.06)
        assert rung.error == pytest.approx(ratings.error[number], abs=0.06)
    assert [rung.elo for rung in one.rungs] == sorted((rung.elo for rung in one.rungs), reverse=True)
    assert 12 <= len(one.rungs) <= 20 and len({*names_of(one)}) == len(one.rungs)
    data = json.loads((RATINGS / f"{key}.json").read_text("utf-8"))
    assert (data["rules"], data["options"]) == (rules_of(key), dict(one.draft.options)), "else they are of other games"
    assert sum(run["games"] for run in one.runs) >= 2 * sum(sum(pair.scores) for pair in one.pairs)


@pytest.mark.parametrize("key", GAMES)
def test_samples_are_those_that_were_rated(key: str, tmp_path: Path) -> None:
    """Whoever changes a sample has to rate it anew: extras/league/tools/ladder does it."""
    workshop, one = Workshop(tmp_path), ladder(key)
    assert {rung.sample.name: workshop.digest(rung.sample) for rung in one.rungs} == {
        rung.sample.name: rung.digest for rung in one.rungs
    }


@pytest.mark.parametrize("key", TWICE)
def test_a_run_with_another_seed_finds_the_same_order_within_the_errors(key: str) -> None:
    both = [(rung, ladder(key, SECOND).rung(rung.sample.name)) for rung in ladder(key).rungs]
    pairs = [(rung, again) for rung, again in both if again is not None]
    count, ranked = len(pairs), sorted((again.elo for _, again in pairs), reverse=True)
    assert count > 10
    squares = sum((place - ranked.index(again.elo)) ** 2 for place, (_, again) in enumerate(pairs))
    assert 1 - 6 * squares / (count**3 - count) > 0.95  # Spearman's rank correlation
    for (upper, before), (lower, after) in pairwise(pairs):
        error = sum(rung.error**2 for rung in (upper, before, lower, after)) ** 0.5
        assert before.elo > after.elo or abs((upper.elo - lower.elo) - (before.elo - after.elo)) <= error


def test_a_sample_does_its_work_whatever_the_clock_says() -> None:
    view = game("maze").start({"size": 5}).view(0)
    found = set()
    for budget in (0, 100_000):
        bot = load(f"{HERE / 'samples.py'}:Level3")
        found.add(str(bot.choose(view, Clock(0, (1, 1), 0, budget), random.Random(1))))
    assert len(found) == 1


def test_the_mirror_answers_by_the_half_turn_where_it_is_legal() -> None:
    bot, match = load(f"{HERE / 'samples.py'}:MirroredMoves"), Match(game("barons"), {"width": 6, "height": 6}, 2)
    bot.starts(match.state.view(1), 1)
    match.play("b3")
    entry = match.entries[-1]
    assert isinstance(entry, Played)
    bot.moved(entry, match.state.view(1))
    assert str(bot.choose(match.state.view(1), Clock(1, None, 0, 1000), random.Random(1))) == "e4"


def test_the_tool_that_rates_samples_runs_and_a_journal_can_name_its_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_OWN", {**formats._OWN})
    tool = runpy.run_path(str(HERE.parent / "tools/ladder"), run_name="tool")
    made = tool["ScatteredRobin"](1), tool["ScatteredGauntlet"](1, 1)
    assert list(map(formats.kind_of, made)) == ["scattered-robin", "scattered-gauntlet"]
