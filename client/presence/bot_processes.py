"""Bots that a host brings along: each is a process and a peer of its own, and ends with its host.

A bot's identity lies in the host's home and is named after the bot, with a number (`level-2-1`), so that a resumed
game has the same identities. Its folder also says which bot it is, and its own name: people see `Ada`, and beside it
`level 2 of Ann`. The host writes one line into each bot's standard input. When the host dies in any way, that pipe
ends, and the bot leaves.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from quadrille.ai.bots.notes import GAMES, SUFFIX, has_thoughts
from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.names import kind_of, numbered, own_names, slug
from quadrille.client.claimed_names import network_name
from quadrille.client.files import write_file
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import close_input, end, start
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import BOT, KEY_FILE, is_free, own_folder
from quadrille.net.entries.terms import Chair
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.names import are_alike

_PATIENCE: Final = 5
#: The files of an identity's folder that say which bot it is, and what its own name is.
_BOT: Final = "bot.txt"
_NAME: Final = "name.txt"


def command() -> list[str]:
    if sys.executable:
        return [sys.executable, "-m", "quadrille.client.cli"]
    program = shutil.which("quadrille")
    if program is None:
        raise LocalError("bots are programs of their own, and the program quadrille is not found: put it on the PATH")
    return [program]


def at_home(home: Path, keys: Collection[bytes]) -> list[str]:
    """Return the identities of this home's bots that have one of these keys."""
    bots = [folder for folder in sorted(home.glob(f"{BOT}*")) if (folder / _BOT).exists()]
    return [
        folder.name.removeprefix(BOT)
        for folder in bots
        if (folder / KEY_FILE).exists() and Identity.open(folder).key in keys
    ]


class BotProcesses:
    """The bots of a host."""

    def __init__(
        self,
        home: Path,
        network: Sequence[str],
        owner: str,
        options: NetworkOptions,
        people: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """`network`: the command-line words by which the bots find the host; `owner`: the host's name; `people`: the
        names of those who are here, which no new bot gets.
        """
        self._people = people
        self._home = home
        self._words = ["--home", str(home), *network]
        self._owner = owner
        self._options = options
        self._bots: dict[str, subprocess.Popen[bytes]] = {}
        self._tables: dict[str, bytes] = {}  # the table of each bot
        self._leaving: dict[str, subprocess.Popen[bytes]] = {}
        #: Each bot that sat at a table, by identity, once.
        self.sat: dict[tuple[str, bytes], None] = {}

    def start(self, bot: str, table: bytes) -> Chair:
        name = self._identity(bot)
        self.start_again(name, table)
        return self._chair(name)

    def start_again(self, name: str, table: bytes) -> None:
        """Start the bot of that identity again, which has a seat at a table."""
        self._wait_for(name)
        self._tables[name] = table
        self.sat[name, table] = None
        shown = self._name(name)
        words = ["bot", self._bot(name), "--join", table.hex(), "--stay", "--name", shown, "--identity", name]
        words += ["--isolate", self._options.isolate or USUAL, "--until-eof", *self._words]
        try:
            self._bots[name] = start([*command(), *words], self._options)
        except OSError as error:
            raise LocalError(f"the bot {shown} can't be started: {error.strerror or error}") from None

    def _chair(self, identity: str) -> Chair:
        return Chair(Identity.open(own_folder(self._home, identity)).key, self._name(identity), "bot")

    def _bot(self, identity: str) -> str:
        return (own_folder(self._home, identity) / _BOT).read_text("utf-8")

    def _name(self, identity: str) -> str:
        """Return the name for people. A built-in bot has a name of its own. Any other is named by its kind, with a
        number from the second one on.
        """
        bot = self._bot(identity)
        if not kind_of(bot):
            return numbered(network_name("", bot, self._owner), int(identity.rpartition("-")[2]))
        return network_name(self._own_name(identity), bot, self._owner)

    def _own_name(self, identity: str) -> str:
        """Return the name of a built-in bot, which the identity keeps; a new one is nobody else's here."""
        file = own_folder(self._home, identity) / _NAME
        if not file.exists():
            taken = {other.read_text("utf-8") for other in self._home.glob(f"{BOT}*/{_NAME}")}
            free = (name for name in own_names(self._owner) if name not in taken and not self._is_person(name))
            write_file(str(file), next(free), mode=0o600)
        return file.read_text("utf-8")

    def _is_person(self, name: str) -> bool:
        return any(are_alike(name, word) for person in self._people() for word in (person, *person.split()))

    def _identity(self, bot: str) -> str:
        """Return the first identity of that bot that no program uses, and that has no name of a person here."""
        for number in count(1):
            name = f"{slug(bot)}-{number}"
            file = (folder := own_folder(self._home, name)) / _BOT
            other = file.exists() and file.read_text("utf-8") != bot
            self._wait_for(name)
            if name not in self._bots and not other and is_free(folder):
                write_file(str(file), bot, over=True, mode=0o600)
                if not (kind_of(bot) and self._is_person(self._own_name(name))):
                    return name
        raise AssertionError("numbers do not end")

    def _wait_for(self, identity: str) -> None:
        """Wait until a bot that is leaving has ended, because its identity is free then."""
        if (process := self._leaving.pop(identity, None)) is not None:
            end(process, _PATIENCE)

    def let_go(self, tables: Collection[bytes], keys: Collection[bytes]) -> None:
        """End the bots that belong to none of these tables and have none of these keys."""
        for name in list(self._bots):
            if self._tables[name] not in tables and self._chair(name).key not in keys:
                self._leaving[name] = self._bots.pop(name)
                close_input(self._leaving[name])

    def ended(self) -> list[tuple[bytes, str]]:
        """Return the key of each bot that has ended by itself, and a sentence about it; each bot once."""
        self._leaving = {name: process for name, process in self._leaving.items() if process.poll() is None}
        gone = [name for name, process in self._bots.items() if process.poll() is not None]
        codes = [(name, self._bots.pop(name).returncode) for name in gone]
        return [
            (self._chair(name).key, f"The bot {self._name(name)} has ended (exit code {code})." if code else "")
            for name, code in codes
        ]

    def thoughts(self, tables: Collection[bytes]) -> list[tuple[str, Path]]:
        """Return the names of bots that told their thoughts at these tables, and the files that have them."""
        paths = []
        for identity, table in self.sat:
            if table in tables:
                games = sorted((self._home / f"{BOT}{identity}" / GAMES).glob(f"*-{table.hex()[:32]}{SUFFIX}"))
                paths += [(self._name(identity), path) for path in games[-1:] if has_thoughts(path)]
        return paths

    def close(self) -> None:
        for process in self._bots.values():
            close_input(process)
        for process in (*self._leaving.values(), *self._bots.values()):
            end(process, _PATIENCE)
        self._leaving.clear()
        self._bots.clear()
