"""The page in a real browser: its size, its looks, what it says when a line ends, how it comes back."""

import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request

from quadrille.client.phones.connection import Dismissal
from quadrille.client.phones.site import Site
from tests.client.phones.browser import Browser, Page, browser
from tests.client.phones.doors import HOST, in_a_thread
from tests.client.phones.served import Table, play_by_keys, play_to_the_end, seated, served
from tests.net.ports import tcp_port
from tests.waiting import soon

#: nacl.min.js of TweetNaCl 1.0.3 (npm: tweetnacl).
NACL = "973cc5733cc7432e30ee4682098f413094f494bccf76a567c23908c5035ddbbc"
SMALL = ("--set", "size=4")
WIDTHS = (320, 390, 1280)
#: axe-core's own script (npm: axe-core), which judges what a screen reader gets.
AXE = Path(os.environ.get("AXE_CORE", "node_modules/axe-core/axe.min.js"))
_JUDGED = """axe.run(document).then(found => JSON.stringify(found.violations.map(one =>
    [one.id, one.nodes.map(node => [node.html.slice(0, 200), node.failureSummary])])))"""
#: What a page is given before its own script: its sockets, so that a test can end them or make them deaf.
_SOCKETS = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); sockets.push(this); } }"""
#: Counts the tones, which start only where a browser lets a page sound.
_TONES = """window.tones = 0; window.begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function () { tones += this.context.state === "running"; begin.call(this); }"""
_ENTRIES = "document.querySelectorAll('#log li').length"
_READY = 'document.querySelector("#play").getAttribute("aria-disabled") === "false"'


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


def at_table(chromium: Browser, table: Table, script: str = "") -> Page:
    """Sit down as Ben at a table for two."""
    page = seated(chromium, table, "Ben", script=script)
    page.until('document.body.dataset.stage === "table"')
    return page


def test_the_page_is_four_small_files_and_its_script_is_sent_as_it_was_written() -> None:
    """Texts and patterns are the same, in the same order; TweetNaCl is byte for byte what its authors published."""
    site, host, sent, size = Site(), f"{HOST}:1", {}, 0
    for name in ("", "phone.js", "phone.css", "nacl.js"):
        packed = site.answer(Request(f"/{name}", Headers({"Host": host, "Accept-Encoding": "gzip"})), host)
        answer = site.answer(Request(f"/{name}", Headers({"Host": host})), host)
        assert answer is not None and packed is not None and gzip.decompress(packed.body) == answer.body
        sent[name], size = answer.body, size + len(packed.body)
    assert size <= 24 * 1024
    script = files("quadrille.client.phones").joinpath("page", "phone.js").read_text("utf-8")
    written = re.sub(r"(?m)^ *//.*\n", "", script)
    texts = r'"[^"\n]*"|`[^`]*`'
    assert re.findall(texts, sent["phone.js"].decode()) == re.findall(texts, written)
    assert hashlib.sha256(sent["nacl.js"]).hexdigest() == NACL


@contextmanager
def _turns_away(code: int, reason: str) -> Iterator[str]:
    """Serve the page at a door that ends every line like this."""
    site, port = Site(), tcp_port()

    async def turn_away(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.close(code, reason)

    answer = lambda socket, request: site.answer(request, f"{HOST}:{port}")  # noqa: E731
    with in_a_thread(lambda: serve(turn_away, HOST, port, process_request=answer, compression=None)):
        yield f"http://{HOST}:{port}/"


@pytest.mark.slow
@pytest.mark.parametrize("why", Dismissal)
@pytest.mark.parametrize("said", [True, False])
def test_no_end_of_the_line_leaves_a_blank_page(why: Dismissal, chromium: Browser, *, said: bool) -> None:
    code, sentence = why.value
    page = chromium.page()
    with _turns_away(code, sentence if said else "") as address:
        page.open(f"{address}#k7m2-9xqd")
        shown = "Array.from(document.querySelectorAll('#why, #advice, #link'), node => node.textContent).join(' ')"
        if said:
            page.until(f"{shown}.includes({json.dumps(sentence)})")
        else:
            page.until(f"{shown}.trim() && !{shown}.includes('One moment')")
        if code not in (4408, 4428):  # the page dials again by itself
            page.until("Array.from(document.querySelectorAll('#retry, #code')).some(node => node.offsetParent)")
            ring = "document.activeElement.id + getComputedStyle(document.querySelector('#title')).outlineStyle"
            assert page.run(ring) == "titlenone", "it has the focus for those who hear it, and looks like no button"
    page.close()


@pytest.mark.slow
def test_a_page_whose_host_has_gone_goes_on_dialling_and_dials_at_once_when_it_wakes(chromium: Browser) -> None:
    page = chromium.page()
    page.ask("Page.addScriptToEvaluateOnNewDocument", source=_SOCKETS)
    with _turns_away(*Dismissal.LEFT.value) as address:
        page.open(f"{address}#k7m2-9xqd")
        for dialled in (1, 2):
            page.until(f"sockets.length === {dialled} && sockets.every(one => one.readyState === 3)")
            page.until("document.querySelector('#advice').textContent.includes('goes on trying')")
            page.run("dispatchEvent(new Event('online'))")
        page.until("sockets.length > 3", "another try by itself")
    page.close()


@pytest.mark.slow
def test_a_game_by_keys_alone_that_asks_nobody_but_the_host(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "maze", *SMALL) as table:
        page = at_table(chromium, table)
        names = page.named("button")
        assert "a4: start o" in " ".join(names), names
        play_to_the_end(table, play_by_keys, Random(1), page)
        asked = page.events("Network.requestWillBeSent", lambda given: given["request"]["url"])
        assert {url.split("#")[0].removeprefix(table.address) for url in asked} <= {
            "", "phone.css", "phone.js", "nacl.js", "favicon.ico",
        }, asked  # fmt: skip
        assert not page.events("Log.entryAdded", lambda given: given["entry"]["text"])  # of the policy, above all
        assert not page.events("Runtime.exceptionThrown", lambda given: given)
        page.close()


def judge(page: Page, where: str, *widths: int) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: npm install axe-core, or say in AXE_CORE where axe.min.js is")
    page.run(AXE.read_text("utf-8") + ";0")
    page.until("document.getAnimations().every(one => one.playState !== 'running')")  # half shown, it has no contrast
    for width in widths or WIDTHS:
        page.resize((width, 800), scale=1)
        for dark in (False, True):
            page.dark(on=dark)
            page.run("scrollTo(0, document.documentElement.scrollHeight)")
            assert json.loads(page.run(_JUDGED)) == [], (where, width, dark)
            assert page.run("document.documentElement.scrollWidth") <= width, (where, width)
    page.ask("Page.captureScreenshot", format="jpeg")  # a touch hits what was painted last, and that had another size


@pytest.mark.slow
def test_nothing_is_wrong_for_screen_readers_in_any_state(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "maze", *SMALL) as table:
        page = chromium.page()
        page.still = True
        page.open(table.address)
        page.until("document.querySelector('#code').offsetParent !== null")
        judge(page, "code")
        page.give_code(table.code)
        television = chromium.page((1366, 768), scale=1)
        television.still = True
        television.open(f"{table.address}tv")
        television.until("document.querySelector('#code').offsetParent !== null")
        judge(television, "the code on a television")
        television.give_code(table.code)
        television.until('document.body.dataset.stage === "room" && !document.querySelector("#qr").hidden')
        judge(television, "the room on a television")
        television.close()
        page.until('document.body.dataset.stage === "door"')
        page.touch("details summary")
        judge(page, "door")
        page.touch("#howto")
        judge(page, "rules")
        page.touch("#shut")
        page.give_name("Ben")
        page.until('document.body.dataset.stage === "table"')
        judge(page, "not my turn")
        table.host.wait("Your turn")
        table.host.enter("a4-b4")
        page.until('document.body.classList.contains("mine")')
        judge(page, "my turn")
        for tab in ("chat", "menu"):
            page.touch(f"#tab-{tab}")
            judge(page, tab)
        page.touch('[data-word="resign"]')
        page.until("!document.querySelector('#ask').hidden")
        judge(page, "asked")
        page.touch("#yes")
        page.until("!document.querySelector('#over').hidden")
        judge(page, "over")
        page.close()


@pytest.mark.slow
def test_a_line_that_dies_comes_back_with_the_right_board_and_plays_once(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "maze", *SMALL) as table:
        page = at_table(chromium, table, _SOCKETS)
        # Cut while the host moves: it is made good at once.
        page.run("sockets[sockets.length - 1].close()")
        table.host.wait("Your turn")
        table.host.enter("a4-b4")
        page.until('document.body.classList.contains("mine")')
        page.until(f"{_ENTRIES} === 1")
        # Deaf and dumb, but open: a move that is sent into it is made once, within ten seconds.
        script = files("quadrille.client.phones").joinpath("page", "phone.js").read_text("utf-8")
        patience, silence = (int(re.findall(rf"{name} = (\d+)", script)[0]) for name in ("PATIENCE", "SILENCE"))
        assert patience + silence + 2 * 500 <= 10_000
        page.touch('[data-place="c4"]')
        page.until(_READY)
        page.run("{ const dead = sockets[sockets.length - 1]; dead.send = () => {}; dead.onmessage = null; }")
        page.touch("#play")
        page.until("document.querySelector('#draft').textContent.includes('being sent')")
        page.until(f"{_ENTRIES} === 2")
        assert soon(lambda: "Your turn." in table.host.text.rsplit("c4", 1)[-1])
        # Asleep: nothing is tried until it wakes, and then at once.
        page.run("Object.defineProperty(document, 'hidden', {get: () => window.asleep})")
        page.run("window.asleep = true; document.dispatchEvent(new Event('visibilitychange'))")
        page.run("window.before = sockets.length; sockets[before - 1].close()")
        page.until("sockets[before - 1].readyState === 3")
        table.host.enter("moves")
        table.host.wait("> moves$")
        table.host.enter(table.host.wait(r"^  (\S+)")[1])
        page.run("new Promise(done => setTimeout(done, 600))")
        assert page.run(f"sockets.length === before && {_ENTRIES} === 2")
        page.run("window.asleep = false; document.dispatchEvent(new Event('visibilitychange'))")
        page.until(f"{_ENTRIES} === 3")
        # Loaded again: the seat is kept, and so is a tab beside it.
        page.ask("Page.reload")
        page.until(f"{_ENTRIES} === 3")
        other = chromium.tab(page.context)
        other.open(table.link)
        other.until(f"{_ENTRIES} === 3")
        # Another browser with the code of the seat.
        page.touch("#tab-menu")
        code = page.run("document.querySelector('#mine').textContent").split(" is ")[1].split(":")[0]
        far = chromium.page()
        far.open(table.address)
        far.give_code(code)
        far.until(f"{_ENTRIES} === 3")
        far.ask("Page.reload")
        far.until(f"{_ENTRIES} === 3")


@pytest.mark.slow
def test_the_first_screen_says_what_the_game_is_shows_moves_and_has_the_name_field(
    chromium: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, "dotter", "--seats", "2") as table:
        for still in (False, True):
            page = chromium.page((320, 568))
            page.still = still
            page.dark(on=still)
            page.open(table.link)
            page.until("document.querySelector('#goal').textContent.includes('peg home')")
            box = "document.querySelector('{}').getBoundingClientRect()"
            assert page.run(f"{box.format('#name')}.bottom < 568 && {box.format('#board')}.height > 100")
            assert page.run("document.querySelector('#trust').textContent.endsWith('can see your cards.')")
            moved = page.run("document.querySelector('#board').innerHTML")
            if still:
                page.run("new Promise(done => setTimeout(done, 1200))")
                assert moved == page.run("document.querySelector('#board').innerHTML")
            else:
                page.until("document.querySelectorAll('#board .picked').length", "touched cards")
                page.until(f"document.querySelector('#board').innerHTML !== {json.dumps(moved)}", "a move")
            page.touch("#howto")
            page.until("document.querySelectorAll('#text pre').length")
            assert page.run(
                "Array.from(document.querySelectorAll('#text pre')).every(one => one.scrollWidth <= one.clientWidth)"
            )
            page.touch("#shut")
            page.touch("details summary")
            page.until("document.querySelector('#sealed').offsetParent !== null")
            assert page.run("!document.activeElement.closest('#board')")  # nothing there can have the focus
            page.close()


@pytest.mark.slow
def test_a_turn_is_heard_a_hint_is_asked_for_and_a_second_touch_plays(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "maze", *SMALL, "--hints") as table:
        page = at_table(chromium, table, f"{_SOCKETS};{_TONES}")
        table.host.wait("Your turn")
        table.host.enter("a4-b4")
        page.until("document.body.classList.contains('mine') && tones === 1", "a tone")
        page.touch("#hint")
        page.until(_READY, "a hint, which is a move on the board")
        page.touch("#clear")
        page.until(f"!({_READY})")
        page.touch('[data-place="c4"]')
        page.until(_READY)
        page.run("new Promise(done => setTimeout(done, 450))")  # no double tap
        page.touch('[data-place="c4"]')
        page.until(f"{_ENTRIES} === 2")
        page.touch("#tab-menu")
        often = "Array.from(document.querySelectorAll('#words button'), node => node.dataset.word).join()"
        assert page.run(often) == "rules,takeback,resign,record,quit"
        page.touch("#menu summary")
        page.touch('[data-word="sound"]')
        page.until("document.querySelector('[data-word=sound]').textContent.endsWith('off')")
        page.ask("Page.reload")
        page.until(f"{_ENTRIES} === 2")
        page.touch("#tab-menu")  # a touch, after which a page could sound
        table.host.enter("c4-d4")
        page.until("document.body.classList.contains('mine')")
        assert page.run("tones === 0 && document.querySelector('[data-word=sound]').textContent.endsWith('off')")
        # A touch while the host does not answer, and one without a line.
        page.run("{ const dead = sockets[sockets.length - 1]; dead.send = () => {}; dead.onmessage = null; }")
        page.touch('[data-place="d3"]')
        page.until("document.querySelector('#link').textContent.includes('does not answer')")
        page.run("window.WebSocket = class { close() {} }; sockets[sockets.length - 1].onclose({code: 1006})")
        page.run("document.querySelector('#link').textContent = ''")
        page.touch('[data-place="d3"]')
        assert page.run("document.querySelector('#link').textContent.includes('Connection lost')")
        page.close()


@pytest.mark.slow
@pytest.mark.parametrize("answered", [True, False])
def test_a_guest_who_typed_the_code_comes_back_to_the_seat_after_a_cut(
    chromium: Browser, tmp_path: Path, *, answered: bool
) -> None:
    """Also where the line breaks before the page hears that it has the seat."""
    with served(tmp_path, "maze", *SMALL) as table:
        page = chromium.page()
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=_SOCKETS)
        page.open(table.address)
        page.give_code(table.code)
        page.until('document.body.dataset.stage === "door"')
        page.type("#name", "Ben")
        page.run(f"{{ const line = sockets[sockets.length - 1]; if (!{int(answered)}) line.onmessage = null; }}")
        page.touch("#sitform button")
        table.host.wait("Your turn")
        if answered:
            page.until('document.body.dataset.stage === "table"')
        page.run("document.body.dataset.stage = ''; sockets[sockets.length - 1].close()")
        page.until("document.body.dataset.stage")
        assert page.run("document.body.dataset.stage") == "table"


@pytest.mark.slow
def test_the_first_touch_of_small_squares_enlarges_them(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "barons", "--seats", "2", "--set", "width=18", "--set", "height=18") as table:
        page = at_table(chromium, table)
        assert soon(table.host_moves)
        page.until('document.body.classList.contains("mine")')
        page.touch('[data-place="k10"]')
        page.until("document.querySelector('#boardbox').classList.contains('large')")
        assert not page.run("document.querySelectorAll('.picked').length")
        page.touch('[data-place="k10"]')
        page.until(_READY)
        page.run("new Promise(done => setTimeout(done, 450))")  # no double tap
        page.touch('[data-place="k10"]')  # the picked place once more
        page.until(f"{_ENTRIES} === 2")
        assert page.run("document.documentElement.scrollWidth") <= 390
        page.close()


@pytest.mark.slow
def test_who_waits_for_a_game_can_leave_the_table_and_the_evening_at_every_width(
    chromium: Browser, tmp_path: Path
) -> None:
    """The question stands where it can be seen, its buttons are under the finger, and yes ends the visit."""
    with served(tmp_path, "barons", "--seats", "4", guests=2) as table:
        pages = [seated(chromium, table, name) for name in ("Ben", "Cleo")]
        for page, size in zip(pages, ((320, 568), (844, 390)), strict=True):
            page.resize(size)
            page.until("document.querySelector('#chairs').children.length === 4", "the table's room")
            for answer in ("#no", "#yes"):
                page.run("document.querySelector('#tab-menu').click()")
                page.until("!!document.querySelector('[data-word=quit]')")
                page.run("document.querySelector('[data-word=quit]').click()")
                page.until("document.querySelector('#question').offsetParent !== null", "the question")
                page.run(f"document.querySelector('{answer}').scrollIntoView({{block: 'center'}})")
                box = f"document.querySelector('{answer}').getBoundingClientRect()"
                middle = f"{box}.left + {box}.width / 2, {box}.top + {box}.height / 2"
                assert page.run(f"document.elementFromPoint({middle}).closest('button').matches('{answer}')"), size
                assert page.run(f"document.documentElement.scrollWidth <= {size[0]} && {box}.height >= 44"), size
                page.touch(answer)
                page.until("document.querySelector('#ask').hidden")
            page.until("document.body.dataset.stage === 'wait'", "the end of the visit")
            page.close()
        table.host.wait("Cleo has left")
