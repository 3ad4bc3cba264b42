"""Commands where nothing is installed that makes and reads tickets."""

from collections.abc import Iterator

import pytest

from quadrille.client.network import tickets
from quadrille.client.network.options import network_options
from quadrille.rules.errors import RulesError
from tests.client.conftest import Run
from tests.client.test_passphrase import settings

WORDS = "barrel empty earring painter orchid village towel pupil brother apron razor fresh"


@pytest.fixture(autouse=True)
def _no_office(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tickets, "beside", lambda group, where: ())
    tickets.offices.cache_clear()
    yield
    tickets.offices.cache_clear()


@pytest.mark.parametrize("command", ["host", "join", "lobby", "resume", "bot", "doctor"])
def test_no_command_has_options_for_tickets(run: Run, command: str) -> None:
    told = run(f"{command} --help all").out
    assert "--connect" in told and not any(word in told for word in ("ticket", "--relay", "--direct"))


@pytest.mark.parametrize("words", [WORDS.split(), ["-".join(WORDS.split())]])
def test_who_types_the_words_of_a_ticket_hears_what_is_missing(run: Run, words: list[str]) -> None:
    done = run(["join", *words])
    assert done.code == 2 and "look like the words of a ticket" in done.err and "install all of Quadrille" in done.err


def test_a_game_that_began_with_a_ticket_does_not_go_on_elsewhere() -> None:
    given = settings()
    given.kept_ticket = "words of a ticket"
    with pytest.raises(RulesError, match="this game began with a ticket, and no package"):
        network_options(given)
