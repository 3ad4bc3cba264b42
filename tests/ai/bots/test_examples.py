"""The example bots play whole games of every kind by the lines alone."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from quadrille.ai.bots.lines.dialogue import Ready, Replied, Seating
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.bots.talk import now
from quadrille.laws.settings import SMALL
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.ai.bots.programs import play, programs
from tests.ai.inside import talk as inside

FOLDER = Path(__file__).parents[3] / "examples" / "jsonlines"


#: The program that makes or runs a bot of each language, and how it makes one (nothing for one that runs it as it is).
TOOLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "bot.c": ("cc", ("-std=c99", "-O1", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-o")),
    "bot.rs": ("rustc", ("-D", "warnings", "-o")),
    "bot.go": ("go", ("build", "-o")),
    "bot.js": ("node", ()),
    "Bot.java": ("javac", ("-Xlint:all", "-Werror", "-d")),
    "bot.sh": ("bash", ()),
}
#: Wherever it can be, each plays in a box, within its limits and its filter of system calls.
BOXED = Limits(memory=512, processes=64, isolate="if possible")
#: C is tried in the quick part of the suite, and everything else in the slow one.
BOTS = [pytest.param(name, marks=() if name == "bot.c" else pytest.mark.slow) for name in TOOLS]


@pytest.fixture(scope="module", params=BOTS)
def words(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts a bot; one that has to be compiled is, without a warning."""
    name: str = request.param
    named, options = TOOLS[name]
    tool = shutil.which(named)
    if tool is None:
        pytest.skip(f"there is no {named} here")
    if not options:
        return [tool, str(FOLDER / name)]
    folder = tmp_path_factory.mktemp("bot")
    folder.chmod(0o755)  # so that its box has a user of its own
    kept = {"GOCACHE": str(folder / "cache"), "GOFLAGS": "-vet=off"} if named == "go" else {}
    program = str(folder / name.lower().replace(".", "-"))
    subprocess.run([tool, *options, program, str(FOLDER / name)], check=True, env=os.environ | kept)
    return ["java", "-cp", program, "Bot"] if named == "javac" else [program]


def test_whole_games(words: list[str]) -> None:
    with programs() as made:
        talk = made.talk(made.program(*words, limits=BOXED))
        assert talk.greet().name.lower().startswith("bot.")
        for key in keys():
            options, seats = SMALL[key][1]
            for seat in (0, seats - 1):
                match = Match(game(key), dict(options), seats, deal=Deal(f"example {seat}"))
                players = [inside() for _ in range(seats)]
                players[seat] = talk
                played = play(match, players, seed="dice", budget=20)
                assert played.faults == {}
        talk.close()
        assert talk.program.errors == ""


def test_a_list_that_is_asked_for_piece_by_piece(words: list[str]) -> None:
    """Dotter with many rows has more moves than are told at once. The same seed is the same game, without a clock."""
    records, thinks = [], not words[0].endswith("bot-c")
    for _ in range(1 if thinks else 2):
        with programs() as made:
            talk = made.talk(made.program(*words, limits=BOXED))
            match = Match(game("dotter"), {"max_rounds": 1}, 2, deal=Deal("pieces"))
            for _ in range(12):
                match.play("draw")
            assert match.state.moves.count() > 2000
            played = play(match, [talk, inside()], seed="dice", budget=1 if thinks else None)
            assert played.faults == {}
            records.append([str(entry) for entry in match.entries])
    assert thinks or records[0] == records[1]


def test_proposals_are_answered(words: list[str]) -> None:
    with programs() as made:
        talk = made.talk(made.program(*words, limits=BOXED))
        talk.greet()
        match = Match(game("maze"), {"size": 3}, 2)
        seed = 'with "quotes", \\ and \u00fc \U0001f600'
        talk.dialogue.start(match, match.state, Seating(1, seed=seed), now())
        assert talk.hear(10) == Ready()
        for number, (offer, agree) in enumerate([("draw", False), ("takeback", True)]):
            talk.dialogue.offer(offer, 0, number, match, match.state, now())
            assert talk.hear(10) == Replied(number, agree)


#: What a turn, an offer and the end look like where a later version adds fields, and all that JSON allows to stand.
LINES = (
    '{"do": "hello", "protocol": 1, "rules": 1, "later": [null, true, -1.5e3, {}, []]}',
    '{"do": "later", "what": "\\"do\\": \\"quit\\""}',
    '{"do": "start", "table": "t", "game": "maze", "options": {"size": 2}, "seats": 2, "seat": 1, '
    '"names": ["\\u00dcn\\ud83d\\ude00 \\"moves\\": [", "b\\\\"], "clock": null, "seed": "\\/\\n7", "news": []}',
    '{"do": "turn", "turn": 3, "news": [{"seat": 0, "move": "a2-a1"}], "clock": null, "patience": 60000, '
    '"budget": 900, "moves": ["a1-b1"], "more": false}',
    '{"do": "offer", "offer": "draw", "by": 0, "number": 5, "news": []}',
    '{"do": "turn", "turn": 4, "news": [], "budget": 900, "moves": ["a1-b1", "a1-c1"], "more": false}',
    '{"do": "over", "places": [1, 2], "figures": {}, "reason": "[\\"]}", "news": []}',
    '{"do": "quit"}',
)


def test_every_line_is_read_as_json_and_a_turn_may_end_in_an_ask(words: list[str]) -> None:
    """A game that is over while the bot waits for an answer: it owes nothing, and ends when it is told to."""
    done = subprocess.run(words, input="\n".join(LINES) + "\n", capture_output=True, text=True, timeout=900)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert "hello" in said[0] and said[1] == {"ready": True}
    assert said[2] == {"turn": 3, "move": "a1-b1"}
    assert said[3] == {"offer": 5, "agree": False}
    if len(said) > 4:
        assert said[4].get("ask") == "play out" or said[4]["move"] in ("a1-b1", "a1-c1")
    assert len(said) <= 5
