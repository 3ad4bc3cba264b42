"""The organiser's referee in a tournament: it is part of the plan, and what it does wrong costs no bot anything."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from quadrille.ai.bots.referee import Referee, Ruling
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Plan, plan_of
from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.plans.plan_text import differences
from quadrille.ai.tournament.play import worker_bench
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.playing import job
from quadrille.ai.tournament.play.playing import play as play_one
from quadrille.ai.tournament.run import TRIES
from quadrille.ai.tournament.run_events import Event, Void
from quadrille.rules.match import Match
from quadrille.rules.record import read
from tests.ai.referees import COMMAND, GO_ON, NAME, READY, ends, processes, referee, told
from tests.ai.tournament.programs import FIRST, LAST, NO_BOX, clear, file, left_in, play, program
from tests.ai.tournament.test_events import SCHEMA, data, wrong
from tests.waiting import soon


@pytest.fixture(autouse=True)
def _all_go() -> Iterator[None]:
    yield
    clear()


def planned(folder: Path, more: str = "every = 2", *, cycles: int = 2, last: str = LAST) -> Plan:
    """Two bots and the referee that stands there."""
    program(folder, "first", FIRST)
    program(folder, "last", last)
    text = f'[adjudicate]\nreferee = "{" ".join(COMMAND)}"\n{more}'
    return parse(file(("first", "last"), cycles=cycles, more=text), str(folder))


def test_it_ends_all_games(tmp_path: Path) -> None:
    referee(tmp_path, ends(2, 1, 2))
    plan, events = planned(tmp_path), list[Event]()
    assert plan.contests[0].clock.endswith(f"judged every 2 moves, by {' '.join(COMMAND)} {plan.referee.digest}")  # type: ignore[union-attr]
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        run = play(journal, events.append)
        found = list(journal.outcomes())
        assert (journal.plan(), journal.voids()) == (plan, [])
        for outcome in found:
            over = read(outcome.record).over
            assert over is not None
            assert over.reason == outcome.reason == "the referee: a known win"
            assert (outcome.result.places, outcome.result.plies, outcome.whys) == ((1, 2), 4, ("", ""))
        assert play_one(job(journal.plan(), plan.schedule().fixture(1))).record == found[1].record
    assert [why for row in data(events, run) for why in wrong(row, SCHEMA)] == []
    lines = told(tmp_path)
    starts = [line for line in lines if line.get("do") == "start"]
    assert [line["table"] for line in starts[:-1]] == [outcome.result.game for outcome in found]
    assert {tuple(line["names"]) for line in starts} == {("first", "last"), ("last", "first")}
    clear()
    assert soon(lambda: left_in(tmp_path) == [])


def test_one_program_judges_all_games_of_a_worker(tmp_path: Path) -> None:
    referee(tmp_path)
    with Journal(tmp_path / "one.sqlite", plan=planned(tmp_path)) as journal:
        play(journal)
        assert all("referee" not in outcome.reason for outcome in journal.outcomes())
    assert processes(tmp_path) == 1
    assert [line["do"] for line in told(tmp_path)[1:] if line["do"] != "judge"] == [
        "hello", *["start", "over"] * 4, "quit",
    ]  # fmt: skip


def test_one_that_ends_after_a_game_is_started_again(tmp_path: Path) -> None:
    referee(tmp_path, ends(1, 2, 1), over="sys.exit(0)")
    with Journal(tmp_path / "one.sqlite", plan=planned(tmp_path)) as journal:
        play(journal)
        assert (journal.games, journal.voids()) == (4, [])
    assert processes(tmp_path) == 4


class Hasty(Referee):
    """One that has to judge quickly."""

    def judge(self, match: Match) -> Ruling | None:
        self.patience = 0.2
        return super().judge(match)


FAULTS = [
    ({"judge": "os.kill(os.getpid(), signal.SIGKILL)"}, "the referee was ended by SIGKILL"),
    ({"judge": "say('white wins')"}, 'the referee wrote "white wins", and this is no JSON'),
]
OTHER_FAULTS = [
    ({"hello": "sys.exit(1)"}, "the referee ended with exit code 1"),
    ({"hello": "say({})"}, 'the referee began with "{}", which is no greeting'),
    ({"start": "sys.exit(1)"}, "the referee ended with exit code 1"),
    ({"judge": "pass"}, "the referee did not judge a game within 0.2 seconds"),
    ({"judge": ends(1, 1, 3)}, "the referee named [1, 3] as places"),
    ({"judge": ends(1, 1, 2, why="")}, "the referee ended a game without a reason"),
]


@pytest.mark.parametrize(
    ("says", "why"),
    [FAULTS[0], *(pytest.param(*fault, marks=pytest.mark.slow) for fault in (*FAULTS[1:], *OTHER_FAULTS))],
    ids=lambda row: str(row)[:40],
)
def test_what_it_does_wrong_makes_games_void_and_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: dict[str, str], why: str
) -> None:
    monkeypatch.setattr(worker_bench, "Referee", Hasty if "pass" in says.values() else Referee)
    referee(tmp_path, **says)
    events: list[Event] = []
    with Journal(tmp_path / "one.sqlite", plan=planned(tmp_path, cycles=1)) as journal:
        with pytest.raises(
            TournamentError, match=f"can't be played: it was tried {TRIES} times, and at last the referee"
        ):
            play(journal, events.append)
        assert journal.games == 0
        voids = [event for event in events if isinstance(event, Void)]
        assert len(voids) >= TRIES and all(why in event.why for event in voids), voids
    clear()
    assert soon(lambda: left_in(tmp_path) == [])


def test_a_game_that_it_spoiled_is_played_again(tmp_path: Path) -> None:
    once = "os._exit(9) if not os.path.exists('once') and not open('once', 'w').close() else " + ends(2, 2, 1)
    referee(tmp_path, once)
    with Journal(tmp_path / "one.sqlite", plan=planned(tmp_path)) as journal:
        play(journal)
        [(number, why)] = [(row[0], row[-1]) for row in journal.voids()]
        assert (number, why) == (0, "the referee ended with exit code 9")
        assert [outcome.result.places for outcome in journal.outcomes()] == [(2, 1)] * 4
        assert not any(any(outcome.whys) for outcome in journal.outcomes())


def test_a_bot_that_does_wrong_is_told_to_the_referee(tmp_path: Path) -> None:
    referee(tmp_path)
    with Journal(tmp_path / "one.sqlite", plan=planned(tmp_path, cycles=1, last="'nothing'")) as journal:
        play(journal)
        assert journal.voids() == []
    overs = [line for line in told(tmp_path) if line.get("do") == "over"]
    assert [over["news"][-1]["left"] for over in overs] == ["illegal", "illegal"]


@pytest.mark.parametrize(
    ("more", "line", "why"),
    [
        ('referee = "./nobody --fast"', 2, 'there is no file "./nobody" (looked for from'),
        ('referee = "no-such-program-at-all"', 2, 'there is no program "no-such-program-at-all"'),
        ('referee = ""', 2, "a command has a program"),
        ("referee = '\"'", 2, "is no command"),
        ("referee = 7", 2, "referee takes a command, not 7"),
        (f'referee = "{sys.executable}"\nevery = 0', 3, "every takes a whole number from 1 to 1000000000, not 0"),
        ("every = 3", 2, "there is no referee"),
        ("agreed = -1", 2, "agreed takes a whole number from 0 to 1000000000, not -1"),
        ("agree = 1", 2, '"agree" means nothing here: did you mean agreed?'),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, more: str, line: int, why: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse(f"[adjudicate]\n{more}", str(tmp_path))
    assert (caught.value.line, why in str(caught.value)) == (line, True), caught.value


def test_it_is_asked_after_each_move_if_no_more_is_said(tmp_path: Path) -> None:
    referee(tmp_path)
    plan = planned(tmp_path, "")
    assert (plan.umpire.every, str(plan.umpire)) == (1, "judged every move")
    without = parse(file(("first", "last"), more="[adjudicate]\nagreed = 2\n"), str(tmp_path))
    assert (without.umpire.every, without.referee) == (0, None)


def test_another_referee_is_another_tournament(tmp_path: Path) -> None:
    referee(tmp_path)
    plan = planned(tmp_path)
    assert plan_of(json.loads(json.dumps(plan.plain())), plan.folder) == plan
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        journal.keep(play_one(job(plan, plan.schedule().fixture(0))))
    clear()
    referee(tmp_path, ends(1, 1, 2))
    other = planned(tmp_path)
    assert other.referee is not None and plan.referee is not None and other.referee.digest != plan.referee.digest
    assert other.schedule().fixture(0).id != plan.schedule().fixture(0).id
    [line] = differences(other.plain(), plan.plain())
    assert line.startswith("the files of the referee are not what they were (")
    with pytest.raises(TournamentError, match="the journal of another tournament"):
        Journal(tmp_path / "one.sqlite", plan=other)
    with pytest.raises(TournamentError, match=r"the program of the referee .* is not what it was when"):
        play_one(job(plan, plan.schedule().fixture(0)))
    without = parse(file(("first", "last"), cycles=2), str(tmp_path))
    told = differences(without.plain(), plan.plain())
    assert any(line.startswith("referee of [adjudicate] is absent here and") for line in told)


@pytest.mark.parametrize(
    ("hello", "why"),
    [
        ('say({"hello": "judge", "protocol": 1})', ""),
        ('say({"hello": " ", "protocol": 1})', "has no name"),
        ("sys.exit('no board')", 'ended with exit code 1: "no board"'),
        ("pass", "did not say who it is within 0.5 seconds"),
    ],
)
def test_it_is_tried_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hello: str, why: str
) -> None:
    monkeypatch.setattr(worker_bench, "Referee", partial(Referee, patience=0.5 if hello == "pass" else 20))
    referee(tmp_path, hello=hello, start=READY, judge=GO_ON)
    plan = planned(tmp_path)
    assert plan.referee is not None
    found = attempt(EntrantTrial(plan.referee, plan.contests, plan.folder, referee=True))
    assert (found == "") if not why else found.startswith(f"the referee ({plan.referee.written}) {why}")
    (tmp_path / NAME).write_text("")
    if not why:
        clear()
        assert "is not what it was" in attempt(EntrantTrial(plan.referee, plan.contests, plan.folder, referee=True))


def test_nobody_is_late_because_the_referee_is(tmp_path: Path) -> None:
    lines = (
        "import time; end = time.monotonic() + 5",
        "while not os.path.exists('greeted') and time.monotonic() < end: pass",
        "say({'ready': os.path.exists('greeted')})",
    )
    referee(tmp_path, start=f"\n{12 * ' '}".join(lines))
    for name, choose in (("first", FIRST), ("last", LAST)):
        program(tmp_path, name, choose, greeting=', "author": open("greeted", "a").close() or "Ann"')
    plan = parse(file(("first", "last"), more=f'{NO_BOX}[adjudicate]\nreferee = "{" ".join(COMMAND)}"'), str(tmp_path))
    assert play_one(job(plan, plan.schedule().fixture(0))).result.faults == ()


@pytest.mark.slow
def test_a_referee_that_made_all_void_may_be_mended(tmp_path: Path) -> None:
    referee(tmp_path, "say({})")
    with (
        Journal(tmp_path / "one.sqlite", plan=planned(tmp_path)) as journal,
        pytest.raises(TournamentError, match="see to it, and run it again"),
    ):
        play(journal)
    referee(tmp_path, GO_ON)
    with Journal(tmp_path / "one.sqlite", plan=planned(tmp_path)) as journal:
        play(journal)
        assert journal.games == 4


def test_all_are_told_who_can_not_be_played_with(tmp_path: Path) -> None:
    referee(tmp_path, hello="sys.exit(2)")
    plan = planned(tmp_path, last="'nothing'")
    with (
        Journal(tmp_path / "one.sqlite", plan=plan) as journal,
        pytest.raises(TournamentError, match=r"^last .* not legal.*; the referee \(.* ended with exit code 2$"),
    ):
        play(journal, tried=True)
    assert processes(tmp_path) == 1


def test_places_that_all_programs_agree_on(tmp_path: Path) -> None:
    for name, choose in (("first", FIRST), ("last", LAST)):
        program(tmp_path, name, f'{choose}, "places": [1, 1]')
    plan = parse(file(("first", "last"), cycles=2, more="[adjudicate]\nagreed = 2"), str(tmp_path))
    assert plan.contests[0].clock.endswith("places agreed on for 2 turns each")
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        play(journal)
        assert journal.plan() == plan
        for outcome in journal.outcomes():
            assert (outcome.result.places, outcome.result.plies) == ((1, 1), 4)
            assert outcome.reason == "all agreed on the places 1, 1 for 2 turns each"
