"""Bots that a host brings along: each a process and a peer of its own, which ends when its host does.

A bot's identity is `KIND-NUMBER` in the host's home, so that the same ones come back when a game is resumed. Each
reads a pipe that nobody writes to: when the host dies, however it does, the pipe ends, and with it the bot.
"""

import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from quadrille.client.network_options import KINDS
from quadrille.net.errors import LocalError
from quadrille.net.home import Lock, own_folder
from quadrille.net.identity import KEY_FILE, Identity
from quadrille.net.terms import Chair

_FOLDER: Final = "bot-"
_PATIENCE: Final = 5


def command() -> list[str]:
    """How this program is started again."""
    if sys.executable:
        return [sys.executable, "-m", "quadrille.client.cli"]
    found = shutil.which("quadrille")
    if found is None:
        raise LocalError("bots are programs of their own, and the program quadrille is not found: put it on the PATH")
    return [found]


def identity_name(kind: str, number: int) -> str:
    """The identity of a host's bot."""
    return f"{kind}-{number}"


def at_home(home: Path, keys: Collection[bytes]) -> list[str]:
    """The identities of those bots of this home that have one of these keys."""
    names = []
    for folder in sorted(home.glob(f"{_FOLDER}*")):
        name = folder.name.removeprefix(_FOLDER)
        if name.rpartition("-")[0] in KINDS and (folder / KEY_FILE).exists() and Identity.open(folder).key in keys:
            names.append(name)
    return names


def _is_free(folder: Path) -> bool:
    """Whether no program plays with the identity in a folder."""
    try:
        with Lock(folder):
            return True
    except LocalError:
        return False


class BotProcesses:
    """The bots of a host."""

    def __init__(self, home: Path, network: Sequence[str], surroundings: Mapping[str, str]) -> None:
        """`network`: how they find the host, as words of the command line; and their environment."""
        self._home = home
        self._words = ["--home", str(home), *network]
        self._surroundings = surroundings
        self._bots: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, table: bytes) -> None:
        """Start the bot of that identity, to sit down at a table, or to sit down again."""
        self._start(name, "--join", table.hex(), "--stay")

    def bring(self, kind: str, table: bytes, taken: Collection[bytes]) -> Chair:
        """Start a bot that is to play on for somebody at a table, where the holders of these keys can't."""
        for number in count(1):
            name = identity_name(kind, number)
            folder = own_folder(self._home, name)
            identity = Identity.open(folder)
            if name not in self._bots and identity.key not in taken and _is_free(folder):
                self._start(name, "--stand-in", table.hex())
                return Chair(identity.key, name, "bot")
        raise AssertionError("numbers do not end")

    def _start(self, name: str, *where: str) -> None:
        words = ["bot", name.rpartition("-")[0], *where, "--name", name, "--until-eof", *self._words]
        try:
            self._bots[name] = subprocess.Popen(  # noqa: S603 - this very program
                [*command(), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=self._surroundings,
                start_new_session=True,
            )
        except OSError as error:
            raise LocalError(f"the bot {name} can't be started: {error.strerror or error}") from None

    def ended(self) -> list[str]:
        """Sentences about bots that have ended by themselves, each said once."""
        gone = [name for name, process in self._bots.items() if process.poll() is not None]
        return [f"The bot {name} has ended (exit code {self._bots.pop(name).returncode})." for name in gone]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let all of them go, and wait until they have."""
        for process in self._bots.values():
            assert process.stdin is not None
            process.stdin.close()
        for process in self._bots.values():
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._bots.clear()
