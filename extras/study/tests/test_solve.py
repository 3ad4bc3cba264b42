"""`quadrille solve` and `quadrille analyse`: who wins, and where a game was lost."""

import hashlib
import json
from pathlib import Path

import pytest

from quadrille.client.files import alone
from quadrille.extras.study.solving import solution
from tests.client.conftest import Run
from tests.client.test_analysis import record


@pytest.mark.slow
def test_a_small_game_is_solved(run: Run) -> None:
    ran = run("solve maze --set size=4 --memory 1")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[:2] == ["Maze, 2 players, size 4", "Player 1 wins with perfect play."]
    assert lines[2].startswith("A line of it: a4-") and lines[2].count(",") == 14
    assert lines[3].endswith(" positions were looked at.")
    shared = run("solve barons --seats 2 --set width=2 --set height=3")
    assert "the two share the first place" in shared.out


@pytest.mark.slow
def test_the_answer_as_data(run: Run) -> None:
    """ "seat 0 wins 3 x 3" in Dollar Draw: after its best move S, to move, has lost."""
    first = json.loads(run("solve dollar-draw --set width=3 --set height=3 --json").out)
    assert (first["seat"], first["value"], first["places"]) == (0, 1, [1, 2])
    words = f"solve dollar-draw --set width=3 --set height=3 --json --moves {first['line'][0]}"
    second = json.loads(run(words).out)
    assert (second["seat"], second["value"], second["places"]) == (1, -1, [1, 2])
    assert second["moves"] == first["line"][:1]


@pytest.mark.slow
def test_what_is_too_large_is_said_to_be(run: Run) -> None:
    ran = run("solve barons --seats 2 --set width=8 --set height=3 --positions 3000")
    assert ran.code == 1 and "Not solved: 3,00" in ran.out
    assert "Player 2 gets at least a share of the first place: each move is answered by its image" in ran.out
    assert "Search more with --positions, begin nearer to the end with --moves" in ran.out
    assert "Note: with two players on an even number of squares the second can always tie" in ran.out
    ran = run("solve dollar-draw --set width=9 --set height=9 --positions 3000 --json")
    assert ran.code == 1 and json.loads(ran.out)["value"] is None


@pytest.mark.slow
def test_a_table_of_four_is_searched_as_far_as_it_is_told(run: Run) -> None:
    """Such tables were refused once. All seats together take no more positions than the command allows."""
    ran = run("solve barons --seats 4 --positions 2000 --json")
    data = json.loads(ran.out)
    assert ran.code == 1 and data["payoffs"] == [None] * 4 and data["positions"] == 2000
    ran = run("solve barons --seats 3 --set width=2 --set height=2 -o f")
    told = run("solve --check f").out
    assert ran.code == 0 and "Player 1 gets at least payoff" in ran.out and "Player 1 gets at least payoff" in told


@pytest.mark.slow
def test_an_even_board_needs_no_search(run: Run) -> None:
    ran = run("solve dollar-draw --preset inventor -o f")
    assert ran.code == 0 and ran.out.splitlines()[1:3] == [
        "Player 2 wins with perfect play.",
        "It needs no search: each move is answered by its image, turned by 180 degrees.",
    ]
    assert "By the half turn: each move is answered by its image" in run("solve --check f").out


@pytest.mark.slow
def test_a_certificate_is_written_and_checked(run: Run) -> None:
    ran = run("solve maze --set size=4 -o f")
    assert ran.code == 0 and "f has 15 answers in 164 bytes. SHA-256 " in ran.out
    digest = hashlib.sha256(Path("f").read_bytes()).hexdigest()
    checked = run("solve --check f")
    assert checked.code == 0 and checked.out.splitlines() == [
        "Maze, 2 players, size 4",
        "Player 1 wins with perfect play.",
        "Checked with the rules alone: 15 answers, 40 positions.",
        f"SHA-256 {digest}",
    ]
    after = run("solve dollar-draw --set width=3 --set height=3 --moves a2 c2 -o g")
    assert after.code == 0 and "after a2 c2" in run("solve --check g").out


def test_the_winner_is_told_before_a_certificate_that_is_too_large(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of a large board takes minutes, and nobody should lose its answer."""
    monkeypatch.setattr(solution, "MOST_BYTES", 8)
    monkeypatch.setattr(solution, "FOLLOWED", 10)
    for more in ("", " --json"):
        ran = run(f"solve maze --set size=4 -o f --memory 1{more}")
        assert ran.code == 2 and "this certificate would have more than" in ran.err
        assert json.loads(ran.out)["value"] == 1 if more else "Player 1 wins with perfect play." in ran.out
        assert not Path("f").exists()


@pytest.mark.slow
def test_a_tie_that_was_not_solved_is_certified_for_the_seat_that_has_it(run: Run) -> None:
    ran = run("solve barons --preset inventor --seats 2 --positions 2000 -o f")
    assert ran.code == 1 and "f has 0 answers" in ran.out
    assert "f.part keeps the proof: once f is moved away, the same command with more --positions goes on." in ran.out
    assert "Player 2 gets at least a share of the first place." in run("solve --check f").out


@pytest.mark.parametrize("output", ["f", "no/f"])
def test_two_runs_never_write_one_file_and_one_that_cannot_be_written_costs_no_work(output: str, run: Run) -> None:
    """Each run would keep its proof over that of the other, and the certificate would be of either."""
    with alone("f"):
        ran = run(f"solve maze --set size=4 -o {output}")
    why = "another run is writing f: wait until it has ended" if output == "f" else "no/f can't be written: No such"
    assert ran.code == 2 and why in ran.err and not ran.out


@pytest.mark.slow
def test_a_certificate_overwrites_no_file(run: Run) -> None:
    Path("f").write_bytes(b"mine")
    ran = run("solve maze --set size=4 --memory 1 -o f")
    assert ran.code == 2 and "there is a file f already" in ran.err and Path("f").read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("solve dotter --seats 2", "seats who see everything: some cards are hidden"),
        ("solve maze --moves a1-a2", "the first segment starts from the upper left square"),
        ("solve maze --set size=2 --moves a2-a1 a1-b1 b1-b2", "the game is over after these moves"),
        ("solve maze --positions 0", "--positions: it takes a number from 1 to 1000000000000, not 0"),
        ("solve maze --positions 1000000000001", "to 1000000000000, not 1000000000001"),
        ("solve maze --positions 99999999999999", "a number here has at most 13 digits"),
        ("solve maze --memory 0", "0 MB are too little for 1 table of 1 MB: give --memory 1 or more"),
        ("solve barons --memory 7 --processes 2", "7 MB are too little for 8 tables of 1 MB: give --memory 8 or more"),
        ("solve maze --memory 999999999", "give the table less than 999,999,999"),
        ("solve maze --processes 0", "--processes: it takes a number from 1 to 64, not 0"),
        ("solve", "name a game, or a certificate with --check FILE"),
        ("solve maze --check f", "--check FILE needs no game"),
        ("solve --check f", "f is no file of certificates"),
        ("solve --check nothing", "nothing: No such file or directory"),
        ("solve coin-isolation --seats 2 --seed x -o c", "draws its start, unless an option says how all lies"),
    ],
)
def test_refusals(run: Run, words: str, says: str) -> None:
    record("maze", "a2-a1", size=2)
    ran = run(words)
    assert ran.code == 2 and says in ran.err and not ran.out


def published(most: int) -> list[tuple[str, str]]:
    """The commands of solved.md up to so many positions and answers, and what they say, the fewest answers first."""
    found = []
    for line in (Path(__file__).parents[1] / "docs/solved.md").read_text().splitlines():
        if line.startswith("| `") and line.endswith("` |"):
            words, positions, _, answers, size, digest = (cell.strip(" `") for cell in line.strip("|").split("|"))
            if max(int(count.replace(",", "")) for count in (positions, answers)) <= most:
                said = (
                    f"{positions} positions were looked at.\nf has {answers} answers in {size} bytes. SHA-256 {digest}"
                )
                found.append((int(answers.replace(",", "")), words, said))
    return [(words, said) for _, words, said in sorted(found)]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "says"), published(10_000))
def test_a_published_certificate_is_written_again(run: Run, words: str, says: str) -> None:
    """The same bytes, plain or compiled."""
    ran = run(f"solve {words} -o f")
    assert ran.code == 0 and says in ran.out
    assert run("solve --check f").code == 0
