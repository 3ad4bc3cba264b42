"""Golden sentences: all that people at tables on the network read, in plain lines and on the screen, byte for byte.

A sentence that changes is changed on purpose: `python -m tests.client.test_sentences` writes them anew.
"""

import os
import tempfile
from pathlib import Path
from typing import Final

import pytest

from tests.client.parties import Party, PlainParty, ScreenParty
from tests.client.stories import STORIES

FOLDER: Final = Path(__file__).parent / "sentences"
FACES: Final[dict[str, type[Party]]] = {"plain": PlainParty, "screen": ScreenParty}


def told(party: Party) -> str:
    """The transcript of a story."""
    return "\n".join([*party.lines, ""])


#: Stories in which the cards' keys depend on the time, or the screen keeps a move for somebody who is gone.
_OTHERWISE: Final = ("cards", "two-and-one-is-gone")


def reached(party: Party) -> list[list[tuple[str, object]]]:
    """The moves and decisions at the tables that people came to."""
    logs = {name: table.log for peer in party.made.peers if peer.lobby for name, table in peer.lobby.tables.items()}
    played = [[entry for entry in log.entries if entry.kind != "begin"] for _, log in sorted(logs.items())]
    return [[(entry.kind, entry.body.plain()[0]) for entry in entries] for entries in played]


#: A seat that says nothing is woken every millisecond of 16 seconds; test_rulings.py lets flags fall by default. Cards
#: are dealt to two faces five times; tests/net/cards deals them anew by default.
_SLOW: Final = ("clocks", "cards-dealt-anew")


@pytest.mark.parametrize(
    "story", [pytest.param(story, marks=pytest.mark.slow if story in _SLOW else ()) for story in STORIES]
)
def test_people_read_what_they_have_read_before_and_come_to_the_same_tables(
    story: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parties = {}
    for face, made in FACES.items():
        (tmp_path / face).mkdir()
        monkeypatch.chdir(tmp_path / face)
        parties[face] = STORIES[story](made)
        assert told(parties[face]) == (FOLDER / f"{story}-{face}.txt").read_text("utf-8")
    if story not in _OTHERWISE:
        assert reached(parties["plain"]) == reached(parties["screen"])


def make() -> None:
    """Write all transcripts."""
    for story in STORIES:
        for face in FACES:
            with tempfile.TemporaryDirectory() as folder:
                before = os.getcwd()
                os.chdir(folder)
                text = told(STORIES[story](FACES[face]))
                os.chdir(before)
            (FOLDER / f"{story}-{face}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    make()
