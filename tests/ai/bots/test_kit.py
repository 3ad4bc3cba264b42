"""The kit: a bot in a few lines of Python, as a program that speaks for it."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest

from quadrille.ai import Bot, Clock
from quadrille.ai.bots.lines.dialogue import Seating
from quadrille.ai.bots.process.program import Program, kit_command
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.ai.kit import Part, load
from quadrille.ai.peer.house_thread import HouseThread
from quadrille.net.entries.terms import TimeControl as Terms
from quadrille.rules.core import Over, State
from quadrille.rules.match import Deal, Entry, Match
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.ai.bots.programs import play, programs
from tests.ai.inside import Inside, small
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
