"""Whom `quadrille verify` names: nobody but the one whose signature is under what is wrong (F14)."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.verifying import verify
from quadrille.net import archive
from quadrille.net.entry import Entry
from quadrille.net.identity import fingerprint
from quadrille.net.log import Log
from tests.net.tables import begun, identity, mover, terms

CANNOT = "Whose fault that is can't be told: whoever had the file may have changed it."


@pytest.fixture
def log() -> Log:
    made = begun(terms(options={"width": 3, "height": 3}, lot=False))
    for text in ("a1", "b2"):
        made.take(made.write("move", (text,), mover(made)))
    return made


def said(folder: Path, capsys: pytest.CaptureFixture[str], entries: list[Entry]) -> str:
    path = folder / "game.log"
    lines = [archive.FIRST_LINE, *(base64.b64encode(entry.data).decode() for entry in entries)]
    path.write_text("\n".join(lines) + "\n")
    assert verify(str(path)) == 1
    return capsys.readouterr().out


def test_f14_a_changed_secret_that_nobody_signed_names_nobody(
    log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *rest = log.entries
    *fields, secrets = first.body
    for body in ((*fields, (bytes(32), *secrets[1:])), (*fields, (*secrets[:-1], bytes(32)))):
        told = said(tmp_path, capsys, [replace(first, body=body), *rest])
        assert told.endswith(CANNOT + "\n")
        assert "The entry is by" not in told


def test_f14_entries_in_another_order_name_nobody(log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = log.entries
    told = said(tmp_path, capsys, [first, third, second])
    assert "entry 1 should stand here, not entry 2" in told and "(by " not in told
    assert told.endswith(CANNOT + "\n")


def test_f14_what_a_seat_signed_names_that_seat(log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn = mover(log)
    author = next(one for one in (identity(0), identity(1), identity(2)) if one.key == turn.key)
    entry = replace(log.write("move", ("c3",), author), digest=bytes(32)).signed(author)
    told = said(tmp_path, capsys, [*log.entries, entry])
    assert "The entry is by" in told and fingerprint(author.key) in told
