"""The terminal: shows pictures of a model there, takes keys, and restores it afterwards. start.py is before it.

It knows no table and no game. It gets a model, `update`, `draw`, and a function for effects outside the terminal.
prompt-toolkit reads keys and knows modes and sizes of terminals. A picture is written as the first one was, and of
later ones the rows that have changed. After the end, an exception, SIGTERM and SIGHUP, and while stopped by Ctrl-Z, the
terminal is as it was before.
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO, cast

from prompt_toolkit.application import get_app_session
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from quadrille.client.screen import start
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.table import terminal
from quadrille.client.words.answers import YES
from quadrille.net.core.machine import awake

#: Keys with other names here.
_NAMES: Final = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace", "c-c": terminal.LEAVES.name}
_ESCAPE_WAITS: Final = 0.03
_FRAME: Final = 1 / 30
#: Seconds between two looks at the size of the window, where no signal tells of a change.
_LOOK: Final = 0.5
_PUSH_TITLE: Final = "\x1b[22;2t"
_POP_TITLE: Final = "\x1b[23;2t"
_OF_A_PERSON: Final = (terminal.Key, terminal.Pasted, terminal.Click, terminal.Wheel)
#: Signals that would end or stop the program without restoring the terminal, or that tell of a new size.
_SIGNALS: Final = ("SIGTERM", "SIGHUP", "SIGINT", "SIGTSTP", "SIGCONT", "SIGWINCH")
#: The mouse in reports of terminals: the left button, the wheel, the bits for Shift, Alt and Control; on Windows.
_LEFT: Final = 0
_WHEEL: Final = {64: True, 65: False}
_MODIFIERS: Final = 4 | 8 | 16
_ON_WINDOWS: Final = {"LEFT;MOUSE_DOWN": _LEFT, "NONE;SCROLL_UP": 64, "NONE;SCROLL_DOWN": 65}


class Shell:
    """A model on the screen, from the first picture to the last. A model has a look, rows and columns."""

    def __init__(
        self,
        model: Any,
        update: Callable[[Any, Any], tuple[Any, tuple[Any, ...]]],
        draw: Callable[[Any], Picture],
        perform: Callable[[Any], None],
        *,
        first: start.FirstPicture | None = None,
    ) -> None:
        """`perform` carries out effects outside the terminal, which may show the `first` picture already.

        It catches signals, stops at Ctrl-Z, and owns its event loop only where a person's terminal is the input.
        """
        self.model = model
        self._first = first
        self.last_key = ""
        self.clean = True  # whether somebody wanted it to end
        self._update = update
        self._draw = draw
        self._perform = perform
        self._error: BaseException | None = None
        self._end: asyncio.Future[int] | None = None
        self._timer: asyncio.Handle | None = None
        self._frame: asyncio.Handle | None = None
        self._escape: asyncio.Handle | None = None
        self._titled = False
        self._hides = False
        self._shown = first.shown if first is not None else start.PaintedPicture()
        session = get_app_session()
        self._input, self._output = session.input, session.output
        if first is not None:
            self._output.stdout = cast(TextIO, first)
        self._own = os.isatty(self._input.fileno())

    @property
    def is_running(self) -> bool:
        return self._end is not None and not self._end.done()

    # Input

    def tell(self, event: object) -> None:
        """Process an event; call it in the loop's own thread."""
        if not self.is_running:
            return
        # where the window is too small, nobody sees on what a key acts
        if self._hides and isinstance(event, _OF_A_PERSON) and event != terminal.LEAVES:
            return
        try:
            self.model, effects = self._update(self.model, event)
            for effect in effects:
                self._do(effect)
        except Exception as error:  # noqa: BLE001, whatever it is: first the terminal, then the word
            self._fail(error)
        # A flood of events must not starve the keys: they redraw at a limited rate, but a person's input at once.
        if isinstance(event, _OF_A_PERSON):
            self._paint_soon()
        elif self._frame is None:
            self._frame = asyncio.get_running_loop().call_later(_FRAME, self.paint)

    def _read(self) -> None:
        """Take the keys that have come. An Escape that nothing follows soon is the key itself."""
        self._take(self._input.read_keys())
        if self._escape is not None:
            self._escape.cancel()
        self._escape = asyncio.get_running_loop().call_later(
            _ESCAPE_WAITS, lambda: self._take(self._input.flush_keys())
        )

    def _take(self, presses: Sequence[KeyPress]) -> None:
        for press in presses:
            if self.is_running:  # what follows the last answer is no answer
                self._pressed(press.key, press.data)
        if self._input.closed:
            self.clean = False  # the terminal is gone
            self._exit(0)

    def _pressed(self, key: Keys | str, data: str) -> None:
        """Make an event of a key, except those that mean the same on all screens, and the terminal's answers."""
        match key:
            case Keys.BracketedPaste:
                self.tell(terminal.Pasted(data))
            case Keys.Vt100MouseEvent | Keys.WindowsMouseEvent:
                self._moused(data)
            case Keys.ScrollUp | Keys.ScrollDown:
                self.tell(terminal.Wheel(key == Keys.ScrollUp))
            case Keys.ControlZ:
                self._suspend(group=True)
            case Keys.ControlL:
                self.draw_again()
            case Keys.CPRResponse | Keys.Ignore:
                return
            case _:
                self.last_key = key.value if isinstance(key, Keys) else key
                self.tell(terminal.Key(_NAMES.get(self.last_key, self.last_key)))

    def _moused(self, data: str) -> None:
        """Take the left button and the wheel. Something else may be drawn by now than what was clicked."""
        button, row, column = mouse(data)
        if button == _LEFT:
            if target := self.picture(self.model.rows, self.model.columns).at(row, column):
                self.tell(terminal.clicked(target))
        elif button in _WHEEL:
            self.tell(terminal.Wheel(_WHEEL[button]))

    def picture(self, rows: int, columns: int) -> Picture:
        """Draw the present picture for a window of that size."""
        if self._error is None:
            try:
                if (rows, columns) != (self.model.rows, self.model.columns):
                    self.model, _ = self._update(self.model, terminal.Resized(rows, columns))
                picture = self._draw(self.model)
                self._hides = picture.hides
                return picture
            except Exception as error:  # noqa: BLE001, as in `tell`
                self._fail(error)
        return Picture(((("", ""),),))

    def _fail(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error
            self._exit(1)

    def _exit(self, code: int) -> None:
        if self._end is not None and not self._end.done():
            self._end.set_result(code)

    # Output

    def paint(self) -> None:
        """Write the present picture, as far as the terminal shows another one; where it stalls, a later one instead."""
        self._frame = None
        if self._first is not None and self._first.rest:
            return
        theme = self.model.look.theme
        picture = start.painted(self.picture(*self._output.get_size()), theme, start.colours(theme))
        if picture != self._shown:
            self._write(picture.after(self._shown))
            self._shown = picture

    def _paint_soon(self) -> None:
        if self._frame is not None:
            self._frame.cancel()
        self._frame = asyncio.get_running_loop().call_soon(self.paint)

    def _write(self, text: str) -> None:
        self._output.write_raw(text)
        self._output.flush()
        if self._first is not None and self._first.rest:
            asyncio.get_running_loop().add_writer(self._first.file, self._write_rest, self._first)

    def _write_rest(self, first: start.FirstPicture) -> None:
        """Write on as the terminal takes more, and then the picture of now."""
        first.flush()
        if not first.rest:
            asyncio.get_running_loop().remove_writer(first.file)
            self.paint()

    def _do(self, effect: object) -> None:
        match effect:
            case terminal.Ring():
                if self.model.look.bell:
                    self._write("\a")
            case terminal.Entitle(text):
                self._entitle(text if self.model.look.title else "")
            case terminal.Wake(after):
                self._wake(after / 1000)
            case terminal.Quit(code):
                self._exit(code)
            case _:
                self._perform(effect)

    def _wake(self, after: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(after, lambda: self.tell(terminal.Tick(awake())))

    def _entitle(self, text: str) -> None:
        if text and not self._titled:
            self._write(_PUSH_TITLE)
            self._titled = True
        if self._titled:
            self._output.set_title(text)
            self._output.flush()

    def _suspend(self, *, group: bool) -> None:
        """Stop with the terminal restored, and draw the screen again when the program continues."""
        if sys.platform == "win32" or self._first is None:
            return
        self._leave()
        self._first.drain()
        # prompt-toolkit's own way back forgets flow control
        with start.with_modes(self._input.fileno(), self._first.modes):
            os.kill(0 if group else os.getpid(), signal.SIGSTOP)
        self._enter()
        self._paint_soon()

    def draw_again(self) -> None:
        """Draw each cell anew: other programs may have written over them. The shell's own screen is left as it is."""
        self._shown = start.PaintedPicture()
        self._paint_soon()

    def _enter(self) -> None:
        """Go to the alternate screen, unless the first picture is there."""
        self._output.enable_mouse_support()
        self._output.enable_bracketed_paste()
        self._write(start.ENTER if self._first is None or self._first.is_left else "")

    def _leave(self) -> None:
        self._output.disable_mouse_support()
        self._output.disable_bracketed_paste()
        self._write(start.LEAVE)
        self._shown = start.PaintedPicture()
        if self._first is not None:
            self._first.is_left = True

    # Running

    async def run_async(self, begin: object) -> int:
        """Run until the end; return the exit code. An error is raised after the terminal is restored."""
        loop = asyncio.get_running_loop()
        before, signals, code = loop.get_exception_handler(), list[int](), 0
        self._end = loop.create_future()
        if self._own:
            gc.freeze()  # objects from the start stay, and a garbage collection of them would delay keys
            loop.set_exception_handler(
                lambda _, context: self._fail(context.get("exception") or RuntimeError(context["message"]))
            )
            signals = [getattr(signal, name) for name in _SIGNALS if sys.platform != "win32"]
            for number in signals:
                loop.add_signal_handler(number, self._signalled, number)
        if self._first is not None:
            self._first.let_signals_through()
        try:
            with self._input.raw_mode(), self._input.attach(self._read), self._on_screen():
                self.tell(begin)
                self.paint()
                if sys.platform == "win32":
                    self._watch_size()
                code = await self._end
        except EOFError:
            self.clean = False  # there is no terminal
        except Exception as error:  # noqa: BLE001, drawing the last picture may fail as the one before did
            self._error = self._error or error
        finally:
            for number in signals:
                loop.remove_signal_handler(number)
            if self._own:
                loop.set_exception_handler(before)
            for timer in (self._timer, self._frame, self._escape):
                if timer:
                    timer.cancel()
            if self._first is not None:
                loop.remove_writer(self._first.file)
                self._first.restore()
                if self.clean and self.last_key.lower() == YES[0]:
                    start.drop_rest_of_answer(self._input.fileno())
        if self._error is not None:
            self.clean = False
            raise self._error
        return code

    @contextmanager
    def _on_screen(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            with suppress(OSError):  # nobody can see it
                self._leave()
                if self._titled:
                    self._output.clear_title()
                    self._write(_POP_TITLE)

    def _watch_size(self) -> None:
        self.paint()
        if self.is_running:
            asyncio.get_running_loop().call_later(_LOOK, self._watch_size)

    def _signalled(self, number: int) -> None:
        match signal.Signals(number).name:
            case "SIGWINCH":
                self.draw_again()
            case "SIGINT":
                self.tell(terminal.LEAVES)
            case "SIGTSTP":
                self._suspend(group=False)
            case "SIGCONT":  # after a SIGSTOP, which nobody can catch, the terminal has the shell's modes
                self._input.raw_mode().__enter__()
                self.draw_again()
            case _:
                self.clean = False
                self._exit(128 + number)


def mouse(data: str) -> tuple[int, int, int]:
    """Return the button, the row and the column of a report of the mouse; -1 for a button that was let go.

    Buttons count from 32 where xterm's sign is missing, as in urxvt; in the oldest reports numbers are characters.
    """
    if not data.startswith("\x1b"):
        *kind, x, y = data.split(";")
        return _ON_WINDOWS.get(";".join(kind), -1), int(y), int(x)
    by_sign, of_xterm = data[2] == "M", data[2] == "<"
    # bytes that are no UTF-8 are surrogates
    signs = [ord(sign) % 0xDC00 - 32 for sign in data[3:]] if by_sign else []
    button, column, row = signs or map(int, data.strip("\x1b[<Mm").split(";"))
    button -= 0 if by_sign or of_xterm else 32
    return -1 if of_xterm and data[-1] == "m" else button & ~_MODIFIERS, row - 1, column - 1
