"""Whom `quadrille verify` names: nobody but the one whose signature is under what is wrong."""

import argparse
import base64
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.commands import verify as command
from quadrille.client.plain.verification import verify, verify_two
from quadrille.client.words.logs import _verdict
from quadrille.net.entries.bodies import BeginBody, MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.two_logs import Difference, Ground
from quadrille.net.trust.identity import fingerprint
from tests.net.by_hand import drop, moved, three
from tests.net.tables import begun, identity, mover, terms

CaptureFixture = pytest.CaptureFixture[str]

CANNOT = "Whose fault that is can't be told: whoever had the file may have changed it."


@pytest.fixture
def log() -> Log:
    made = begun(terms(options={"width": 3, "height": 3}, lot=False))
    for text in ("a1", "b2"):
        made.take(made.write(MoveBody(text), mover(made)))
    return made


def said(folder: Path, capsys: pytest.CaptureFixture[str], entries: list[Entry]) -> str:
    path = folder / "game.log"
    lines = [archive.FIRST_LINE, *(base64.b64encode(entry.data).decode() for entry in entries)]
    path.write_text("\n".join(lines) + "\n")
    assert verify(str(path)) == 1
    return capsys.readouterr().out


def test_a_changed_secret_that_nobody_signed_names_nobody(
    log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *rest = log.entries
    begin = first.body
    assert isinstance(begin, BeginBody)
    secrets, signatures = (bytes(32), *begin.secrets[1:]), (*begin.revelations[:-1], bytes(64))
    for other in (replace(begin, secrets=secrets), replace(begin, revelations=signatures)):
        told = said(tmp_path, capsys, [replace(first, body=other), *rest])
        assert "did not sign" in told and told.endswith(CANNOT + "\n")
        assert "The entry is by" not in told


def test_what_a_seat_signed_names_that_seat(log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn = mover(log)
    author = next(one for one in (identity(0), identity(1), identity(2)) if one.key == turn.key)
    entry = replace(log.write(MoveBody("c3"), author), digest=bytes(32)).signed(author)
    told = said(tmp_path, capsys, [*log.entries, entry])
    assert "The entry is by" in told and fingerprint(author.key) in told


def test_entries_of_two_logs_or_in_another_order_name_nobody(log: Log, tmp_path: Path, capsys: CaptureFixture) -> None:
    """Each author signed what it wrote; whoever had the file put it together, or in another order."""
    first, second, third = log.entries
    told = said(tmp_path, capsys, [first, third, second])
    assert "entry 1 should be here, not entry 2" in told and "(by " not in told and told.endswith(CANNOT + "\n")
    other = begun(terms(options={"width": 3, "height": 3}, lot=False))
    for text in ("c3", "b2", "a1"):
        other.take(other.write(MoveBody(text), mover(other)))
    told = said(tmp_path, capsys, [*log.entries[:2], *other.entries[2:]])
    assert "line 4: entry 2 does not follow the one before it here" in told
    assert "(by " not in told and told.endswith(CANNOT + "\n")


def test_a_changed_byte_is_found_in_its_line(log: Log, tmp_path: Path, capsys: CaptureFixture) -> None:
    path = tmp_path / "game.log"
    path.write_text(archive.write(log))
    assert verify(str(path)) == 0 and "All 3 entries are as they should be" in capsys.readouterr().out
    lines = path.read_text().splitlines()
    lines[3] = lines[3][:60] + ("A" if lines[3][60] != "A" else "B") + lines[3][61:]
    path.write_text("\n".join(lines) + "\n")
    assert verify(str(path)) == 1 and ": line 4: " in capsys.readouterr().out
    path.write_text("neither\n")
    assert verify(str(path)) == 1
    assert "is neither the log of a table nor the record of a game." in capsys.readouterr().out


class TestTwoLogs:
    """Two logs that lie side by side show where they differ, and who lied."""

    def compared(self, folder: Path, capsys: CaptureFixture, one: Log, other: Log) -> tuple[int, list[str]]:
        """What `quadrille verify` says at the end, after its words about each of the two."""
        for name, made in (("a.log", one), ("b.log", other)):
            (folder / name).write_text(archive.write(made))
        settings = argparse.ArgumentParser()
        command.arguments(settings)
        code = command.run(settings.parse_args([str(folder / "a.log"), str(folder / "b.log")]))
        told = capsys.readouterr().out.replace(f"{folder}/", "")
        assert told.count("entries are as they should be") == 2
        return code, told.split("\n\n")[-1].splitlines()

    def test_the_beginning_of_the_other_and_the_same(self, log: Log, tmp_path: Path, capsys: CaptureFixture) -> None:
        short = Log(log.table)
        short.take(log.entries[0])
        goes_on = "b.log is the beginning of a.log, which goes on for 2 entries more."
        assert self.compared(tmp_path, capsys, log, short) == (0, [goes_on])
        assert self.compared(tmp_path, capsys, log, log) == (0, ["The two logs are the same, 3 entries long."])

    def test_two_entries_of_one_key(self, tmp_path: Path, capsys: CaptureFixture) -> None:
        one, other = three(), three()
        for made, text in ((one, "a1"), (other, "b2")):
            moved(made, text)
        who = f"player 1 (name 0) ({fingerprint(identity(1).key)})"
        assert self.compared(tmp_path, capsys, one, other) == (
            1,
            [
                "The two logs of this table agree up to entry 1, which they have differently:",
                "  a.log: player 1 (name 0): a1",
                "  b.log: player 1 (name 0): b2",
                f"{who} lied: its key signed two different entries for one place.",
            ],
        )

    def test_a_decision_and_those_who_went_on(self, tmp_path: Path, capsys: CaptureFixture) -> None:
        dropped, played = three(), three()
        dropped.take(drop(dropped, 0, 2, 3))
        moved(played, "a1")
        code, told = self.compared(tmp_path, capsys, dropped, played)
        assert code == 1 and told[1] == "  a.log: player 1 (name 0) has been dropped."
        assert told[3].startswith("Nobody is proved to have lied: player 1 (name 0) may have written unseen")
        moved(played, "b2")
        told = self.compared(tmp_path, capsys, dropped, played)[1]
        assert told[3].startswith(f"player 2 (name 1) ({fingerprint(identity(2).key)}) signed the decision about")
        assert "It lied, unless it can show that another which signed the decision has vouched" in told[3]
        moved(played, "c3")
        told = self.compared(tmp_path, capsys, dropped, played)[1]
        assert "At least one of them lied: a vouch for the entry" in told[3]
        assert "all but one could be excused. No log holds vouches." in told[3]

    def test_logs_of_two_tables_and_what_is_no_log(self, tmp_path: Path, capsys: CaptureFixture) -> None:
        other = begun(terms(seats=3, options={"width": 3, "height": 3}, lot=False), b"table number two")
        code, told = self.compared(tmp_path, capsys, three(), other)
        assert code == 1 and told[0].startswith("The two are logs of different tables: ")
        (tmp_path / "b.log").write_text("neither")
        assert verify_two(str(tmp_path / "a.log"), str(tmp_path / "b.log")) == 1
        assert "only two logs can be compared" in capsys.readouterr().out

    def test_every_verdict_has_its_words(self) -> None:
        for ground in Ground:
            log = three()
            log.take(drop(log, 0, 2, 3))
            text = _verdict(log, log, Difference(1, ground, (identity(2).key,)))
            assert text.endswith(".") and "{" not in text
