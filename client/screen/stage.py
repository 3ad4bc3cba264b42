"""A screen with tables in its shell: the bots, files and settings that its effects are about, and how it ends.

Imported only when a screen is wanted. A game that is neither finished nor kept is kept by itself when the program is
ended from outside, or by an error of its own.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from quadrille.client.bots.boxes import USUAL
from quadrille.client.files import FileExists, keep, load, write_text
from quadrille.client.screen.app import Shell
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.local import first_model, record_of
from quadrille.client.screen.table.model import Closed, Model, Remember, Replay
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings, ascii_choice, read_settings, wants_ascii, write_settings
from quadrille.client.table.effects import Advise, Keep, OfferDraw, Settled, Think
from quadrille.client.table.wishes import Load, Loaded
from quadrille.client.words.files import file_trouble
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import home
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.record import write

if TYPE_CHECKING:
    from quadrille.client.picture.film import FilmedMatch
    from quadrille.client.screen.table.bots import Bots


def look_of(settings: Settings) -> terminal.Look:
    """How the screen looks by a person's settings, here."""
    mono = "NO_COLOR" in os.environ and os.environ["NO_COLOR"] != ""
    return terminal.Look("mono" if mono else settings.theme, wants_ascii(settings), settings.bell, settings.title)


def begin_model(
    match: Match, bots: Sequence[str], settings: Settings, remark: str = "", clock: TimeControl | None = None
) -> Model:
    """A local table as it is shown first; `bots` has the bot of each seat, "" for a person."""
    model = first_model(match, bots, clock)
    return replace(model, look=look_of(settings), bot=settings.hints, notice=remark or model.notice, alarm=bool(remark))


class Stage:
    """A screen with tables, from the first picture to the last. Effects are performed in the loop's thread."""

    def __init__(
        self,
        model: Any,
        settings: Settings,
        *,
        functions: tuple[Callable[[Any, Any], tuple[Any, tuple[Any, ...]]], Callable[[Any], Picture]] | None = None,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
        isolate: str = USUAL,
    ) -> None:
        """`functions` are `update` and `draw` where the model is no table; `isolate` is the box of each bot."""
        turn, show = functions or (update, draw)
        self.shell = Shell(model, turn, show, self.perform, screen_input=screen_input, screen_output=screen_output)
        self.settings = settings
        self._isolate = isolate

    async def run(self) -> int:
        """Show it until somebody leaves; the exit code."""
        self._loop = asyncio.get_running_loop()
        try:
            return await self.shell.run_async(terminal.Begun())
        finally:
            if self._has_bots:
                self._bots.close()

    @cached_property
    def _bots(self) -> "Bots":
        """The bots of the tables. Their shell is imported for the first question to one, behind the first screen."""
        from quadrille.client.screen.table.bots import Bots

        return Bots(self.shell.tell, self._loop, isolate=self._isolate)

    @property
    def _has_bots(self) -> bool:
        return "_bots" in vars(self)

    def perform(self, effect: Any) -> None:
        """Perform an effect that is not the terminal's."""
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

    def later(self, deed: Callable[[], object]) -> None:
        """Do in a thread what may take a while, such as a slow disk, and tell the screen the event that comes of it."""
        self._loop.run_in_executor(None, lambda: self.tell(deed()))

    def tell(self, event: object) -> None:
        """Tell the screen an event, from any thread."""
        with suppress(RuntimeError):  # the screen has gone meanwhile
            self._loop.call_soon_threadsafe(self.shell.tell, event)

    def keep(self, settings: Settings) -> None:
        """Keep settings; where that is not possible they hold for now."""
        self.settings = settings
        try:
            write_settings(settings)
        except (OSError, RulesError) as error:
            self.shell.tell(terminal.Told(f"This is for now only: {sentence(error)}", alarm=True))


def _kept(effect: Keep) -> object:
    try:
        return keep(effect)
    except FileExists as error:
        return terminal.Told(f"{error}. Another name?", alarm=True)
    except (OSError, RulesError) as error:
        return terminal.Told(f"Not saved: {sentence(error, writes=True)}", alarm=True)


def _loaded(effect: Load) -> object:
    try:
        return Loaded(effect.name, load(effect.name))
    except (OSError, RulesError) as error:
        return terminal.Told(f"Not read: {sentence(error)}", alarm=True)


def sentence(error: Exception, *, writes: bool = False) -> str:
    """What went wrong with a file, to stand behind a colon."""
    return f"{file_trouble(error, writes=writes) if isinstance(error, OSError) else error}."


def play(match: Match, bots: Sequence[str], clock: TimeControl | None = None, isolate: str = USUAL) -> int:
    """A local table at this terminal, until somebody leaves it; the exit code."""
    settings, remark = read_settings()
    return _shown(Stage(begin_model(match, bots, settings, remark, clock), settings, isolate=isolate))


def look_at(one: "FilmedMatch", file: str) -> int:
    """A record at this terminal, to step through and to play on from; the exit code."""
    settings, remark = read_settings()
    match, notice = one.match, f"{remark}." if remark else ""
    model = Model(
        record_of(match, one.safe_names, one.viewer), look_of(settings), file=Path(file).name,
        replay=Replay(0), bot=settings.hints, notice=notice, alarm=bool(remark),
    )  # fmt: skip
    return _shown(Stage(model, settings))


def _shown(stage: Stage) -> int:
    try:
        return asyncio.run(stage.run())
    finally:
        if not stage.shell.clean:
            rescue(stage.shell.model)


def rescue(model: Model) -> None:
    """Keep a game that somebody was in the middle of: at home, else where things for now are, else on the terminal."""
    match, why = model.table.match, ""
    if model.own is None or not model.own.would_be_lost:
        return
    places: tuple[Callable[[], str | Path], ...] = (home, tempfile.gettempdir)
    for place in places:
        try:
            path = _rescued(match, Path(place()))
            print(f"the game is kept in {path}: quadrille play --load goes on with it", file=sys.stderr)
            return
        except (OSError, RulesError, NetError) as error:
            why = why or (f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error))
    print(f"the game can't be kept: {why}. This is its record:\n{write(match)}", file=sys.stderr)


def _rescued(match: Match, folder: Path) -> Path:
    """The record in that folder, beside those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        with suppress(FileExists):
            again = f"-{number}" if number > 1 else ""
            return write_text(str(folder / f"rescued-{match.game.key}{again}.txt"), write(match))
    raise AssertionError("numbers do not end")
