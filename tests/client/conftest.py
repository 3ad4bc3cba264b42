"""A command line that is run in this process, with what it printed."""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias
from unittest.mock import patch

import pytest

from quadrille.client import lobby_rows
from quadrille.client.cli import main
from quadrille.client.words import commands
from tests.net.ports import udp_port


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Games and the secrets of tournaments are kept in a folder of the tests' own."""
    with pytest.MonkeyPatch.context() as home:
        home.setenv("QUADRILLE_HOME", str(tmp_path_factory.mktemp("home")))
        home.setattr("quadrille.ai.peer.seated.BEAT", 0)  # nobody here has to see a move
        yield


@pytest.fixture(autouse=True, scope="module")
def _bare_lobby() -> Iterator[None]:
    with bare_lobby():
        yield


@pytest.fixture
def port() -> int:
    return udp_port()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder, in which the test is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """`run("play barons --seats 2", "a1", "quit")`: a command line, or its words, and the lines typed; files are in a
    fresh folder.
    """
    monkeypatch.chdir(tmp_path)

    def run(words: str | Sequence[object], *typed: str) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in typed)))
        try:
            with patch.dict(os.environ):  # as in a process of its own
                code = main(words.split() if isinstance(words, str) else list(map(str, words)))
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(code, captured.out, captured.err)

    return run


def output(run: Run, *words: object) -> str:
    ran = run(words)
    assert ran.code == 0, ran.err
    return ran.out


def refusal(run: Run, *words: object) -> str:
    ran = run(words)
    assert ran.code == 2
    return ran.err


# The lobby of the core alone: what packages plug in beside it changes nothing that tests of the core see


_CACHES = (lobby_rows.lobby_rows, commands.offered, commands.by_word, commands.by_key, commands.by_any_word)


def _forget() -> None:
    for cached in _CACHES:
        cached.cache_clear()


@contextmanager
def bare_lobby() -> Iterator[None]:
    """Show no plugged command in the lobby."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lobby_rows, "loaded", lambda group: {})
        _forget()
        yield
    _forget()
