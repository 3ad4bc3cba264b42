"""The bots of a program at tables that it holds, and bots as programs of their own: they start, play, fail and go."""

import json
import re
import shlex
import sys
from contextlib import closing
from pathlib import Path

import pytest

from quadrille.ai.bots.lines.dialogue import Dialogue, Ready, Seating
from quadrille.ai.bots.lines.time_terms import PATIENCE, TimeTerms
from quadrille.ai.bots.talk import GRACE
from quadrille.ai.checks.end import QUIT
from quadrille.ai.faults import BotFault
from quadrille.client.bots.program import Starter
from quadrille.client.bots.table_bots import TableBots
from quadrille.client.cli import Parser
from quadrille.client.commands import bot
from quadrille.client.presence.deputies import Deputies
from quadrille.client.table.ballot import Ballot
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import Chair
from quadrille.net.program.station import now
from quadrille.net.seating.own_table import own_table
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.ai.bots.broken import BROKEN
from tests.ai.tournament.programs import FIRST, program
from tests.client.conftest import Run
from tests.client.programs import Program, legal_move
from tests.net.by_hand import agreed
from tests.net.tables import begun, identity, terms
from tests.waiting import soon

ANN = Identity(bytes(32))


class Asleep:
    """Ann's program, in which Dora's phone is asleep in the second seat."""

    def __init__(self, bot: str) -> None:
        self.row = {1: bot}
        self.bots = TableBots(lambda: None, "none", patience=PATIENCE)
        self.table = self.begin()

    def begin(self) -> Table:
        agreed = terms("maze", 2, {"size": 2}, lot=False)  # Ann makes the last of three moves
        chairs = Chair(ANN.key, "Ann", "person"), Chair(ANN.key, "Dora", "guest", "Ann")
        return own_table(ANN, MemoryShelf(), agreed, chairs, now())

    def goes_on(self) -> bool:
        """Let the bot do what is due, and Ann make the first move of the list, to the end or a fault."""
        [*self.bots.act(self.table, self.row, now(), Ballot())]
        if self.table.is_my_turn and self.table.log.now.turn == 0:
            self.table.play(str(next(iter(self.table.view.moves))), now())
        return self.bots.fault(1) is not None or self.table.over is not None


def test_a_bot_starts_in_its_turn_hears_the_end_and_goes_on_to_the_next_table(folder: Path) -> None:
    program(folder, "bot", FIRST)
    asleep, lines = Asleep(f"python3 {folder / 'bot.py'}"), list[bytes]()
    asleep.goes_on()
    assert not asleep.bots.is_asked(1)
    asleep.goes_on()
    [(_, bot)] = asleep.bots._seated.values()
    talk = bot.player.talk
    assert talk is not None
    talk.listen(lambda _, told, line: lines.append(line) if told else None)
    for _ in range(2):
        assert soon(asleep.goes_on) and asleep.table.over
        asleep.goes_on()
        asleep.table = asleep.begin()
    ends = [told["places"] for line in lines if (told := json.loads(line))["do"] == "over"]
    assert len(ends) == 2
    asleep.row = {}
    asleep.goes_on()
    assert soon(lambda: talk.program._process.poll() is not None)


def test_a_bot_starts_beside_its_files_as_in_a_check(folder: Path) -> None:
    (own := folder / "own").mkdir()
    program(own, "bot", greeting=', "own": open("bot.py").name')
    command = f"python3 {own / 'bot.py'}"
    asleep = Asleep(command)
    assert soon(asleep.goes_on) and asleep.table.over and asleep.bots.fault(1) is None
    bot.arguments(parser := Parser())
    words = ["--exec", command, "--join", "Ann", "--isolate", "none", "--home", str(folder / "home")]
    with Starter(parser.parse_args(words)) as starter, closing(starter()) as talk:
        assert talk.greet().name == "a bot"
    with Starter(parser.parse_args(words)) as starter:
        first = starter._first
    assert first is not None and soon(lambda: first.program._process.poll() is not None), "nobody has taken it"


@pytest.mark.parametrize("bot", ["python3 bot.py", "./no-such-bot"])
def test_a_bot_that_fails_or_does_not_start_leaves_the_seat_and_can_be_started_again(folder: Path, bot: str) -> None:
    program(folder, "bot", "sys.exit(3)")
    asleep = Asleep(bot)
    for _ in range(2):
        assert soon(asleep.goes_on) and not asleep.table.over and asleep.table.log.now.turn == 1
        asleep.bots.drop(1)


def test_the_host_is_told_of_a_bot_that_fails_and_the_guest_has_the_seat(folder: Path) -> None:
    asleep, deputies = Asleep("./no-such-bot"), Deputies(lambda: None, "none")
    asleep.goes_on()
    deputies.bots[asleep.table.log.table, 1] = "./no-such-bot"
    for _ in range(2):
        deputies.act([asleep.table], now())
    assert [*deputies.bots.values()] == [""] and asleep.table.log.now.turn == 1
    [told] = deputies.news
    assert "Dora" in told and "can't be started" in told


@pytest.mark.parametrize(
    ("name", "bot"), [("Ada (random of Ben)", "random"), ("mybot of Ben", ""), ("Ada (level 99 of Ben)", "")]
)
def test_a_lent_seat_is_played_by_the_bot_that_its_name_says_also_after_a_restart(
    folder: Path, name: str, bot: str
) -> None:
    """What a program of the owner's was called says nothing after a restart: the person names another."""
    log = begun(terms("barons", 3, {"width": 3, "height": 3}, lot=False))
    log.take(agreed(log, StandInMotion(0, identity(2).key, name)))
    table, deputies = Table(log, identity(2), MemoryShelf(), now()), Deputies(lambda: None, "none")
    deputies.act([table], now())
    assert deputies.bots == {(log.table, 0): bot}
    deputies.bots[log.table, 0] = "random"
    assert soon(lambda: deputies.act([table], now()) or log.now.match.ply == 1) and not deputies.news
    [talk] = [seated.player.talk for _, seated in deputies._playing[log.table]._seated.values()]
    deputies.act([], now())
    assert talk and talk.program._process.poll() is not None, "the game was put away"


# Bots as programs


SMALL = ("--set", "width=3", "--set", "height=3", "--no-lot")


def python(path: Path) -> tuple[str, str]:
    """A program that imports nothing starts quicker without what Python brings along."""
    return "--exec", shlex.join([sys.executable, "-I", "-S", str(path)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--exec", "{python} -c 0", "--any", "maze"], "ended with exit code 0"),
        (["--exec", "{python} {maze}", "--any", "barons"], "does not play barons: it plays maze"),
        (["--exec", "{python} {chess}", "--serve"], "it plays chess"),
    ],
)
def test_one_clear_line_and_no_seat(tmp_path: Path, port: int, words: list[str], says: str) -> None:
    for name in ("maze", "chess"):
        hello = f'{{"hello": "x", "protocol": 1, "games": ["{name}"]}}'
        (tmp_path / f"{name}.py").write_text(f"print({hello!r}, flush=True)\ninput()\ninput()\n")
    names = {"python": sys.executable, "maze": tmp_path / "maze.py", "chess": tmp_path / "chess.py"}
    with Program("bot", *(word.format(**names) for word in words), home=tmp_path / "home", port=port) as bot:
        assert bot.end() == 1
    assert bot.lines[-1].startswith("quadrille: the bot ") and says in bot.lines[-1], bot.text
    assert not [line for line in bot.lines[:-1] if "looking for a table" not in line and "isolated" not in line]


@pytest.mark.slow
def test_a_lost_game_is_bundled_and_run_again(run: Run, tmp_path: Path, port: int) -> None:
    illegal = next(bot for bot in BROKEN if bot.file == "illegal.py")
    home = ("--home", str(tmp_path / "b"))
    with (
        Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann,
        Program(
            "bot", *python(illegal.path), "--join", "Ann", *home, home=tmp_path / "b", port=port, name="Rob"
        ) as bot,
    ):
        ann.wait(r"^Your turn")
        ann.enter(legal_move(ann))
        assert bot.end() == 1
    listed = run(["bot", "bundle", "--list", *home]).out
    assert re.fullmatch(r"\w{8}  .* UTC  rob, barons, illegal: it moved \"z99-z98\".*\n", listed)
    file = str(tmp_path / "lost.json")
    made = run(["bot", "bundle", "last", "-o", file, *home])
    assert made.code == 0 and f"quadrille bot replay --run {file}" in made.out
    assert run(["bot", "bundle", "-o", file, *home]).code == 2  # it is there already
    again = run(["bot", "replay", "--run", file])
    assert again.code == 1
    assert again.out.startswith("runs: ") and "It fails (illegal): it moved" in again.out
    assert "  A  player 1" in again.out and "> B  player 2" in again.out
    better = run(["bot", "replay", file, "random"])
    assert better.code == 0 and "It does not fail now." in better.out
    assert "z99-z98" in better.out
    nothing = run(["bot", "bundle", "0123456789", *home])
    assert nothing.code == 1 and 'no game at a table "0123456789" is kept' in nothing.err


@pytest.mark.slow
def test_the_check_of_a_broken_bot_on_the_command_line(run: Run, tmp_path: Path) -> None:
    path = next(bot.path for bot in BROKEN if bot.file == "illegal.py")
    words = ("bot", "check", *python(path), "--quick", "--home", str(tmp_path))
    (tmp_path / "checks").mkdir()
    (somebodys := tmp_path / "checks" / "illegal-lock.json").touch()
    done = run([*words, "--json"])
    assert somebodys.exists(), "only bundles of earlier checks are deleted"
    data = json.loads(done.out)
    assert done.code == 1 and data["fine"] is False and "FAULT" in done.err
    assert [fault["kind"] for fault in data["faults"]] == ["illegal"] * 3
    assert data["faults"][0]["turn"] == 1 and "z99-z98" in data["faults"][0]["lines"][-1]
    assert run(["bot", "replay", "--run", data["faults"][0]["bundle"]]).code == 1
    told = run(words)
    assert told.code == 1 and "3 faults in 2 games" in told.out
    assert f"once more:  quadrille bot replay --run {data['faults'][0]['bundle']}" in told.out


def test_a_bundle_runs_nothing_unless_the_person_says_so(run: Run, tmp_path: Path) -> None:
    file, trace = tmp_path / "b.json", tmp_path / "PWNED"
    command = ["sh", "-c", f"touch {trace}\x1b[2J"]
    start = {"do": "start", "game": "maze", "options": {}, "seats": 2, "seat": 0}
    turn = {"do": "turn", "turn": 1, "clock": {"left": ["\x1b[2J"], "increment": 0}}
    told = [{"at": 0, "told": line} for line in ({"do": "hello", "protocol": 1, "rules": 1}, start, turn)]
    lines = [*told, {"at": 1, "said": '{"hello": "x"}'}]
    file.write_text(json.dumps({"bundle": 1, "command": command, "lines": lines}))  # its answer is waited for
    done = run(f"bot replay {file}")
    assert done.code == 2 and not trace.exists()
    assert f"sh -c 'touch {trace}\\x1b[2J'" in done.out and f"quadrille bot replay --run {file}" in done.out
    other = run(f"bot replay {file} random")
    assert other.code == 0 and "seat 1 has \\x1b[2J ms" in other.out and not trace.exists()
    assert run(f"bot replay --run {file}").out.startswith("runs: sh -c")
    assert list(tmp_path.glob("PWNED*"))


def test_a_check_of_a_program_that_is_not_there(run: Run, tmp_path: Path) -> None:
    done = run(f"bot check --exec ./not-there --home {tmp_path}")
    assert (done.code, done.err) == (1, "") and "crash: the bot can't be started: there is no file" in done.out


# What somebody is told who wrote a bot, or runs a tournament, and something is not as it should be


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
