"""Lessons from own mistakes: boxes, the course of a lesson, files in the home, and `quadrille learn` in lines."""

import json
import math
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.client.analysis.verdicts import Verdict, judged
from quadrille.client.files import OpenedGame, own_seats
from quadrille.client.kept.games import ABOUT
from quadrille.client.kept.own_games import OwnGame, own_games, record_number
from quadrille.client.kept.own_tables import begun_table
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.players import Players
from quadrille.client.table.wishes import PlayMove, TextWish, Verb
from quadrille.extras.study.commands import learn
from quadrille.extras.study.kept import lesson_home
from quadrille.extras.study.kept.judging import Judging
from quadrille.extras.study.kept.lesson_home import FILE, JudgedGame, LessonHome, Repetition, keep_judged, read_judged
from quadrille.extras.study.lessons.lesson import LessonPhase, LessonWork, NextPosition, Note, SkipPosition, Worked
from quadrille.extras.study.lessons.mistakes import (
    WAIT,
    Exercise,
    MistakeLesson,
    MoreExercises,
    exercises,
    judge,
    refutation,
)
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import STORE_FILE, folder_in, own_folder
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from quadrille.rules.match import Match
from quadrille.rules.record import read_with_table, write
from quadrille.rules.registry import game
from quadrille.rules.search import Proof
from tests.client.conftest import Run
from tests.client.test_kept_games import keep_game

DAMAGED = "boxes.json.damaged"

TODAY = 739_000
#: Games of Maze, 3 x 3, in which player 1 threw a won game away: with b2-b1 (b2-a2 wins), with b2-c2 (b2-b3 wins), and
#: so again.
LOST = tuple(random_match(setting("maze", {"size": 3}, 2), f"course{number}") for number in (0, 3, 5))
ALONE = {"bots": ["", "2"], "names": ["me", "Cleo"]}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a home of its own, the name "me" and a certain day, and show no progress on a slow machine."""
    folder = tmp_path / "home"
    monkeypatch.setenv("QUADRILLE_HOME", str(folder))
    monkeypatch.setattr("quadrille.client.settings.own_name", lambda _: "me")
    monkeypatch.setattr(learn, "today", lambda: TODAY)
    monkeypatch.setattr("quadrille.client.progress_line.GAPS", ((0, math.inf),))
    return folder


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the person leave only when all games are judged that are judged behind the lesson."""
    monkeypatch.setattr(Judging, "__exit__", lambda self, *_: self._thread.join())


def keep(home: Path, *matches: Match, table: dict[str, Any] = ALONE) -> None:
    """Keep these games as finished ones at one keyboard, the first one as the last played."""
    mine = Identity.open(own_folder(home))
    with closing(Store(home, mine.key, alone=False)) as store:
        for number, match in enumerate(matches):
            made = begun_table(mine, GameSetup.loaded(match, Players.read(table, match.state.seats)), 0)
            log = made.log
            played = 1_700_000_000_000 - 86_400_000 * (number + len(store.tables()))
            store.keep_table(log.table, match.game.key, "own", played)
            store.mark_table(log.table, state="over" if match.over else "playing")
            for entry in log.entries:
                store.keep_entry(log.table, entry.index, entry.data)
            about = {"seats": match.state.seats, "places": list(match.over.places) if match.over else []}
            store.keep_secret(log.table, ABOUT, json.dumps(table | about).encode())


def exercise(number: int = 0) -> Exercise:
    return next(exercises(LOST[number], [one for one in [*judged(LOST[number])][::-1] if one.seat == 0]))


def lesson(*numbers: int) -> MistakeLesson:
    return MistakeLesson.of(tuple(exercise(number) for number in numbers))


def told(state: Any, *wishes: Any) -> tuple[Any, str, list[Note]]:
    """Return the lesson after these wishes, whose moves are judged; the last words, and all results that were noted."""
    noted: list[Note] = []
    said: list[str] = []
    todo = [*reversed(wishes)]
    while todo:
        outcome = state.granted(todo.pop())
        state, said = outcome.lesson, outcome.said(lambda seat: f"seat {seat}")
        noted += [effect for effect in outcome.effects if isinstance(effect, Note)]
        todo += [effect.done() for effect in outcome.effects if isinstance(effect, LessonWork)]
    return state, " ".join(said), noted


# The boxes


def test_a_position_moves_on_and_goes_back_to_the_first_box() -> None:
    one = Repetition()
    assert one.is_due(TODAY)
    waits = []
    for _ in range(lesson_home.BOXES + 1):
        one = one.after(TODAY, right=True)
        waits.append(one.due - TODAY)
    assert waits == [3, 7, 14, 30, 90, 90, 90] and lesson_home.INTERVALS == (1, 3, 7, 14, 30, 90)
    assert one.after(TODAY, right=False) == Repetition(1, TODAY + 1)
    assert not one.is_due(TODAY + 89) and one.is_due(TODAY + 90)
    # A day that a wrong clock set hides no position for ever.
    assert Repetition(6, TODAY + 91).is_due(TODAY) and not Repetition(6, TODAY + 90).is_due(TODAY)
    waiting = [Repetition(2, TODAY + 3), Repetition(1, TODAY + 1), Repetition(1, TODAY), Repetition(1, TODAY + 5000)]
    assert lesson_home.next_due(waiting, TODAY) == TODAY + 1 and lesson_home.next_due([], TODAY) is None


# A move is judged


@pytest.mark.slow
def test_the_move_that_lost_is_refuted_and_the_better_one_holds() -> None:
    one = exercise()
    state, known = one.match.state, one.known
    assert (known.move, known.better, known.certain) == ("b2-b1", "b2-a2", True)
    for move in state.moves:
        verdict = judge(state, known, move)
        assert verdict.certain and verdict.is_mistake == (verdict.after == -1)
    lost = game("maze").parse("b2-b1", state)
    assert judge(state, known, lost) is known
    reply = refutation(state, lost, known.ply)
    later = one.match.copy()
    later.play("b2-b1")
    later.play(reply)
    assert next(judged(later)).after == 1, "the answer is one that wins"


def test_a_proof_that_is_too_long_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Proof, "payoff", lambda *_: None)
    one = exercise()
    move = game("maze").parse("b2-b1", one.match.state)
    verdict = judge(one.match.state, replace(one.known, move="", better=""), move)
    assert not verdict.certain and verdict.is_mistake


# A lesson


@pytest.mark.slow
def test_what_makes_no_sense_now_is_refused() -> None:
    state, said, _ = told(first := lesson(0), NextPosition())
    assert said == "Make a move first, or skip the position."
    state, said, _ = told(state, PlayMove("c1-c2"))
    assert said.startswith("The segment must start from b2: ") and state is first
    judging, effects, *_ = state.granted(PlayMove("b2-b1"))
    for wish in (PlayMove("b2-a2"), TextWish(Verb.HINT, ""), NextPosition()):
        assert judging.granted(wish).told == ("It is still being judged.",)
    away, said, _ = told(judging, SkipPosition())
    assert said.startswith("Left for another day. ")
    refuted, said, _ = told(judging, Worked(effects[0].ticket, (exercise().known, "")))
    assert said == "No: b2-b1 turns a win into a loss (proved)." and refuted.phase == LessonPhase.REFUTED
    late = Worked(effects[0].ticket, (exercise().known, ""))
    assert away.granted(late).lesson is away, "an answer about a position that is gone"
    _, said, _ = told(away, PlayMove("b2-a2"), SkipPosition())
    assert said == "The lesson is over."


def test_one_position_of_several_games_is_one_exercise() -> None:
    again = LOST[0].copy()
    again._entries = again._entries[:6]
    assert next(exercises(again, [*judged(LOST[0])][::-1][:6])).key == exercise().key != exercise(1).key


# Own games


def test_the_person_s_seat_is_known_by_name_or_since_bots_have_the_others() -> None:
    assert own_seats(Players(("Cleo", "me"), ("2", "")), 2, "me") == (1,)
    assert own_seats(Players((), ("2", "")), 2, "me") == (1,)
    assert own_seats(Players(("Ann", "me", "Ben")), 3, "me") == (1,)
    assert own_seats(Players(("Ann", "Ben")), 2, "me") == ()
    assert own_seats(Players(), 2, "me") == ()
    assert own_seats(Players(("me", "me"), ("2", "")), 2, "me") == (1,), "a bot of that name is not this person"


@pytest.mark.parametrize("with_guest", [True, False])
def test_finished_games_are_found_here_and_on_the_network(home: Path, *, with_guest: bool) -> None:
    unfinished = LOST[0].before(2)
    keep(home, LOST[0], unfinished, LOST[1])
    keep_game(home, mine_first=False, with_guest=with_guest)
    found = list(own_games(None))
    assert [len(one.opened().match.entries) for one in found] == [LOST[0].length, LOST[1].length, 3]
    assert [one.opened().seats for one in found] == [(0,), (0,), (1,)]
    names = found[2].opened().players.names
    assert len(names) == 2 and found[2].number != found[0].number
    assert not (home / "learn").exists()


def test_a_record_has_one_number_whoever_is_said_to_have_played() -> None:
    one, other = write(LOST[0], ALONE), write(LOST[0])
    assert record_number(one) == record_number(other) != record_number(write(LOST[1]))


# The files


def judged_game(number: int = 0) -> JudgedGame:
    record = write(LOST[number], ALONE)
    found = JudgedGame.of(record_number(record), OpenedGame.of(*read_with_table(record)), 5.0)
    return replace(found, found=tuple(one for one in [*judged(LOST[number])][::-1] if one.seat == 0), left=0)


def test_verdicts_are_read_as_they_were_written_and_others_are_not_believed(tmp_path: Path) -> None:
    one = judged_game()
    keep_judged(tmp_path, one)
    path = tmp_path / f"{one.number}.json"
    told = json.loads(path.read_text())
    for name in told.keys() - {"quadrille"}:
        path.write_text(json.dumps({**told, name: 7}))
        assert read_judged(path) is None, name
    path.write_text(json.dumps(told))
    read = read_judged(path)
    assert read is not None and read.found == one.found
    assert (read.seats, read.left, read.players.names) == ((0,), 0, ("me", "Cleo"))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, "\x00\xff", '{"version": 1, "rows": {}}'])
def test_odd_files_break_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "latin-1")
    (tmp_path / f"{'0' * 32}.json").write_text(text, "latin-1")
    assert read_judged(tmp_path / f"{'0' * 32}.json") is None
    kept, remark = lesson_home.read_boxes(tmp_path)
    assert not kept and "all positions begin again" in remark
    assert (tmp_path / DAMAGED).read_text("latin-1") == text and not (tmp_path / FILE).exists()
    (tmp_path / FILE).write_text("again")
    assert f"{DAMAGED}-2" in lesson_home.read_boxes(tmp_path)[1] and (tmp_path / DAMAGED).read_text("latin-1") == text
    lesson_home.write_boxes(tmp_path, {"a": Repetition(3, TODAY)})
    assert lesson_home.read_boxes(tmp_path)[0] == {"a": Repetition(3, TODAY)}


def test_the_oldest_verdicts_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.extras.study.kept.lesson_home.MOST", 1)
    games = [replace(judged_game(number), changed=float(number)) for number in (0, 1)]
    for one in games:
        keep_judged(folder_in(tmp_path, "learn"), one)
    with LessonHome(str(tmp_path), TODAY):
        pass
    assert [path.stem for path in (tmp_path / "learn").glob("*.json")] == [games[1].number]


def own(home: Path) -> list[OwnGame]:
    return list(own_games(str(home)))


@pytest.mark.slow
def test_ctrl_c_keeps_the_verdicts_so_far_and_judging_goes_on_there(home: Path) -> None:
    keep(home, LOST[1])
    with LessonHome(None, TODAY) as first:
        (one,) = first.unjudged(own(home))
        progress = first.judge(first.opened(one))
        while next(progress).left > 4:
            pass
        with pytest.raises(KeyboardInterrupt):
            progress.throw(KeyboardInterrupt)
        assert [left.number for left in first.unjudged(own(home))] == [one.number]
    with LessonHome(None, TODAY) as second:
        half = second.opened(one)
        assert half.left == 4 and [verdict.ply for verdict in half.found] == [5, 7]
        *_, whole = second.judge(half)
        assert whole.left == 0 and list(whole.found) == [one for one in [*judged(LOST[1])][::-1] if one.seat == 0]
        assert second.unjudged(own(home)) == []


def test_one_program_learns_at_a_time(home: Path) -> None:
    with LessonHome(None, TODAY), pytest.raises(LocalError, match="another program is learning"):
        LessonHome(None, TODAY)
    with LessonHome(None, TODAY):
        pass


def test_a_full_disk_loses_the_notes_and_not_the_lesson(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(home, LOST[0])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "boxes.json")

    monkeypatch.setattr(lesson_home, "keep_judged", full)
    monkeypatch.setattr(lesson_home, "write_boxes", full)
    with LessonHome(None, TODAY) as learning:
        for one in learning.unjudged(own(home)):
            *_, _ = learning.judge(learning.opened(one))
        (due,) = learning.due(lambda _: True)
        learning.noted(Note(due.key, True))
        assert learning.not_kept == "Your results can't be kept: boxes.json: No space left on device."
        assert learning.due(lambda _: True) == [], "it is known as long as the program runs"


# The command, in lines


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_a_lesson_in_lines(run: Run, home: Path) -> None:
    """The whole story is golden (test_stories.py); here are the names, and what is kept."""
    keep(home, LOST[0], LOST[1])
    run("learn", "quit")
    ran = run("learn --plain", "zzz", "b2-b1", "b2-a2", "hint", "b2-b3", "b2-a2", "b2-b3")
    assert ran.code == 0 and not ran.err
    assert "Maze, 2 players, size 3; 2023-11-14, with Cleo. You are player 1." in ran.out
    assert "No: b2-b1 turns a win into a loss (proved). Player 2 (Cleo) answers " in ran.out
    boxes = json.loads((home / "learn" / FILE).read_text())["rows"]
    assert sorted(boxes.values()) == [[1, TODAY + 1]] * 2


@pytest.mark.usefixtures("patient")
def test_positions_come_back_when_they_are_due(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(home, LOST[0], LOST[1])
    run("learn", "quit")
    assert "1 of 2 positions" in run("learn", "b2-a2", "b2-c2", "b2-b3").out, "one of them comes back tomorrow"
    ran = run("learn")
    assert ran.out == "Nothing is due today. Positions that wait: 2. The next is due on 2024-04-25.\n" and not ran.err
    monkeypatch.setattr(learn, "today", lambda: TODAY + 1)
    assert "The lesson is over: the position was solved at the first try." in run("learn", "b2-b3").out
    monkeypatch.setattr(learn, "today", lambda: TODAY + 3)
    ran = run("learn", "b2-a2")
    assert "1 position left" in ran.out and "was solved" in ran.out
    assert run("learn --boxes").out.splitlines()[:4] == [
        "Positions before your mistakes: 2", "  box 1, 1 day: 0", "  box 2, 3 days: 1", "  box 3, 7 days: 1",
    ]  # fmt: skip


@pytest.mark.usefixtures("patient")
def test_games_are_judged_until_the_lesson_is_full(run: Run, home: Path) -> None:
    keep(home, *LOST)
    for most in (1, 2, 2):
        run(f"learn --most {most}", "quit")
        assert len(list((home / "learn").glob("*.json"))) == most


@pytest.mark.usefixtures("patient")
def test_damaged_verdicts_are_made_anew_or_named(run: Run, home: Path) -> None:
    keep(home, LOST[0])
    run("learn", "quit")
    (path,) = (home / "learn").glob("*.json")
    path.write_text("{")
    ran = run("learn", "quit")
    assert not ran.err and "You played b2-b1 here" in ran.out and len(path.read_text()) > 1
    (home / STORE_FILE).unlink()
    assert "You played b2-b1 here" in run("learn", "quit").out, "mistakes outlive their games"
    path.write_text("{")
    ran = run("learn")
    assert f"{path.stem}.json is damaged or of another version, and its game is gone: delete it" in ran.err
    assert "There is no finished game of yours to learn from." in ran.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("learn --most 0", "--most: it takes a number from 1"),
        ("learn --seat 1", "--seat says which player you were in a record"),
        ("learn --record -", "the keyboard is for your moves"),
        ("learn --record gone", "gone: No such file or directory"),
        ("learn --record f", "f does not say which player you were: add --seat N"),
        ("learn --record f --seat 3", "there is no player 3"),
        ("learn --record odd", "line 1"),
    ],
)
def test_refusals_of_learn(run: Run, home: Path, words: str, says: str) -> None:
    Path("f").write_text(write(LOST[0]))
    Path("odd").write_text("nothing")
    ran = run(words)
    assert ran.code in (1, 2) and says in ran.err and not ran.out, ran


@pytest.mark.usefixtures("patient")
def test_records_are_learned_from_too(run: Run, home: Path) -> None:
    Path("f").write_text(write(LOST[0]))
    assert "You are player 1." in run("learn --record f --seat 1", "quit").out
    assert "Nothing is due" not in run("learn", "quit").out, "what a record taught is remembered"
    Path("g").write_text(write(LOST[0], {"names": ["Ann", "me"]}))
    ran = run("learn --record g", "quit")
    assert "You played b2-b1 here" in ran.out
    (path,) = (home / "learn").glob("*.json")
    assert json.loads(path.read_text())["seats"] == [0, 1], "the other seat's moves are judged, too"


@pytest.mark.usefixtures("patient")
def test_only_some_games(run: Run, home: Path) -> None:
    keep(home, LOST[0])
    assert "There is no finished game of yours of this kind" in run("learn barons").out
    assert "You played" in run("learn maze", "quit").out
    assert "You played" in run("learn cleo", "quit").out
    assert "No mistake of yours is known in your games of this kind." in run("learn nobody").out
    assert "of that name: did you mean barons?" in run("learn baron").out


def test_games_in_which_nobody_knows_the_person_are_told_of(run: Run, home: Path) -> None:
    keep(home, LOST[0], LOST[1], table={"names": ["Ann", "Ben"]})
    ran = run("learn")
    assert "in 2 games of several people nobody is called as you are" in ran.err
    assert "There is no finished game of yours to learn from. Play one, and come back." in ran.out


def test_a_damaged_home_is_told_of_and_the_lesson_is_given(run: Run, home: Path) -> None:
    keep(home, LOST[0])
    (home / "learn").mkdir()
    (home / "learn" / FILE).write_text("[]")
    ran = run("learn", "b2-a2")
    assert "boxes.json is damaged: it is boxes.json.damaged now, and all positions begin again" in ran.err
    assert "was solved at the first try" in ran.out


# Judging behind the lesson


def test_a_lesson_begins_while_other_games_are_judged(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole judgement goes on for ever here, and the first position is there all the same."""
    goes_on = threading.Event()

    def judged(*_: object, **__: object) -> Iterator[Verdict]:
        assert threading.current_thread() is not threading.main_thread(), "nobody waits for it"
        goes_on.wait()
        yield from ()

    keep(home, LOST[0], LOST[1])
    monkeypatch.setattr(lesson_home, "judged", judged)
    ran = run("learn", "quit")
    goes_on.set()
    assert "1 position left, and others are looked for." in ran.out and "You played b2-" in ran.out


def test_what_is_found_meanwhile_is_asked_and_how_far_the_search_is_is_told() -> None:
    found = [
        MoreExercises((), "Judging 1 of 2"), MoreExercises((exercise(1),), "Judging 2 of 2"), MoreExercises((), ""),
    ]  # fmt: skip
    waits: list[float] = []

    def more(seconds: float) -> MoreExercises:
        waits.append(seconds)
        return found.pop(0)

    first = MistakeLesson.of((exercise(),), more)
    assert first.corner == "1 position left, and others are looked for"
    state, (work,), *_ = told(first, PlayMove("b2-a2"))[0].granted(NextPosition())
    assert state.asked is None and state.granted(SkipPosition()).told == ("It is still being judged.",)
    state, (work,), said, *_ = state.granted(work.done())
    assert said == ("Judging 1 of 2",)
    state, said, _ = told(state, work.done())
    assert said.startswith("You played b2-c2 here") and state.corner == "1 position left, and others are looked for"
    assert told(state, PlayMove("b2-b3"), NextPosition())[1].endswith("2 of 2 positions were solved at the first try.")
    assert waits == [WAIT] * 3


def test_all_games_are_judged_and_each_position_is_given_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard, tell = [], Judging._tell
    monkeypatch.setattr(
        Judging, "_tell", lambda self, text, *found: (heard.append((self, text)), tell(self, text, *found))
    )
    keep(home, *LOST)
    given = list[str]()
    with LessonHome(None, TODAY) as learning, Judging(learning, own(home), lambda _: True, 10) as judging:
        looking = True
        while looking:
            found = judging.more(WAIT)
            given += [one.key for one in found.exercises]
            looking = bool(found.looking)
        assert sorted(given) == sorted({one.key for one in learning.due(lambda _: True)}) and len(given) == len(LOST)
    texts = [text for one, text in heard if one is judging]  # the thread of a test before may still judge
    assert texts[0] == "Looking for a mistake in your last games"
    assert "Judging your games, 1 of 3: Maze, 2 players, size 3: 8 of 8 moves" in texts


def test_a_search_that_breaks_off_keeps_nobody_waiting(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(Judging, "_judge", lambda _: 1 / 0)
    with LessonHome(None, TODAY) as learning, Judging(learning, [], lambda _: True, 10) as judging:
        assert judging.more(600) == MoreExercises((), "")


def test_ctrl_c_ends_the_search_for_a_first_position(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    keep(home, LOST[0])
    monkeypatch.setattr(Judging, "more", interrupted)
    ran = run("learn")
    assert ran.code == 0 and "stopped: what is judged is kept, and the rest can be judged another time" in ran.err


def test_games_with_hidden_cards_give_no_lessons(run: Run, home: Path) -> None:
    """Chance blurs the worth of a move there, so that the better one would often be a guess."""
    keep(home, random_match(setting("dotter", {"laps": 1, "lap_points": 21}, 2), "cards"))
    assert "Games with hidden cards give no lessons: chance decides too much." in run("learn").out
