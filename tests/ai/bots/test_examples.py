"""The example bots play whole games of every kind by the lines alone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from quadrille.ai.bots.local import play
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.ai.bots.programs import inside, programs
from tests.laws.settings import SMALL

FOLDER = Path(__file__).parents[3] / "examples" / "jsonlines"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in C, without a warning."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    program = tmp_path_factory.mktemp("bot") / "bot"
    words = [compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
    subprocess.run([*words, "-o", str(program), str(FOLDER / "bot.c")], check=True)
    return program


def words(language: str, request: pytest.FixtureRequest) -> list[str]:
    if language == "c":
        return [str(request.getfixturevalue("compiled"))]
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here")
    return [node, str(FOLDER / "bot.js")]


def seats_of(key: str) -> list[tuple[dict[str, object], int]]:
    return [(dict(options), seats) for options, seats in SMALL[key]][:2]


@pytest.mark.parametrize("language", ["c", pytest.param("js", marks=pytest.mark.slow)])
def test_whole_games(language: str, request: pytest.FixtureRequest) -> None:
    with programs() as made:
        talk = made.talk(made.program(*words(language, request)))
        assert talk.greet().name == f"bot.{language}"
        for key in keys():
            for options, seats in seats_of(key):
                for seat in (0, seats - 1):
                    match = Match(game(key), options, seats, deal=Deal(f"example {seat}"))
                    players = [inside() for _ in range(seats)]
                    players[seat] = talk
                    played = play(match, players, seed="dice", budget=20)
                    assert played.faults == {}
        talk.close()
        assert talk.program.errors == ""


@pytest.mark.parametrize("language", ["c", "js"])
def test_a_list_that_is_asked_for_piece_by_piece(language: str, request: pytest.FixtureRequest) -> None:
    """Dotter with many rows has more moves than are told at once; and the same seed is the same game."""
    records = []
    for _ in range(2):
        with programs() as made:
            talk = made.talk(made.program(*words(language, request)))
            match = Match(game("dotter"), {"max_rounds": 1}, 2, deal=Deal("pieces"))
            for _ in range(12):
                match.play("draw")
            assert match.state.moves.count() > 2000
            played = play(match, [talk, inside()], seed="dice", budget=1 if language == "js" else None)
            assert played.faults == {}
            records.append([str(entry) for entry in match.entries])
    assert language == "js" or records[0] == records[1]


@pytest.mark.parametrize("language", ["c", "js"])
def test_proposals_are_answered(language: str, request: pytest.FixtureRequest) -> None:
    from quadrille.ai.bots.lines.dialogue import Ready, Replied
    from quadrille.ai.bots.talk import now

    with programs() as made:
        talk = made.talk(made.program(*words(language, request)))
        talk.greet()
        match = Match(game("maze"), {"size": 3}, 2)
        talk.dialogue.start(match, match.state, 1, now(), seed='with "quotes" and \u00fc')
        assert talk.hear(10) == Ready()
        for number, (offer, agree) in enumerate([("draw", False), ("takeback", True)]):
            talk.dialogue.offer(offer, 0, number, match, match.state, now())
            assert talk.hear(10) == Replied(number, agree)
