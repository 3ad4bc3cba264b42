"""Bots that a host brings along: each a process and a peer of its own, which ends when its host does.

A bot's identity is called after it, with a number, in the host's home, so that the same ones come back when a game is
resumed; beside its key is kept which bot it is. Each reads a pipe that nobody writes to: when the host dies, however it
does, the pipe ends, and with it the bot.
"""

import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from quadrille.client.bot_names import slug
from quadrille.net.errors import LocalError
from quadrille.net.home import Lock, own_folder
from quadrille.net.identity import KEY_FILE, Identity
from quadrille.net.terms import Chair

_FOLDER: Final = "bot-"
_PATIENCE: Final = 5
#: Where an identity's folder says which bot it is.
_BOT: Final = "bot.txt"


def command() -> list[str]:
    """How this program is started again."""
    if sys.executable:
        return [sys.executable, "-m", "quadrille.client.cli"]
    found = shutil.which("quadrille")
    if found is None:
        raise LocalError("bots are programs of their own, and the program quadrille is not found: put it on the PATH")
    return [found]


def at_home(home: Path, keys: Collection[bytes]) -> list[str]:
    """The identities of those bots of this home that have one of these keys."""
    bots = [folder for folder in sorted(home.glob(f"{_FOLDER}*")) if (folder / _BOT).exists()]
    return [
        folder.name.removeprefix(_FOLDER)
        for folder in bots
        if (folder / KEY_FILE).exists() and Identity.open(folder).key in keys
    ]


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

    def start(self, bot: str, table: bytes) -> Chair:
        """Bring a bot that is to sit down at a table."""
        name = self._identity(bot, ())
        self._start(name, "--join", table.hex(), "--stay")
        return self._chair(name)

    def start_again(self, name: str, table: bytes) -> None:
        """Bring the bot with that identity, which has a seat at a table."""
        self._start(name, "--join", table.hex(), "--stay")

    def bring(self, bot: str, table: bytes, taken: Collection[bytes]) -> Chair:
        """Bring a bot that is to play on for somebody at a table, where the holders of these keys can't."""
        name = self._identity(bot, taken)
        self._start(name, "--stand-in", table.hex())
        return self._chair(name)

    def _chair(self, name: str) -> Chair:
        return Chair(Identity.open(own_folder(self._home, name)).key, name, "bot")

    def _identity(self, bot: str, taken: Collection[bytes]) -> str:
        """The first identity of that bot that is free."""
        for number in count(1):
            name = f"{slug(bot)}-{number}"
            folder = own_folder(self._home, name)
            file = folder / _BOT
            other = file.exists() and file.read_text("utf-8") != bot
            if name not in self._bots and not other and Identity.open(folder).key not in taken and _is_free(folder):
                file.write_text(bot, "utf-8")
                return name
        raise AssertionError("numbers do not end")

    def _start(self, name: str, *where: str) -> None:
        bot = (own_folder(self._home, name) / _BOT).read_text("utf-8")
        words = ["bot", bot, *where, "--name", name, "--until-eof", *self._words]
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

    def ended(self) -> list[tuple[bytes, str]]:
        """The keys of bots that have ended by themselves, each told once, and what is to be said of it."""
        gone = [name for name, process in self._bots.items() if process.poll() is not None]
        codes = [(name, self._bots.pop(name).returncode) for name in gone]
        return [
            (self._chair(name).key, f"The bot {name} has ended (exit code {code})." if code else "")
            for name, code in codes
        ]

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
