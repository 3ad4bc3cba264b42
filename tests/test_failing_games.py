"""A game of somebody that raises, under every command: which line of whose file it was, no traceback of ours, and a
clean end or more of what still goes.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from quadrille import plugs
from quadrille.ai.engine import Engine
from quadrille.client.kept.games import left_games
from quadrille.net.trust.guard import Guard
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import write
from quadrille.rules.registry import game
from tests import programs
from tests.client.conftest import Run, run
from tests.client.programs import Program, to_move
from tests.net.ports import udp_port
from tests.test_plugs import forget
from tests.waiting import DEADLINE

__all__ = ["run"]  # a fixture
#: A game with a method of its board or State that raises, in line 6 or 12, once that many moves have been played.
FAILING = """
    from quadrille.rules.games._template import Chomp, ChompBoard, ChompState
    class Board(ChompBoard):
        __slots__ = ()
        def {board}(self, *words):
            if self.plies >= {plies}:
                {{}}["é\\n"]
            return super().{board}(*words)
    class Position(ChompState):
        __slots__ = ()
        def {state}(self, *words):
            if self.board.plies >= {plies}:
                {{}}["é\\n"]
            return super().{state}(*words)
    class Mine(Chomp):
        key = "my-game@file"
        def _start(self, options, seats): return Position(self, options, Board(options.width, options.height))
    GAME = Mine()
"""
LINES = {"apply": 6, "compare": 6, "scene": 12, "figures": 12}
MOVES = ("b2", "a2", "b1", "a1")
Plug = Callable[[str, int], str]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """Write the game that fails there, after so many moves; `record.txt` is a game of it when it was well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUADRILLE_HOME", str(tmp_path / "home"))

    def written(where: str, plies: int) -> str:
        names = {part: where if LINES.get(where) == line else "none" for part, line in (("board", 6), ("state", 12))}
        text = dedent(FAILING).format(**names, plies=plies).lstrip()
        (tmp_path / "my_game.py").write_text(text, "utf-8")
        monkeypatch.setenv(plugs.GAME_FILE, str(tmp_path / "my_game.py"))
        plugs.file_mark.cache_clear()
        forget()
        return rf"my-game@file failed: KeyError: 'é\n' (my_game.py, line {LINES.get(where)})"

    written("nothing", 0)
    match = Match(game("my-game@file"), {}, 2, deal=Deal("a seed"))
    for move in MOVES:
        match.play(move)
    Path("record.txt").write_text(write(match), "ascii")
    yield written
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("where", ["apply", "compare", "scene"])
@pytest.mark.parametrize(
    "command",
    [
        "perft ./my_game.py 4", "play ./my_game.py --two-people --plain", "play --load record.txt --plain",
        "analyse record.txt --positions 100 --simulations 10", "replay record.txt --plain", "picture record.txt",
        "verify record.txt",
    ],
)  # fmt: skip
def test_a_command_names_the_line_and_ends(plug: Plug, run: Run, where: str, command: str) -> None:
    told = plug(where, 2)
    word = command.partition(" ")[0]
    is_asked = word not in {"scene": ("perft", "analyse", "verify"), "compare": ("perft",)}.get(where, ())
    is_asked &= (where, "people" in command) != ("scene", True)  # without a screen a person asks for the board
    code, out, errors = run(command, *MOVES)
    assert "Traceback" not in out
    assert not is_asked or (code == 1 and errors.endswith(f"quadrille: {told}\n")), out + errors
    assert is_asked or code == 0
    if is_asked and "people" in command:
        assert "This game is kept" in out


@pytest.mark.parametrize(("where", "plies"), [("apply", 1), ("figures", 2)], ids=["in the move", "after the move"])
def test_the_engine_names_the_line_and_goes_on_where_it_was(plug: Plug, where: str, plies: int) -> None:
    told, engine = plug(where, plies), Engine()

    def ask(**request: object) -> dict[str, object]:
        return dict(json.loads(engine.answer(json.dumps(request).encode())))

    assert ask(do="start", game="my-game@file", seed="s")["ok"] is True
    before = ask(do="play", move="b2")
    refused = {"ok": False, "id": 7, "error": "broken-game", "why": told}
    assert ask(do="play", move="a1", id=7) == refused
    assert ask(do="state") == before and ask(do="start", game="maze")["ok"] is True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "goes_on"),
    [
        ("bot check random --quick --game ./my_game.py", ""),
        ("tournament quick my-game@file 1 random --games 2", ""),
        ("play ./my_game.py --plain", r"^  wait  "),  # the bot's program failed, and the person may wait for it
    ],
    ids=lambda words: words.partition(" ")[0],
)
def test_programs_and_workers_tell_the_line_to_who_started_them(plug: Plug, command: str, goes_on: str) -> None:
    told = plug("apply", 1)
    with Program(*command.split()) as program:
        if goes_on:
            program.enter("b2")
            program.wait(r"KeyError: .* \(my_game.py, line 6\)")
            program.wait(goes_on)
        else:
            assert program.end() == 1 and program.lines[-1] == f"quadrille: {told}"


@pytest.mark.slow
def test_laws_tell_the_line_in_place_of_their_own(plug: Plug) -> None:
    told = plug("apply", 1)
    options = ("-p", "no:xdist", "-k", "goes_its_own_way or draws_nothing")
    with programs.Program(sys.executable, "-m", "quadrille.laws", "./my_game.py", *options) as laws:
        assert laws.process.wait(DEADLINE) == 1 and told in laws.text and "apply(moves" not in laws.text


@pytest.mark.slow
def test_a_host_is_told_the_line_and_a_game_of_an_edited_file_is_in_nobodys_way(plug: Plug, tmp_path: Path) -> None:
    """A bot's program tells of the line at its table, and loses its seat. The table left before has another file."""

    def hosts() -> Program:
        words = ("host", "./my_game.py", "--against", "2", "--no-lot", "--plain")
        return Program(*words, home=tmp_path / "home", port=udp_port(), name="Ann")

    with hosts() as ann:
        assert to_move(ann) and ann.enter("b2") is None and to_move(ann)
        ann.enter("quit")
        assert ann.end() == 0
    [left] = left_games(str(tmp_path / "home"))
    told = plug("apply", 1)
    assert "; 2 moves; " in left.line and left_games(str(tmp_path / "home")) == []
    with hosts() as ann:
        assert to_move(ann) and ann.enter("b2") is None
        ann.wait(re.escape(told))
        ann.wait("^You win")


@pytest.mark.usefixtures("guards_on")
def test_the_last_guard_names_the_line_and_blames_no_peer(plug: Plug, tmp_path: Path) -> None:
    told = plug("apply", 0)
    with pytest.raises(KeyError) as failed:
        game("my-game@file").start().play("b2")
    guard = Guard(tmp_path)
    assert guard.caught("a table", failed.value, b"k" * 32)
    assert guard.news == [f"{told}, and goes on; see {tmp_path / 'faults.log'}"]
