"""Who does what an evening asks for: the thread on the network, bots, files, the doctor; and how the evening ends.

Imported only when a screen is wanted. What is slow is done in threads, and told when it is done.
"""

import argparse
import asyncio
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from quadrille.client.network.options import NetworkOptions, network_options
from quadrille.client.network.own_name import own_name
from quadrille.client.screen.app import Shell
from quadrille.client.screen.evening import (
    DOCTOR,
    Dealt,
    Evening,
    EveningEffect,
    EveningEvent,
    PageLine,
    draw_evening,
    update_evening,
)
from quadrille.client.screen.lobby.model import Browse, Browsed, Examine, LobbyScreen, NewGame, Peruse
from quadrille.client.screen.network.news import Order, Rename, Sent, Shown, Shut, StationLeft
from quadrille.client.screen.network.thread import NetworkThread
from quadrille.client.screen.stage import Attendant, look_of, rescue, sentence
from quadrille.client.screen.table.model import Begun, Copy, Model, Told
from quadrille.client.settings import read_settings
from quadrille.net.errors import NetError
from quadrille.net.home import home
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal as Seed
from quadrille.rules.match import Match
from quadrille.rules.plain_text import WIDTH
from quadrille.rules.registry import game

_RECORDS: Final = "*.txt"
_MOST_FILES: Final = 100


class EveningStage:
    """An evening on the screen, from the first picture to the last."""

    def __init__(
        self,
        options: NetworkOptions,
        first: Order | None = None,
        *,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
    ) -> None:
        """With a `first` order the person came for that alone."""
        self.said: list[str] = []
        self._options = options
        self._first = first
        self._settings, remark = read_settings()
        if remark and first is not None:  # there is no lobby that would show it
            self.said.append(remark)
        lobby = LobbyScreen(look_of(self._settings), name=own_name(options.name), notice=remark, alarm=bool(remark))
        evening = Evening(lobby, straight=first is not None, bot=self._settings.hints)
        self.shell: Shell[Evening, EveningEvent, EveningEffect] = Shell(
            evening, update_evening, draw_evening, self.perform, screen_input=screen_input, screen_output=screen_output
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._attendant: Attendant | None = None
        self._network: NetworkThread | None = None

    async def run(self) -> int:
        """Show it until somebody leaves; the exit code."""
        self._loop = loop = asyncio.get_running_loop()
        self._attendant = Attendant(self.shell.tell, self._settings)
        self._network = NetworkThread(self._options, self._tell, self._first)
        self.shell.app.after_render += self._go  # the network comes after the first picture
        try:
            return await self.shell.run_async(Begun())
        finally:
            self._attendant.close()
            await loop.run_in_executor(None, self._network.close)
            await asyncio.sleep(0)  # what the network said last is heard

    def _go(self, app: object) -> None:
        """The screen is there: to the network."""
        assert self._network is not None
        self.shell.app.after_render -= self._go
        self._network.start()

    def _tell(self, event: EveningEvent) -> None:
        """From any thread."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the screen has gone meanwhile
            self._loop.call_soon_threadsafe(self._hear, event)

    def _hear(self, event: EveningEvent) -> None:
        match event:
            case StationLeft(_, said):
                self.said += said
            case Shut(why) if self._first is not None:
                self.said.append(why)
        self.shell.tell(event)

    def perform(self, effect: EveningEffect) -> None:
        """Do what is none of the terminal's."""
        assert self._attendant is not None and self._network is not None
        match effect:
            case Sent(order):
                if isinstance(order, Rename):
                    self._attendant.keep(replace(self._attendant.settings, name=order.name))
                self._network.ask(order)
            case NewGame(key, options, bots, clock):
                match_now = Match(game(key), dict(options), len(bots), deal=Seed(secrets.token_hex(4)))
                self.shell.tell(Dealt(match_now, bots, clock))
            case Copy(match_then, bots):
                self.shell.tell(Dealt(match_then, bots))
            case Browse():
                self._in_thread(self._files)
            case Peruse(name):
                self._in_thread(lambda: _read(name))
            case Examine():
                assert self._loop is not None
                self._loop.run_in_executor(None, self._examine)
            case _:
                self._attendant.perform(effect)

    def _in_thread(self, deed: Callable[[], EveningEvent]) -> None:
        assert self._loop is not None
        self._loop.run_in_executor(None, lambda: self._tell(deed()))

    def _files(self) -> EveningEvent:
        """Records in the folder of games and in this one, the newest first."""
        found: dict[Path, float] = {}
        for folder in (home(self._options.home), Path()):
            for path in folder.glob(_RECORDS):
                with suppress(OSError):  # one that can't be read hides no others
                    if _is_record(path):
                        found[path] = path.stat().st_mtime
        newest = sorted(found, key=lambda path: -found[path])[:_MOST_FILES]
        return Browsed(tuple(map(str, newest)))

    def _examine(self) -> None:
        """What `quadrille doctor` says, as soon as it is known."""
        from quadrille.client.presence.diagnosis import examine, verdict

        findings = []
        for finding in examine(self._options):
            findings.append(finding)
            self._tell(PageLine(DOCTOR, f"{'ok     ' if finding.fine else 'BLOCKED'}  {finding.text}"))
        for line in ("", *wrap(verdict(findings), WIDTH)):
            self._tell(PageLine(DOCTOR, line))


def _is_record(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(10) == b"quadrille "


def _read(name: str) -> EveningEvent:
    """A record or a log, to be looked at."""
    from quadrille.client.picture.records import told as told_by  # here: the lobby needs no pictures

    try:
        one = told_by(name)
    except (OSError, RulesError, NetError) as error:
        return Told(f"Not read: {sentence(error)}", alarm=True)
    return Shown(Path(name).name, one.match, tuple(one.safe_names) if one.names else ())


def spend(settings: argparse.Namespace, first: Order | None = None) -> int:
    """An evening at this terminal; the exit code. What the network said last is told when the screen is gone."""
    stage = EveningStage(network_options(settings), first)  # there is no screen yet: a passphrase is asked for
    try:
        code = asyncio.run(stage.run())
    finally:
        front = stage.shell.model.front
        if not stage.shell.clean and isinstance(front, Model) and front.table.local:
            rescue(front)
    for text in stage.said:
        print(text, file=sys.stderr if code else sys.stdout)
    return code
