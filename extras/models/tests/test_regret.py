"""Points lost to perfect play: against a plain search of all games, in a tournament, and what is not proved."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from quadrille.extras.models.regret import Loss, losses
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.rules.core import State
from quadrille.rules.search import Position, Proof
from tests.client.conftest import Run
from tests.search.test_search import minimax


def worth(state: State[Any, Any], seat: int) -> int:
    """Return what a seat gets, by playing every game to its end."""
    board = state.board.copy()
    value = minimax(board, KNOWN[state.game.key])
    return value if board.turn == seat else -value


KNOWN = defaultdict[str, dict[int, int]](dict)
BOARDS: list[tuple[str, dict[str, Any]]] = [
    ("maze", {"size": 3}), ("dollar-draw", {"width": 3, "height": 2}), ("barons", {"width": 3, "height": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "options"), BOARDS)
def test_losses_are_those_of_a_search_of_all_games(key: str, options: dict[str, Any]) -> None:
    proof = Proof(Position.start(key, options))
    for seed in range(6):
        played = random_match(setting(key, options, 2), str(seed))
        found = list(losses(played, 0, proof, 1_000_000))[::-1]
        states = [played.before(number).state for number in range(played.length)] + [played.state]
        for (seat, lost), before, then in zip(found, states[:-1], states[1:], strict=True):
            assert seat == before.turn and lost == worth(before, seat) - worth(then, seat)


def test_a_seat_that_leaves_loses_what_its_position_was_worth() -> None:
    played = random_match(setting("maze", {"size": 3}, 2), "1", 3)
    seat = played.turn
    assert seat is not None
    worthy = worth(played.state, seat)
    played.leave(seat, "crash")
    found = next(losses(played, 0, Proof(Position.start("maze", {"size": 3})), 1_000_000))
    assert found == (seat, worthy + 1)


def test_what_is_not_proved_is_not_counted_and_nothing_before_it() -> None:
    played = random_match(setting("maze", {"size": 6}, 2), "1")
    found = [lost for _, lost in losses(played, 4, Proof(Position.start("maze", {"size": 6})), 50)]
    known = found.index(None)
    assert known > 3 and set(found[known:]) == {None} and len(found) == played.length - 4
    loss = Loss(moves=4)
    assert loss.row("n") == ("n", "n/a", "0", "0", "4", "0 %", "0", "n/a", "n/a")
    for told in ("80+4 tokens, 1.2 s, try 3: the corner", "20+0 tokens, 0.1 s, try 1: ", "a note of another bot"):
        loss.take(told)
    assert loss.row("n")[-2:] == ("50 %", "52")


@pytest.mark.parametrize("given", ["0", "-5"])
def test_a_proof_by_no_positions_is_refused(given: str, run: Run) -> None:
    for words in (f"show t.toml --regret={given}", f"report t.toml --regret={given} -o r.html"):
        done = run(f"tournament {words}")
        assert done.code == 2 and f"it takes a number from 1 on, not {given}" in done.err


@pytest.mark.slow
def test_a_tournament_tells_what_its_bots_lost(run: Run, tmp_path: Path) -> None:
    plan, secret = tmp_path / "small.toml", tmp_path / "secret"
    secret.write_text("5" * 64)  # it deals the same games each time
    run(["tournament", "quick", "maze", "random", "solver", "--set", "size=4", "--games", "8", "--openings", "none",
         "--secret", str(secret), "--keep", str(plan)])  # fmt: skip
    shown = run(["tournament", "show", str(plan), "--regret"])
    rows = {line.split()[0]: line.split() for line in shown.out.splitlines() if line[:1].isalpha()}
    assert rows["solver"][1] == "0.000" and float(rows["random"][1]) > 0.1 and rows["random"][5:7] == ["100", "%"]
    hidden = tmp_path / "hidden.toml"
    run(["tournament", "quick", "dotter", "random", "1", "--games", "2", "--preset", "starter", "--keep", str(hidden)])
    [unproved, *_] = [row.split() for row in run(["tournament", "show", str(hidden), "--regret"]).out.splitlines()[1:]]
    assert unproved[1:4] == ["n/a", "0", "0"] and int(unproved[4]) > 10 and unproved[5:8] == ["0", "%", "0"]
    assert run(["tournament", "report", str(plan), "--regret", "-o", str(tmp_path / "r.html")]).code == 0
    assert "points lost a game" in (tmp_path / "r.html").read_text("utf-8")
    run(["tournament", "report", str(plan), "-o", str(tmp_path / "r.html")])
    assert "points lost a game" not in (tmp_path / "r.html").read_text("utf-8")
