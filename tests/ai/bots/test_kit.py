"""The kit: a bot in a few lines of Python, as a program that speaks for it."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest

from quadrille.ai import Bot, Clock, Number
from quadrille.ai.bot import numbers_of
from quadrille.ai.bots.lines.answers import greeting
from quadrille.ai.bots.lines.dialogue import Dialogue, Ready, Replied, Seating
from quadrille.ai.bots.lines.parameters import BadValues, Parameter, settle
from quadrille.ai.bots.process.program import Limits, Program, kit_command
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.ai.kit import Part, load
from quadrille.ai.peer.house_thread import HouseThread
from quadrille.laws.settings import SMALL
from quadrille.net.entries.terms import TimeControl as Terms
from quadrille.rules.core import Over, State
from quadrille.rules.match import Deal, Entry, Match
from quadrille.rules.registry import game, keys
from quadrille.rules.search import Position
from tests.ai.inside import Anything, Inside, play, programs, small
from tests.ai.inside import talk as inside
from tests.waiting import DEADLINE

EXAMPLE = Path(__file__).parents[3] / "examples" / "first_bot.py"


class Diary(Bot):
    """Writes down all that it is told."""

    name = "Diarist"
    author = "Ann"
    games = ("barons", "dotter")

    def __init__(self) -> None:
        self.pages: list[tuple[Any, ...]] = []

    def starts(self, view: State[Any, Any], seat: int) -> None:
        self.pages.append(("starts", seat))

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> str:
        self.pages.append(("choose", clock, rng.random()))
        return str(view.moves.sample(rng))

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:
        self.pages.append(("moved", entry, view))

    def undone(self, count: int, view: State[Any, Any]) -> None:
        self.pages.append(("undone", count))

    def offered(self, offer: str, by: int, view: State[Any, Any]) -> bool:
        self.pages.append(("offered", offer, by))
        return True

    def ends(self, over: Over, view: State[Any, Any]) -> None:
        self.pages.append(("ends", over))


def test_a_bot_is_told_of_everything_in_order() -> None:
    diary, match = Diary(), small()
    played = play(match, [inside(diary), inside(Diary())], clock=Terms(60_000, 100), seed="dice")
    assert [page[0] for page in diary.pages[:3]] == ["starts", "choose", "moved"]
    assert diary.pages[1][1] == Clock(0, (60_000, 60_000), 100, 60_000 // 25 + 75, None, 60_000)
    assert diary.pages[-1] == ("ends", played.match.over)
    moved = [page[1:] for page in diary.pages if page[0] == "moved"]
    assert [entry for entry, _ in moved] == list(match.entries) and moved[-1][1] == match.state


class Silly(Bot):
    """Gives whatever it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, view: Any, clock: Any, rng: Any) -> Any:
        return self.answer


def test_a_move_is_a_move_or_its_text() -> None:
    match = small()
    for answer in ("a1", next(iter(match.state.moves))):
        talk = inside(Silly(answer))
        talk.greet()
        talk.dialogue.start(match, match.state, Seating(), now())
        talk.hear()
        talk.dialogue.turn(match, match.state, now())
        assert str(talk.hear().move) == "a1"  # type: ignore[union-attr]
    for answer in (None, 7, ["a1"]):
        part = Part(Silly(answer))
        part.answer(b'{"do": "start", "game": "barons", "options": {}, "seats": 2, "seat": 0, "seed": "", "news": []}')
        with pytest.raises(TypeError, match="it has to give a move"):
            part.answer(b'{"do": "turn", "turn": 1, "news": [], "clock": null, "budget": 1}')


# As a program


def test_a_bot_brings_along_nothing_that_takes_long_to_load() -> None:
    heavy = {"asyncio", "msgpack", "multiprocessing", "nacl", "numpy", "prompt_toolkit", "socket", "sqlite3", "zmq"}
    code = "import sys; from quadrille.ai.kit import load; load(sys.argv[1]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code, str(EXAMPLE)], capture_output=True, text=True, check=True)
    assert heavy.isdisjoint(loaded.stdout.split())


def test_what_a_bot_prints_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "talker.py"
    file.write_text(
        "import os, sys\nfrom quadrille.ai import Bot\nprint('loading')\n"
        "class Talker(Bot):\n"
        "    def choose(self, view, clock, rng):\n"
        "        print('thinking', flush=True)\n"
        "        os.write(1, b'really\\n')\n"
        "        assert sys.stdin.read() == ''\n"
        "        return view.moves.sample(rng)\n"
    )
    with programs() as made:
        talk = made.talk(made.program(*kit_command(str(file))))
        assert play(small(), [talk, inside()]).faults == {}
        talk.close()
        assert {*talk.program.errors.split()} == {"loading", "really", "thinking"}


def test_files_beside_a_bot_are_its_own(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("MOVE = 'b2'\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "import net\nfrom quadrille.ai import Bot\nclass A(Bot):\n    def choose(self, *_): return net.MOVE\n"
    )
    with programs() as made:
        played = play(small(), [made.talk(made.program(*kit_command(str(file)))), inside()])
        assert played.times[0]
        assert "b2" in str(played.faults.get(0, "b2"))


def test_a_bot_of_the_house_plays_the_same_in_a_thread_as_in_a_program() -> None:
    woken = Event()
    with programs() as made:
        thread = Talk(cast("Program", HouseThread("greedy", woken.set)))
        games = [small() for _ in range(2)]
        for match, bot in zip(games, (thread, made.talk(made.program(*kit_command("greedy")))), strict=True):
            assert play(match, [bot, inside()], seed="dice").faults == {}
        assert games[0].entries == games[1].entries and woken.is_set()
        thread.close()


def test_a_bot_of_the_house_that_fails_costs_its_thread_the_game_and_no_more() -> None:
    for line, error in ((b"senseless", "JSONDecodeError"), (b'{"do": "hello", "rules": 0}', "SystemExit")):
        thread = HouseThread("random", lambda: None)
        thread.send(line)
        for _ in range(2):
            with pytest.raises(BotFault, match=f"ended by {error}"):
                thread.line(DEADLINE)
        assert thread.ended


BOT = "from quadrille.ai import Bot\nclass Mine(Bot):\n    def choose(self, *_): return 'a1'\n"


@pytest.mark.parametrize(
    ("text", "what", "says"),
    [
        ("x = 1\n", "", "it has none"),
        (BOT + "class Bee(Mine): pass\n", "", "with one of Mine, Bee"),
        (BOT, ":C", r"has no class C\(Bot\): it has Mine"),
        (BOT, ":Mien", r"no class Mien\(Bot\): did you mean Mine\?"),
        ("def broken(:\n", "", "SyntaxError"),
        ("from quadrille.ai import Bot\nclass A(Bot): pass\n", "", "has no method choose"),
        (None, "", r'there is no file "\S+bot.py"'),
    ],
)
def test_files_without_a_bot(
    tmp_path: Path, text: str | None, what: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    file = tmp_path / "bot.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises((SystemExit, TypeError), match=says):
        load(f"{file}{what}")


def test_one_of_several_is_named_by_its_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    (tmp_path / "two.py").write_text(BOT + "class B(Mine): name = 'Bee'\n")
    assert load(f"{tmp_path / 'two.py'}:B").name == "Bee"


def test_a_program_says_hello_only_in_json() -> None:
    part = Part(Diary())
    said = json.loads(part.answer(b'{"do": "hello", "protocol": 1, "rules": 1}') or b"")
    words = {"hello": "Diarist", "author": "Ann", "games": ["barons", "dotter"], "omit": ["view", "text", "moves"]}
    assert said == words | {"protocol": 1}
    with pytest.raises(SystemExit, match="version 99 of the rules"):
        part.answer(b'{"do": "hello", "protocol": 1, "rules": 99}')


def test_what_the_document_reads_of_a_view_is_there() -> None:
    text = (Path(__file__).parents[3] / "docs/protocols/bots.md").read_text("utf-8")
    [block] = [part for part in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "row_bonus" in part]
    view = game("barons").start({"row_bonus": 7})
    view = view.play(view.game.parse("a1", view))
    found: dict[str, Any] = {"view": view, "clock": SimpleNamespace(seat=0), "Position": Position}
    exec(block, found)
    assert (found["bonus"], found["points"], found["marks"]["a1"][0].seat) == (7, 0, 0)
    assert found["position"].state == view


def test_dotter_is_played_without_a_face_that_the_seat_has_not_seen() -> None:
    """What a child process holds of a game is its `Story`, which comes from the lines alone."""
    options = {"laps": 1, "lap_points": 400, "max_rounds": 3}
    bots = [Inside(Diary()), Inside(Diary())]
    match = Match(game("dotter"), options, 2, deal=Deal("known deck"))
    pile = match.state.sealed().pile  # type: ignore[union-attr]
    dealer = match.deal.dealer()  # type: ignore[union-attr]
    deck = {f"round {n}": [dealer.face(f"round {n}", pile.faces, at) for at in range(54)] for n in range(1, 30)}
    assert sorted(deck["round 1"]) == sorted(pile.faces)
    play(match, [Talk(bot) for bot in bots], seed="dice")  # type: ignore[arg-type]
    for seat, bot in enumerate(bots):
        seen: set[tuple[str, str]] = set()
        for count in range(len(match.entries) + 1):
            state = match.before(count).state
            view = state.view(seat)
            seen |= {(view.sealed().pile.name, pile.faces[face]) for face in view.board.faces if face >= 0}
        for entry in match.entries:
            if str(getattr(entry, "move", "")).startswith("score"):
                seen |= {(name, str(face)) for face in entry.faces for name in deck}  # type: ignore[union-attr]
        lines = b"".join(bot.told).decode()
        told = set(re.findall(r'"((?:10|[2-9AJQK])[SHDC]|JK[12])"', lines))
        assert told <= {name for _, name in seen}
        views = [page[2] for page in bot.part.bot.pages if page[0] == "moved"]  # type: ignore[attr-defined]
        assert views == [match.before(count).state.view(seat) for count in range(1, len(match.entries) + 1)]
        assert "known deck" not in lines
    assert match.state.sealed().pile.name != "round 1"


# The example bots play whole games of every kind by the lines alone


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


# The numbers that a bot declares: in its greeting, in Python, at the table


DEPTH = {"name": "depth", "least": 1, "most": 9, "usual": 4}


def greeted(*rows: Any) -> tuple[Parameter, ...]:
    return greeting({"hello": "b", "protocol": 1, "parameters": list(rows)}).parameters


def test_a_greeting_declares_parameters() -> None:
    found = greeted(DEPTH, {"name": "width", "least": 0, "most": 1, "usual": 0.5, "later": "versions"})
    assert found == (Parameter("depth", 1, 9, 4), Parameter("width", 0, 1, 0.5))
    assert [one.whole for one in found] == [True, False]
    assert greeting({"hello": "b", "protocol": 1}).parameters == ()


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("depth", '"parameters" takes a list of at most 50 objects'),
        ([DEPTH] * 51, '"parameters" takes a list of at most 50 objects'),
        ([7], '"parameters" takes a list of at most 50 objects'),
        ([DEPTH, DEPTH], 'the parameter "depth" stands there twice'),
        ([DEPTH | {"least": 10}], '"least" of the parameter "depth" is 10, above its "most", 9'),
        ([DEPTH | {"usual": 0}], '"usual" of the parameter "depth" takes a whole number from 1 to 9, not 0'),
        ([DEPTH | {"usual": "4"}], 'the parameter "depth" has "4" as "usual", which takes a number'),
        ([DEPTH | {"usual": True}], 'the parameter "depth" has true as "usual"'),
        ([DEPTH | {"most": float("inf")}], 'as "most", which takes a number'),
        ([{"name": "depth", "least": 1, "most": 2}], 'the parameter "depth" has no "usual"'),
        ([DEPTH | {"name": ""}], '"name" of a parameter takes a line of text of 1 to 40 characters'),
        ([DEPTH | {"name": "a\nb"}], '"name" of a parameter takes a line of text of 1 to 40 characters'),
    ],
)
def test_a_wrong_declaration_is_a_fault_with_a_sentence(rows: Any, why: str) -> None:
    with pytest.raises(BotFault, match="greets in another way than it should: ") as refused:
        greeting({"hello": "b", "protocol": 1, "parameters": rows})
    assert (refused.value.kind, why in refused.value.why) == ("protocol", True)


def test_values_are_settled_or_refused_with_what_was_expected() -> None:
    known = greeted(DEPTH, {"name": "width", "least": 0, "most": 1, "usual": 0.5})
    assert settle(known, {"depth": 6.0, "width": 1}) == {"depth": 6, "width": 1}
    for values, why in (
        ({"dept": 3}, 'has no parameter "dept": did you mean depth?'),
        ({"zz": 3}, 'has no parameter "zz": it declares depth, width'),
        ({"depth": 10}, 'takes a whole number from 1 to 9 as "depth", not 10'),
        ({"depth": 2.5}, 'takes a whole number from 1 to 9 as "depth", not the fraction 2.5'),
        ({"width": float("nan")}, 'takes a number from 0 to 1 as "width", not '),
    ):
        with pytest.raises(BadValues, match="^" + why.replace("?", r"\?")):
            settle(known, values)
    with pytest.raises(BadValues, match='declares no parameters, and "depth" is set'):
        settle((), {"depth": 3})


def test_a_bot_in_python_declares_numbers_and_reads_them_as_its_own() -> None:
    class Tuned(Anything):
        depth = Number(1, 9, usual=4)
        width = Number(0.0, 1.0, usual=0.5)

    class Deeper(Tuned):
        width = 0.25  # type: ignore[assignment]  # a plain value in place of a number
        more = Number(0, 1, usual=0)

    bot = Tuned()
    assert (bot.depth, bot.width) == (4, 0.5)
    part = Part(bot)
    said = json.loads(part.answer(b'{"do": "hello", "protocol": 1, "rules": 1}') or b"")
    assert said["parameters"] == [DEPTH, {"name": "width", "least": 0.0, "most": 1.0, "usual": 0.5}]
    assert list(numbers_of(Deeper())) == ["depth", "more"]
    match = small("maze")
    for values, depth in (({"depth": 7}, 7), ({}, 4)):
        table = Dialogue(0)
        table.receive(b'{"hello": "b", "protocol": 1}', 0)
        table.start(match, match.state.view(0), Seating(), 0, values)
        assert ("parameters" in json.loads(table.outgoing[-1])) is bool(values)
        part.answer(table.outgoing[-1])
        assert (bot.depth, bot.width) == (depth, 0.5)


def test_a_number_that_can_not_be_is_refused_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="usual has to be from least to most"):
        Number(1, 9, usual=10)
    with pytest.raises(TypeError, match="Number takes numbers"):
        Number(1, 9, usual="4")  # type: ignore[type-var]
    with pytest.raises((RuntimeError, TypeError)):
        type("Wrong", (Bot,), {"games": Number(1, 2, usual=1)})
