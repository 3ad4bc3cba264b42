"""Archives of logs: any byte changed is found, with its line and its author."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import NOBODY
from quadrille.net.game_log import archive
from quadrille.net.game_log.archive import BadArchive
from tests.net.tables import identity, three, with_moves


def test_a_game_of_protocol_2_is_read_as_it_was_written() -> None:
    """Every byte of a log whose peers hold one seat each means what it meant."""
    text = (Path(__file__).parent / "protocol-2.log").read_text("ascii")
    log = archive.read(text)
    assert archive.write(log) == text and log.now.over and log.now.speakers() == log.now.seats_in()


def test_any_character_changed_is_refused() -> None:
    text = archive.write(with_moves(three(2), "a1"))
    for place in range(0, len(text), 2):
        for sign in "A=\n":
            if text[place] != sign:
                with pytest.raises(BadArchive):
                    archive.read(text[:place] + sign + text[place + 1 :])


def test_any_cut_is_refused_but_between_entries() -> None:
    text = archive.write(with_moves(three(2), "a1", "b2"))
    ends = [place for place, sign in enumerate(text, 1) if sign == "\n"]
    for cut in range(len(text)):
        if cut in ends[1:]:
            assert len(archive.read(text[:cut]).entries) == ends.index(cut)
        else:
            with pytest.raises(BadArchive):
                archive.read(text[:cut])


def test_the_first_fault_is_named_with_its_author() -> None:
    lines = archive.write(with_moves(three(2), "a1")).splitlines()
    with pytest.raises(BadArchive, match="line 2: entry 0 should be here, not entry 1"):
        archive.read("\n".join([lines[0], lines[2], lines[1]]) + "\n")


def test_an_illegal_move_in_an_archive() -> None:
    log = with_moves(three(2), "a1")
    author = identity(2)
    entry = log.write(MoveBody("b2"), author)
    forged = archive.write(log).rstrip("\n")
    broken = replace(entry, body=MoveBody("a1")).signed(author)
    with pytest.raises(BadArchive, match="line 4: entry 2 is not a legal move: a1 belongs to player 1") as caught:
        archive.read(f"{forged}\n{base64.b64encode(broken.data).decode()}\n")
    assert caught.value.culprit == author.key
    assert caught.value.culprit != NOBODY
