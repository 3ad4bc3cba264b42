"""The terminal is left clean whatever happens, and the game is not lost: real programs on pseudo-terminals."""

import os
import re
import signal
import sys
import termios
from pathlib import Path

import pytest

from quadrille.client.kept.games import local_games
from quadrille.client.kept.own_games import opened_table
from quadrille.client.screen.app import mouse
from quadrille.client.screen.start import drop_rest_of_answer
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import write
from quadrille.rules.registry import game
from tests.client.programs import COMMAND, at_home
from tests.client.screen.pseudo_terminal import Program
from tests.net.ports import udp_port
from tests.waiting import DEADLINE, soon

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
BARE = ("maze", "--set", "size=4", "--seed", "s")
MAZE = (*BARE, "--two-people")
#: A game whose program fails at a key, and does not wait long for a terminal that stalls.
FAILS = """
from quadrille.client.screen import stage, start
from quadrille.client.screen.table.terminal import Key
from quadrille.client.table.game_setup import GameSetup
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
update = stage.update
def failing(model, event):
    if event == Key("z"):
        raise ZeroDivisionError("planted")
    return update(model, event)
stage.update = failing
start._PATIENCE = 0.1
match = Match(game("maze"), {"size": 4}, deal=Deal("s"))
raise SystemExit(start.go_on(GameSetup.of(match, ["", ""]), "none", None))
"""


def continued(program: Program) -> None:
    """It is drawn anew when it goes on, although nothing has changed, and every key is its own again."""
    program.screen.reset()
    os.killpg(program.process.pid, signal.SIGCONT)
    program.sees("last: A a4-b4", "^Q Quit")
    program.press("c-l")
    program.until(lambda: termios.tcgetattr(program.slave) != program.before, "its modes of the terminal")
    assert b"\x1b[2J" not in program.written, "what the shell showed before is still there at the end"


def kept(home: Path) -> str:
    [game] = local_games(str(home))
    return str(getattr(opened_table(str(home), game.table).match.entries[0], "move", ""))


@pytest.mark.parametrize(
    ("says", "there", "absent"),
    [("", b"38;5", b"38;2"), pytest.param("truecolor", b"38;2", b"38;5", marks=pytest.mark.slow)],
)
def test_a_game_has_the_colours_and_the_size_of_its_terminal_and_leaves_it_as_it_was_stopped_too(
    tmp_path: Path, says: str, there: bytes, absent: bytes
) -> None:
    with Program(*MAZE, home=tmp_path, COLORTERM=says) as program:
        program.sees("Maze, 2 players", "TURN OF A")
        assert there in program.written and absent not in program.written
        program.moved()
        program.resize(10, 40)
        program.sees("needs a window of")
        program.screen.reset()
        program.press("b3", "enter", "c-l")  # moves nobody's hand, since nobody sees what it would move
        program.sees("needs a window of")
        program.resize(40, 120)
        program.sees("last: A a4-b4", "^Q Quit")
        program.press("c-z")
        program.until(lambda: "T (stopped)" in Path(f"/proc/{program.process.pid}/status").read_text(), "the stop")
        assert program.is_clean()
        continued(program)
        os.killpg(program.process.pid, signal.SIGSTOP)
        program.until(lambda: "T (stopped)" in Path(f"/proc/{program.process.pid}/status").read_text(), "the stop")
        termios.tcsetattr(program.slave, termios.TCSANOW, program.before)  # as a shell does
        continued(program)
        program.press("c-q")
        assert program.ends() == 0
        assert program.is_clean()
        assert re.search(rb"This game is kept: quadrille resume [0-9a-f]{8} continues it.", program.written)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_a_signal_ends_it_clean_and_the_game_is_kept(number: signal.Signals, tmp_path: Path) -> None:
    with Program(*MAZE, home=tmp_path) as program:
        program.moved()
        program.process.send_signal(number)
        assert program.ends() == 128 + number
        assert program.is_clean()
        assert b"This game is kept: quadrille resume" in program.written
        assert kept(tmp_path) == "a4-b4"


@pytest.mark.slow
def test_a_signal_ends_a_table_of_the_network_clean_and_says_how_it_goes_on(tmp_path: Path) -> None:
    words = ("host", "maze", "--against", "random", *at_home(tmp_path, udp_port(), "Ann"))
    with Program(*COMMAND, *words, home=tmp_path) as program:
        program.sees("YOUR TURN")
        program.process.send_signal(signal.SIGTERM)
        assert program.ends() == 128 + signal.SIGTERM and program.is_clean()
        assert re.search(rb"The table is kept: quadrille resume [0-9a-f]{8} comes back to it.", program.written)


@pytest.mark.slow
def test_a_terminal_that_is_gone_ends_it_and_the_game_is_kept(tmp_path: Path) -> None:
    with Program(*MAZE, home=tmp_path) as program:
        program.moved()
        os.close(program.slave)
        os.close(program.master)
        assert program.process.wait(60) != 0
        assert kept(tmp_path) == "a4-b4"


def test_an_error_of_its_own_leaves_the_terminal_clean_and_the_game_kept(tmp_path: Path) -> None:
    with Program(sys.executable, "-c", FAILS, home=tmp_path) as program:
        program.moved()
        program.press("z")
        assert program.ends() == 1
        assert program.is_clean()
        assert re.search(rb"ZeroDivisionError\S*: \S*planted", program.written), "it may be in colours"
        assert kept(tmp_path) == "a4-b4"


def test_a_terminal_that_nobody_reads_holds_up_no_key_and_shows_the_whole_picture_later(tmp_path: Path) -> None:
    settings = tmp_path / "config" / "quadrille" / "settings.toml"
    with Program(*MAZE, home=tmp_path, rows=50, columns=150) as program:
        program.sees("TURN OF A")
        # More pictures than the terminal holds. Whether it holds more, select does not tell for long: the kernel makes
        # room by itself, and wakes no writer before somebody reads.
        for words in [("theme paper",), ("theme contrast",)] * 10 + [("b4", "enter", "theme mono")]:
            program.press(*words, "enter")
            chosen = words[-1].removeprefix("theme ")
            assert soon(lambda: settings.exists() and chosen in settings.read_text()), "no key is taken"  # noqa: B023
            assert os.get_blocking(program.slave), "other programs at this terminal expect it to block"
        program.sees("last: A a4-b4", "The theme is mono.")
        program.until(lambda: program.written.endswith(b"\x1b[?25h"), "the caret, which is drawn last,")
        assert program.written.count(b"The theme is contrast.") < 10, "it never stalled"
        shown = program.text
        program.screen.reset()
        program.press("c-l")
        program.until(lambda: program.text == shown, f"the same picture, drawn anew:\n{shown}\nfor which")
        program.press("c-c")
        assert program.ends() == 0 and program.is_clean()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 0, marks=pytest.mark.slow)]
)
def test_a_terminal_that_stalls_for_ever_holds_up_no_end(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with Program(sys.executable, "-c", FAILS, home=tmp_path) as program:
        program.moved()
        termios.tcflow(program.slave, termios.TCOOFF)
        program.process.send_signal(number)
        assert program.process.wait(DEADLINE) == code
        assert termios.tcgetattr(program.slave) == program.before
        assert kept(tmp_path) == "a4-b4"


@pytest.mark.slow
def test_bots_are_gone_when_it_is_killed(tmp_path: Path) -> None:
    with Program(*BARE, "--against", "random", "--seat", "2", home=tmp_path) as program:
        program.sees("YOUR TURN", "last: A")
        children = Path(f"/proc/{program.process.pid}/task/{program.process.pid}/children").read_text().split()
        assert children
        program.process.kill()
        program.process.wait()
        program.until(lambda: not any(_lives(int(child)) for child in children), "the end of its bots")


def _lives(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("env", "plain"), [({"TERM": "dumb"}, True), ({"TERM": "xterm"}, False), ({"LC_ALL": "C"}, False)], ids=str
)
def test_a_dumb_terminal_gets_plain_lines(env: dict[str, str], plain: bool, tmp_path: Path) -> None:
    with Program(*MAZE, home=tmp_path, **env) as program:
        program.sees("player 1>" if plain else "TURN OF A")
        assert (b"\x1b" not in program.written) == plain
        if "LC_ALL" in env:
            assert program.text.isascii()


def test_a_broken_settings_file_is_said_and_the_game_goes_on_without_colours_if_nobody_wants_any(
    tmp_path: Path,
) -> None:
    (tmp_path / "config" / "quadrille").mkdir(parents=True)
    (tmp_path / "config" / "quadrille" / "settings.toml").write_text("theme = ")
    with Program(*MAZE, home=tmp_path, NO_COLOR="1") as program:
        program.sees("TURN OF A", "the settings are not read")
        assert b"38;5" not in program.written and b"48;5" not in program.written
        program.moved()


@pytest.mark.slow
def test_a_game_against_a_bot_is_two_keys_away_and_goes_on_after_it_was_left(tmp_path: Path) -> None:
    with Program(*COMMAND, "lobby", *at_home(tmp_path, udp_port(), "Ann"), home=tmp_path) as shown:
        shown.sees("Tables on this network", "you are Ann")
        shown.press("play barons", "enter", "enter")
        shown.sees("Barons, 4 players", "YOUR TURN")
        shown.press("e5", "enter")
        shown.sees("1 A e5", "2 B")
        shown.press("c-q")
        shown.sees("1 Barons", "unfinished")
        shown.press("1", "enter")
        shown.sees("1 A e5", "YOUR TURN")
        shown.press("c-q")
        shown.sees("unfinished")
        shown.press("c-q")
        assert shown.ends() == 0 and shown.is_clean()


@pytest.mark.slow
def test_a_record_is_stepped_through_and_played_on_from(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    match = Match(game("maze"), {"size": 4}, deal=Deal("s"))
    for _ in range(2):
        match.play(next(iter(match.state.moves)))
    file.write_text(write(match), "ascii")
    words = (*COMMAND, "replay", str(file))
    with Program(*words, home=tmp_path) as program:
        program.sees("REPLAY 0 of 2", "Esc leaves")
        program.press("right")
        program.sees("REPLAY 1 of 2")
        program.press("enter")
        program.sees("against Level 3?")
        program.press("enter")
        program.sees("You are B", "has the other seat", "YOUR TURN")
        program.press("c-q")
        assert program.ends() == 0 and program.is_clean()
    with Program(*words, home=tmp_path, TERM="dumb") as program:
        program.sees("The game is not finished.")
        assert program.ends() == 0 and b"\x1b" not in program.written


def test_the_rest_of_a_typed_yes_does_not_go_to_the_shell() -> None:
    """Only its letters are dropped, up to Enter: a command behind it is the shell's."""
    master, terminal = os.openpty()
    try:
        os.write(master, b"es\nls\n")
        drop_rest_of_answer(terminal, 60)
        assert os.read(terminal, 100) == b"ls\n"
        drop_rest_of_answer(terminal, 0)
    finally:
        os.close(master)
        os.close(terminal)


# The first picture stands before prompt-toolkit is there: what it waits for, what comes meanwhile, and the mouse


#: A program that does something as soon as the first picture is there, and goes on.
MEANWHILE = """
import os, select, signal, sys
from quadrille.client.cli import main
from quadrille.client.screen import start
flush = start.FirstPicture.flush
def shown(first):
    flush(first)
    start.FirstPicture.flush = flush
    {}
start.FirstPicture.flush = shown
sys.exit(main(sys.argv[1:]))
"""
PLAY_MAZE = ("play", "maze", "--set", "size=4", "--seed", "s", "--two-people")
#: The modules of the network that hold words of the lobby: refusals, times, and how a name is written.
WORDS_OF_THE_NETWORK = {"core", "core.errors", "core.spans", "trust", "trust.names", "trust.lookalikes"}


def meanwhile(home: Path, does: str, *words: str) -> Program:
    return Program(sys.executable, "-c", MEANWHILE.format(does), *words, home=home)


def modules(home: Path, *words: str) -> set[str]:
    """The modules that are there with the first picture."""
    found = home / "found"
    with meanwhile(home, f"open({str(found)!r}, 'w').write(' '.join(sys.modules)); os._exit(0)", *words) as program:
        assert program.ends() == 0
    return {*found.read_text().split()}


def test_the_first_picture_of_the_lobby_waits_for_no_network_no_game_and_no_prompt_toolkit(tmp_path: Path) -> None:
    found = modules(tmp_path, "lobby")
    assert "quadrille.client.screen.lobby.draw" in found
    of_network = {name.removeprefix("quadrille.net.") for name in found if name.startswith("quadrille.net.")}
    assert of_network <= WORDS_OF_THE_NETWORK
    assert not [name for name in found if re.match(r"quadrille\.(rules\.(games\.|match|search)|ai\.(?!house))", name)]
    assert not found & {"prompt_toolkit", "asyncio", "zmq", "nacl", "msgpack", "quadrille.client.screen.table.draw"}


def test_the_first_picture_of_a_game_waits_for_no_other_game_and_no_prompt_toolkit(tmp_path: Path) -> None:
    found = modules(tmp_path, *PLAY_MAZE)
    assert {name.split(".")[3] for name in found if name.startswith("quadrille.rules.games.")} == {"maze"}
    assert not found & {"prompt_toolkit", "asyncio", "zmq", "nacl"}


def test_the_mouse_is_read_as_each_kind_of_terminal_reports_it() -> None:
    reports = {
        "\x1b[<0;85;12M": (0, 11, 84), "\x1b[<20;85;12M": (0, 11, 84), "\x1b[<0;85;12m": (-1, 11, 84),
        "\x1b[<35;85;12M": (35, 11, 84), "\x1b[<64;85;12M": (64, 11, 84), "\x1b[32;14;13M": (0, 12, 13),
        "\x1b[97;14;13M": (65, 12, 13), "\x1b[M *m": (0, 76, 9), "\x1b[M#*m": (3, 76, 9),
        "\x1b[M`\udcc0!": (64, 0, 159), "LEFT;MOUSE_DOWN;9;8": (0, 8, 9), "NONE;SCROLL_DOWN;9;8": (65, 8, 9),
        "RIGHT;MOUSE_UP;9;8": (-1, 8, 9),
    }  # fmt: skip
    assert {data: mouse(data) for data in reports} == reports


def test_keys_that_are_typed_behind_the_first_picture_are_not_lost_and_nothing_flickers(tmp_path: Path) -> None:
    with meanwhile(tmp_path, "select.select([sys.stdin], [], [])", *PLAY_MAZE) as program:
        program.sees("TURN OF A")
        assert b"2004h" not in program.written  # prompt-toolkit is not there yet
        program.press("b4", "enter")
        program.sees("last: A a4-b4")
        assert (program.written.count(b"\x1b[J"), program.written.count(b"\x1b[?1049h")) == (1, 1), "it flickers"


@pytest.mark.parametrize(
    ("does", "code", "says"),
    [
        ("os.kill(os.getpid(), signal.SIGTERM)", 128 + signal.SIGTERM, b""),
        ("os.kill(os.getpid(), signal.SIGINT)", 130, b""),
        ("raise OSError(5, 'planted')", 2, b"quadrille: planted"),
    ],
)
def test_what_ends_a_start_leaves_the_terminal_clean(does: str, code: int, says: bytes, tmp_path: Path) -> None:
    with meanwhile(tmp_path, does, *PLAY_MAZE) as program:
        assert program.ends() == code
        assert program.is_clean()
        assert says in program.written[program.written.rfind(b"\x1b[?1049l") :]


def test_a_stop_behind_the_first_picture_leaves_the_terminal_clean(tmp_path: Path) -> None:
    with meanwhile(tmp_path, "os.kill(os.getpid(), signal.SIGTSTP)", *PLAY_MAZE) as program:
        program.until(lambda: "T (stopped)" in Path(f"/proc/{program.process.pid}/status").read_text(), "the stop")
        assert program.is_clean()
        os.killpg(program.process.pid, signal.SIGCONT)
        program.sees("TURN OF A")
