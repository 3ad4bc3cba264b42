"""The key of a Wi-Fi: where it comes from, and that it goes nowhere but into the QR code."""

import argparse
import os

import pytest

from quadrille.client.cli import main
from quadrille.client.network import wifi
from quadrille.client.network.options import network_options
from quadrille.client.network.wifi import Wifi, wifi_of
from quadrille.rules.errors import RulesError
from tests.client.conftest import Run

KEY = "open sesame; please"


def settings(name: str | None, key: str | None = None) -> argparse.Namespace:
    return argparse.Namespace(wifi=name, environment_key=key)


def test_it_is_in_the_environment_or_asked_for_without_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wifi_of(settings(None)) is None
    assert wifi_of(settings("Home", KEY)) == Wifi("Home", KEY)
    assert wifi_of(settings("Café", "")) == Wifi("Café", "")
    monkeypatch.setattr(wifi, "person_types", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda prompt: KEY if "Home" in prompt else "")
    assert wifi_of(settings("Home")) == Wifi("Home", KEY)
    assert wifi_of(settings("Guests")) == Wifi("Guests", "")


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
    monkeypatch.setattr(wifi, "person_types", lambda: False)
    with pytest.raises(RulesError, match=why) as refused:
        wifi_of(settings(name, key))
    assert not key or key not in str(refused.value)


def test_no_report_of_a_crash_has_it() -> None:
    assert KEY not in repr(Wifi("Home", KEY))


def test_the_environment_is_emptied_before_any_program_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUADRILLE_WIFI_KEY", KEY)
    assert main(["rules"]) == 0
    assert "QUADRILLE_WIFI_KEY" not in os.environ


def test_it_is_for_guests(run: Run) -> None:
    ran = run("host maze --wifi Home")
    assert ran.code == 2 and "--wifi is for guests: add --guests" in ran.err


def test_other_commands_have_none() -> None:
    from quadrille.client.cli import Parser
    from quadrille.client.network.options import add_network

    parser = Parser(prog="quadrille join")
    add_network(parser)
    assert network_options(parser.parse_args([])).wifi is None
