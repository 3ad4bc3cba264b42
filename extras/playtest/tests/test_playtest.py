"""A playtest finds what is planted, works on a game of today, and says what it can't tell."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from extras.playtest.tests.conftest import Plant
from quadrille.extras.playtest import making
from quadrille.extras.playtest.comparing import compared, difference, settled
from quadrille.extras.playtest.findings import Games, Measurement
from quadrille.extras.playtest.kinds import kind_of
from quadrille.extras.playtest.making import run as played
from quadrille.extras.playtest.plan import plan
from quadrille.extras.playtest.trials import Trial, dice_of, play
from quadrille.plugs import game_name
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.conftest import Run

SMALL = "--set width=3 --set height=3 --level 2 --processes 1"


def tried(key: str, games: int, seed: str = "1", level: int = 2, only: str = "", **options: int) -> Games:
    """So many games of a table, as the command plays them, or those of the table itself and of one other cell."""
    chosen = game(key)
    planned = plan(chosen, options, chosen.usual_seats, level, seed, 300)
    if only:
        [place] = [at for at, cell in enumerate(planned.cells) if cell.name == only]
        planned = replace(planned, order=(0, place, place))
    trials = list(played(planned, seed, 300, games=games, seconds=0, processes=1))
    return Games(planned, trials, Match(chosen, options))


def planted(plant: Plant, name: str, games: int, level: int = 2) -> Games:
    """Play that many games with a planted fault, on a bar of 3 x 3."""
    return tried(game_name(plant(name)), games, level=level, width=3, height=3)


def one_of(games: Games, key: str, what: str) -> Measurement:
    [found] = [one for one in games.of(key) if what in one.what]
    return found


# Planted faults


def test_a_rule_that_never_applies_is_found(plant: Plant) -> None:
    """An option that nobody reads, a kind of move that is never legal, a criterion that decides nothing."""
    games = planted(plant, "dead", 60)
    dead = "\n".join(games.dead)
    assert [one.of for one in games.of("option moonlight")] == ["games that stay the same"]  # and no "cannot tell"
    assert "moonlight=true: games that stay the same: 100 %" in dead
    assert "wave: never played, not even in games of random moves" in dead
    assert "beauty: never decided a game, 0 % (0 to " in dead
    assert "bite" not in dead and "poison:" not in dead and "width" not in dead


def test_a_seat_that_always_wins_is_found(plant: Plant) -> None:
    games = planted(plant, "rigged", 60)
    first = one_of(games, "seats 1", "points of player 1")
    assert first.measured.mean == 1 and first.verdict == "an advantage"
    # and it is no skill: from each start both levels sit there once
    skill, *_ = games.of("skill")
    assert skill.measured.mean == 0.5 and skill.verdict != "skill counts"


@pytest.mark.slow
def test_nothing_is_found_where_nothing_is_planted(plant: Plant) -> None:
    """All rules of Chomp matter. Player 1 wins each bar with perfect play, and these bots are far from that."""
    games = planted(plant, "plain", 90)
    assert games.dead == []
    assert games.of("skill")[0].measured.mean > 0.5


@pytest.mark.slow
def test_a_kind_of_move_that_is_needed_is_missed_by_whoever_forgoes_it() -> None:
    """Without captures nobody wins at Dollar Draw."""
    games = tried("dollar-draw", 90, level=1, only="without turn", width=4, height=4)
    found = one_of(games, "kinds turn", "points without it")
    assert found.measured.mean < 0.5 and found.verdict == "worth having"


# Games of the day


@pytest.mark.slow
def test_the_bar_of_the_guide_is_tested_from_its_file(plant: Plant, run: Run) -> None:
    """The player who begins wins each bar, and the report says that this is proved."""
    ran = run(f"playtest {plant('bar')} {SMALL} --games 60 --html bar.html -o bar.md")
    text = " ".join(Path("bar.md").read_text("utf-8").split())
    assert ran.code == 0 and ran.out == ""
    assert re.search(r"- points of player 1: \d+ % \(\d+ to \d+ %\)", text)
    assert "With two seats that do not err player 1 wins: `width=2 height=2`, " in text
    assert re.search(r"`quadrille playtest bar.py .*--games=60 --seed=1` plays these games", text)
    page = Path("bar.html").read_text("utf-8")
    assert page.count('<svg class="chart"') > 10 and 'id="data"' in page
    assert "src=" not in page and "https:" not in page


def test_a_game_that_never_ends_is_told_as_such(plant: Plant, run: Run) -> None:
    """No bot could try what follows a move, and no proof would come to an end."""
    ran = run(f"playtest {plant('endless')} {SMALL} --longest 200 --games 500")
    assert ran.code == 0 and "Those of random moves do not end" in ran.out
    assert "12 of 12 games did not come to an end" in ran.out and "- points" not in ran.out


def test_a_game_of_one_seat_has_lengths_and_no_winners(plant: Plant, run: Run) -> None:
    ran = run(f"playtest {plant('solo')} {SMALL} --games 24")
    assert ran.code == 0 and "One seat: points, skill and lead are not measured." in ran.out
    assert "- moves in a game" in ran.out and "- points of" not in ran.out


def test_a_game_of_draws_alone_has_no_winners(plant: Plant) -> None:
    games = planted(plant, "draws", 60, level=1)
    assert one_of(games, "seats shared", "").measured.mean == 1 and games.best() == []
    first = one_of(games, "seats 1", "")
    assert first.measured.mean == 0.5 and first.verdict == "within 5 points"


@pytest.mark.slow
def test_a_game_that_breaks_says_where(plant: Plant, run: Run) -> None:
    """At one size of the board alone: all other games count."""
    ran = run(f"playtest {plant('broken')} {SMALL} --games 80")
    assert ran.code == 0 and re.search(r"A game \(option width=4 height=4\) broke: Ouch: ow \(broken.py", ran.out)
    assert "points of player 1" in ran.out
    assert " Points of level 2 against level 1: " in ran.out  # in the lead, and not those of another board


def test_a_game_that_breaks_at_once_is_refused(plant: Plant, run: Run) -> None:
    ran = run(f"playtest {plant('broken')} --set width=4 --set height=4 --games 80")
    assert (
        ran.code == 2 and "the game breaks after 3 random moves: " in ran.err and "Ouch: ow (broken.py, line" in ran.err
    )


@pytest.mark.slow
def test_a_game_that_ends_its_process_is_told_and_all_others_count(plant: Plant) -> None:
    """In a program of its own, as the workers of a process know the game file with which the first of them began."""
    words = f"playtest {plant('deadly')} --set width=3 --set height=3 --level 1 --games 60 --processes 2"
    command = [sys.executable, "-m", "quadrille.client.cli", *words.split()]
    told = " ".join(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert "Bots have played 60 games." in told
    assert "A game (option width=4 height=4) broke: its worker was lost (exit code 7)." in told


@pytest.mark.slow
def test_a_game_of_hidden_cards_and_one_of_many_seats(run: Run) -> None:
    ran = run("playtest dotter --set laps=1 --set lap_points=21 --games 8 --level 1 --processes 1")
    assert ran.code == 0 and "no board can be solved" in ran.out and "**Asked: is a peek worth its turn?**" in ran.out
    ran = run("playtest barons --set width=3 --set height=3 --games 20 --level 1 --processes 1")
    assert ran.code == 0 and "points of player 4" in ran.out and "- isolated (beside no" in ran.out
    subjects = re.findall(r"(?m)^- (.+?): ", ran.out)
    assert len(subjects) > 20 and len({*subjects}) == len(subjects), "what answers a question stands there alone"


@pytest.mark.slow
def test_a_choice_and_a_memory_are_measured() -> None:
    """By the inventor's rule of Dotter half of the turns leave no choice."""
    for looks, least, most in ((2, 0.8, 1.0), (0, 0.4, 0.8)):
        games = tried("dotter", 12, level=1, only="memory", laps=1, lap_points=31, looks=looks)
        assert least < one_of(games, "length choice", "choice").measured.mean < most
        assert one_of(games, "memory", "forgets each look").measured.games == 4


# Errors


@pytest.mark.slow
def test_two_seeds_agree_within_their_errors() -> None:
    """Of all that both have measured, about 1 in 20 may differ by more than both intervals; none is found both ways."""
    one, other = (tried("maze", 200, seed, level=1, size=3).findings for seed in ("a", "b"))
    pairs = [(a, b) for a in one for b in other if a.what == b.what and min(a.measured.games, b.measured.games) >= 10]
    apart = [a.what for a, b in pairs if a.measured.low > b.measured.high or b.measured.low > a.measured.high]
    assert len(pairs) > 20 and len(apart) <= len(pairs) / 20, apart
    for a, b in pairs:
        if a.measured.found and b.measured.found:
            assert a.verdict == b.verdict, a.what


def test_a_seat_of_no_worth_is_not_found_in_most_runs() -> None:
    """Ten pages about games in which nothing is worth anything."""
    wrong = 0
    for seed in range(10):
        dice = dice_of(str(seed))
        pages = [compared([dice.choice((0.0, 1.0)) for _ in range(40)]) for _ in range(30)]
        wrong += any(one.found for one in settled(pages))
    assert wrong <= 2


def test_four_games_that_happen_to_be_alike_are_no_discovery() -> None:
    """Half of all games has no change of the lead, so one run in sixteen has none in four games."""
    usual = [0.0, 1.0] * 100
    for few in ([0.0] * 4, [1.0] * 4):
        found = difference(few, usual)
        assert found.chance > 0.05 and found.low < 0 < found.high
    assert difference([0.0] * 4, [1.0] * 4).chance > 0.02  # 1 of 35 ways to deal them
    assert difference([15.0] * 40, [35.0] * 90).chance < 1e-9  # as where a board decides how long a game is


# Runs


@pytest.mark.slow
def test_one_seed_has_the_same_games_by_any_number_of_processes() -> None:
    def trials(seed: str, processes: int) -> list[Trial]:
        planned = plan(game("maze"), {"size": 3}, 2, 1, seed, 300)
        return list(played(planned, seed, 300, games=30, seconds=0, processes=processes))

    assert trials("x", 1) == trials("x", 1) == trials("x", 2)
    assert [one.trace for one in trials("x", 1)] != [one.trace for one in trials("y", 1)]


def test_games_to_look_at_are_played_again_from_their_numbers() -> None:
    games = tried("dollar-draw", 20, level=1, width=3, height=3)
    [best, *_] = games.best()
    trial, match = play(games.plan.cells[0], 0, best.number, "1", 300)
    assert trial == best and match.over is not None and match.ply == best.moves


def test_ctrl_c_makes_the_page_of_what_there_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    one, left = making._one, iter(range(12))

    def stopped(*given: object) -> Trial:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return one(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(making, "_one", stopped)
    ran = run("playtest maze --set size=3 --level 1 --processes 1 --minutes 60")
    assert ran.code == 0 and "Bots have played 12 games" in ran.out and "--games=12" in ran.out


@pytest.mark.parametrize("option", ["-o", "--html"])
def test_a_page_that_could_not_be_written_is_refused_before_a_night_of_games(
    run: Run, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setattr(making, "_one", lambda *_: pytest.fail("a game was played"))
    ran = run(f"playtest maze --set size=2 --level 1 --processes 1 {option} nowhere/x")
    assert ran.code == 2 and "nowhere: no such folder" in ran.err


def test_nonsense_is_refused(run: Run) -> None:
    for words in ("--games 0", "--minutes -1", "--level 5", "--processes 0", "--set size=1", "--seats 3"):
        assert run(f"playtest maze {words}").code == 2


def test_without_numpy_it_ends_in_one_line_with_what_to_install() -> None:
    """The whole traceback was shown, as of `openings`, where a tournament refused in a line."""
    script = "import sys; sys.modules['numpy'] = None; from quadrille.client import cli; cli.main(['playtest', 'maze'])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == "quadrille: numpy is not installed: install it with pip install numpy\n"


@pytest.mark.parametrize(
    ("moves", "move", "kind"),
    [
        ("", "a1", "isolated"),
        ("a1", "b1", "block"),
        ("a1 g7", "a2", "extend"),
        ("a1 g7 b1 g5 c1 g3 d1", "f1", "prevent"),
        ("a1 g7 b1 g5 c1 e1 d1", "f1", "extend"),
    ],
)
def test_the_kinds_of_claims_in_barons(moves: str, move: str, kind: str) -> None:
    state = game("barons").start({"width": 7, "height": 7}, 2)
    for text in moves.split():
        state = state.play(text)
    assert kind_of(state, state.game.parse(move, state)) == kind
