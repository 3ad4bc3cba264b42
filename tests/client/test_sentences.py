"""Golden sentences: all that people at tables on the network read in plain lines, on the screen and on a phone.

A byte that changes is changed on purpose: `python -m tests.client.test_sentences` writes them anew.
"""

import os
import re
import tempfile
from pathlib import Path
from typing import Final

import pytest

from quadrille.client.table.notices import Seats, ShownMotion
from quadrille.client.words import sentences
from quadrille.client.words.commands import Place, by_any_word
from quadrille.client.words.sentences import Voice
from quadrille.client.words.table import motion_text
from quadrille.net.entries.motions import MOTIONS
from tests.client.evening import Party, PhoneParty, ScreenParty
from tests.client.stories import STORIES

FOLDER: Final = Path(__file__).parent / "sentences"
FACES: Final[dict[str, type[Party]]] = {"plain": Party, "screen": ScreenParty, "phone": PhoneParty}
#: Stories of people who choose a table, or let another program play. A guest on the host's machine does neither.
_NOT_BY_GUESTS: Final = ("choosing", "somebody-is-gone", "a-bot-stands-in", "cards-dealt-anew")


def faces_of(story: str) -> list[str]:
    return [face for face in FACES if face != "phone" or story not in _NOT_BY_GUESTS]


def told(party: Party) -> str:
    """Return what a party was told; an extra that may be missing brings level 6."""
    return "\n".join([*party.lines, ""]).replace("level (1 to 5)", "level (1 to 6)")


#: Stories in which the cards' keys depend on the time, or the screen keeps a move for somebody who is gone.
_OTHERWISE: Final = ("cards", "two-and-one-is-gone")


def reached(party: Party) -> list[list[tuple[str, object]]]:
    logs = {name: table.log for peer in party.peers if peer.lobby for name, table in peer.lobby.tables.items()}
    played = [[entry for entry in log.entries if entry.kind != "begin"] for _, log in sorted(logs.items())]
    return [[(entry.kind, entry.body.plain()[0]) for entry in entries] for entries in played]


#: Dear stories, whose parts tests/client/table and tests/net/cards try by default.
_SLOW: Final = ("cards-dealt-anew", "what-all-agree-on", "cards", "looking-on")


@pytest.mark.parametrize(
    "story", [pytest.param(story, marks=pytest.mark.slow if story in _SLOW else ()) for story in STORIES]
)
def test_people_read_what_they_have_read_before_and_come_to_the_same_tables(
    story: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    parties = {}
    for face in faces_of(story):
        monkeypatch.chdir(tmp_path_factory.mktemp(face))
        parties[face] = STORIES[story](FACES[face])
        golden = (FOLDER / f"{story}-{face}.txt").read_text("utf-8")
        assert told(parties[face]) == golden, "wanted? python -m tests.client.test_sentences writes it anew"
    if story not in _OTHERWISE:
        assert all(reached(party) == reached(parties["plain"]) for party in parties.values())


def test_each_word_that_a_sentence_tells_people_to_type_is_one_of_a_table_or_a_room() -> None:
    there = {word for place in Place for word in by_any_word(place)}
    told = [text for rows in (sentences.ROWS, sentences.ON_SCREEN) for text in rows.values()]
    named = {word for text in told for word in re.findall(r"\b(?:[Tt]ype|[Ww]rite|Choose:) ([a-z][a-z-]*)", text)}
    assert named - {"a", "its"} <= there and {"wait", "stand-in", "quit", "bot", "back"} <= named


def test_no_page_is_told_of_a_key_or_of_a_word_to_type() -> None:
    """A guest who sent a move after the end read "F10 lists what you can do", and one who was dropped "Ctrl-Q"."""
    told = "".join(path.read_text("utf-8") for path in FOLDER.glob("*-phone.txt"))
    assert re.findall(r"\bF\d+\b|\bCtrl-|\bEsc\b|\bEnter\b|\bType .*", told) == []


def test_a_screen_suggests_only_words_that_it_has() -> None:
    """After a slip it suggested `moves`, which plain lines alone have."""
    told = "".join(path.read_text("utf-8") for path in FOLDER.glob("*-screen.txt"))
    there = {word for place in (Place.SEAT, Place.WATCHED, Place.LOBBY, Place.ROOM) for word in by_any_word(place)}
    assert {*re.findall(r"Did you mean ([^?]+)\?", told)} <= there


#: The words of a row, without the names of its gaps.
_WORDS: Final = re.compile(r"(?<!\{)\b([A-Za-z])([a-z]+)\b")


@pytest.mark.parametrize("kind", MOTIONS)
def test_each_motion_that_a_log_may_hold_has_its_sentences(kind: str) -> None:
    """A seat that was handed over ended every program that had to tell of it."""
    seats = Seats.of(("Ann", "Bob"))
    for form in ("motion", "agreed", "carried") if kind != "drop" else ("motion", "agreed"):
        assert motion_text(ShownMotion(kind, 1, "Zoe"), Voice(seats, lines=True), form)


@pytest.mark.first(1)
@pytest.mark.parametrize(("story", "face"), [("what-all-agree-on", "plain"), ("news-of-all-kinds", "screen")])
def test_a_second_table_of_sentences_is_a_translation(
    story: str, face: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same stories with all rows in pig Latin: the same names, numbers and moves."""
    for rows in (sentences.ROWS, sentences.ON_SCREEN):
        for key, row in list(rows.items()):
            monkeypatch.setitem(rows, key, _WORDS.sub(r"\2\1ay", row))
    monkeypatch.chdir(tmp_path)
    english = (FOLDER / f"{story}-{face}.txt").read_text("utf-8").splitlines()
    spoken = told(STORIES[story](FACES[face])).splitlines()
    pairs = [(one, other) for one, other in zip(english, spoken, strict=True) if one != other]
    assert len(pairs) > 20
    for one, other in pairs:
        assert re.findall(r"\bp[0-9]\b|[0-9]+", one) == re.findall(r"\bp[0-9]\b|[0-9]+", other)
        assert "ay" in other


def make() -> None:
    for story in STORIES:
        for face in faces_of(story):
            with tempfile.TemporaryDirectory() as folder:
                before = os.getcwd()
                os.chdir(folder)
                text = told(STORIES[story](FACES[face]))
                os.chdir(before)
            (FOLDER / f"{story}-{face}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    make()
