"""The course of a game: its mistakes by size, its rows of signs, its chart on a page."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from quadrille.ai.tournament.play.processes import Processes
from quadrille.client.analysis import verdicts as analysis
from quadrille.client.analysis.blocks import course_rows
from quadrille.client.analysis.verdicts import CoursePoint, GameCourse, Verdict, courses, judged
from quadrille.client.picture.analysed import analysed_page
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.words.analysis import conclusion, worth
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.rules.chance import Stream
from quadrille.rules.record import write
from quadrille.rules.registry import game
from tests.client.conftest import Run
from tests.client.pictures.test_pages import Reader, data_of, in_a_browser, self_contained
from tests.client.screen.keyboard import played

PLAYERS = ("player 1", "player 2")
PROVED = Verdict(1, 0, "a1", 1.0, -1.0, certain=True, error=0.0, tried=0, better="b1")
TRIED = Verdict(2, 1, "a2", 0.5, 0.1, certain=False, error=0.1, tried=100, better="b2", spread=0.04)


@pytest.mark.parametrize(("wrong", "told"), [(6, "1 more move gave"), (8, "3 more moves gave")])
def test_the_rest_of_the_mistakes_is_counted_in_english(wrong: int, told: str) -> None:
    lost = [replace(PROVED, ply=ply) for ply in range(1, wrong + 1)]
    assert conclusion(lost, PLAYERS)[-1] == f"{told} something away."
    assert worth(-0.001, certain=False) == "+0.00" and worth(-0.0, certain=True) == "0"
    assert worth(None, certain=False) == "-"


def test_a_mistake_has_one_sign_by_its_size_and_the_greatest_comes_first() -> None:
    small, none = replace(TRIED, ply=3), replace(TRIED, ply=4, after=0.4)
    greater = replace(TRIED, ply=5, before=0.6, after=-0.3)
    unknown = replace(TRIED, ply=6, after=None)
    wrong = [small, none, greater, unknown, PROVED]
    assert [one.sign for one in wrong] == ["?", "", "??", "", "??"]
    assert replace(TRIED, before=analysis.FALL, after=0.0, error=analysis.FALL / analysis.ERRORS).sign == "?", (
        "as much as is needed is enough"
    )
    assert analysis.mistakes(wrong) == [PROVED, greater, small]
    lines = conclusion(wrong, PLAYERS)
    assert lines == [
        "1. Player 1 threw a won game away with a1; better was b1 (proved).",
        "5. Player 2 gave the lead away with a2; better was b2 (in trial games 45 % of the chances, +- 5).",
        "3. Player 2 gave something away with a2; better was b2 (in trial games 20 % of the chances, +- 5).",
    ]


@pytest.mark.parametrize(
    ("output", "why"), [("no/x", "no: no such folder"), (".", "is no ordinary file"), ("f", "what this is made from")]
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    output: str, why: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    record("maze", "a2-a1", size=2)
    monkeypatch.setattr("quadrille.client.commands.analyse.judged", lambda *_, **__: pytest.fail("it is analysed"))
    refused = run(f"analyse f --html -o {output}")
    assert refused.code == 2 and why in refused.err and [path.name for path in Path().iterdir()] == ["f"]


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True])
def test_another_process_finds_the_same_verdicts_and_may_be_lost(*, lost: bool) -> None:
    match = random_match(setting("barons", {"width": 4, "height": 4}, 3), "crew")
    crew = Processes(1)
    try:
        found = judged(match, simulations=60, crew=crew)
        verdict = [next(found)]
        for hand in crew._hands.values() if lost else ():
            hand.process.kill()
        assert [*verdict, *found] == [*judged(match, simulations=60)]
    finally:
        crew.kill()


def test_more_seats_and_hidden_cards_have_a_course_each_at_their_own_turns() -> None:
    match = random_match(setting("barons", {"width": 3, "height": 2}, 3), "course")
    shown = courses(match, [*judged(match, simulations=10)][::-1])
    assert [(course.seat, course.against) for course in shown] == [(0, None), (1, None), (2, None)]
    for course in shown:
        own = [number for number, entry in enumerate(match.entries) if getattr(entry, "seat", -1) == course.seat]
        assert [point.entries for point in course.points] == [*own, match.length]
        assert all(-1 <= point.value <= 1 for point in course.points)
    hidden = played("dotter", "draw", {"laps": 1})
    assert [course.against for course in courses(hidden, [*judged(hidden, simulations=10)][::-1])] == [None, None]


POINTS = (
    CoursePoint(0, 0.0, 0.04, proved=False), CoursePoint(1, -0.5, 0.2, proved=False, mistake="??", mover=1),
    CoursePoint(2, 1.0, mistake="??", mover=0), CoursePoint(3, -1.0, mistake="?", mover=1), CoursePoint(4, -0.75),
)  # fmt: skip


def test_rows_of_blocks_tell_what_is_proved_and_how_far_an_estimate_goes() -> None:
    rows = course_rows([GameCourse(0, 1, POINTS)], PLAYERS, 5, 80, plain=False)
    assert rows == [
        "              ?",
        "  player 1    ?",
        "            ▄▂█ ▁",
        "            ─╌━━━",
        "  player 2   ? ?",
        "             ?",
        "            1",
    ]
    plain = course_rows([GameCourse(0, 1, POINTS)], PLAYERS, 5, 80, plain=True)
    assert plain[2:4] == ["            42801", "            -~==="] and all(row.isascii() for row in plain)


def test_a_seat_of_several_has_its_row() -> None:
    found = [GameCourse(0, None, (CoursePoint(0, 0.0, 0.1, proved=False), CoursePoint(3, 1.0)))]
    assert course_rows(found, ("player 1", "player 2", "player 3"), 4, 80, plain=False) == [
        "  player 1  ▄  █", "            ╌  ━", "            1",
    ]  # fmt: skip


def test_analyse_draws_the_course_below_the_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("f").write_text(write(random_match(setting("maze", {"size": 3}, 2), "course")))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    out = run("analyse f").out
    assert "The course of the game for player 1" in out and "━━━━━━━━━" in out and max(map(len, out.split("\n"))) <= 80
    monkeypatch.setenv("LC_ALL", "C")
    plain = run("analyse f").out
    assert plain.isascii() and "=========" in plain


def test_an_analysis_is_a_page_of_its_own(run: Run) -> None:
    match = random_match(setting("maze", {"size": 4}, 2), "a")
    Path("f").write_text(write(match, {"names": ["<b>Ann</b>", "Ben & Co"]}))
    assert run("analyse f --html -o page.html --simulations 20").out == ""
    text = Path("page.html").read_text("utf-8")
    read = self_contained(text)
    assert "<b>Ann" not in text and "lt;b&gt;Ann" in text
    wrong = analysis.mistakes([*judged(match, simulations=20)][::-1])
    links = [str(one["href"]) for tag, one in read.tags if tag == "a"]
    assert links == [f"#1.{one.ply}" for one in wrong]
    chart = next(one for tag, one in read.tags if tag == "svg" and "aria-label" in one)
    assert str(chart["aria-label"]).count("proved") == match.length + 1
    assert not [tag for tag, _ in read.tags if tag == "polygon"]
    data = data_of(text)["games"][0]
    assert data["opens"] == wrong[0].ply == 7, "it opens after the worst mistake"
    assert len(data["verdicts"]) == match.length and all("(proved)" in told for told in data["verdicts"])
    assert [*filter(None, data["signs"])] == [one.sign for one in sorted(wrong, key=lambda one: one.ply)]
    assert "--output is for the page" in run("analyse f -o page.html").err
    assert "f is what this is made from" in run("analyse f --html -o f").err


def test_estimates_have_bands(run: Run) -> None:
    match = random_match(setting("barons", {"width": 3, "height": 2}, 3), "course")
    read = Reader(analysed_page(FilmedMatch(match), [*judged(match, simulations=20)][::-1]))
    assert len([one for tag, one in read.tags if tag == "polygon"]) == 3
    assert len([one for tag, one in read.tags if tag == "polyline" and "stroke-dasharray" in one]) == 3


@pytest.mark.slow
def test_a_click_leads_to_the_position_and_the_chart_follows(tmp_path: Path) -> None:
    match = random_match(setting("maze", {"size": 4}, 2), "a")
    text = analysed_page(FilmedMatch(match), [*judged(match, simulations=20)][::-1])
    at_the_mistake, dom = in_a_browser(text, tmp_path / "page.html", "", "#1.3")
    assert f">7 of {match.length}. " in at_the_mistake
    told = re.search(r'id="verdict"[^>]*>([^<]*)<', dom)
    assert told and unescape(told[1]).startswith("For player ")
    assert f"M{30 + 400 * 3 / match.length:g} 6v128" in dom


def test_a_bad_move_among_many_is_weighed_against_the_best_one() -> None:
    """In a game of three, or with hidden cards, a search of all moves hardly tries a bad one."""
    match = played("barons", "a1, b1, c1, b4, a4, a2, b5", {"width": 5, "height": 5}, 3)
    move = game("barons").parse("e5", match.state)
    bad, again = (analysis.tried(match.state, 1, move, 8, 300) for _ in range(2))
    assert bad == again and bad.after is not None and bad.better != "e5" and bad.error < 0.25


def record(key: str, *moves: str, **options: object) -> None:
    """A game with these moves in the file f; played on at random where none are given."""
    match, rng = played(key, ", ".join(moves), options, 2), Stream(key)
    while not moves and not match.over:
        match.play(match.state.moves.sample(rng))
    Path("f").write_text(write(match))


def test_the_move_that_lost_is_named(run: Run) -> None:
    """Maze 3: solved from the first move on, every verdict is a proof; the worst is named with a better move."""
    record("maze", size=3)
    ran = run("analyse f")
    assert ran.code == 0 and len(re.findall("^.*[+-]1 +proved", ran.out, re.MULTILINE)) == 8
    data = json.loads(run("analyse f --json").out)
    assert len(data["moves"]) == 8 and all(move["certain"] for move in data["moves"])
    wrong = [move for move in data["moves"] if move["mistake"]]
    for move in wrong:
        assert (move["before"], move["after"]) == (1, -1)
        where = f"{move['ply']}. Player {move['seat'] + 1} threw a won game away with {move['move']}; better was "
        assert f"{where}{move['better']} (proved)." in ran.out
    assert wrong or "No move is shown" in ran.out
    # what is worth something to one is lost to the other: values go on from move to move
    for one, other in zip(data["moves"], data["moves"][1:], strict=False):
        assert one["after"] == (other["before"] if one["seat"] == other["seat"] else -other["before"])


@pytest.mark.first(1)
@pytest.mark.parametrize("key", ["barons", "coin-isolation", "dotter", "dollar-draw"])
def test_every_game_can_be_analysed(run: Run, key: str) -> None:
    options: dict[str, dict[str, object]] = {
        "dotter": {"laps": 1, "lap_points": 21},
        "coin-isolation": {"layout": "pnd/qpn/ddp"},
        "barons": {"width": 3, "height": 3},
        "dollar-draw": {"width": 5, "height": 5},
    }
    record(key, **options[key])
    data = json.loads(run("analyse f --simulations 20 --positions 300 --json").out)
    assert data["game"] == key and data["moves"]
    assert all(-1.001 <= move["before"] <= 1.001 for move in data["moves"] if key != "dotter")
    assert all(move["certain"] or move["error"] > 0 for move in data["moves"])
