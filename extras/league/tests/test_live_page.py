"""The live page of a tournament (`--serve`): what it answers, whom it refuses, and that it follows the games."""

import asyncio
import gzip
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Entrant, Time
from quadrille.ai.tournament.play.playing import Job
from quadrille.ai.tournament.play.worker_bench import Bench
from quadrille.ai.tournament.run_events import Event, Passing, Warned
from quadrille.ai.tournament.schedules.schedule import Contest, Fixture
from quadrille.client.cli import main
from quadrille.client.commands import additions
from quadrille.client.network.addresses import free_port
from quadrille.client.tournament.replays import MOST_GAMES
from quadrille.client.tournament.report import page
from quadrille.extras.league.live import served as live
from quadrille.extras.league.live.program import AT_ONCE, LivePage
from quadrille.extras.league.live.served import LOOPBACK, PageProgram, followed, place, served
from quadrille.extras.league.live.shown_game import WorkersGame
from quadrille.extras.league.live.site import VERSION, answered, live_page, snapshot, waiting_page
from quadrille.laws.settings import setting
from quadrille.laws.walks import walk
from quadrille.net.core.doorkeeper import FIRST_WORDS
from quadrille.net.core.errors import LocalError
from quadrille.rules.core import WHOLE, ToDraw, ToMove
from quadrille.rules.match import Deal, Match, Onlooker
from quadrille.rules.record import read_with_table, write
from quadrille.rules.registry import game, keys
from tests.ai.tournament.programs import NO_BOX, THREE, file, plan_in, play, program, three
from tests.client.phones.browser import browser
from tests.client.pictures.test_pages import all_words, data_of
from tests.client.programs import Program
from tests.waiting import DEADLINE, soon

PORT = 18270
HOST = f"{LOOPBACK}:{PORT}"


def played(path: Path, cycles: int, names: Sequence[str] = THREE) -> Path:
    """Play a tournament, or go on with it, to so many cycles; return its journal."""
    with Journal(path, plan=plan_in(path.parent, names, cycles=cycles)) as journal:
        play(journal)
    return path


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return played(tmp_path / "league.sqlite", 1)


def asked(path: str = "/", method: str = "GET", address: str = LOOPBACK, **headers: str) -> Response:
    given = Headers({"Host": HOST, **headers})
    shot = replace(snapshot(f"<p>{VERSION}</p>"), now="<b>")
    return answered(Request(path, given, method, "HTTP/1.1"), f"{address}:{PORT}", lambda: shot)


def test_the_page_and_the_game_that_is_played_are_all_there_is() -> None:
    found = asked()
    version, _, part = asked("/now").body.partition(b"\n")
    assert part == b"<b>"
    assert found.status_code == 200 and found.body == b"<p>" + version + b"</p>"
    assert gzip.decompress(asked(**{"Accept-Encoding": "gzip"}).body) == found.body
    assert found.headers["Cache-Control"] == "no-store" and "Set-Cookie" not in found.headers
    assert [asked(path).status_code for path in ("/x", "/?x", "//", "/now/", "/../now", "")] == [404] * 6


def test_it_can_only_be_read() -> None:
    head = asked(method="HEAD")
    assert head.status_code == 200 and head.body == b"" and int(head.headers["Content-Length"]) > 0
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "GE T"):
        refused = asked(method=method)
        assert refused.status_code == 405 and refused.headers["Allow"] == "GET, HEAD"


def test_a_foreign_host_is_refused() -> None:
    """A page elsewhere may make its own name lead to this machine (DNS rebinding)."""
    for host in ("evil.example:18270", "127.0.0.1", "127.0.0.1:80", HOST + ".evil.example", ""):
        for path in ("/", "/now", "/x"):
            assert asked(path, Host=host).status_code == 403, (host, path)
            two = Headers([("Host", HOST), ("Host", "evil.example")])
            assert answered(Request(path, two), HOST, lambda: snapshot("")).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:18270", "http://127.0.0.1"])
def test_a_foreign_origin_is_refused(origin: str) -> None:
    assert asked(Origin=origin).status_code == 403
    assert asked(Origin=f"http://{HOST}").status_code == 200


def test_a_file_is_checked_before_its_page_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "served", lambda *_: pytest.fail("there is a page of nothing"))
    (tmp_path / "league.toml").write_text("[[game]]\n", "utf-8")
    assert main(["tournament", "run", str(tmp_path / "league.toml"), "--serve"]) == 2


def test_the_address_of_serve_is_read_or_refused() -> None:
    assert place("")[0] == LOOPBACK
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(LocalError, match=f"port {port} can't be used .*: name another one with --serve"):
            place(f":{port}")
    for wrong in ("nowhere:80", "1.2.3:80", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:x", "[::1]:80", "٣"):
        with pytest.raises(TournamentError, match="--serve takes ADDRESS:PORT"):
            place(wrong)


def test_a_tournament_that_is_not_kept_has_no_live_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "quick", "maze", "random", "random", "--serve"]) == 2
    assert "give --keep FILE.toml too" in capsys.readouterr().err


@pytest.mark.slow
def test_the_live_page_is_the_report_and_follows_it(league: Path) -> None:
    with Journal(league) as journal:
        report, live = page(journal, ways=additions("tournament")), live_page(journal, MOST_GAMES)
    added = r'<p id="live".*?</p>\n|<section id="on-now">\n</section>\n|\n<script>"use strict";\n// Keeps.*?</script>'
    without = re.sub(added, "", live, flags=re.S)
    assert re.sub(r" 'sha256-\S+'; connect-src 'self';", ";", without, count=1) == report
    shows = LivePage(league, 10)
    assert "is being made" in shows.ask().plain.decode()
    shows.renew()
    first = shows.ask()
    assert VERSION not in first.plain.decode() and f'data-version="{first.version}"' in first.plain.decode()
    shows.renew()
    assert shows.now is first, "nothing has changed"
    played(league, 2)
    shows.renew()
    assert shows.now.version != first.version


def test_equal_games_of_different_bots_name_their_own_players(tmp_path: Path) -> None:
    """In the report and on the live page, where all games share their positions."""
    for bot in (bots := ("Ann", "Ben", "Cleo")):
        program(tmp_path, bot)
    with Journal(played(tmp_path / "league.sqlite", 1, bots)) as journal:
        pages = page(journal), live_page(journal, MOST_GAMES)
    for data in map(data_of, pages):
        assert len(data["games"]) == 6 and len({str(told["moves"]) for told in data["games"]}) == 1
        for told in data["games"]:
            assert {*re.findall("Ann|Ben|Cleo", all_words(data, told))} == {*told["players"]}


@pytest.mark.parametrize("just_begun", [False, True])
def test_a_page_without_a_journal_says_so_and_names_no_folder(tmp_path: Path, *, just_begun: bool) -> None:
    path = tmp_path / "<b>.sqlite"
    if just_begun:
        path.touch()
    shows = LivePage(path, 10)
    shows.renew()
    told = shows.now.plain.decode()
    assert "Nothing has been played yet" in told and "<b>" not in told and "&lt;b&gt;" in told
    assert str(tmp_path) not in told
    assert "script-src 'sha256-" in waiting_page(tmp_path) and "connect-src 'self'" in told


def test_the_first_who_looks_sees_the_last_state(league: Path) -> None:
    """Not the page of the run's start, which nobody has asked for since."""
    shows = LivePage(league, 10)
    asyncio.run(shows.catch_up(DEADLINE))
    assert "6 games in 3 complete blocks" in shows.ask().plain.decode()


STOPPED: Final = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"


@pytest.mark.skipif(sys.platform == "win32", reason="nothing stops a program there")
def test_a_page_that_never_comes_keeps_no_game_waiting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "PROGRAM", (sys.executable, "-c", STOPPED))
    monkeypatch.setattr(live, "LATE", 0)
    path = tmp_path / "league.toml"
    path.write_text(file(three(tmp_path), cycles=1), "utf-8")
    assert main(["tournament", "run", str(path), "--home", str(tmp_path / "home"), "--serve"]) == 0
    out, err = capsys.readouterr()
    assert "6 games in 3 complete blocks" in out
    assert err.count("the live page has not come yet, because this machine is busy: the games go on without it.") == 1


@pytest.mark.parametrize(("code", "why"), [("", ""), ("print('nothing can listen')", " (nothing can listen)")])
def test_a_page_that_ends_is_missed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, why: str) -> None:
    """The next run removes the temporary folder of a run that was killed."""
    monkeypatch.setattr(live, "PROGRAM", (sys.executable, "-c", code))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as killed:
        left = tmp_path / f"quadrille-live-{killed.pid}-x"
    left.mkdir()
    with followed(tmp_path / "league.sqlite", "") as beside:
        assert not left.exists() and len([*tmp_path.glob("quadrille-live-*")]) == 1
        said: list[Event] = []
        assert soon(lambda: said.extend(beside.take(Passing())) or said)
        assert said == [Warned(f"the live page's program has ended{why}: the games go on without it")]
        beside._page._program.wait()  # type: ignore[attr-defined]
        assert all(not [*beside.take(Passing())] for _ in range(100))


@pytest.mark.slow
def test_two_pages_that_begin_at_once_take_two_ports(league: Path) -> None:
    """Each port was looked for before either program listened."""
    pages = [PageProgram(league, "", 1) for _ in range(2)]
    try:
        assert [page.comes() for page in pages] == [True, True], [page.why for page in pages]
        assert pages[0].link != pages[1].link
    finally:
        for page in pages:
            page.close()


@pytest.mark.slow
def test_open_details_and_the_shown_move_stay_while_it_follows(league: Path) -> None:
    with served(league, "") as page, browser() as chromium:
        shows = chromium.page((390, 844))
        shows.open(page.link + "#2.3")
        shows.until("document.getElementById('now').textContent.startsWith('3 of')")
        shows.run("document.querySelector('details').open = true")
        before = shows.run("document.getElementById('live').dataset.version")
        played(league, 2)
        shows.until(f"document.getElementById('live').dataset.version !== '{before}'")
        shows.until("document.querySelectorAll('#game option').length === 12")
        assert shows.run("document.getElementById('now').textContent").startswith("3 of")
        assert shows.run("document.querySelector('details').open")
        assert shows.events("Log.entryAdded", lambda given: given["entry"]["text"]) == []


@pytest.mark.slow
def test_the_chosen_game_stays_in_the_list_when_it_is_none_of_the_last(league: Path) -> None:
    with served(league, "", 4) as page, browser() as chromium:
        shows = chromium.page((390, 844))
        shows.open(page.link + "#4")
        chosen = "document.getElementById('game').selectedOptions[0]?.textContent"
        shows.until(f"{chosen}?.startsWith('Game 4.')")
        played(league, 2)
        shows.until("[...document.querySelectorAll('#game option')].some((one) => one.text.startsWith('Game 11.'))")
        assert shows.run(chosen).startswith("Game 4.")
        shows.run("document.getElementById('game').selectedIndex = 0")
        shows.run("document.getElementById('game').dispatchEvent(new Event('change'))")
        assert shows.run("document.getElementById('drawing').childElementCount") > 1
        assert shows.events("Log.entryAdded", lambda given: given["entry"]["text"]) == []


@pytest.mark.first(1)
@pytest.mark.parametrize("key", keys())
def test_a_game_is_shown_as_one_who_looks_on_knows_it(key: str) -> None:
    """Whenever a thread looks at it, also before the faces of a move are drawn."""
    played = setting(key, {}, game(key).seats[0])
    whole = Match(played.game, dict(played.options), played.seats)
    steps = list(walk(played, "shown", 120))[:-1]
    while isinstance(whole.pending, ToDraw):  # a worker's games are dealt before they are shown
        steps.pop(0).tell(whole, WHOLE)
    looks = Onlooker(whole)
    for step in steps:
        step.tell(whole, WHOLE)
        seen = looks.catch_up(drawn=True)
        if not isinstance(whole.pending, ToDraw):
            read = read_with_table(write(seen))[0]
            assert read.state == seen.state == whole.state.view(None)
    if isinstance(whole.pending, ToMove):
        whole.leave(0)
        assert looks.catch_up(drawn=True).state == whole.state.view(None)


@pytest.mark.parametrize("key", keys())
def test_a_worker_shows_its_game_only_while_somebody_looks(key: str, tmp_path: Path) -> None:
    here, match = Bench(), Match(game(key), seats=2, deal=Deal("x"))
    shows, page = WorkersGame(here, tmp_path), LivePage(tmp_path / "league.sqlite", 10, tmp_path)
    entrants = (Entrant("<b>", "random"), Entrant("other", "random"))
    here.playing = Job(Fixture(7, "", 0, 0, (0, 1), "x"), Contest(key), entrants, Time(), ""), match
    shows.look()
    assert list(tmp_path.iterdir()) == []

    def seen() -> str:
        shows.look()
        page.look()
        return page.now.now

    page.look()
    told = seen()
    assert "game 7" in told and "&lt;b&gt;" in told and "<b>" not in told and "<svg" in told
    dice = random.Random(1)
    while match.length < 12 and not match.over:  # in Dotter cards are drawn
        match.play(match.state.moves.sample(dice))
        before, told = told, seen()
        assert told != before
    strange = write(match, {"number": "<b>", "names": 3})
    for wrong in (strange, "nonsense", ""):
        [path] = tmp_path.glob("*.record")
        path.write_text(wrong)
        page.look()
        assert "<b>" not in page.now.now
    here.playing = None
    assert seen() == ""


def test_who_comes_first_is_answered_before_the_doorkeeper_closes_the_door() -> None:
    """On a busy machine the first page takes longer than both: with equal times the first answer was none."""
    assert AT_ONCE < FIRST_WORDS / 1000


#: A bot that plays a turn as soon as a file beside it has more letters than its number.
_HELD: Final = (
    "next(said['moves'][0] for _ in iter(lambda: time.sleep(0.01), 0) if len(open('turns').read()) >= said['turn'])"
)


@pytest.mark.slow
def test_the_page_shows_the_game_that_is_being_played_and_follows_it(tmp_path: Path) -> None:
    for name in ("held", "<i>other"):
        program(tmp_path, name, _HELD)
    path, turns = tmp_path / "league.toml", tmp_path / "turns"
    top = 'at_once = 1\n[time]\nmove = "30m"\n' + NO_BOX
    path.write_text(file(("held", "<i>other"), cycles=1, size=6, top=top), "utf-8")
    turns.write_text("")
    words = ["run", str(path), "--home", str(tmp_path), "--untried", "--serve", f":{free_port(None, (), '')}"]
    with Program("tournament", *words) as run, browser() as chromium:
        link = run.wait(r"Live page: .*?(\S+)$")[1]
        for wide, dark in ((320, False), (1920, True)):
            shows = chromium.page((wide, 900), dark=dark)
            shows.open(link)
            shows.until("document.querySelector('#run')?.textContent.startsWith('0 of 2 games')")
            shows.until("document.querySelector('#on-now svg desc')?.textContent.includes('held')")
            before = shows.run("document.querySelector('#on-now').innerHTML")
            turns.write_text(turns.read_text() + "x")
            told = "/It is the turn of (held|<i>other)[.]/.test(document.querySelector('#on-now').innerText)"
            shows.until(f"document.querySelector('#on-now').innerHTML !== {json.dumps(before)} && {told}")
            assert shows.run("document.querySelector('#on-now i') === null")
            assert shows.run("document.documentElement.scrollWidth <= innerWidth")
            assert shows.run("document.querySelector('#on-now svg').getBoundingClientRect().width > 200")
        wall = chromium.page((1366, 768), dark=False)
        wall.open(f"{link}board")
        wall.until("document.querySelector('.board svg desc')?.textContent.includes('held')")
        assert wall.run("document.querySelector('.board h2').innerText").startswith("<i>other – held")
        assert wall.run("document.documentElement.scrollHeight <= innerHeight && scrollX + scrollY === 0")
        assert wall.run("document.querySelector('.board svg:not(.symbols)').getBoundingClientRect().height > 300")
        turns.write_text("x" * 1000)
        shows.until("document.querySelector('#run[data-over=last]') && !document.querySelector('#on-now svg')")
        wall.until("document.querySelector('.said')?.innerText.includes('blocks are too few for Elo')")
        assert wall.run("document.querySelectorAll('#standing tr').length") == 2
        assert run.end() == 0
        # what is in the browser stays useful: it asks nobody any more, and complains of nothing
        assert (
            shows.run("document.querySelector('#run').textContent") == "The tournament is over: all games are played."
        )
        assert shows.run("document.querySelector('#on-standing').innerText.includes('held')")
        assert shows.run("document.getElementById('live').hidden")
        assert shows.events("Log.entryAdded", lambda given: given["entry"]["text"]) == []
