"""A screen with tables in its shell: the bots, files and settings of its effects, and its end.

Imported only for a screen. Games at this keyboard are stored as they go on (client/kept/own_tables.py).
"""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from quadrille.client.bots.boxes import USUAL
from quadrille.client.files import keep, load
from quadrille.client.screen.app import Shell
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.start import FirstPicture
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Closed, Own, Remember, SitDown
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings, ascii_choice, write_settings
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.wishes import Advise, Keep, Load, Loaded, Wish
from quadrille.client.words.table import file_trouble
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.bots.table_bots import LoopBots
    from quadrille.client.kept.own_tables import OwnTables
    from quadrille.client.table.table_seat import TableSeat


class Stage:
    """A screen with tables, from the first picture to the last. Effects are carried out in the loop's thread."""

    def __init__(
        self,
        model: Any,
        settings: Settings,
        *,
        functions: tuple[Callable[[Any, Any], tuple[Any, tuple[Any, ...]]], Callable[[Any], Picture]] | None = None,
        first: FirstPicture | None = None,
        isolate: str = USUAL,
        at_home: str | None = None,
        tables: "OwnTables | None" = None,
    ) -> None:
        """`functions` are `update` and `draw` if the model is no table; `isolate` is the box of each bot; `tables` have
        taken a stored game.
        """
        turn, show = functions or (update, draw)
        self.shell = Shell(model, turn, show, self.perform, first=first)
        self.settings = settings
        self._isolate = isolate
        self._home = at_home
        self._tables = tables
        self._seat: TableSeat | None = None
        self._early: list[Wish] = []  # wishes before a table is there

    async def run(self) -> int:
        """Run until the person leaves; return the exit code."""
        self._loop = asyncio.get_running_loop()
        try:
            return await self.shell.run_async(terminal.Begun())
        finally:
            if self._has_bots:
                self._bots.close()

    @cached_property
    def _bots(self) -> "LoopBots":
        """The bots of the tables, and for hints; imported for the first table or hint, after the first screen."""
        from quadrille.client.bots.table_bots import LoopBots

        return LoopBots(self._hear_bots, self._loop, self._isolate)

    @property
    def _has_bots(self) -> bool:
        return "_bots" in vars(self)

    def perform(self, effect: Any) -> None:
        """Carry out an effect outside the terminal."""
        match effect:
            case Advise():
                self._bots.advise(effect)
                self._loop.call_soon(self._hear_bots)
            case SitDown(setup):
                self._seat, self._early = None, []
                loaded = self._loop.run_in_executor(None, _load_tables)
                loaded.add_done_callback(partial(self._sit, setup, self._early))
            case Own(wish):
                self._wish(wish)
            case Closed():
                if self._has_bots:
                    self._bots.let_all_go()
                self._early = []
                if self._seat is not None:
                    self._seat = None
                    self.tables.look(None)
            case Keep():
                self.later(lambda: tried(lambda: keep(effect), "Not saved: "))
            case Load(name):
                self.later(lambda: tried(lambda: Loaded(name, *load(name)), "Not read: "))
            case Remember(look):
                wanted = ascii_choice(self.settings, plain=look.plain)
                self.keep(replace(self.settings, theme=look.theme, ascii=wanted, bell=look.bell, title=look.title))

    def _hear_bots(self) -> None:
        """Pass a hint to the screen, and let the table do what is due by its clock and its bots."""
        if (hinted := self._bots.hint()) is not None:
            self.shell.tell(hinted)
        self._bots.look()
        if (seat := self._seat) is not None:
            seat.tick()
            self._show(seat)

    @property
    def tables(self) -> "OwnTables":
        """The tables at this keyboard; imported after the first picture."""
        from quadrille.client.kept.own_tables import OwnTables

        if self._tables is None:
            self._tables = OwnTables(self._home)
        if self._tables.worker is None:
            self._tables.worker = ThreadPoolExecutor(1)
            self._tables.tell = self.tell
        return self._tables

    def _sit(self, setup: GameSetup, early: list[Wish], _: object) -> None:
        """Make the table of a game, unless that has been left or another one begun."""
        if early is self._early:
            self._seat = self.tables.sit(setup, self.perform, self._bots)
            self._seat.begin()
            self._show(self._seat)
            for wish in early:
                self._wish(wish)

    def _wish(self, wish: Wish) -> None:
        """Grant a wish at the table at this keyboard, and show what it has changed."""
        if (seat := self._seat) is None:
            self._early.append(wish)
            return
        seat.wish(wish)
        self._show(seat, wish)

    def _show(self, seat: "TableSeat", wish: Wish | None = None) -> None:
        from quadrille.client.screen.table.shown import changed  # imported here: the first picture needs no such table

        self._bots.look(seat.deadline)
        self.tables.look(seat)
        self.shell.tell(changed(seat, wish))

    def later(self, deed: Callable[[], object], worker: ThreadPoolExecutor | None = None) -> None:
        """Run slow work in a thread, such as a slow disk, and pass its event to the screen."""
        self._loop.run_in_executor(worker, lambda: self.tell(deed()))

    def tell(self, event: object) -> None:
        """Pass an event to the screen, from any thread."""
        with suppress(RuntimeError):  # the screen has gone meanwhile
            self._loop.call_soon_threadsafe(self.shell.tell, event)

    def ended(self) -> list[str]:
        """Close the last game at this keyboard; return sentences about it."""
        return self._tables.close() if self._tables is not None else []

    def keep(self, settings: Settings) -> None:
        """Save settings; if that fails they hold for now."""
        self.settings = settings
        try:
            write_settings(settings)
        except (OSError, RulesError) as error:
            self.shell.tell(terminal.Told(f"This holds for now only: {sentence(error)}", alarm=True))


def _load_tables() -> None:
    """Import what a table at this keyboard needs. That takes a moment, in which the screen goes on."""
    from quadrille.client.bots import table_bots  # noqa: F401 - for the thread of the loop
    from quadrille.client.kept import own_tables  # noqa: F401 - as well


def tried(deed: Callable[[], object], failed: str = "") -> object:
    """Return the event that comes of a deed with files, or the message that it `failed`."""
    try:
        return deed()
    except (OSError, RulesError, NetError) as error:
        return terminal.Told(f"{failed}{sentence(error)}", alarm=True)


def sentence(error: Exception) -> str:
    """Say why a file failed, to stand after a colon."""
    return f"{file_trouble(error) if isinstance(error, OSError) else error}."


def shown(stage: Stage) -> int:
    """Run a stage at this terminal, and print what it has to say at its end; return the exit code."""
    code = 1
    try:
        code = asyncio.run(stage.run())
    finally:
        for text in stage.ended():
            print(text, file=sys.stderr if code or not stage.shell.clean else sys.stdout)
    return code
