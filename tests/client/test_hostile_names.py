"""What a peer with a hostile name can do to the screens of others: nothing."""

import subprocess
from pathlib import Path

import pytest

from quadrille.client.claimed_names import short_names, shown_name
from quadrille.client.foreign import shown, shown_lines
from quadrille.net.entries.wire import Advert
from quadrille.net.program.station import Station, now
from tests.client.programs import COMMAND
from tests.net.ports import udp_port
from tests.net.tables import terms
from tests.waiting import DEADLINE

NAME = "Ann\x1b[2J\r\nok\u202e\x07"
SHOWN = r"Ann\x1b[2J\r\nok\u202e\x07"


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("Zoë and 李", "Zoë and 李"), (NAME, SHOWN), ("\x9b31m", r"\x9b31m"),
        ("a\u2066b\u2028c\ud800", r"a\u2066b\u2028c\ud800"), ("back\\slash", "back\\slash"),
    ],
)  # fmt: skip
def test_what_is_no_plain_letter_is_spelled_out(text: str, harmless: str) -> None:
    assert shown(text) == harmless
    assert text.isprintable() or shown_name(text, bytes(32)) == harmless
    assert shown_lines(f"one\n{text.replace(chr(10), '')}\n").count("\n") == 2
    # Nobody is called as a screen calls its reader.
    assert [shown_name(name, bytes(32))[:5] for name in ("you", "Y0U", "Young")] == ["you (", "Y0U (", "Young"]
    assert short_names(("you (level 2 of Ann)", "Ada (level 2 of Ann)")) == ("you (level 2 of Ann)", "Ada")


@pytest.mark.slow
def test_who_has_a_hostile_name_is_not_heard_at_all(tmp_path: Path) -> None:
    port = udp_port()
    words = ["--home", str(tmp_path / "b"), "--port", str(port), "--interface", "127.0.0.1"]
    hostile = Station("Ann", "person", folder=tmp_path / "a", port=port, interfaces=["127.0.0.1"])
    hostile.lobby.advert = Advert(NAME, "person", ())
    with hostile:
        hostile.lobby.host(terms("barons", 3), b"nonce", now())
        looking = subprocess.Popen(
            [*COMMAND, "who", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        with looking:
            end = now() + DEADLINE * 1000
            while looking.poll() is None:
                assert now() < end
                hostile.turn(50)
            out = looking.stdout.read().decode()
    assert out.startswith("Nobody else is here.") and "There is no table." in out
    assert all(letter.isprintable() or letter == "\n" for letter in out)
