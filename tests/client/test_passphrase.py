"""Secrets that no command line shows: where a room's passphrase and the key of a Wi-Fi come from, and where they go."""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from quadrille.client.cli import main
from quadrille.client.network import passphrase, tickets
from quadrille.client.network.options import add_network, network_options
from quadrille.client.network.passphrase import Wifi, wifi_of
from quadrille.client.network.station import network_words
from quadrille.net.core.errors import LocalError
from quadrille.net.program.station import PrivateRoom
from quadrille.rules.errors import RulesError
from tests.client.conftest import Run

# A room's passphrase


WORDS = "four words that rhyme"


def settings(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_network(parser)
    return parser.parse_args(words)


def kept(folder: Path, content: bytes = WORDS.encode() + b"\nanother line\n", mode: int = 0o600) -> str:
    path = folder / "room.txt"
    path.write_bytes(content)
    path.chmod(mode)
    return str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o620])
def test_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(LocalError, match="chmod 600"):
        network_options(settings("--room", "attic", "--passphrase-file", kept(tmp_path, mode=mode)))


def test_a_file_of_its_owner_alone_is_read_and_what_is_none_refused(tmp_path: Path) -> None:
    in_environment = settings("--room", "attic")
    in_environment.environment_words = WORDS
    for mine in (in_environment, settings("--room", "attic", "--passphrase-file", kept(tmp_path))):
        assert network_options(mine).room == PrivateRoom("attic", WORDS)
    with pytest.raises(LocalError, match="not UTF-8"):
        passphrase.from_file(kept(tmp_path, b"\xff\xfe\n"))
    (tmp_path / "folder").mkdir(mode=0o700)
    with pytest.raises(LocalError, match="is a folder"):
        passphrase.from_file(str(tmp_path / "folder"))
    with pytest.raises(FileNotFoundError):
        passphrase.from_file(str(tmp_path / "nothing"))
    with pytest.raises(LocalError, match="no passphrase can be read from descriptor 987"):
        passphrase.from_descriptor(987)


def test_one_line_of_a_pipe_is_read_and_not_a_byte_more() -> None:
    reads, writes = os.pipe()
    os.write(writes, f"{WORDS}\r\nrest".encode())
    found = network_options(settings("--room", "attic", "--passphrase-fd", str(reads)))
    assert found.room == PrivateRoom("attic", WORDS)
    assert os.read(reads, 100) == b"rest"
    os.write(writes, b"x" * 5000)
    assert len(passphrase.from_descriptor(reads)) < 2000, "a line without an end"
    os.close(reads)
    os.close(writes)


def test_another_program_hears_it_by_its_pipe() -> None:
    mine = replace(network_options(settings()), room=PrivateRoom("attic", WORDS))
    words = network_words(mine, 1234)
    assert WORDS not in words and words[-2:] == ["--passphrase-fd", "0"]
    reads, writes = os.pipe()
    with open(reads, "rb", buffering=0) as program:
        with open(writes, "wb") as pipe:
            passphrase.hand_over(mine.room, mine.ticket, pipe)
        assert passphrase.from_descriptor(reads) == WORDS and program.read() == b""
    passphrase.hand_over(None, None, None)  # the open network has none
    assert "--passphrase-fd" not in network_words(network_options(settings()), 1234)


@pytest.mark.parametrize("name", ["QUADRILLE_PASSPHRASE", "QUADRILLE_WIFI_KEY"])
def test_the_environment_is_emptied_before_any_program_starts(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, WORDS)
    assert main(["rules"]) == 0
    assert name not in os.environ


def test_a_passphrase_on_the_command_line_is_refused(run: Run) -> None:
    done = run(f"join --room attic --passphrase {WORDS.split()[0]}")
    assert done.code == 2 and "everybody on this machine can read a command line" in done.err
    assert WORDS.split()[0] not in done.err
    told = re.findall(r"--passphrase[\w-]*", run("join --help").out)
    assert "--passphrase-file" in told and "--passphrase" not in told


# The key of a Wi-Fi: where it comes from, and that it goes nowhere but into the QR code


KEY = "open sesame; please"


def wifi_settings(name: str, key: str | None = None) -> argparse.Namespace:
    return argparse.Namespace(wifi=name, environment_key=key)


def test_it_is_in_the_environment_or_asked_for_without_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wifi_of(wifi_settings("Home", KEY)) == Wifi("Home", KEY)
    assert KEY not in repr(Wifi("Home", KEY)), "no report of a crash has it"
    assert wifi_of(wifi_settings("Café", "")) == Wifi("Café", "")
    monkeypatch.setattr(passphrase, "person_types", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda prompt: KEY if "Home" in prompt else "")
    assert wifi_of(wifi_settings("Home")) == Wifi("Home", KEY)
    assert wifi_of(wifi_settings("Guests")) == Wifi("Guests", "")


@pytest.mark.parametrize("error", [EOFError, KeyboardInterrupt])
def test_who_leaves_at_the_question_leaves_the_program(
    monkeypatch: pytest.MonkeyPatch, run: Run, error: type[BaseException]
) -> None:
    monkeypatch.setattr(passphrase, "person_types", lambda: True)
    monkeypatch.setattr("getpass.getpass", Mock(side_effect=error))
    assert run("host maze --room club") == (130, "", "\n"), "and the shell's prompt has a line of its own"


@pytest.mark.parametrize(
    ("name", "key", "why"),
    [
        ("", KEY, "is no name of a Wi-Fi"),
        ("n" * 33, KEY, "is no name of a Wi-Fi"),
        ("Ho\nme", KEY, "is no name of a Wi-Fi"),
        ("Home", "short", "8 to 64 printable characters; this one has 5"),
        ("Home", "x" * 65, "this one has 65"),
        ("Home", None, "needs its key in QUADRILLE_WIFI_KEY"),
    ],
)
def test_what_can_not_be_one_is_refused_without_telling_the_key(
    name: str, key: str | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passphrase, "person_types", lambda: False)
    with pytest.raises(RulesError, match=why) as refused:
        wifi_of(wifi_settings(name, key))
    assert not key or key not in str(refused.value)


# Commands where nothing is installed that makes and reads tickets


TICKET = "barrel empty earring painter orchid village towel pupil brother apron razor fresh"


@pytest.fixture
def no_office(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tickets, "beside", lambda group, where: ())
    tickets.offices.cache_clear()
    yield
    tickets.offices.cache_clear()


@pytest.mark.parametrize("command", ["host", "join", "lobby", "resume", "bot", "doctor"])
@pytest.mark.usefixtures("no_office")
def test_no_command_has_options_for_tickets(run: Run, command: str) -> None:
    told = run(f"{command} --help all").out
    assert "--connect" in told and not any(word in told for word in ("ticket", "--relay", "--direct"))


@pytest.mark.parametrize("words", [TICKET.split(), ["-".join(TICKET.split())]])
@pytest.mark.usefixtures("no_office")
def test_who_types_the_words_of_a_ticket_hears_what_is_missing(run: Run, words: list[str]) -> None:
    done = run(["join", *words])
    assert done.code == 2 and "look like the words of a ticket" in done.err and "install all of Quadrille" in done.err


@pytest.mark.usefixtures("no_office")
def test_a_game_that_began_with_a_ticket_does_not_go_on_elsewhere() -> None:
    given = settings()
    given.kept_ticket = "words of a ticket"
    with pytest.raises(RulesError, match="this game began with a ticket, and no package"):
        network_options(given)
