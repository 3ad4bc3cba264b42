"""What somebody is told who wrote a bot, or runs a tournament, and something is not as it should be."""

import shlex
import sys
from pathlib import Path

import pytest

from quadrille.ai.bots.lines.dialogue import Dialogue, Ready, Seating
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.talk import GRACE
from quadrille.ai.checks.end import QUIT
from quadrille.ai.faults import BotFault
from quadrille.client.words.rules import options_text
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.conftest import Run

PYTHON = shlex.quote(sys.executable)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["bots/mine.py", f"{PYTHON} -m quadrille.ai.kit bots/mine.py"])
def test_quick_keeps_a_bot_as_it_is_seen_from_its_file(run: Run, tmp_path: Path, bot: str) -> None:
    """The bot is named from here, where Tab completes it, wherever the tournament is kept."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "leagues").mkdir()
    (tmp_path / "bots" / "mine.py").write_text(
        "from quadrille.ai import Bot\n\n\nclass Mine(Bot):\n    def choose(self, view, clock, rng):\n"
        "        return view.moves.sample(rng)\n"
    )
    words = ["tournament", "quick", "maze", "--set", "size=3", "random", bot, "--games", "2", "--at-once", "1"]
    done = run([*words, "--quiet", "--keep", "leagues/l.toml"])
    assert done.code == 0, done.err
    assert "../bots/mine.py" in (tmp_path / "leagues" / "l.toml").read_text()
    again = run("tournament run leagues/l.toml --quiet")
    assert again.code == 0 and "Nothing was left to play" in again.err


def test_a_program_has_as_long_to_end_in_a_check_as_anywhere() -> None:
    assert QUIT == GRACE == 0.5


FLOOD = """
import json, sys
sys.stderr.write("x" * (3 << 20))
sys.stderr.flush()
for line in sys.stdin:
    told = json.loads(line)
    match told["do"]:
        case "hello":
            said = {"hello": "flood", "protocol": 1, "games": ["maze"]}
        case "start":
            assert told["game"] == "maze" and told["options"]["size"] == 5
            said = {"ready": True}
        case "turn":
            said = {"turn": told["turn"], "move": told["moves"][0]}
        case "offer":
            said = {"offer": told["number"], "agree": False}
        case "quit":
            break
        case _:
            continue
    print(json.dumps(said), flush=True)
"""


@pytest.mark.slow
def test_a_check_of_one_size_and_a_flood_of_standard_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "flood.txt").write_text(FLOOD)
    words = ["bot", "check", f"{PYTHON} -S flood.txt", "--quick", "--within", "3s", "--home", str(tmp_path / "home")]
    done = run([*words, "--game", "maze", "--set", "size=5"])
    assert done.code == 0, done.out
    assert "note: it wrote 3 MiB to standard error within one program: the last 64 KiB are kept" in done.out
    wrong = run([*words, "--game", "barons"])
    assert wrong.code == 1 and "plays maze only: barons is to be checked" in wrong.out
    assert "--set, --preset and --seats are for one game: add --game" in run([*words, "--set", "size=5"]).err


@pytest.mark.parametrize(
    ("key", "options", "told"),
    [
        ("barons", {}, ""),
        ("barons", {"width": 6}, "6 x 8"),
        ("barons", {"width": 5, "height": 5, "horizontal": 3}, "5 x 5, preset rockefeller"),
        ("barons", {"horizontal": 5, "end": "full"}, "row pair 5, end full"),
        ("dollar-draw", {"width": 9, "height": 9}, "9 x 9"),
        ("dotter", {"laps": 1}, "preset one-lap"),
        ("dotter", {"laps": 1, "lap_points": 61, "open_memory": False}, "laps 1, lap points 61, no open memory"),
        ("coin-isolation", {"take": "greedy", "mixed_change": True}, "take greedy, mixed change"),
    ],
)
def test_options_are_told_in_words(key: str, options: dict[str, int | bool | str], told: str) -> None:
    played = game(key)
    assert options_text(played, played.read_options(options)) == told


def test_a_bot_that_answers_an_old_turn_hears_which() -> None:
    match, dialogue = Match(game("maze"), {"size": 3}, 2), Dialogue(0)
    dialogue.receive(b'{"hello": "x", "protocol": 1}', 0)
    dialogue.start(match, match.state, Seating(0, "a table"), 0)
    assert dialogue.receive(b'{"ready": true}', 0) == Ready()
    dialogue.turn(match, match.state, 0, TimeTerms(patience=1000))
    dialogue.turn(match, match.state, 0, TimeTerms(patience=1000))
    assert dialogue.receive(b'{"turn": 1, "move": "a3-a2"}', 5) is None
    with pytest.raises(BotFault) as fault:
        dialogue.wake(1001)
    assert 'its last answer was to turn 1, which was over: the last that it was given is "turn": 2' in fault.value.why
