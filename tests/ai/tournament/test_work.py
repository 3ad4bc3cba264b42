"""Games in which bots are told how much to think: they go alike on any machine, and only bots that count can play."""

from pathlib import Path
from typing import Any

import pytest

from quadrille.ai import Bot, Clock
from quadrille.ai.bots.lines.answers import greeting
from quadrille.ai.faults import BotFault
from quadrille.ai.opponents import opponent
from quadrille.ai.opponents.thinking import Effort
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from tests.ai.bots.programs import play as play_out
from tests.ai.inside import Anything, small
from tests.ai.inside import talk as inside
from tests.ai.tournament.programs import LAST, clear, league, plan_in, play, program


class Worker(Anything):
    """Notes what it is told."""

    counts_work = True

    def __init__(self) -> None:
        self.clocks: list[Clock] = []

    def choose(self, view: Any, clock: Any, rng: Any) -> Any:
        self.clocks.append(clock)
        return super().choose(view, clock, rng)


def entries(*bots: Bot, seed: str = "work", **terms: Any) -> list[str]:
    match = small("maze", seed=seed, size=5)
    play_out(match, [inside(bot) for bot in bots], seed="dice", **terms)
    return list(map(repr, match.entries))


def test_a_bot_is_told_of_it_and_may_take_all_its_time() -> None:
    bot, other = Worker(), Worker()
    entries(bot, other, work=700, patience=9000)
    assert {(clock.work, clock.budget) for clock in bot.clocks} == {(700, 9000)}
    entries(bot, other, patience=9000)
    assert bot.clocks[-1].work is None


def test_the_bots_of_the_house_do_as_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int | None] = []
    spend = Effort.spend

    def noted(self: Effort, *given: Any, **more: Any) -> None:
        spent.append(self.most)
        spend(self, *given, **more)

    monkeypatch.setattr(Effort, "spend", noted)
    for name, each in (("mcts", [40]), ("mcts:1", [20]), ("alphabeta", [40]), ("5", [10, 30]), ("solver", [20, 20])):
        spent.clear()
        entries(opponent(name), Anything(), work=40)
        assert spent[: len(each)] == each, name


def test_games_of_the_strongest_go_alike_however_quick_the_machine_is() -> None:
    first, again = (entries(opponent("5"), opponent("mcts"), work=60) for _ in range(2))
    assert first == again


def test_who_does_not_count_is_not_played_with(tmp_path: Path) -> None:
    program(tmp_path, "counts", greeting=', "work": True')
    program(tmp_path, "last", LAST)
    names, more = ("counts", "last"), "[time]\nwork = 50"
    refused = pytest.raises(TournamentError, match=r"^last \(.*\) does not count its work")
    with league(tmp_path, names, cycles=1, more=more) as journal, refused:
        play(journal, tried=True)
    program(tmp_path, "last", LAST, greeting=', "work": True')
    with league(tmp_path, names, cycles=1, more=more, name="two") as journal:
        assert journal.plan() == journal.begun_plan and "work 50 a move" in journal.plan().contests[0].clock
        play(journal, tried=True)
        assert journal.games == 2


def test_a_trial_is_too_short_for_all_of_the_work(tmp_path: Path) -> None:
    for name in ("first", "last"):
        program(tmp_path, name, 'said["moves"][0 if said["work"] == 1 else 99999]', greeting=', "work": True')
    plan = plan_in(tmp_path, ("first", "last"), cycles=1, more="[time]\nwork = 3000")
    assert attempt(EntrantTrial(plan.entrants[0], plan.contests, plan.folder, plan.time)) == ""
    clear()


def test_what_is_no_yes_or_no_is_a_fault() -> None:
    said = {"hello": "bot", "protocol": 1}
    assert greeting(said | {"work": True}).work and not greeting(said).work
    with pytest.raises(BotFault, match='"work" takes true or false, not 700'):
        greeting(said | {"work": 700})


def test_a_bot_of_the_kit_says_whether_it_counts() -> None:
    for bot, counts in ((Worker(), True), (Anything(), False), (opponent("greedy"), True)):
        talk = inside(bot)
        assert talk.greet().work is counts
