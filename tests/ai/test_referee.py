"""A referee's program: what it is told, what its answers mean, and that all else is its fault, in words."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots.lines.news import Teller
from quadrille.ai.bots.referee import Referee, RefereeFault, Ruling
from quadrille.rules.chance import Stream
from quadrille.rules.core import Face
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.ai.referees import COMMAND, GO_ON, HELLO, READY, ends, processes, referee, told

Sit = Callable[..., Referee]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """A referee that says these things; gone at the end."""
    with ExitStack() as stack:

        def sit(*judge: str, **says: str) -> Referee:
            referee(tmp_path, *judge, **says)
            found = Referee(COMMAND, str(tmp_path), patience=20)
            stack.callback(found.close)
            return found

        yield sit


def maze(*moves: str) -> Match:
    match = Match(game("maze"), {"size": 3}, 2, deal=Deal("referee"))
    for move in moves:
        match.play(move)
    return match


def test_it_is_told_of_whole_games(tmp_path: Path, sit: Sit) -> None:
    found, match = sit(ends(2, 1, 2)), maze("a3-a2")
    assert found.greet().name == "judge"
    found.start(match, table="ours", names=["Ann", "Bob"])
    match.play("a2-b2")
    assert found.judge(match) is None
    match.play("b2-b1")
    assert found.judge(match) == Ruling((1, 2), "a known win")
    match.adjudicate((1, 2), "so")
    found.over(match)
    other = maze()
    found.start(other)
    assert found.judge(other) is None
    found.close()
    _, hello, start, one, two, over, again, judge, end = told(tmp_path)
    assert hello == {"do": "hello", "protocol": 1, "rules": 1}
    options = {"game": "maze", "options": {"size": 3}, "seats": 2, "seat": None}
    news = [{"seat": 0, "move": "a3-a2"}]
    assert start == {"do": "start", "table": "ours", **options, "names": ["Ann", "Bob"], "news": news}
    assert (one["do"], one["judge"], one["news"]) == ("judge", 1, [{"seat": 1, "move": "a2-b2"}])
    assert one["view"]["game"] == "maze" and "player 1, odd X's" in one["text"]
    assert (two["judge"], two["news"]) == (2, [{"seat": 0, "move": "b2-b1"}])
    assert (over["do"], over["places"], over["reason"]) == ("over", [1, 2], "so")
    assert over["news"] == [{"adjudicated": [1, 2], "why": "so"}]
    assert (again["news"], judge["judge"], judge["news"], end) == ([], 1, [], {"do": "quit"})


def test_it_may_do_without_pictures(tmp_path: Path, sit: Sit) -> None:
    found, match = sit(hello='say({"hello": "j", "protocol": 1, "omit": ["view", "text"]})'), maze()
    found.start(match)
    assert found.judge(match) is None
    assert told(tmp_path)[-1] == {"do": "judge", "judge": 1, "news": []}


def retold(match: Match, news: list[dict[str, Any]]) -> Match:
    """The match that comes of playing the news, each face as it is told."""
    found = Match(match.game, match.state.options.plain(), match.state.seats)
    for item in news:
        match item:
            case {"seat": _, "move": move}:
                found.play(move)
            case {"seat": seat, "left": how}:
                found.leave(seat, how)
        for name in item.get("faces", ()):
            found.answer(Face(name))
    return found


@pytest.mark.parametrize("key", ["dotter", "coin-isolation", "barons"])
def test_it_sees_all_that_anybody_sees(key: str) -> None:
    match, dice = Match(game(key), None, 3 if key == "barons" else 2, deal=Deal("open")), Stream("open")
    teller = Teller(match, None)
    news = teller.news(match, match.state)
    for number in range(40):
        if match.over is None:
            match.play(match.state.moves.sample(dice))
        if number % 7 == 0:
            news += json.loads(json.dumps(teller.news(match, match.state)))
        if number == 20 and match.state.seats > 2:
            match.leave(1)
    news += teller.news(match, match.state)
    assert retold(match, news).state.digest() == match.state.digest()
    assert "?" not in str(news) and not any("seen" in item for item in news)
    assert ("faces" in str(news)) == (key != "barons")


def judged(found: Referee, match: Match) -> Ruling | None:
    """What it says of a game that it has not been told of before."""
    found.start(match)
    return found.judge(match)


WRONG = [
    ({"hello": "sys.exit(3)"}, "ended with exit code 3"),
    ({"hello": "say('welcome')"}, 'wrote "welcome", and this is no JSON'),
    ({"hello": 'say({"hello": "x", "protocol": 7})'}, "speaks version 7 of the protocol"),
    ({"start": "sys.exit(0)"}, "ended with exit code 0"),
    ({"start": 'say({"ready": False})'}, "and was asked to get ready"),
    ({"start": "os.kill(os.getpid(), signal.SIGKILL)"}, "was ended by SIGKILL"),
    ({"judge": "os.close(1)"}, "closed its output and went on"),
    ({"judge": "x = 1 / 0"}, "ended with exit code 1: "),
    ({"judge": "say('white wins')"}, 'wrote "white wins", and this is no JSON'),
    ({"judge": "say('')"}, "wrote an empty line"),
    ({"judge": "say([1, 2])"}, "which is no JSON object"),
    ({"judge": "say('x' * (1 << 21))"}, "wrote a line of more than"),
    ({"judge": "say({})"}, "and was asked for judge 1"),
    ({"judge": 'say({"judge": 2})'}, "and was asked for judge 1"),
    ({"judge": 'say({"judge": True})'}, "and was asked for judge 1"),
    ({"judge": 'say({"ready": True})'}, 'wrote "{"ready": true}", and was asked for judge 1'),
    ({"judge": 'say({"judge": 1, "why": "x", "places": [1]})'}, "named [1] as places"),
    ({"judge": 'say({"judge": 1, "why": "x", "places": [2, 2]})'}, "named [2, 2] as places"),
    ({"judge": 'say({"judge": 1, "why": "x", "places": [1, "2"]})'}, "named [1, '2'] as places"),
    ({"judge": 'say({"judge": 1, "why": "x", "places": "first"})'}, "named 'first' as places"),
    ({"judge": 'say({"judge": 1, "places": [1, 2]})'}, "ended a game without a reason"),
    ({"judge": 'say({"judge": 1, "places": [1, 2], "why": " "})'}, "ended a game without a reason"),
    ({"judge": 'say({"judge": 1, "places": [1, 2], "why": "a\\nb"})'}, "ended a game without a reason"),
    ({"judge": 'say({"judge": 1, "places": [1, 2], "why": "x" * 201})'}, '"why" takes a line of at most 200'),
]


@pytest.mark.parametrize(("says", "why"), WRONG, ids=lambda row: str(row)[:40])
def test_what_it_does_wrong(sit: Sit, says: dict[str, str], why: str) -> None:
    found, match = sit(**says), maze("a3-a2")
    with pytest.raises(RefereeFault) as caught:
        judged(found, match)
    text = str(caught.value)
    assert why in text and text.isprintable() and len(text) < 400
    assert found.ended == any(word in why for word in ("ended with", "ended by", "closed", "a line of more"))


@pytest.mark.parametrize(
    ("says", "what"),
    [
        ({"hello": "pass"}, "say who it is"),
        ({"start": "pass"}, "say that it is ready for a game"),
        ({"judge": "pass"}, "judge a game"),
        ({"judge": "sys.stdout.write('{'); sys.stdout.flush()"}, "judge a game"),
    ],
)
def test_one_that_says_nothing(sit: Sit, says: dict[str, str], what: str) -> None:
    found, match = sit(**says), maze()
    if "hello" not in says:
        found.greet()
    if "judge" in says:
        found.start(match)
    found.patience = 0.2
    with pytest.raises(RefereeFault, match=f"did not {what} within 0.2 seconds"):
        found.judge(match) if "judge" in says else found.start(match)


@pytest.mark.parametrize(("places", "wrong"), [([1, 2, 3], 0), ([2, 1, 3], 0), ([1, 3, 2], 2), ([3, 1, 2], 2)])
def test_who_has_left_has_the_place_of_the_rules(sit: Sit, places: list[int], wrong: int) -> None:
    found = sit(ends(1, *places))
    match = Match(game("barons"), {"width": 3, "height": 3}, 3, deal=Deal("left"))
    match.leave(2, "crash")
    found.start(match)
    if not wrong:
        assert found.judge(match) == Ruling(tuple(places), "a known win")
        return
    with pytest.raises(RefereeFault, match="gave player 3, who has left, place 2: by the rules that is 3"):
        found.judge(match)


def test_one_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RefereeFault, match=r"can't be started: there is no file"):
        Referee(["./nobody"], str(tmp_path))


def test_one_that_does_not_quit_is_ended(tmp_path: Path, sit: Sit) -> None:
    found = sit(f"{GO_ON}\n            signal.pause() if hasattr(signal, 'pause') else None", hello=HELLO, start=READY)
    match = maze()
    found.start(match)
    assert found.judge(match) is None
    found.close()
    found.close()
    assert found._program._process.poll() is not None
    assert processes(tmp_path) == 1
