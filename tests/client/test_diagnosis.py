"""What doctor says in the end: what it has seen, and what it can't know."""

import sys
from pathlib import Path

import pytest

from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence import diagnosis
from quadrille.client.presence.diagnosis import LOOK, Attempt, Diagnosis, Reach, not_met, verdict
from quadrille.net.private_room.room import PrivateRoom
from tests.net.ports import udp_port


@pytest.mark.parametrize(
    ("shown", "says", "never"),
    [
        ([Reach.LOOPBACK], "it is on no network: only programs on it can meet", "take two machines"),
        ([], "Whether other machines can be reached it can't tell: none was heard. To find out, take two", "were met"),
        ([Reach.HALFWAY], "those who are heard were not met", "none was heard"),
        ([Reach.HALFWAY, Reach.OTHERS], "programs on other machines were met", "can't tell"),
    ],
)
def test_doctor_says_what_it_can_t_know(shown: list[Reach], says: str, never: str) -> None:
    said = verdict([Diagnosis("one"), *(Diagnosis("two", shows=reach) for reach in shown)])
    assert says in said and never not in said
    assert said != "Nothing is in the way."


IN_TIME, TOO_LATE = (Attempt(None, 1000 * (LOOK + seconds)) for seconds in (1, 30))


@pytest.mark.parametrize("slow", [(TOO_LATE, IN_TIME), (IN_TIME, TOO_LATE), (TOO_LATE, TOO_LATE)])
def test_a_second_program_that_starts_slowly_is_no_firewall(slow: tuple[Attempt, Attempt]) -> None:
    said = not_met(*slow, "Open the firewall.")
    assert said.fine and said.line.startswith("SLOW     This machine is busy: 34 s were too few")
    assert "firewall" not in said.text + verdict([said]) and "too busy to tell" in verdict([said])


def test_a_second_program_that_started_in_time_and_was_not_met_is_blocked() -> None:
    assert "do not meet at all. Open the firewall." in not_met(IN_TIME, IN_TIME, "Open the firewall.").text
    assert "only with the address of one" in not_met(IN_TIME, Attempt(200, 5000), "Open the firewall.").text
    assert not_met(IN_TIME, IN_TIME, "").line.startswith("BLOCKED  ")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal to wait for")
def test_a_second_program_that_never_says_a_word_is_slow_and_not_blocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "command", lambda: [sys.executable, "-c", "import signal; signal.pause()"])
    monkeypatch.setattr(diagnosis, "START", 0)
    monkeypatch.setattr(diagnosis, "LOOK", 0)
    options = NetworkOptions(None, str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, None)
    assert [finding.shows for finding in diagnosis._meeting(options)] == [Reach.BUSY]


@pytest.mark.slow
def test_programs_of_a_private_room_are_examined_outside_of_it(tmp_path: Path) -> None:
    options = NetworkOptions(None, str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, PrivateRoom("club", "a phrase"))
    tries = ([*diagnosis.examine(options)][-1].text for _ in range(5))  # a busy machine may be too slow to tell
    assert any("Two programs on this machine meet: " in text for text in tries)


def test_what_is_blocked_comes_first() -> None:
    said = verdict([Diagnosis("x", fine=False), Diagnosis("y", shows=Reach.OTHERS)])
    assert said.startswith("Something is in the way")
