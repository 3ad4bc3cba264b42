"""The engine's conversation: every request, every refusal, hostile lines, and once for real in a process."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from quadrille.ai.engine import REQUESTS, Engine, serve
from quadrille.ai.json_lines import LONGEST_LINE
from quadrille.rules.registry import keys

CODES = {
    "bad-json", "bad-request", "unknown-game", "bad-options", "bad-seats", "no-game", "bad-notation", "ambiguous",
    "illegal", "over", "too-long", "broken-game",
}  # fmt: skip
SMALL = {"do": "start", "game": "barons", "seats": 2, "options": {"width": 3, "height": 2}, "seed": "s"}
DECK = [rank + suit for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]


def ask(engine: Engine, request: object) -> Any:
    line = engine.answer(json.dumps(request).encode())
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    answer = json.loads(line)
    if not answer["ok"]:
        assert answer["error"] in CODES and answer["why"]
    return answer


def say(engine: Engine, *requests: Any) -> Any:
    """Ask what has to be answered; gives the last answer."""
    for request in requests:
        answer = ask(engine, request)
        assert answer["ok"], answer
    return answer


@pytest.fixture
def engine() -> Engine:
    engine = Engine()
    say(engine, SMALL)
    return engine


# What is answered


def test_a_start_tells_the_advice_that_the_terminal_tells() -> None:
    """And begins all the same; without any, it says nothing of advice."""
    crowded = {"do": "start", "game": "barons", "seats": 8, "options": {"width": 10, "height": 8}}
    assert "as many players as rows or columns" in say(Engine(), crowded)["advice"][0]
    even = {"do": "start", "game": "dollar-draw", "preset": "inventor"}
    assert "even number of squares" in say(Engine(), even)["advice"][0]
    assert "advice" not in say(Engine(), {"do": "start", "game": "maze"})


def test_games() -> None:
    games = say(Engine(), {"do": "games"})["games"]
    assert [game["key"] for game in games] == list(keys())
    barons = next(game for game in games if game["key"] == "barons")
    assert list(barons) == ["key", "title", "seats", "minutes", "age", "options", "presets"]
    assert (barons["title"], barons["seats"]) == ("Barons", [2, 8])
    width, *_, end = barons["options"]
    help = width.pop("help")
    assert width == {"name": "width", "type": "number", "default": 5, "least": 2, "most": 26} and help
    assert end["type"] == "choice" and end["default"] == "equal-turns" and end["choices"] == ["equal-turns", "full"]
    assert barons["presets"][1]["name"] == "rockefeller"
    assert barons["presets"][1]["options"] == {"horizontal": 3}
    for game in games:
        for option in game["options"]:
            assert "choices" in option or ("least" in option and "most" in option), option


def test_a_game_from_start_to_end() -> None:
    engine = Engine()
    start = say(engine, SMALL)
    assert start.pop("advice")
    assert list(start) == ["ok", "game", "seat", "ply", "over", "digest"]
    assert (start["game"], start["seat"], start["ply"], start["over"]) == ("barons", 0, 0, None)
    assert len(bytes.fromhex(start["digest"])) == 32
    assert say(engine, {"do": "state"}) == start
    assert say(engine, {"do": "moves"}) == {"ok": True, "moves": ["a1", "a2", "b1", "b2", "c1", "c2"], "more": False}
    moves = ["a1", "a2", "b1", "b2", "C1 ", "c2"]
    for ply, move in enumerate(moves, 1):
        after = say(engine, {"do": "play", "move": move})
        assert after["ply"] == ply
    assert after["seat"] is None
    assert after["over"]["places"] == [1, 1]
    assert after["over"]["figures"] == {"points": [44, 44], "connections": [2, 2], "rows": [1, 1], "columns": [0, 0]}
    assert after["over"]["reason"] == "every square is claimed"
    assert say(engine, {"do": "moves"}) == {"ok": True, "moves": [], "more": False}
    assert ask(engine, {"do": "play", "move": "a1"})["error"] == "over"
    assert ask(engine, {"do": "leave", "seat": 0})["error"] == "over"
    assert say(engine, {"do": "undo", "plies": 6}) == start


def test_moves_are_cut_where_wanted(engine: Engine) -> None:
    assert say(engine, {"do": "moves", "limit": 2}) == {"ok": True, "moves": ["a1", "a2"], "more": True}
    assert say(engine, {"do": "moves", "limit": 0}) == {"ok": True, "moves": [], "more": True}
    assert not say(engine, {"do": "moves", "limit": 6})["more"]
    say(engine, {"do": "start", "game": "dotter", "seed": "s"}, *[{"do": "play", "move": "draw"}] * 18)
    listed = say(engine, {"do": "moves"})
    assert len(listed["moves"]) == 10_000 and listed["more"]


def test_many_games_side_by_side() -> None:
    engine = Engine()
    say(engine, SMALL, SMALL | {"on": "other"}, {"do": "play", "move": "a1", "on": "other"})
    assert say(engine, {"do": "state"})["ply"] == 0
    assert say(engine, {"do": "state", "on": "main"})["ply"] == 0
    assert say(engine, {"do": "state", "on": "other"})["ply"] == 1
    assert ask(engine, {"do": "state", "on": "third"})["error"] == "no-game"


def test_a_seat_leaves(engine: Engine) -> None:
    over = say(engine, {"do": "leave", "seat": 0})["over"]
    assert over["places"] == [2, 1] and over["reason"] == "everybody else has left"
    assert [say(engine, {"do": "perft", "depth": depth})["nodes"] for depth in (0, 1)] == [1, 0]
    say(engine, SMALL | {"seats": 3}, {"do": "leave", "seat": 1})
    assert ask(engine, {"do": "leave", "seat": 1})["error"] == "illegal"


def test_show_and_view(engine: Engine) -> None:
    say(engine, {"do": "play", "move": "a1"})
    text = say(engine, {"do": "show"})["text"]
    assert text.splitlines()[:4] == ["    a   b   c", " 2  .   .   .", "", " 1 >A   .   ."]
    scene = say(engine, {"do": "view", "seat": 1})["scene"]
    assert scene["sheet"]["cells"][0] == {
        "name": "a1", "marks": [{"kind": "claim", "label": "", "seat": 0}], "fresh": True
    }  # fmt: skip
    assert scene["panels"][1]["figures"]["points"] == 0 and scene["panels"][1]["to_move"]


def test_seats_see_what_they_have_looked_at() -> None:
    engine = Engine()
    deal = [[*reversed(DECK)]]
    start = {"do": "start", "game": "dotter", "seed": "s", "options": {"jokers": 0}, "deal": deal}
    say(engine, start, {"do": "play", "move": "draw"}, {"do": "play", "move": "peek p1 1a 1c"})
    rows = {seat: say(engine, {"do": "view", "seat": seat})["scene"]["rows"][0] for seat in (None, 0, 1)}
    labels = {seat: [mark["label"] for mark in row["marks"]] for seat, row in rows.items()}
    assert labels == {None: ["?", "?", "?"], 0: ["?", "?", "?"], 1: ["KC", "?", "JC"]}
    assert "KC" in say(engine, {"do": "show", "seat": 1})["text"]
    assert "KC" not in say(engine, {"do": "show", "seat": 0})["text"]
    assert "KC" not in say(engine, {"do": "show", "seat": None})["text"]


def test_a_deal_is_dealt_and_the_seed_comes_after_it() -> None:
    engine = Engine()
    start = {"do": "start", "game": "dotter", "seed": "s", "options": {"jokers": 0, "looks": 0}, "deal": [DECK]}
    say(engine, start, {"do": "play", "move": "draw"}, {"do": "play", "move": "score p1 1a 1b 1c"})
    assert "= AS 2S 3S #" in (record := say(engine, {"do": "record"})["record"])
    assert 'pile ["round 1","AS","2S"' in record
    assert say(engine, {"do": "load", "record": record})["ply"] == 2


@pytest.mark.parametrize(
    ("deal", "says"),
    [
        ("AS", "a list of decks"),
        ({"round 1": DECK}, "a list of decks"),
        ([" ".join(DECK)], "a list of cards"),
        ([[*DECK[:-1], 7]], "a list of cards"),
        ([DECK[:-1]], "only 51 are there"),
        ([DECK, [*DECK, "AS"]], '"AS" is one too many'),
        ([[*DECK, "JK1"]], '"JK1" is one too many'),
        ([[*DECK[:-1], "AS"]], '"AS" is one too many'),
        ([[]], "only 0 are there"),
    ],
)
def test_a_deal_that_is_none(deal: object, says: str) -> None:
    answer = ask(Engine(), {"do": "start", "game": "dotter", "options": {"jokers": 0}, "deal": deal})
    assert answer["error"] == "bad-request" and says in answer["why"]


def test_the_same_seed_makes_the_same_game() -> None:
    starts = [say(Engine(), {"do": "start", "game": "coin-isolation", "seed": "é\ud800"}) for _ in range(2)]
    assert starts[0] == starts[1]
    fresh = {say(Engine(), {"do": "start", "game": "coin-isolation"})["digest"] for _ in range(3)}
    assert len(fresh) == 3


def test_options_go_before_the_preset() -> None:
    engine = Engine()
    say(engine, {"do": "start", "game": "dollar-draw", "preset": "starter", "options": {"height": 6}})
    assert '"width":5,"height":6' in say(engine, {"do": "record"})["record"]


def test_a_record_brings_the_game_back(engine: Engine) -> None:
    played = say(engine, {"do": "play", "move": "b2"})
    record = say(engine, {"do": "record"})["record"]
    other = Engine()
    assert say(other, {"do": "load", "record": record}) == played
    assert say(other, {"do": "record"})["record"] == record


def test_perft(engine: Engine) -> None:
    found = [say(engine, {"do": "perft", "depth": depth}) for depth in (0, 2, 6, 7, 100)]
    assert found == [{"ok": True, "nodes": nodes} for nodes in (1, 30, 720, 0, 0)]


@pytest.mark.parametrize("id", [0, -7, 1.5, "x", "\ud800", None, True, [], {"a": [None, {"b": 10**400}]}])
def test_the_id_comes_back(engine: Engine, id: object) -> None:
    for request in ({"do": "state"}, {"do": "dance"}, {"do": "play", "move": "z9"}, {"do": 5}, {}):
        answer = ask(engine, request | {"id": id})
        assert "id" in answer and answer["id"] == id
    assert "id" not in ask(engine, {"do": "state"})


# What is refused


NO_TEXT, NO_NUMBER = (1, 0.5, True, [], {}), (-1, 10**100, "4", 4.0, True, False, [])
#: By request and field: values of another kind or beyond its limits, and how these are refused.
WRONG_KINDS: tuple[tuple[dict[str, Any], str, tuple[object, ...], str, str], ...] = (
    ({"do": "state"}, "on", NO_TEXT, "request", '"on" takes a text'),
    (SMALL, "game", NO_TEXT, "request", '"game" takes a text'),
    (SMALL, "seed", NO_TEXT, "request", '"seed" takes a text'),
    (SMALL, "seats", (1, *NO_NUMBER), "seats", "2 to 8"),
    ({"do": "play"}, "move", NO_TEXT, "request", '"move" takes a text'),
    ({"do": "load"}, "record", NO_TEXT, "request", '"record" takes a text'),
    ({"do": "moves"}, "limit", NO_NUMBER, "request", "from 0 to"),
    ({"do": "undo"}, "plies", (0, -1, "4", 4.0, True, False, []), "request", "1 or more"),
    ({"do": "leave"}, "seat", (2, *NO_NUMBER), "seats", "0 to 1"),
    ({"do": "show"}, "seat", (2, *NO_NUMBER), "seats", "0 to 1"),
    ({"do": "perft"}, "depth", (101, *NO_NUMBER), "request", "0 to 100"),
)


@pytest.mark.parametrize(
    ("request_", "error", "says"),
    [
        ([], "bad-json", "a JSON object"),
        ({}, "bad-request", '"do"'),
        ({"do": None}, "bad-request", '"do"'),
        ({"do": "dance"}, "bad-request", "games, start"),
        ({"do": "_reply"}, "bad-request", "nothing to do here"),
        ({"do": "state", "on": "\ud800"}, "no-game", "begin one"),
        ({"do": "state", "seat": 1}, "bad-request", 'no field "seat"'),
        ({"do": "start"}, "bad-request", 'needs "game"'),
        ({"do": "start", "game": "baron"}, "unknown-game", "did you mean barons?"),
        ({"do": "start", "game": "barons", "seats": 5, "options": {"width": 2, "height": 2}}, "bad-seats", "4 squares"),
        ({"do": "start", "game": "barons", "options": []}, "bad-options", "names with values"),
        ({"do": "start", "game": "barons", "options": {"widht": 3}}, "bad-options", "did you mean width?"),
        ({"do": "start", "game": "barons", "options": {"width": True}}, "bad-options", "width"),
        ({"do": "start", "game": "barons", "options": {"width": 27}}, "bad-options", "2 to 26, not 27"),
        ({"do": "start", "game": "barons", "preset": "x"}, "bad-options", "rockefeller"),
        ({"do": "start", "game": "barons", "preset": {}}, "bad-options", "rockefeller"),
        ({"do": "start", "game": "barons", "deal": []}, "bad-request", "takes no deal"),
        ({"do": "play"}, "bad-request", 'needs "move"'),
        ({"do": "play", "move": ""}, "bad-notation", "empty line"),
        ({"do": "play", "move": "z99"}, "bad-notation", "off the board"),
        ({"do": "play", "move": "\ud800"}, "bad-notation", "plain letters"),
        ({"do": "play", "move": "a" * 100_000}, "bad-notation", "4096"),
        ({"do": "undo"}, "bad-request", "no move has been played"),
        ({"do": "leave"}, "bad-request", 'needs "seat"'),
        ({"do": "load"}, "bad-request", 'needs "record"'),
        ({"do": "load", "record": ""}, "bad-request", "line 1"),
        ({"do": "load", "record": "quadrille record 1 #33887ecc\n\ud800"}, "bad-request", "line"),
        ({"do": "perft"}, "bad-request", 'needs "depth"'),
        ({"do": "quit", "now": True}, "bad-request", 'no field "now"'),
        *(
            (base | {field: value}, f"bad-{error}", says)
            for base, field, values, error, says in WRONG_KINDS
            for value in values
        ),
    ],
)
def test_refusals_say_why_and_change_nothing(engine: Engine, request_: object, error: str, says: str) -> None:
    before = say(engine, {"do": "record"})
    answer = ask(engine, request_)
    assert (answer["ok"], answer["error"]) == (False, error)
    assert says in answer["why"]
    assert say(engine, {"do": "record"}) == before
    assert not engine.done


def test_an_illegal_move_is_refused_in_the_words_of_the_game(engine: Engine) -> None:
    say(engine, {"do": "play", "move": "a1"})
    answer = ask(engine, {"do": "play", "move": "a1"})
    assert (answer["error"], answer["why"]) == ("illegal", "a1 belongs to player 1: nothing is ever taken over")


def test_an_ambiguous_move_is_refused() -> None:
    engine = Engine()
    say(engine, {"do": "start", "game": "maze", "options": {"size": 3}})
    for move in ("a3-b3", "b3-b2", "b2-b1", "b1-a1", "a1-a2", "b2-c2", "c3"):
        say(engine, {"do": "play", "move": move})
    answer = ask(engine, {"do": "play", "move": "c1"})
    assert answer["error"] == "ambiguous" and "b1 and c2" in answer["why"]
    assert say(engine, {"do": "play", "move": "b1 c1"})["over"]


@pytest.mark.parametrize("do", sorted(set(REQUESTS) - {"games", "start", "load", "quit"}))
def test_without_a_game_there_is_nothing_to_ask(do: str) -> None:
    assert ask(Engine(), {"do": do, "on": "nowhere"})["error"] == "no-game"


def test_a_field_that_is_null_is_absent(engine: Engine) -> None:
    nothing = dict.fromkeys(("options", "preset", "seats", "seed", "deal", "on"))
    assert say(engine, {"do": "start", "game": "barons"} | nothing)["seat"] == 0
    say(engine, {"do": "play", "move": "a1"}, {"do": "play", "move": "a2"}, {"do": "moves", "limit": None})
    assert say(engine, {"do": "undo", "plies": None})["ply"] == 1


# The process


def test_a_conversation_ends_with_quit_or_with_the_input() -> None:
    answers = io.BytesIO()
    serve(io.BytesIO(b'{"do":"quit","id":1}\n{"do":"games"}\n'), answers)
    assert answers.getvalue() == b'{"ok": true, "id": 1}\n'
    answers = io.BytesIO()
    serve(io.BytesIO(b'\n{"do":"state"}'), answers)
    assert [json.loads(line)["error"] for line in answers.getvalue().splitlines()] == ["bad-json", "no-game"]


def test_answers_of_the_process_come_at_once_and_not_at_the_end() -> None:
    command = [sys.executable, "-m", "quadrille.client.cli", "engine"]
    lines = (json.dumps(SMALL).encode(), b"nonsense", b"x" * (LONGEST_LINE + 1), b'{"do":"play","move":"b2"}')
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for line, found in zip(lines, (0, "bad-json", "too-long", 1), strict=True):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer.get("error", answer.get("ply")) == found
        process.stdin.write(b'{"do": "quit"}\n')
        process.stdin.flush()
        assert process.stdout.readline() == b'{"ok": true}\n'
        assert (process.wait(120), process.stderr.read()) == (0, b"")
