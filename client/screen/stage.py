"""A screen with tables in its shell: the bots, files and settings of its effects, and its end.

Imported only for a screen. Local games are saved as they go on (client/kept/writer.py).
"""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from quadrille.client.bots.boxes import USUAL
from quadrille.client.files import FileExists, keep, load
from quadrille.client.screen.app import Shell
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.start import FirstPicture
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Closed, Model, Remember
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings, ascii_choice, write_settings
from quadrille.client.table.effects import Advise, Keep, OfferDraw, Settled, Think
from quadrille.client.table.local import LocalTable
from quadrille.client.table.wishes import Load, Loaded
from quadrille.client.words.files import file_trouble
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.kept.writer import GameWriter
    from quadrille.client.screen.table.bots import Bots


class Stage:
    """A screen with tables, from the first picture to the last. Effects are carried out in the loop's thread."""

    def __init__(
        self,
        model: Any,
        settings: Settings,
        *,
        functions: tuple[Callable[[Any, Any], tuple[Any, tuple[Any, ...]]], Callable[[Any], Picture]] | None = None,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
        first: FirstPicture | None = None,
        isolate: str = USUAL,
        at_home: str | None = None,
    ) -> None:
        """`functions` are `update` and `draw` if the model is no table; `isolate` is the box of each bot."""
        turn, show = functions or (update, draw)

        def written(model: Any, event: Any) -> tuple[Any, tuple[Any, ...]]:
            after, effects = turn(model, event)
            self._look(local_table(after))
            return after, effects

        self.shell = Shell(
            model, written, show, self.perform, first=first, screen_input=screen_input, screen_output=screen_output
        )
        self.settings = settings
        self._isolate = isolate
        self._home = at_home
        self._seen: LocalTable | None = None

    async def run(self) -> int:
        """Run until the person leaves; return the exit code."""
        self._loop = asyncio.get_running_loop()
        try:
            return await self.shell.run_async(terminal.Begun())
        finally:
            if self._has_bots:
                self._bots.close()

    @cached_property
    def _bots(self) -> "Bots":
        """The bots of the tables; imported for the first question to one, after the first screen."""
        from quadrille.client.screen.table.bots import Bots

        return Bots(self.shell.tell, self._loop, isolate=self._isolate)

    @property
    def _has_bots(self) -> bool:
        return "_bots" in vars(self)

    def perform(self, effect: Any) -> None:
        """Carry out an effect outside the terminal."""
        match effect:
            case Think() | Advise() | OfferDraw():
                self._bots.perform(effect)
            case Settled() if self._has_bots:
                self._bots.perform(effect)
            case Closed() if self._has_bots:
                self._bots.let_all_go()
            case Keep():
                self.later(lambda: _kept(effect))
            case Load():
                self.later(lambda: _loaded(effect))
            case Remember(look):
                wanted = ascii_choice(self.settings, plain=look.plain)
                self.keep(replace(self.settings, theme=look.theme, ascii=wanted, bell=look.bell, title=look.title))

    @cached_property
    def writer(self) -> "GameWriter":
        """Saves local games; imported after the first move."""
        from quadrille.client.kept.writer import GameWriter

        return GameWriter(self._home, lambda deed: self._loop.run_in_executor(None, deed), self.tell)

    def _look(self, own: LocalTable | None) -> None:
        """Save the local table in front, as soon as there is something to save."""
        if own is not self._seen and ("writer" in vars(self) or (own is not None and not own.is_untouched)):
            self.writer.look(own)
        self._seen = own

    def later(self, deed: Callable[[], object]) -> None:
        """Run slow work in a thread, such as a slow disk, and pass its event to the screen."""
        self._loop.run_in_executor(None, lambda: self.tell(deed()))

    def tell(self, event: object) -> None:
        """Pass an event to the screen, from any thread."""
        with suppress(RuntimeError):  # the screen has gone meanwhile
            self._loop.call_soon_threadsafe(self.shell.tell, event)

    def write_due(self) -> None:
        """Write the games that have been left, and release them."""
        if "writer" in vars(self):
            self.writer.write_due()

    def ended(self) -> list[str]:
        """Close the last local game; return sentences about it."""
        return self.writer.close() if "writer" in vars(self) else []

    def keep(self, settings: Settings) -> None:
        """Save settings; if that fails they hold for now."""
        self.settings = settings
        try:
            write_settings(settings)
        except (OSError, RulesError) as error:
            self.shell.tell(terminal.Told(f"This holds for now only: {sentence(error)}", alarm=True))


def _kept(effect: Keep) -> object:
    try:
        return keep(effect)
    except FileExists as error:
        return terminal.Told(f"{error}. Another name?", alarm=True)
    except (OSError, RulesError) as error:
        return terminal.Told(f"Not saved: {sentence(error, writes=True)}", alarm=True)


def _loaded(effect: Load) -> object:
    try:
        return Loaded(effect.name, *load(effect.name))
    except (OSError, RulesError) as error:
        return terminal.Told(f"Not read: {sentence(error)}", alarm=True)


def sentence(error: Exception, *, writes: bool = False) -> str:
    """Say why a file failed, to stand after a colon."""
    return f"{file_trouble(error, writes=writes) if isinstance(error, OSError) else error}."


def shown(stage: Stage) -> int:
    """Run a stage at this terminal; return the exit code."""
    try:
        return asyncio.run(stage.run())
    finally:
        for text in stage.ended():
            print(text, file=sys.stdout if stage.shell.clean else sys.stderr)


def local_table(model: Any) -> LocalTable | None:
    """Return the local table in front of a person, at a table or in an evening."""
    table = getattr(model, "front", model)
    return table.own if isinstance(table, Model) else None
