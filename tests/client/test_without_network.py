"""A Quadrille that came to a machine without PyNaCl plays on, and says what the network needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.client import cli
from quadrille.client.cli import NO_NETWORK, main

#: A program in which PyNaCl can't be imported, as where cffi is missing.
WITHOUT = """if True:
    import asyncio, io, sys
    sys.modules["_cffi_backend"] = sys.modules["nacl"] = None
    from quadrille.client.cli import main
    home = sys.argv[1]
    assert main(["who", "--home", home]) == 1
    sys.stdin = io.StringIO("quit\\n")
    assert main(["play", "maze", "--seats", "2", "--set", "size=3", "--home", home]) == 0
    assert not [name for name in sys.modules if name.startswith("nacl.")]

    from argparse import Namespace
    from quadrille.client.network.options import NetworkOptions
    from quadrille.client.screen.network.thread import NetworkThread

    async def lobby():
        news = asyncio.Queue()
        options = NetworkOptions(None, home, ("127.0.0.1",), (), 5670, 0, None)
        thread = NetworkThread(options, news.put_nowait)
        thread.start()
        print(await news.get())
        thread.close()

    asyncio.run(lobby())
"""


def test_games_at_one_keyboard_and_the_lobby_are_there_without_cryptography(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path)], capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"quadrille: {NO_NETWORK} (quadrille play goes without)\n"
    assert "player 1>" in done.stdout
    assert done.stdout.splitlines()[-1].endswith(f"Shut(why={NO_NETWORK!r})")


def test_a_module_that_is_missing_for_another_reason_is_no_such_case(monkeypatch: pytest.MonkeyPatch) -> None:
    def misses(_: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'quadrille.elsewhere'", name="quadrille.elsewhere")

    monkeypatch.setattr(cli, "_run", misses)
    with pytest.raises(ModuleNotFoundError):
        main(["who"])
