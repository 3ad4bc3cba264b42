"""Plug points: what packages bring is found, loaded when it is asked for, and named where it is broken."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from textwrap import dedent
from typing import Never

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from quadrille import plugs
from quadrille.ai import house
from quadrille.ai.opponents import opponent
from quadrille.ai.opponents.names import UnknownOpponent
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import lengthens, plan_of
from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.schedules import formats
from quadrille.client import commands
from quadrille.client.bots.levels import level_text
from quadrille.client.bots.names import bot_name, called, ways
from quadrille.client.claimed_names import network_name, parts
from quadrille.client.network import tickets
from quadrille.client.phones.site import Site
from quadrille.client.words.kept import of_record
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.terms import GAME_IN_FILE
from quadrille.rules import registry
from quadrille.rules.errors import UnknownGame
from quadrille.rules.match import Match
from quadrille.rules.record import write
from tests.client.conftest import Run, output, run
from tests.net.tables import terms
from tests.test_architecture import product_files, python_files

__all__ = ["run"]  # a fixture
Install = Callable[..., None]
CACHES = (plugs.plugs, plugs._entry_points, plugs._told, commands.subcommands, commands.additions, house.plugged)
LOADED = (registry.keys, registry._load, formats._load, tickets.offices)


def forget() -> None:
    for cached in (*CACHES, *LOADED):
        cached.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Lay a package on the path as pip does: its modules, and its entry points in a .dist-info folder."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def lay(package: str, points: str, **modules: str) -> None:
        there = tmp_path / f"{package}-1.0.dist-info"
        there.mkdir()
        (there / "entry_points.txt").write_text(dedent(points))
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(dedent(text))
            monkeypatch.delitem(sys.modules, name, raising=False)
        forget()

    yield lay
    forget()


GREET = """
    from quadrille.client.commands import Subcommand
    GREET = Subcommand("greet somebody", __name__)
    DESCRIPTION = "Greet somebody."
    def arguments(parser): parser.add_argument("name")
    def run(settings): print("Hello", settings.name); return 0
"""
GAME = """
    from quadrille.rules.games.maze.game import Maze
    class Mine(Maze): key = "mine@acme"
    GAME = Mine()
"""


def test_a_package_brings_a_command(install: Install, run: Run) -> None:
    install("acme", "[quadrille.commands]\ngreet = acme_greet:GREET\n", acme_greet=GREET)
    assert output(run, "greet", "Ann") == "Hello Ann\n"
    assert "quadrille greet             greet somebody\n" in output(run, "help", "--all")


def test_no_package_takes_the_name_of_a_command_of_ours(install: Install, run: Run) -> None:
    install("acme", "[quadrille.commands]\nrules = acme_greet:GREET\n", acme_greet=GREET)
    assert "barons" in output(run, "rules")


@pytest.mark.parametrize(
    ("bad", "command", "shows", "why"),
    [
        ("1 / 0", "help --all", "quadrille greet ", "ZeroDivisionError: division by zero\n"),
        ("ROW = Addition('tournament', 'acme_none:WAY')", "tournament --help", "run|quick", "ModuleNotFoundError"),
        ("ROW = Subcommand('m', __name__, tickets='acme_none')", "host --help", "usage: quadrille host", "ModuleNot"),
    ],
    ids=["a command", "an addition", "tickets"],
)
def test_what_is_broken_is_named_with_its_package_and_everything_else_goes_on(
    install: Install, run: Run, bad: str, command: str, shows: str, why: str
) -> None:
    points = "[quadrille.commands]\ngreet = acme_greet:GREET\nbad = acme_bad:ROW\n"
    imports = "from quadrille.client.commands import Addition, Subcommand\n"
    install("acme", points, acme_greet=GREET, acme_bad=imports + bad)
    said = run(command)
    assert shows in said.out
    assert said.err.startswith(f"quadrille: bad of the package acme can't be used: {why}")
    output(run, "greet", "Ben")


def test_a_package_brings_a_game_whose_key_ends_with_its_name(install: Install) -> None:
    install("acme", "[quadrille.games]\nmine = acme_game\n", acme_game=GAME)
    assert registry.keys()[-1] == "mine@acme" and registry.game("mine@acme").start().seats == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named"),
        ("GAME = 5", "its entry point is no Game with the key mine@acme"),
        (GAME.replace("mine@acme", "yours@acme"), "no Game with the key mine@acme"),
        (GAME.replace("mine@acme", "maze"), "no Game with the key mine@acme"),
    ],
)
def test_a_broken_game_is_left_out_of_lists_and_says_why_when_asked_for(install: Install, text: str, why: str) -> None:
    install("acme", "[quadrille.games]\nmine = acme_game\n", acme_game=text)
    assert {"mine@acme", "maze"} & set(registry.keys()) == {"maze"}
    with pytest.raises(UnknownGame, match=f"mine of the package acme can't be used: .*{why}"):
        registry.game("mine@acme")


@pytest.mark.parametrize("name", ["../mine", "My Game", "mine@other", "é"])
def test_a_game_with_a_name_that_no_file_and_no_line_can_hold_is_left_out(install: Install, name: str) -> None:
    text = GAME.replace("mine@acme", f"{name}@acme")
    install("acme", f"[quadrille.games]\n{name} = acme_game\nmine = acme_good\n", acme_game=text, acme_good=GAME)
    assert registry.keys()[-1] == "mine@acme"
    with pytest.raises(UnknownGame, match="the name of a game is in small letters, digits and dashes"):
        registry.game(f"{name}@acme")


@pytest.mark.parametrize("key", ["mine@acme", "mine-2@acme"])
def test_the_game_of_a_package_is_kept_and_listed_by_its_record(install: Install, key: str) -> None:
    name = key.partition("@")[0]
    install("acme", f"[quadrille.games]\n{name} = acme_game\n", acme_game=GAME.replace("mine@acme", key))
    played = registry.game(key)
    assert of_record(write(Match(played, {}, 2))) == f"{played.title}, 2 players: not finished"


def test_a_file_is_a_game_wherever_it_is_named(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv(plugs.GAME_FILE, "")
    (tmp_path / "my_game.py").write_text(dedent(GAME).replace("mine@acme", "my-game@file"))
    forget()
    assert "Maze, 2 seats" in output(run, "perft", "./my_game.py", 1)
    forget()
    with pytest.raises(UnknownGame, match="is plugged in by naming the file first"):
        registry.game("my_game.py")
    monkeypatch.delenv(plugs.GAME_FILE)
    forget()
    with pytest.raises(UnknownGame, match="it was played from a file, so name that: quadrille play"):
        registry.game("my-game@file")


def test_a_table_of_a_game_in_a_file_is_for_those_who_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lacks it is told its name, its bytes and its hash, and no command with a word from the network in it."""
    monkeypatch.setenv(plugs.GAME_FILE, "")
    file = tmp_path / "mine.py"
    file.write_text(dedent(GAME).replace("mine@acme", "mine@file"))
    forget()
    made = terms(plugs.game_name(str(file)))
    assert dict(made.more) == {GAME_IN_FILE: f"{file.stat().st_size} {sha256(file.read_bytes()).hexdigest()}"}
    made.check()
    other = replace(made, more=((GAME_IN_FILE, f"77 {'a1' * 32}"),))
    other.check(alone=True)
    for lacking in (False, True):
        if lacking:
            monkeypatch.setenv(plugs.GAME_FILE, "")
        assert other.objection() == (
            "the game is a file that is not here, mine.py of 77 bytes, whose SHA-256 begins with a1a1a1a1a1a1a1a1: "
            "ask the host for it, and name it by --game of quadrille join"
        )
    forget()


@pytest.mark.parametrize(
    ("key", "mark"),
    [
        ("maze", f"1 {'0' * 64}"), ("nim@acme", f"1 {'0' * 64}"), ("mine@file", None), ("mine@file", ""),
        ("mine@file", True), ("mine@file", f"01 {'0' * 64}"), ("mine@file", f"9999999999 {'0' * 64}"),
        ("mine@file", f"1 {'0' * 63}"), ("mine@file", f"1 {'0' * 64}; ls"),
    ],
)  # fmt: skip
def test_a_table_says_of_its_file_what_a_file_can_be(key: str, mark: object) -> None:
    strange = replace(terms(), game=key, rules=1, more=() if mark is None else ((GAME_IN_FILE, mark),))
    with pytest.raises(PeerError, match="says which file a game is in: its bytes, and their SHA-256"):
        strange.check()


@pytest.mark.parametrize(("text", "why"), [(None, "is no file"), ("1 / 0", "used: ZeroDivision"), ("", "mine@file")])
def test_a_file_that_is_no_game_says_why(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, why: str
) -> None:
    monkeypatch.setenv(plugs.GAME_FILE, "")
    if text is not None:
        (tmp_path / "mine.py").write_text(text)
    with pytest.raises(UnknownGame, match=why):
        registry.game(plugs.game_name(str(tmp_path / "mine.py")))


@pytest.mark.parametrize("key", ["nim@--user", "nim@acme games", "nim@../x", "nim@acme;ls", "nim@-r", "nim@acme-games"])
def test_a_game_that_is_not_installed_names_its_package_and_no_command(key: str) -> None:
    with pytest.raises(PeerError, match=r"by rules 3: there is no game .nim@") as refusal:
        replace(terms(), game=key, rules=3).check()
    assert "install " not in str(refusal.value)
    assert key != "nim@acme-games" or "ask whoever plays it for the package acme-games" in str(refusal.value)


#: What fills the gap of a command to type: a file or a word of this person's, a number, the digits of a key, or a name
#: that this program made.
OURS = (
    "_word", "shlex.quote", "shown", "relative", "__version__", "bot", "command", "file", "kind", "kind.version",
    "kind.word", "name", "number", "package", "path", "table", "wanted", "where", "word", "INSTALL", "' '.join", "",
)  # fmt: skip
TYPED = re.compile(r"(?:\b(?:pipx?|uv|git|curl|python|quadrille) |\Wcd )[^.:;()\n\"]*?\{([^}\n]*?)(?=[(:}])[^}]*\}")


def test_no_command_to_type_has_words_of_a_stranger() -> None:
    files = [*product_files(), *python_files("package")]
    gaps = {(path.name, gap) for path in files for gap in TYPED.findall(path.read_text("utf-8"))}
    assert len(gaps) > 25 and not {(path, gap) for path, gap in gaps if gap not in OURS}


CUP = """
    from dataclasses import dataclass, field
    from typing import ClassVar
    from quadrille.ai.tournament.schedules.schedule import Format, Round
    @dataclass(frozen=True, slots=True)
    class Cup(Format):
        rounds: int
        spare: int = field(default=1, metadata={"least": 0})
        grows: ClassVar[str] = "rounds"
        def check(self, entrants, seats): pass
        def tables(self, entrants, seats): return self.rounds
        def draw(self, entrants, seats, seed):
            for number in range(self.rounds):
                yield Round(range(number, number + 1), (tuple(range(seats)),))
"""
PLAN = """[format]
kind = "{}"
{}
[[game]]
game = "maze"
[[entrant]]
bot = "random"
[[entrant]]
bot = "greedy"
"""


def test_a_package_brings_a_format_of_tournaments(install: Install) -> None:
    install("acme", "[quadrille.formats]\ncup = acme_cup:Cup\n", acme_cup=CUP)
    plan = parse(PLAN.format("cup@acme", "rounds = 3\nspare = 0"), ".")
    told = plan.plain()
    assert told["format"] == {"kind": "cup@acme", "rounds": 3, "spare": 0}
    assert plan_of(told, ".").format == plan.format and plan.schedule().games == 6
    assert lengthens(parse(PLAN.format("cup@acme", "rounds = 4\nspare = 0"), ".").plain(), told)
    with pytest.raises(PlanError, match=r"rounds takes a whole number from 1 to .*, not 0"):
        parse(PLAN.format("cup@acme", "rounds = 0"), ".")
    with pytest.raises(PlanError, match="rounds is missing: it takes a whole number"):
        parse(PLAN.format("cup@acme", ""), ".")
    with pytest.raises(PlanError, match=r"there are round robin, gauntlet, swiss.*cup@acme"):
        parse(PLAN.format("cups", ""), ".")


@pytest.mark.parametrize(
    ("kind", "where", "why"),
    [
        ("cup@acme", "acme_cup:Round", "cup of the package acme can't be used: its entry point is no class"),
        ("cup@other", "", "ask whoever plays it for the package other"),
    ],
)
def test_a_format_that_is_none_is_refused_with_its_package(install: Install, kind: str, where: str, why: str) -> None:
    install("acme", f"[quadrille.formats]\ncup = {where}\n" if where else "", acme_cup=CUP)
    with pytest.raises(TournamentError, match=why):
        parse(PLAN.format(kind, "rounds = 1"), ".")


ALOUD = """
    from concurrent.futures import Executor, Future
    from contextlib import contextmanager
    from quadrille.ai.tournament.play.worker_bench import bench
    from quadrille.ai.tournament.run_events import Ended, Warned
    from quadrille.client.commands import Addition
    from quadrille.client.tournament.ways import Beside, TournamentWay
    class Here(Executor):
        def submit(self, work, job):
            done = Future()
            done.set_result(work(job))
            return done
    class InThisProcess:
        slots, trouble = 1, ""
        def open(self): return Here()
        def close(self, *, at_once): bench().clear()
    class Aloud(Beside):
        games = 0
        def workers(self, slots): return InThisProcess()
        def take(self, event):
            self.games += isinstance(event, Ended)
            return [Warned(f"game {self.games} has ended")] if isinstance(event, Ended) else []
    class AloudWay(TournamentWay):
        def arguments(self, parser, what):
            if what in ("run", "quick"): parser.add_argument("--aloud", action="store_true")
        @contextmanager
        def beside(self, plan, path, settings):
            yield Aloud() if settings.aloud else Beside()
        def instead(self, settings): return 42 if settings.what == "show" else None
        def sections(self, one, journal): return [("aloud", "Aloud", ["It <was>."]), ("none", "None", [])]
    WAY = AloudWay()
    ROW = Addition("tournament", "acme_aloud:WAY")
"""


def test_a_package_says_where_games_are_played_and_watches_them(install: Install, run: Run) -> None:
    install("acme", "[quadrille.commands]\naloud = acme_aloud:ROW\n", acme_aloud=ALOUD)
    words = "quick maze random greedy --games 2 --set size=3 --openings none --untried --isolate none --keep a.toml"
    played = run(f"tournament {words} --aloud --home .")
    assert played.code == 0 and "game 2 has ended." in played.err
    assert run("tournament show a.toml").code == 42
    page = output(run, "tournament", "report", "a.toml")
    assert "Aloud</summary>\n<p>It &lt;was&gt;.</p>" in page and "None</summary>" not in page


BOT = """
    from quadrille.ai import Bot
    class Clever(Bot):
        def choose(self, view, clock, rng): return view.moves.sample(rng)
        @classmethod
        def about(cls, start): return f"Clever knows {start.game.title}."
"""


def test_a_package_brings_a_bot_whose_name_ends_with_that_of_the_package(install: Install, run: Run) -> None:
    install("acme", "[quadrille.bots]\nclever = acme_bot:Clever\n", acme_bot=BOT)
    start = registry.game("maze").start()
    assert type(opponent("Clever@Acme")).__name__ == "Clever" and bot_name("CLEVER@acme") == "clever@acme"
    assert house.listed()[-1] == "clever@acme" and "clever@acme, FILE.py" in ways()
    assert level_text(["", "clever@acme"], start) == "Clever knows Maze."
    assert level_text(["clever@acme of Ann"], start) == "Clever knows Maze."
    assert parts(network_name("Ada", "clever@acme", "Ann")) == ("Ada", "clever@acme of Ann")
    assert called("clever@acme") == "clever@acme"
    assert all("clever@acme" in run(words).out for words in ("play --help all", "completion bash"))


@pytest.mark.parametrize("name", ["Clever", "mcts:6", "a b", "../x", "clever@other", "@acme"])
def test_a_bot_with_a_strange_name_is_left_out(install: Install, capsys: pytest.CaptureFixture[str], name: str) -> None:
    known = house.listed()
    install("acme", f"[quadrille.bots]\n{name} = acme_bot:Clever\n", acme_bot=BOT)
    assert house.listed() == known
    assert f"quadrille: {name} of the package acme can't be used: the name of a bot" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def Clever(): pass", "its entry point is no class that is a Bot"),
        ("from quadrille.ai import Bot\nclass Clever(Bot): pass", "its class has no method choose"),
    ],
)
def test_a_broken_bot_says_so_with_its_name_and_its_package(install: Install, text: str, why: str) -> None:
    install("acme", "[quadrille.bots]\nclever = acme_bot:Clever\n", acme_bot=text)
    said = f"clever of the package acme can't be used: {why}"
    with pytest.raises(UnknownOpponent) as refused:
        opponent("clever@acme")
    assert str(refused.value).startswith(said)
    assert level_text(["clever@acme"], registry.game("maze").start()).startswith(said)


def test_a_bot_that_fails_to_tell_of_itself_says_why(install: Install) -> None:
    install("acme", "[quadrille.bots]\nclever = acme_bot:Clever\n", acme_bot=BOT.replace("title", "none"))
    told = level_text(["clever@acme"], registry.game("maze").start())
    assert told.startswith("clever of the package acme can't be used: AttributeError: ") and told.endswith(".")


def test_built_in_bots_and_programs_read_no_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(group: str) -> Never:
        raise AssertionError(group)

    monkeypatch.setattr(house, "plugs", read)
    house.plugged.cache_clear()
    for name in ("3", "mcts:2", "random"):
        assert house.is_of_house(name) and opponent(name)
    for name in ("", "./bot", "node bot.js", "mine.py", "/x/mine.py:Best"):
        assert not house.is_of_house(name)


PAGE = """
    def page(path, at_home):
        return ("html", f"<p>{at_home.name}".encode()) if path == "/count-bars@acme" else None
"""


def test_a_package_offers_a_page_to_guests_who_wait(install: Install, tmp_path: Path) -> None:
    install("acme", "[quadrille.pages]\ncount-bars = acme_pages:page\n", acme_pages=PAGE)
    site, host = Site(tmp_path), Headers({"Host": "127.0.0.1:1"})
    front, page, none = (
        site.answer(Request(path, host), host["Host"]) for path in ("/", "/count-bars@acme", "/count-bars@acme/")
    )
    assert front and page and none
    assert b'<iframe src="count-bars@acme" title="Count bars" loading="lazy">' in front.body
    assert (page.status_code, page.body, none.status_code) == (200, b"<p>" + tmp_path.name.encode(), 404)
    assert "script-src 'self';" in page.headers["Content-Security-Policy"]
