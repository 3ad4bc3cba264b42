"""A person at an emulated terminal: what is typed goes in by a pipe, what is shown is read from pyte's screen.

Whatever is waited for is a condition on the screen, never a time; the deadline is for failing tests alone.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from quadrille.client.screen.stage import Stage
from quadrille.client.screen.table.model import Model
from quadrille.client.settings import Settings
from tests.waiting import DEADLINE

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "tab": "\t", "escape": "\x1b",
    "backspace": "\x7f", "home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "delete": "\x1b[3~", "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~",
    "f6": "\x1b[17~", "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~", "f10": "\x1b[21~",
    **{f"c-{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}  # fmt: skip


class Emulator(io.StringIO):
    """What prompt-toolkit writes to, with the screen that comes of it."""

    encoding = "utf-8"

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.news = asyncio.Event()

    def write(self, text: str) -> int:
        self.stream.feed(text)
        self.news.set()
        return len(text)

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Person:
    def __init__(self, stage: Stage, keys: PipeInput, emulator: Emulator) -> None:
        self.stage = stage
        self.emulator = emulator
        self._keys = keys
        self.task: asyncio.Task[int] | None = None

    @property
    def model(self) -> Model:
        return self.stage.shell.model

    def press(self, *keys: str) -> None:
        """Keys by their names; anything else is typed as it is."""
        self._keys.send_text("".join(KEYS.get(key, key) for key in keys))

    def click_at(self, name: str, does: str = "pick") -> None:
        """A click on a place, or on a choice ("word"), by what it stands for."""
        picture = self.stage.shell.picture(self.model.rows, self.model.columns)
        spot = next(spot for spot in picture.spots if (spot.does, spot.name) == (does, name))
        at = f"\x1b[<0;{spot.column + spot.width // 2 + 1};{spot.row + spot.height // 2 + 1}"
        self._keys.send_text(f"{at}M{at}m")

    async def until(self, there: Callable[["Person"], bool]) -> str:
        try:
            async with asyncio.timeout(DEADLINE):
                while not there(self):
                    assert self.task and not self.task.done(), f"it has ended:\n{self.emulator.text}"
                    self.emulator.news.clear()
                    waits = asyncio.create_task(self.emulator.news.wait())
                    await asyncio.wait({waits, self.task}, return_when=asyncio.FIRST_COMPLETED)
                    waits.cancel()
        except TimeoutError:
            raise AssertionError(f"it did not come:\n{self.emulator.text}") from None
        return self.emulator.text

    async def sees(self, *texts: str) -> str:
        return await self.until(lambda person: all(text in person.emulator.text for text in texts))

    async def no_longer_sees(self, text: str) -> str:
        return await self.until(lambda person: text not in person.emulator.text)

    async def end(self) -> int:
        async with asyncio.timeout(DEADLINE):
            return await self.task


@asynccontextmanager
async def at_screen(model: Model, isolate: str = "if possible") -> AsyncIterator[Person]:
    async with at_stage(lambda: Stage(model, Settings(), isolate=isolate)) as person:
        yield person


@asynccontextmanager
async def at_stage(
    made: Callable[[], Stage], rows: int = 24, columns: int = 80, who: type[Person] = Person
) -> AsyncIterator[Any]:
    emulator = Emulator(rows, columns)
    with create_pipe_input() as keys:
        output = Vt100_Output(
            emulator,
            lambda: Size(rows=emulator.screen.lines, columns=emulator.screen.columns),
            term="xterm-256color",
            enable_cpr=False,
        )
        with create_app_session(keys, output):
            stage = made()
        person = who(stage, keys, emulator)
        person.task = asyncio.create_task(stage.run())
        try:
            await person.until(lambda who: bool(who.emulator.text.strip()))
            yield person
        finally:
            stage.shell._exit(0)
            await asyncio.gather(person.task, return_exceptions=True)
