"""Starting the program of a bot that the command line names."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Self, cast

from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.lines.dialogue import START
from quadrille.ai.bots.notes import GAMES, KeptTalk, Notes
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.house import is_built_in
from quadrille.client.bots.boxes import held, limits_of
from quadrille.client.bots.names import called, command_words, program_words, slug
from quadrille.client.foreign import shown
from quadrille.net.core.home import home, own_folder
from quadrille.net.trust.names import plain_name
from quadrille.rules.errors import RulesError


def command_of(settings: argparse.Namespace) -> list[str]:
    if (settings.bot is None) == (settings.exec is None):
        raise RulesError("which bot? Name one, or give --exec and a command, and not both")
    if settings.bot is not None:
        return program_words(settings.bot)
    if not (words := command_words(settings.exec)):
        raise RulesError('--exec takes a command, such as --exec "./mybot --fast"')
    return words


def name_of(settings: argparse.Namespace) -> str:
    """Return the name of a bot that gives none itself: its program's, or that of the file that the program runs."""
    return plain_name(called(settings.bot)) if settings.bot is not None else slug(settings.exec)


def started(command: Sequence[str], limits: Limits, wake: Callable[[], None] | None = None) -> Program:
    """Start a bot beside its own files, as a tournament does."""
    return Program(command, cwd=start_folder(command), limits=limits, wake=wake)


class Starter:
    """Starts the program once for each table; the first time immediately, because finding a table takes a while.

    The folder of the bot's identity keeps notes of its games. A program that can't be started is a `BotFault`.
    """

    def __init__(self, settings: argparse.Namespace) -> None:
        self._command = command_of(settings)
        self.name: str = settings.name or name_of(settings)
        called_after = slug(settings.bot) if settings.bot and not settings.name else self.name.lower()
        self.identity = settings.identity or re.sub(r"[^a-z0-9_-]+", "-", called_after).strip("-_")[:40] or "bot"
        #: Called from any thread when a program has written something.
        self.wake: Callable[[], None] = lambda: None
        self._limits = limits_of(settings)
        self._start_within: int = min(START, settings.patience)
        #: The name of a built-in bot that needs no program: it plays at one table, without a limit and a required box.
        plain = settings.tables == 1 and not settings.limit and settings.isolate != "required"
        self._house = settings.bot if plain and is_built_in(settings.bot or "") else None
        self._folder = own_folder(home(settings.home), self.identity) / GAMES
        self._first: Talk | None = self._start()
        protection = self._first.program.protection if self._house is None and settings.isolate != "none" else None
        if protection and (protection.why or not protection.namespaces):
            self._say(held(protection))

    def _start(self) -> Talk:
        program = self._thread(self._house) if self._house else self._program()
        return KeptTalk(program, self._folder, self._say, start=self._start_within, owned=True)

    def _thread(self, bot: str) -> Program:
        from quadrille.ai.peer.house_thread import HouseThread  # with the rules' search, which no other bot needs here

        return cast("Program", HouseThread(bot, wake=lambda: self.wake()))

    def _program(self) -> Program:
        return started(self._command, self._limits, lambda: self.wake())

    def lend(self) -> tuple[Program, Notes]:
        """Return a program for a runner, which talks with it directly, and the notes of that dialogue."""
        program = self._program()
        return program, Notes(self._folder, program.command, lambda: program.errors, self._say)

    def _say(self, sentence: str) -> None:
        print(f"{self.name}: {shown(sentence)}", flush=True)

    def __call__(self) -> Talk:
        first, self._first = self._first, None
        return first or self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the first program if nobody has taken it."""
        if self._first is not None:
            self._first.close()
