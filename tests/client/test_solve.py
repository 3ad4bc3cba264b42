"""`quadrille solve` and `quadrille analyse`: who wins, and where a game was lost."""

import json
import re
from pathlib import Path

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import write
from quadrille.rules.registry import game
from tests.client.conftest import Run


def record(key: str, *moves: str, **options: object) -> None:
    """A game with these moves in the file f; played on at random where none are given."""
    match = Match(game(key), options, 2, deal=Deal("s"))
    rng = Stream(key)
    for move in moves:
        match.play(move)
    while not moves and not match.over:
        match.play(match.state.moves.sample(rng))
    Path("f").write_text(write(match))


def test_a_small_game_is_solved(run: Run) -> None:
    ran = run("solve maze --set size=4")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[:2] == ["Maze, 2 players, size 4", "Player 1 wins with perfect play."]
    assert lines[2].startswith("A line of it: a4-") and lines[2].count(",") == 14
    assert lines[3].endswith(" positions were looked at.")
    shared = run("solve barons --seats 2 --set width=2 --set height=3")
    assert "the two share the first place" in shared.out


def test_the_answer_as_data(run: Run) -> None:
    """ "seat 0 wins 3 x 3" in Dollar Draw: after its best move S, to move, has lost."""
    first = json.loads(run("solve dollar-draw --set width=3 --set height=3 --json").out)
    assert (first["seat"], first["value"], first["places"]) == (0, 1, [1, 2])
    words = f"solve dollar-draw --set width=3 --set height=3 --json --moves {first['line'][0]}"
    second = json.loads(run(words).out)
    assert (second["seat"], second["value"], second["places"]) == (1, -1, [1, 2])
    assert second["moves"] == first["line"][:1]


def test_what_is_too_large_is_said_to_be(run: Run) -> None:
    ran = run("solve dollar-draw --positions 3000")
    assert ran.code == 1 and "Not solved: 3,00" in ran.out
    assert "Note: on an even number of squares S can win by answering each move with the one" in ran.out
    ran = run("solve dollar-draw --positions 3000 --json")
    assert ran.code == 1 and json.loads(ran.out)["value"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("solve barons", "two seats who see everything: this table has 4"),
        ("solve dotter --seats 2", "two seats who see everything: some cards are hidden"),
        ("solve maze --moves a1-a2", "the first segment starts from the upper left square"),
        ("solve maze --set size=2 --moves a2-a1 a1-b1 b1-b2", "the game is over after these moves"),
        ("solve maze --positions 0", "--positions takes a number from 1"),
        ("analyse nothing", "nothing: No such file or directory"),
        ("analyse f --simulations 0", "--simulations takes a number from 1"),
    ],
)
def test_refusals(run: Run, words: str, says: str) -> None:
    record("maze", "a2-a1", size=2)
    ran = run(words)
    assert ran.code == 2 and says in ran.err and not ran.out


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
        where = f"{move['ply']}. Player {move['seat'] + 1} lost what was won with {move['move']}; better was "
        assert f"{where}{move['better']} (proved)." in ran.out
    assert wrong or "No move is shown" in ran.out
    # what is worth something to one is lost to the other: values go on from move to move
    for one, other in zip(data["moves"], data["moves"][1:], strict=False):
        assert one["after"] == (other["before"] if one["seat"] == other["seat"] else -other["before"])


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


def test_a_game_without_moves_has_nothing_to_analyse(run: Run) -> None:
    Path("f").write_text(write(Match(game("maze"), None, 2, deal=Deal("s"))))
    assert "nobody has moved" in run("analyse f").err
