"""Pages that step through games: self-contained, small, harmless, and frame by frame what the positions are."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from quadrille.client.picture.film import Film, FilmedMatch, patches, position
from quadrille.client.picture.glyphs import sheet
from quadrille.client.picture.page import inside, page
from quadrille.client.picture.palette import DARK, LIGHT
from quadrille.client.picture.patches import Slots
from quadrille.client.tournament.report import STYLE
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.rules.match import Deal, Match, masked
from quadrille.rules.record import read
from quadrille.rules.registry import game, keys
from tests.client.phones.browser import browser
from tests.client.pictures.test_pictures import HOSTILE, LEAST, POSITIONS, RECORDS, light, ratio, shown
from tests.client.screen.keyboard import played

VOID = {"meta", "input", "rect", "path", "circle", "use"}
#: Rows of a long list are closed by what follows, as HTML has it.
LOOSE = {"tr", "td", "th"}
#: What a page of one file has not.
FETCHING = "link img iframe object embed base form"


class Reader(HTMLParser):
    """Reads a page: that tags are closed in their order, what the attributes are, what stands in each element."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID | LOOSE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert tag in LOOSE or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data

    def element(self, name: str) -> dict[str, str | None]:
        return next(attributes for _, attributes in self.tags if attributes.get("id") == name)


def self_contained(text: str) -> Reader:
    """Read a page: what is opened is closed, names stand once, and nothing is fetched or runs but what is its own."""
    read_page = Reader(text)
    names = [given["id"] for _, given in read_page.tags if "id" in given]
    assert len({*names}) == len(names)  # a script would take the first of two for the other
    assert not {tag for tag, _ in read_page.tags} & {*FETCHING.split()}
    for _, given in read_page.tags:
        assert not [name for name in given if name in ("src", "action", "style") or name.startswith("on")]
        assert (given.get("href") or "#").startswith("#")
    plain = re.sub(r'id="data">[^<]*<', "", text).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttp", plain)
    assert "default-src 'none'" in text
    return read_page


def data_of(text: str) -> dict[str, Any]:
    return dict(json.loads(zlib.decompress(base64.b64decode(re.findall(r'id="data">([^<]*)<', text)[0]))))


def shown_record(path: Path) -> FilmedMatch:
    match = read(path.read_bytes())
    return FilmedMatch(match, match.viewer)


@pytest.mark.first(6)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_page_is_one_small_file_that_needs_no_other(path: Path) -> None:
    text = page([shown_record(path)])
    assert len(text.encode()) < 60_000
    assert "a" not in {tag for tag, _ in self_contained(text).tags}


@pytest.mark.parametrize("key", POSITIONS)
def test_only_its_own_script_and_style_may_run(key: str) -> None:
    text = page([shown(key)])
    policy = next(str(one["content"]) for tag, one in Reader(text).tags if tag == "meta" and "http-equiv" in one)
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        found = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        right = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{right}'" in policy


@pytest.mark.first(6)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_frames_lead_to_every_position(path: Path) -> None:
    """What page.js puts together is what stands in the picture of each position, at the places of the plan."""
    one = shown_record(path)
    film = Film([one])
    data, layout = film.data(), film.layouts()[0]
    now = [0] * len(layout.places)
    slots: Slots = {}  # of what was there before, only the rooms of rows are known
    told = [patches(one, number, position(one, number), slots) for number in range(one.match.length + 1)]
    assert len(told) == len(data["games"][0]["frames"]) == len(one.match.entries) + 1
    for right, row in zip(told, data["games"][0]["frames"], strict=True):
        for spot, patch in zip(row[::2], row[1::2], strict=True):
            assert now[spot] != patch
            now[spot] = patch
        nothing = ["", ""]
        assert [data["patches"][patch] for patch in now] == [
            [right[spot].drawn, right[spot].words] if spot in right else nothing for spot in layout.places
        ]
        assert set(right) <= set(layout.places)
    assert film.end == told[-1]


@pytest.mark.parametrize("key", keys())
def test_games_that_begin_alike_are_drawn_as_if_each_stood_alone(key: str) -> None:
    """Whoever plays, and however they end: no name and no result is of another game."""
    whole = random_match(setting(key, {}, 2), "alike")
    matches = [whole.before(number) for number in (whole.length, 9, 9, 8, 9, 8, 0, whole.length, whole.length)]
    matches[2].adjudicate((1, 2), "the lamp went out")
    matches[3].leave(0)
    names = [("Ann", "Bob"), ("Bob", "Cleo & Co"), ("Dan", "Eve")] * 3
    filmed = [FilmedMatch(match, names=pair) for match, pair in zip(matches, names, strict=True)]
    together = Film(filmed)
    drawn = together.data()
    for place, one in enumerate(filmed):
        alone = Film([one])
        own, numbers = alone.data(), range(one.match.length + 1)
        assert [painted(drawn, number, place) for number in numbers] == [painted(own, number) for number in numbers]
        assert place or together.end == alone.end


def all_words(data: dict[str, Any], told: dict[str, Any]) -> str:
    """What a page says of one of its games, beside its title: at each spot, of each move, and of its end."""
    patches = {number for row in told["frames"] for number in row[1::2]}
    said = [told["result"], *(move for _, move in told["moves"]), *(data["patches"][one][1] for one in patches)]
    return "\n".join(said)


def test_names_have_room_in_every_kind_of_picture() -> None:
    setups = [(width, first) for width in (2, 3) for first in ("Ann", "Maximilian Featherstone")]
    games = [
        FilmedMatch(Match(game("barons"), {"width": width, "height": 2}, 2, deal=Deal("1")), names=(first, "Bob"))
        for width, first in setups
    ]
    first, second = Film(games).layouts()
    assert first.width == second.width == Film(games[3:]).layouts()[0].width


def test_without_a_script_the_end_is_there() -> None:
    one = shown_record(next(path for path in RECORDS if path.stem == "barons-leavers"))
    text = page([one])
    assert inside((film := Film([one])).layouts()[0], film.end) in text
    read_page = Reader(text)
    assert "hidden" in read_page.element("controls") and "hidden" in read_page.element("choice")
    assert read_page.texts["li"].startswith("player 1: a3")
    assert one.result in read_page.texts["pre"]
    assert read_page.texts["h1"] == one.headline and f"<title>{one.headline}</title>" in text


def test_it_can_be_heard() -> None:
    read_page = Reader(page([shown("maze")]))
    assert read_page.element("board")["aria-labelledby"] == "title desc"
    assert read_page.element("now")["aria-live"] == "polite"
    assert "a2: cross X" in read_page.texts["desc"]
    assert all(one.get("aria-label") for tag, one in read_page.tags if tag in ("button", "input", "section"))


def test_nothing_that_somebody_wrote_gets_out_of_its_place() -> None:
    match = played("barons", "a1", {"width": 3, "height": 3}, 2)
    match.adjudicate((1, 2), "".join(sign for sign in HOSTILE if sign.isprintable()))
    text = page([FilmedMatch(match, names=[HOSTILE, "Zoë"])], HOSTILE)
    read_page = Reader(text)
    assert text.count("<script") == 2 and "\x1b" not in text and "\u202e" not in text
    assert read_page.texts["title"].startswith(HOSTILE[:30])
    told = "".join(drawn for drawn, _ in data_of(text)["patches"])
    assert "<script" not in told and "Zoë" in told


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_seat_sees_no_more_than_the_record_of_its_view(viewer: int | None) -> None:
    """The whole record through somebody's eyes shows what the record that this somebody could keep does."""
    match = random_match(setting("dotter", {"laps": 1}, 2), "eyes")
    whole, own = Film([FilmedMatch(match, viewer)]).data(), Film([FilmedMatch(seen_by(match, viewer), viewer)]).data()
    assert own["games"][0]["moves"] == whole["games"][0]["moves"] and match.ply > 20
    for number in range(0, match.ply, 3):
        assert painted(whole, number) == painted(own, number)


def seen_by(match: Match, viewer: int | None) -> Match:
    own = Match(match.game, match.state.options, match.state.seats, viewer=viewer)
    for number, entry in enumerate(match.entries):
        faces, _ = masked(match.before(number).state.play(entry.move), entry.faces, viewer)
        own.repeat(replace(entry, faces=tuple(faces)))
    return own


def painted(data: dict[str, Any], number: int, place: int = 0) -> list[str]:
    now: dict[int, int] = {}
    for row in data["games"][place]["frames"][: number + 1]:
        now |= dict(zip(row[::2], row[1::2], strict=True))
    return sorted(data["patches"][patch][0] for patch in now.values() if patch)


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("key", "options", "most"),
    [
        ("dollar-draw", {"width": 5, "height": 5}, 400),
        ("maze", {"size": 5}, 450),
        ("barons", {"width": 5, "height": 5}, 450),
        ("chomp", {}, 300),
    ],
)
def test_a_tournament_fits_one_page(key: str, options: dict[str, int], most: int) -> None:
    """2,000 short games in less than a megabyte: each further game costs so many bytes at most."""
    table = setting(key, options, 2)
    games = [FilmedMatch(random_match(table, str(n)), names=["greedy", "mcts-200"]) for n in range(30)]
    few, many = (len(page(iter(games[:number]))) for number in (10, 30))
    assert (many - few) / 20 < most
    assert 'id="choice" hidden' in page(games[:2])


def test_moves_show_cards_by_their_signs() -> None:
    data = Film([shown_record(next(path for path in RECORDS if path.stem == "dotter-usual"))]).data()
    drawn = [
        what.partition(" = ")[2].partition(";")[0].split() for _, what in data["games"][0]["moves"] if " = " in what
    ]
    assert drawn and all(re.fullmatch("(A|[2-9]|10|[JQK])[♠♥♦♣]|★|[?]", card) for cards in drawn for card in cards)


def test_a_result_is_not_cut_and_the_slider_has_a_line_of_its_own_on_a_phone() -> None:
    """A phone shows 328 pixels beside the margins, and the five buttons with their gaps take 260 of them."""
    light = sheet("page.css").split("@media (prefers-color-scheme:dark)")[0]
    rules = dict(re.findall(r"^([^{@\n]+)\{([^}]*)\}", light, re.MULTILINE))
    assert "white-space:pre-wrap" in rules["pre"] and "overflow-x" not in rules["pre"]
    assert "flex-wrap:wrap" in rules["#controls"]
    way = re.search(r"flex:1 1 (\d+)rem", rules["#way"])
    assert way and 260 + 16 * int(way[1]) > 328


def in_a_browser(text: str, path: Path, *anchors: str) -> Iterator[str]:
    """Yield what becomes of a page at each anchor."""
    path.write_text(text, "utf-8")
    with browser() as chromium:
        for anchor in anchors:
            shows = chromium.page()
            shows.open(path.as_uri() + anchor)
            shows.until("document.querySelector('#moves button') && document.querySelector('#now').textContent")
            yield str(shows.run("document.documentElement.outerHTML"))


@pytest.mark.slow
def test_a_page_opens_at_the_end_and_tells_any_move(tmp_path: Path) -> None:
    one = shown_record(next(path for path in RECORDS if path.stem == "maze-usual"))
    text, last = page([one]), len(one.match.entries)

    def told(dom: str) -> tuple[str, ...]:
        parts = [re.search(rf'id="{name}"[^>]*>([^<]*)<', dom) for name in ("now", "result", "desc")]
        return tuple(unescape(part[1]) for part in parts if part)

    at_start, at_end = map(told, in_a_browser(text, tmp_path / "page.html", "#1.0", ""))
    assert at_start[:2] == (f"0 of {last}. The start.", one.result)
    assert "labyrinth" not in at_start[2]
    now, result, words = at_end
    assert now.startswith(f"{last} of {last}. ") and result == one.result
    assert "labyrinth: walls" in words


@pytest.mark.slow
def test_a_page_fits_a_phone_and_the_smallest_letters_of_cards_can_be_read(tmp_path: Path) -> None:
    with browser() as chromium:
        shows = chromium.page((390, 844))
        for path in RECORDS:
            (tmp_path / f"{path.stem}.html").write_text(page([shown_record(path)]), "utf-8")
            shows.open((tmp_path / f"{path.stem}.html").as_uri())
            shows.until(f"location.href.includes('{path.stem}') && !!document.querySelector('#moves button')")
            assert shows.run("document.documentElement.scrollWidth") <= 390
            words = "[...document.querySelectorAll('#drawing .place > text')]"
            high = shows.run(f"{words}.map(one => one.getBoundingClientRect().height)")
            assert min(high, default=99) > 8.5 or "dotter" not in path.stem


@pytest.mark.slow
def test_a_page_plays_by_itself_on_a_button(tmp_path: Path) -> None:
    one = FilmedMatch(random_match(setting("barons", {"width": 2, "height": 2}, 2), "film"), names=("Ann", "Ben"))
    (tmp_path / "page.html").write_text(page([one]), "utf-8")
    said, last = "document.querySelector('#now').textContent", one.match.length
    with browser() as chromium:
        shows = chromium.page((320, 568))
        shows.open((tmp_path / "page.html").as_uri())
        shows.until(f"{said}.startsWith('{last} of {last}. ')")
        shows.touch("#play")
        for number in range(last + 1):
            shows.until(
                f"{said}.startsWith('{number} of {last}. {('Ann: ', 'Ben: ')[~number % 2] if number else 'The'}')"
            )
        shows.until("document.querySelector('#play').textContent === 'Play'")


@pytest.mark.parametrize(
    ("places", "names", "told"),
    [
        ((1, 2), ("Ann", "Ben"), "Maze: Ann won against Ben, 7 May 2026"),
        ((2, 1), (), "Maze: player 2 won against player 1, 7 May 2026"),
        ((1, 1), ("Ann", "Ben"), "Maze: Ann and Ben shared the first place, 7 May 2026"),
        (None, ("Ann", "Ben"), "Maze: Ann and Ben, not finished, 7 May 2026"),
        ((1, 2), ("Player 2", "Ben"), "Maze: player 1 (Player 2) won against Ben, 7 May 2026"),
        ((1, 2), ("Ben", "Ben, guest"), "Maze: Ben won against Ben, guest, 7 May 2026"),
        ((1, 2), ("Ben", "Ben"), "Maze: player 1 (Ben) won against player 2 (Ben), 7 May 2026"),
        ((1, 2), ("", "\x1b"), "Maze: player 1 won against \\x1b, 7 May 2026"),
    ],
)
def test_a_page_is_called_by_its_players_its_winner_and_its_day(
    places: tuple[int, int] | None, names: tuple[str, ...], told: str
) -> None:
    match = Match(game("maze"), {"size": 3}, 2)
    if places:
        match.adjudicate(places, "so it was")
    assert FilmedMatch(match, names=names, day=date(2026, 5, 7)).headline == told


@pytest.mark.parametrize("dark", [False, True])
def test_shaded_cells_of_a_report_are_dark_in_the_dark_and_their_words_stand_out(*, dark: bool) -> None:
    """WCAG AA for text: 4.5 to 1."""
    day, night = sheet(*STYLE).split("@media (prefers-color-scheme:dark)")
    cells = re.findall(r"\.s(\d)\{background:(#\w+)\}", night if dark else day)
    assert [number for number, _ in cells] == list("012345678")
    ink = (DARK if dark else LIGHT)["ink"]
    for number, colour in cells:
        assert ratio(colour, ink) >= LEAST, number
        assert (light(ink) > light(colour)) == dark, number
    assert not re.search(r"\.s\d[^}]*\{color", night)
