"""The commands: what they print, how they end, what they refuse, and that they start quickly."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import shtab

from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.results import Result
from quadrille.client.commands import subcommands
from quadrille.client.commands.completion import SHELLS, whole_parser
from quadrille.client.network import options as network_options
from quadrille.client.tournament.inspection import told
from quadrille.client.words.rules import rules_text
from quadrille.net.entries import terms
from quadrille.net.link import node
from quadrille.rules.chance import Stream
from quadrille.rules.games._template import GAME as CHOMP
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import write
from quadrille.rules.registry import game, games, keys
from tests.client.conftest import Run, refusal
from tests.client.programs import COMMAND
from tests.client.screen.keyboard import match_of


@pytest.mark.parametrize("words", ["--help", "-h", "help", "?"])
def test_help_is_one_screen_of_commands_that_exist(run: Run, words: str) -> None:
    ran = run(words)
    lines = ran.out.splitlines()
    assert ran.code == 0 and len(lines) <= 24 and max(map(len, lines)) <= 80
    named = [name for line in lines for name in re.findall(r"^quadrille ([a-z]+)", line)]
    assert len(named) > 12 and set(named) <= set(subcommands())


@pytest.mark.parametrize("words", sorted(subcommands()))
def test_the_first_page_of_each_help_fits_on_a_small_screen_and_the_rest_is_behind_all(run: Run, words: str) -> None:
    page, whole = run(f"{words} --help"), run(f"{words} --help all")
    assert page.code == whole.code == 0 and run(f"help {words} --all") == whole
    lines = page.out.splitlines()
    assert sum(-(-len(line) // 80) or 1 for line in lines) <= 24 and "SUPPRESS" not in page.out
    options = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", page.out, re.MULTILINE)
    assert set(options) <= set(re.findall(r"--[a-z-]+", whole.out)), "and each of them is an option"
    table = [row for row in subcommands()[words].load(words).DESCRIPTION.splitlines() if row.startswith(" ")]
    assert set(table) <= {*whole.out.splitlines()}, "what is indented stays as it is"
    assert lines == whole.out.splitlines() or lines[-1].startswith(f"quadrille {words} --help all: ")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("new", "it is quadrille host"), ("replays", "it is quadrille replay"), ("tables", "it is quadrille who"),
        ("peers", "it is quadrille who"), ("games", "it is quadrille rules"), ("load", "quadrille play --load FILE"),
        ("join --private", "write --room NAME"), ("join --watch", "write quadrille watch"),
        ("host maze --botz 1", "did you mean --bots?"), ("bot", "quadrille bot 2 --join Ann"),
    ],
)  # fmt: skip
def test_a_word_that_does_not_exist_says_which_one_does(run: Run, words: str, hint: str) -> None:
    refused = run(words)
    assert refused.code == 2 and hint in refused.err


def test_a_question_mark_and_help_show_the_help_of_a_command(run: Run) -> None:
    assert run("play ?") == run("help play") == run("play --help")
    assert run("help bot new") == run("bot new --help")
    refused = run("help paly")
    assert refused.code == 2 and "did you mean play?" in refused.err


def test_without_a_screen_the_lobby_s_first_game_is_played_in_lines(run: Run) -> None:
    """As the README's first command is in .ci/run. `quadrille --name Ann` was an unrecognized argument."""
    ran = run("--name Ann", "moves", "quit")
    assert ran.code == 0 and "Coin Isolation, 2 players" in ran.out and "player 1> moves" in ran.out
    assert "quadrille --help lists everything" in ran.out
    assert run("").code == run("lobby").code == 0, "nobody types"
    assert "quadrille lobby --help" in run("--nam Ann").err and run("--version").out.startswith("quadrille 0.")


def test_rules_of_no_game_list_the_games(run: Run) -> None:
    ran = run("rules")
    assert ran.code == 0
    for each in games():
        assert f"{each.key} " in ran.out and each.title in ran.out
    assert re.search(r"coin-isolation .* 5 to 10 minutes; ages 8 and up\n", ran.out)
    found = json.loads(run("rules --json").out)
    ours = [each["key"] for each in found if "@" not in each["key"]]
    assert ours == ["coin-isolation", "maze", "dollar-draw", "barons", "dotter"], "the one that people want again first"
    assert all(0 < each["minutes"][0] < each["minutes"][1] and each["age"] for each in found)


@pytest.mark.parametrize("key", keys())
def test_rules(run: Run, key: str) -> None:
    ran = run(f"rules {key}")
    assert ran.code == 0
    for spec in game(key).Options.specs():
        assert f"\n  {spec.name}=" in ran.out
    for name in game(key).presets:
        assert f"\n  {name} " in ran.out
    data = json.loads(run(f"rules {key} --json").out)
    assert data["rules"] == game(key).rules
    assert data["key"] == key and ran.out.startswith(data["page"].rstrip()) and data["credit"]


def test_a_name_of_a_game_may_be_written_with_a_blank(run: Run) -> None:
    """Of one word or two, before what else a command takes, and of its options."""
    for name in (["dollar", "draw"], ["Dollar", "Draw"], ["dollar draw"]):
        assert run(["rules", *name]) == run("rules dollar-draw")
        assert "Dollar Draw, 2 players" in run(["play", *name, "--two-people", "--plain"]).out
    for words in ("perft coin{}isolation 1", "tournament quick coin{}isolation nobody 1"):
        assert run(words.format(" ")) == run(words.format("-"))


def test_a_game_without_a_page_of_rules_shows_its_lesson() -> None:
    page = rules_text(CHOMP)
    assert page.startswith(f"# Chomp\n\n{CHOMP.lesson.goal}\n\n- {CHOMP.lesson.tips[0]}\n")
    assert "The moves in the first position: a1, a2, a3" in page and "  width=5 " in page and CHOMP.credit in page


def test_only_the_command_line_is_told_how_options_are_written_there(run: Run) -> None:
    typed = run("rules barons").out
    assert "## Options, with their defaults: --set option=value\n" in typed and "## Presets: --preset name\n" in typed
    at_table = rules_text(game("barons"))
    assert "## Options, with their defaults\n" in at_table and "## Presets\n" in at_table
    assert "  starter  the usual game, which is short\n" in rules_text(game("coin-isolation"))
    for key in keys():
        assert not re.search(r"\s--[a-z]", rules_text(game(key)))


def test_perft(run: Run) -> None:
    ran = run("perft barons 3 --seats 2 --set width=3 --set height=2")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ran.code == 0
    assert lines == [
        ["Barons,", "2", "seats,", "width=3", "height=2"],
        ["0", "1"],
        ["1", "6"],
        ["2", "30"],
        ["3", "120"],
    ]
    data = json.loads(run("perft dollar-draw 3 --preset starter --json").out)
    assert data["counts"] == [1, 2, 4, 8] and data["options"] == {"width": 5, "height": 5}


def test_replay(run: Run) -> None:
    Path("f").write_text(write(match_of("maze", 2, 3)))
    ran = run("replay f")
    assert ran.code == 0
    assert ran.out.startswith("Maze, 2 players, seed s\n")
    assert [line[0] for line in ran.out.splitlines() if ". player" in line] == ["1", "2", "3"]
    assert ran.out.count("Segments drawn") == 4
    assert ran.out.endswith("The game is not finished.\n")
    one = run("replay f --ply 2").out
    assert one.count("Segments drawn: 2") == 1 == one.count("Segments drawn")
    data = json.loads(run("replay f --json").out)
    assert [position["ply"] for position in data["positions"]] == [0, 1, 2, 3]
    assert data["positions"][0]["entry"] is None
    assert data["positions"][3]["entry"]["seat"] == 0
    assert data["positions"][3]["figures"] == {"crosses": 0, "drawn": 3, "left": 32}


def test_replay_tells_what_was_no_move(run: Run) -> None:
    match = Match(game("barons"), {"width": 3, "height": 3}, 3, deal=Deal("s"))
    match.play("a1")
    match.leave(1)
    match.play("b1")
    match.adjudicate((1, 3, 2), "the lamp went out")
    Path("f").write_text(write(match))
    out = run("replay f").out
    ends = "2. The table has decided: the lamp went out."
    said = "1. player 1: a1", "1. player 2 has resigned.", "2. player 3: b1", ends
    assert all(f"\n{line}\n" in out for line in said)
    outcome = GameOutcome(7, Result("", 0, (0, 1, 2), (1, 3, 2)), write(match), "", (), (), ("",) * 3, "", 0, 0)
    assert "\n".join(said) in told(outcome, [""] * 3), "with the numbers of a replay, which remarks have"
    assert "The game is over: the lamp went out.\nPlayer 1 wins.\n" in out
    entries = [position["entry"] for position in json.loads(run("replay f --json").out)["positions"]]
    assert entries[2] == {"seat": 1, "left": "resigned"}
    assert entries[4] == {"adjudicated": [1, 3, 2], "why": "the lamp went out"}


def test_a_picture_of_a_maze(run: Run) -> None:
    Path("f").write_text(write(match_of("maze", 2, 99)))
    text = run("picture f --maze --text").out
    assert "│" in text and "•" not in text
    assert "•" in run("picture f --maze --text --solution").out
    assert run("picture f --maze -o m.svg").code == 0
    assert Path("m.svg").read_text().startswith("<svg ")
    assert run("picture f --maze").out == Path("m.svg").read_text()
    assert run("picture f --maze --text -o m.txt").code == 0
    assert "│" in Path("m.txt").read_text("utf-8")


def test_commands_about_a_game_take_the_last_one(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUADRILLE_HOME", str(tmp_path / "home"))
    for words in ("replay --plain", "analyse", "picture"):
        assert "no game has been finished here" in run(words).err
    assert run("play maze --set size=2 --seats 2", "a2-a1", "a1-b1", "b1-b2").code == 0
    assert run("play barons --set width=2 --set height=2 --seats 2", "a1", "a2", "b1", "b2").code == 0
    assert run("replay --plain").out.startswith("Barons, 2 players, 2 x 2")
    assert "better" in run("analyse --simulations 10").out
    assert run("picture").out.startswith("<svg ")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("rulse", 2, 'there is no command "rulse": did you mean rules?'),
        ("x", 2, "quadrille help lists the commands"),
        ("--frobnicate", 2, "unrecognized arguments: --frobnicate"),
        ("rules --jsn", 2, "unrecognized arguments: --jsn: did you mean --json?"),
        ("play barns", 2, 'there is no game "barns": did you mean barons?'),
        ("play barons --preset rockefeler", 2, 'Barons has no preset "rockefeler": did you mean rockefeller?'),
        ("play maze --set siz=5", 2, 'there is no option "siz": did you mean size?'),
        ("play maze --against graedy", 2, 'there is no bot "graedy": did you mean greedy?'),
        ("bot nwe", 2, 'there is no bot "nwe": did you mean quadrille bot new? Or give a level (1 to '),
        ("bot graedy", 2, 'there is no bot "graedy": did you mean greedy? Or give'),
        ("tournament rn", 2, '"rn" is none of run, quick, game, show, report, verify: did you mean run?'),
        ("docs friends", 2, 'there is no document "friends": did you mean play-with-friends?'),
        ("play", 2, "which game? quadrille rules lists them"),
        ("host", 2, "which game? quadrille rules lists them"),
        ("tournament quick", 2, "which game? quadrille rules lists them\n"),
        ("perft", 2, "which game? quadrille rules lists them\n"),
        ("watch --names A,B", 2, "unrecognized arguments: --names"),
        ("play chess", 2, 'there is no game "chess": the games are coin-isolation'),
        ("play barons --seats 9", 2, "Barons is for 2 to 8 seats, not 9"),
        ("play barons --seats two", 2, '"two" is no whole number'),
        ("play barons --set width=99", 2, "option width takes a whole number from 2 to 26, not 99"),
        ("play barons --set width", 2, '"width" sets nothing: write option=value'),
        ("play barons --preset x", 2, "its presets are starter, rockefeller, inventor"),
        ("play barons --against me", 2, 'there is no bot "me"'),
        ("play barons --seats 3 --seat 2", 2, "add --bots 1"),
        ("play maze --two-people --bots 1", 2, "--two-people fills both seats"),
        ("play barons --against random --seat 5", 2, "you can't be player 5: the players here are 1 to 4"),
        ("play barons --seats 3 --load f", 2, "give --load without them"),
        ("play --load nothing", 2, "nothing: No such file or directory"),
        ("play maze --load f", 2, "f is a game of Barons, not of maze"),
        ("play --load broken", 1, "line 4: "),
        ("replay nothing", 2, "nothing: No such file or directory"),
        ("replay broken", 1, "line 4: "),
        ("replay .", 2, ".: Is a directory"),
        ("replay f --ply 5", 2, "this record has 1 move: there is no position after 5"),
        ("replay f --ply -1", 2, "there is no position after -1"),
        ("picture nothing", 2, "nothing: No such file or directory"),
        ("picture chess", 2, 'chess: No such file or directory, and there is no game "chess": the games are coin-iso'),
        ("picture dottr", 2, 'dottr: No such file or directory, and there is no game "dottr": did you mean dotter?'),
        ("picture f --at 2", 2, "this record has 1 move: there is no position after 2"),
        ("picture f --seat 5", 2, "there is no player 5: the players here are 1 to 4"),
        ("picture f --moves a1", 2, "f is no game (there are coin-isolation, "),
        ("picture baron --set width=6", 2, "baron is no game (there are coin-isolation, "),
        ("picture barons --moves zz", 2, '"zz" is no square'),
        ("picture f -o f", 2, "f is what this is made from: name another file"),
        ("replay f --html -o ./f", 2, "./f is what this is made from"),
        ("replay f -o g", 2, "--output is for the page: add --html"),
        ("replay f --html --ply 2", 2, "the page has every position"),
        ("replay f --html --json", 2, "not allowed with argument"),
        ("replay f --json --seat 1", 2, "give --json without --seat"),
        ("replay view --seat 1", 2, "this record tells what player 2 saw, not what player 1 did"),
        ("tournament quick maze random greedy --keep one.sqlite", 2, "its journal goes beside it"),
        ("tournament run one.sqlite", 2, '"one.sqlite" is no tournament: name one such as league.toml'),
        ("tournament run --folder / --game maze", 2, 'nothing can be written beside "/"'),
        ("tournament quick maze random greedy --clock 5x --keep kept.toml", 2, '"5x" is not a time'),
        ("picture f --maze", 2, "this is a game of Barons: only a game of Maze makes a maze"),
        ("picture f --solution", 2, "add --maze"),
        ("play barons --bots greedy", 2, '"greedy" is no number of bots: --against greedy names a bot'),
        ("play barons --level 7", 2, '"7" is no level: choose one from 1 to '),
        ("play barons --bots 2 --against greedy", 2, "count the bots (--bots 2 --level 3) or name them"),
        ("play barons --seats 2 --bots 2", 2, "2 bots have no room: one seat is left beside yours"),
        ("play maze --against 2,3", 2, "Maze is for 2 seats, not 3"),
        ("play barons --seats 4 --seat 2 --against 1,2", 2, "2 people take the first seats: be player 1"),
        ("play barons --against 2,./mybot.py", 2, 'there is no file "./mybot.py"'),
        ("play barons --seats 2 --names Ann,Ben,Cleo", 2, "there are 3 names, and 2 of the players are people"),
        ("play barons --seats 2 --names Ann,ann", 2, '"Ann" is there twice'),
        (f"play barons --seats 2 --names Ann,{'x' * 41}", 1, "is no name"),
        ("host maze --home f", 1, "f can't be used: a file stands where a folder is needed. Move it away"),
        ("bot --exec ./not-there --any maze", 1, 'can\'t be started: there is no file "./not-there"'),
        ("host barons --level 3", 2, "how many bots of level 3? Add --bots 1"),
        ("picture maze --maze -o no/where", 2, "no: no such folder"),
        ("perft barons", 2, "DEPTH"),
        ("perft barons 101", 2, "0 to 100, not 101"),
        ("perft barons many", 2, '"many" is no whole number'),
        ("completion csh", 2, 'argument SHELL: "csh" is none of bash, '),
        ("analyse f --simulations 0", 2, "argument --simulations: it takes a number from 1 to 100000000, not 0"),
        ("tournament quick maze random random --games -3", 2, "argument --games: it takes a number from 1 on, not -3"),
        ("tournament quick maze random random --at-once 0", 2, "--at-once: it takes a number from 1 on, not 0"),
        ("analyse start", 2, "nobody has moved"),
        ("tournament quick mase random random", 2, "there is no game"),
        ("tournament quick maze random nobody", 2, "there is no opponent"),
        ("tournament quick maze random random --sprt much", 2, "--sprt takes two numbers"),
        ("host barons --clock 5", 2, '"5" is not a time: write 90s, 5m or 1h'),
        ("host barons --clock 0s", 2, "leaves no time"),
        ("host barons --against clever", 2, 'there is no bot "clever": give a level (1 to '),
        ("host barons --against random,random,random --seats 2", 2, "3 bots have no room at 2 seats"),
        ("host barons --seats 2 --against random,random --watchers nobody", 2, "you only watch"),
        ("host barons --grace 1d", 2, "is not a time"),
        ("host barons --port 70000", 2, "it takes a number from 1 to 65535, not 70000"),
        ("host barons --interface nosuch0", 1, 'there is no interface "nosuch0"'),
        ("join --passphrase-file x", 2, "a passphrase is for a room"),
        ("join --room x", 2, "needs its passphrase"),
        ("join --connect nowhere.invalid", 1, 'no machine called "nowhere.invalid" is found'),
        ("resume", 1, "no game was left in the middle"),
        ("bot random", 2, "where is the bot to sit?"),
        ("bot random --any chess", 2, 'there is no game "chess"'),
        ("verify nothing", 2, "nothing: No such file or directory"),
        ("who --for 0", 2, "it takes a number from 1 to 86400, not 0"),
        ("bot check", 2, "which bot?"),
        ("bot check random --exec ./x", 2, "which bot?"),
        ("bot check nobody.py", 2, 'there is no file "nobody.py"'),
        ("bot replay nothing.json", 2, "nothing.json: No such file"),
        ("bot replay /dev/null", 2, "this is no bundle of a bot's game"),
        ("bot bundle", 1, "no bot of this home has played yet"),
        ("bot random --limit memory --any maze", 2, "is not a limit"),
        ("bot random --serve --opponents Ann,people", 1, '"Ann" is no key and no nickname that you have given'),
        ("bot random --serve --runners Ann", 1, "quadrille who --rename KEY NAME"),
        ("host maze --guests 3", 2, "there is room for 2 at this table, and not for 3 guests"),
        ("host maze --bots 2 --guests", 2, "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --guests 2 --watchers nobody", 2, "with bots or guests in all seats you only watch"),
        ("host maze --phone-port 4080", 2, "--phone-port is for guests: add --guests"),
        ("host maze --guests x", 2, "x"),
        ("host maze --guests -2", 2, "argument --guests: it takes a number from 0 on, not -2"),
        ("bot 1 --any maze --keep-seats -1", 2, "argument --keep-seats: it takes a number from 0 on, not -1"),
        ("tournament run x.toml --skip-failing -3", 2, "--skip-failing: it takes a number from 0 on, not -3"),
        ("tournament report x.toml --games -1", 2, "argument --games: it takes a number from 0 on, not -1"),
        ("evening", 2, "an evening needs a screen for its lobby"),
    ],
)
def test_refusals(run: Run, words: str, code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUADRILLE_HOME", str(tmp_path / "home"))
    barons = write(match_of("barons", 4, 1))
    files = {"f": barons, "broken": barons.replace('"width":5', '"width":6'), "start": write(match_of("maze", 2, 0))}
    files["view"] = (Path(__file__).parents[1] / "golden/dotter-view-p2.txt").read_text("ascii")
    for name, content in files.items():
        Path(name).write_text(content)
    ran = run(words)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err and ran.err.startswith("quadrille: ")
    assert ran.err.count("\n") in (1, 2)
    assert {path.name: path.read_text() for path in Path().iterdir() if path.is_file()} == files, "nothing is written"


# What only a process shows


def process(*words: str, **settings: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *words], capture_output=True, check=False, **settings)


def imported(*words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "quadrille.client.cli", *words],
        input=b"", capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    return {
        line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if line.startswith("import time:")
    }


#: What any import of the rules brings: whether they are compiled, what boards rest on, and how refusals quote.
RULES_THEMSELVES = "native native.compiled native.fields ints patterns patterns.image_keys squares"


def test_who_is_in_a_folder_that_was_deleted_reads_that(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (gone := tmp_path / "gone").mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "the folder that you are in: No such file or directory" in refusal(run, "replay", "f")


def test_help_imports_next_to_nothing() -> None:
    found = imported("--help")
    assert "quadrille.rules.errors" in found
    ours = {name for name in found if name.startswith("quadrille.")} - {"quadrille.rules", "quadrille.rules.errors"}
    light = "client client.cli client.commands client.foreign client.lobby_rows net net.core net.core.errors plugs"
    assert ours <= {f"quadrille.{name}" for name in light.split()} | {
        f"quadrille.rules.{name}" for name in RULES_THEMSELVES.split()
    }
    assert not found & {"msgpack", "asyncio", "difflib", "hashlib", "importlib.metadata", "random", "socket"}


def test_the_engine_waits_with_the_games_until_one_is_wanted() -> None:
    found = imported("engine")
    assert "quadrille.ai.engine" in found
    assert not {name for name in found if name.startswith("quadrille.rules.games.")}
    assert not found & {"msgpack", "asyncio", "zmq", "importlib.metadata"}


def test_nobody_listens_any_more() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen([*COMMAND, "rules", "--json"], stdout=writing, stderr=subprocess.PIPE) as done:
        os.close(writing)
        assert done.communicate()[1] == b""
    assert done.returncode == 0


def test_interrupted() -> None:
    with subprocess.Popen(
        [*COMMAND, "play", "barons"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        assert done.stdout is not None
        while not done.stdout.peek().endswith(b"player 1> "):
            done.stdout.readline()
        done.send_signal(2)
        assert done.communicate()[1] == b""
    assert done.returncode == 130


@pytest.mark.parametrize("coding", [pytest.param("utf-8", marks=pytest.mark.slow), "ascii"])
def test_any_terminal_will_do(tmp_path: Path, coding: str) -> None:
    surroundings = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": coding}
    done = process("play", "barons", input="é\nmoves\n\xff\n".encode("latin-1"), env=surroundings)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"no move: moves are written in plain letters" in done.stdout
    (tmp_path / "f").write_text(write(match_of("maze", 2, 5)))
    done = process("picture", str(tmp_path / "f"), "--maze", "--text", env=surroundings)
    assert (done.returncode, done.stderr) == (0, b"")
    done.stdout.decode(coding)


@pytest.mark.slow
def test_closed_streams() -> None:
    ways = (("rules", ">&-"), ("engine", "<&-"), ("play barons", "<&- >&- 2>&-"))
    for words, redirected in ways:
        line = f'"$0" -m quadrille.client.cli {words} {redirected}'
        done = subprocess.run(["sh", "-c", line, sys.executable], input=b"", capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), (line, done)


@pytest.mark.parametrize("key", keys())
def test_no_note_of_a_scene_ends_with_a_stop(key: str) -> None:
    match, stream = Match(game(key), deal=Deal("s")), Stream("notes")
    while not match.over:
        assert not any(note.endswith(".") for note in match.state.scene().notes)
        match.play(match.state.moves.sample(stream))


def test_help_of_the_network_commands_imports_no_network() -> None:
    names = ("host", "join", "who", "resume", "bot", "verify", "doctor")
    code = (
        "import sys; from quadrille.client import cli; known = {*sys.modules}\n"
        "for name in sys.argv[1:]:\n"
        "    try: cli.main([name, '--help'])\n"
        "    except SystemExit: print(name, *{*sys.modules} - known, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, check=True, text=True)
    assert [line.split()[0] for line in done.stderr.splitlines()] == [*names]
    assert not [name for name in done.stderr.split() if name.startswith(("quadrille.net.", "quadrille.rules."))]


def test_what_help_says_without_the_network_is_what_the_network_says() -> None:
    assert (network_options.OPEN_PORT, network_options.WATCHERS) == (node.OPEN_PORT, terms.WATCHERS)


def test_help_all_names_every_command(run: Run) -> None:
    ran = run("help --all")
    assert ran.code == 0
    for name in subcommands():
        assert re.search(rf"^quadrille {name}  ", ran.out, re.MULTILINE)
    assert max(map(len, ran.out.splitlines())) <= 80


# Scripts for shells: every command, every option and every game is in them, and the shells take them


PROBE = """
source {script}
asked() {{
    COMP_WORDS=("$@"); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1))
    _shtab_quadrille quadrille "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"; echo "${{COMPREPLY[@]}}"
}}
asked {words}
"""


@cache
def script(shell: str) -> str:
    return shtab.complete(whole_parser(), shell=shell)


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "tcsh"])
def test_every_command_option_and_game_is_in_it(shell: str) -> None:
    """tcsh's knows the first words of a line alone."""
    text = script(shell)
    assert all(word in text for name in subcommands() for word in name.split())
    assert all(key in text for key in keys())
    assert "--watchers" in text.replace("-l ", "--").replace("'", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_takes_it(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    path = tmp_path / "script"
    path.write_text(script(shell), "utf-8")
    assert subprocess.run([program, "-n", str(path)], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("quadrille resu", "resume"),
        ("quadrille host mai", ""),
        ("quadrille host maz", "maze"),
        ("quadrille host maze --watchers inv", "invited"),
        ("quadrille host maze --clock 5", ""),
        ("quadrille bot che", "check"),
        ("quadrille bot check --quic", "--quick"),
        ("quadrille who --unb", "--unblock"),
        ("quadrille completion f", "fish"),
    ],
)
def test_bash_completes(words: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(script("bash"), "utf-8")
    done = subprocess.run(
        ["bash", "-c", PROBE.format(script=path, words=words)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == found


def test_the_command(run: Run) -> None:
    assert run("completion fish").out.startswith("# AUTOMATICALLY GENERATED by https://github.com/tqdm/shtab\n")
