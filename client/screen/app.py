"""The terminal: shows a model by prompt-toolkit, and restores the terminal afterwards. start.py is before it.

It knows no table and no game. It gets a model, `update`, `draw`, and a function for effects outside the terminal.
After the end, an exception, SIGTERM and SIGHUP, and while stopped by Ctrl-Z, the terminal is as it was before.
"""

import asyncio
import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.application.run_in_terminal import run_in_terminal
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import ALL_KEYS, Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import DynamicStyle, Style

from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.draw.theme import ALL_COLOURS, FEW_COLOURS, NO_COLOURS, TABLE_OF_COLOURS, styles
from quadrille.client.screen.start import FirstPicture, colours, let_signals_through
from quadrille.client.screen.table import terminal
from quadrille.client.words.answers import YES

#: Keys with other names here.
_NAMES: Final = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace"}
_ESCAPE_WAITS: Final = 0.03
_FRAME: Final = 1 / 30
#: Seconds in which the rest of an answer may follow its first letter.
_REST: Final = 0.3
_PUSH_TITLE: Final = "\x1b[22;2t"
_POP_TITLE: Final = "\x1b[23;2t"
_OF_A_PERSON: Final = (terminal.Key, terminal.Pasted, terminal.Click, terminal.Wheel)
_ENDING: Final = ("SIGTERM", "SIGHUP")
_DEPTHS: Final = {
    NO_COLOURS: ColorDepth.DEPTH_1_BIT,
    FEW_COLOURS: ColorDepth.DEPTH_4_BIT,
    TABLE_OF_COLOURS: ColorDepth.DEPTH_8_BIT,
    ALL_COLOURS: ColorDepth.DEPTH_24_BIT,
}


class _Over(Vt100_Output):
    """The terminal that shows the first picture already. It is not cleared where each cell is drawn again, because that
    would flicker.
    """

    first: FirstPicture | None = None

    def enter_alternate_screen(self) -> None:
        """Go to its first cell: that screen is there."""
        if self.first is None or self.first.taken:
            super().enter_alternate_screen()
        else:
            self.write_raw("\x1b[H")

    def erase_down(self) -> None:
        """Erase what has no ground of its own in a theme without colours, and may be left."""
        if self.first is None or self.first.taken or not self.first.coloured:
            super().erase_down()


class _Paper(UIControl):
    """The picture in prompt-toolkit's form."""

    def __init__(self, shell: "Shell") -> None:
        self._shell = shell

    def is_focusable(self) -> bool:
        """Return True: it is the only control."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """Draw in this size."""
        picture = self._shell.picture(height, width)
        rows = picture.rows
        caret = Point(picture.caret[1], picture.caret[0]) if picture.caret else Point(0, 0)
        return UIContent(
            lambda number: [(_classes(style), text) for style, text in rows[number]],
            len(rows),
            caret,
            show_cursor=picture.caret is not None,
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Handle the left button and the wheel. Something else may be drawn by now than what was clicked."""
        at, kind = mouse_event.position, mouse_event.event_type
        if kind == MouseEventType.MOUSE_DOWN and mouse_event.button in (MouseButton.LEFT, MouseButton.UNKNOWN):
            model = self._shell.model
            if target := self._shell.picture(model.rows, model.columns).at(at.y, at.x):
                self._shell.tell(terminal.clicked(target))
        elif kind in (MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN):
            self._shell.tell(terminal.Wheel(kind == MouseEventType.SCROLL_UP))


@lru_cache(maxsize=1024)
def _classes(words: str) -> str:
    """Return a style in prompt-toolkit's form. A style of the window would be applied to each character again."""
    return " ".join(f"class:{word}" for word in ("screen", *words.split()))


@lru_cache(maxsize=8)
def _style(theme: str, depth: ColorDepth) -> Style:
    number = next(number for number, known in _DEPTHS.items() if known == depth)
    return Style(list(styles(theme, number).items()))


class Shell:
    """A model on the screen, from the first picture to the last. A model has a look, rows and columns."""

    def __init__(
        self,
        model: Any,
        update: Callable[[Any, Any], tuple[Any, tuple[Any, ...]]],
        draw: Callable[[Any], Picture],
        perform: Callable[[Any], None],
        *,
        first: FirstPicture | None = None,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
    ) -> None:
        """`perform` carries out effects outside the terminal.

        Without input and output it uses the process's own terminal, which may show the `first` picture already: only
        then does it catch signals, stop at Ctrl-Z, and own its event loop.
        """
        self.model = model
        self._own = screen_input is None
        self._first = first
        self.last_key = ""
        self.clean = True  # whether somebody wanted it to end
        self._update = update
        self._draw = draw
        self._perform = perform
        self._error: BaseException | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._frame: asyncio.TimerHandle | None = None
        self._titled = False
        self._hides = False
        self._colours: ColorDepth | None = None
        self._modes: list[Any] | None = None
        if first is not None:
            screen_output = _Over.from_pty(sys.stdout, term=os.environ.get("TERM"))
            assert isinstance(screen_output, _Over)
            screen_output.first = first
        self.app: Application[int] = Application(
            layout=Layout(Window(_Paper(self))),
            key_bindings=_keys(self),
            style=DynamicStyle(lambda: _style(self.model.look.theme, self._depth())),
            full_screen=True,
            mouse_support=True,
            terminal_size_polling_interval=None if sys.platform != "win32" else 0.5,
            color_depth=self._depth,
            input=screen_input,
            output=screen_output,
        )
        self.app.ttimeoutlen = _ESCAPE_WAITS
        self.app.timeoutlen = _ESCAPE_WAITS

    def _depth(self) -> ColorDepth:
        """Return the terminal's number of colours, or fewer if the person wants that."""
        if self.model.look.theme == "mono":
            return ColorDepth.DEPTH_1_BIT
        if self._colours is None:
            usual = ColorDepth.from_env() or self.app.output.get_default_color_depth()
            self._colours = _DEPTHS[colours()] if self._own and sys.platform != "win32" else usual
        return self._colours

    # Input

    def tell(self, event: object) -> None:
        """Process an event; call it in the loop's own thread."""
        if self._error is not None or not self.app.is_running:
            return
        # where the window is too small, nobody sees on what a key acts
        if self._hides and isinstance(event, _OF_A_PERSON) and event not in terminal.LEAVES:
            return
        try:
            self.model, effects = self._update(self.model, event)
            for effect in effects:
                self._do(effect)
        except Exception as error:  # noqa: BLE001, whatever it is: first the terminal, then the word
            self._fail(error)
        if isinstance(event, _OF_A_PERSON):
            self.app.invalidate()
        elif self._frame is None:
            # A flood of events must not starve the keys: they redraw at a limited rate, but a person's input at once.
            self._frame = asyncio.get_running_loop().call_later(_FRAME, self._refresh)

    def _refresh(self) -> None:
        self._frame = None
        self.app.invalidate()

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
        if self.app.is_running and self.app.future and not self.app.future.done():
            self.app.exit(result=code)

    # Output

    def _do(self, effect: object) -> None:
        match effect:
            case terminal.Ring():
                if self.model.look.bell:
                    self.app.output.bell()
                    self.app.output.flush()
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
        self._timer = asyncio.get_running_loop().call_later(after, lambda: self.tell(terminal.Tick(now())))

    def _entitle(self, text: str) -> None:
        output = self.app.output
        if text and not self._titled:
            output.write_raw(_PUSH_TITLE)
            self._titled = True
        if self._titled:
            output.set_title(text)
            output.flush()

    def suspend(self, *, group: bool) -> None:
        """Stop with the terminal restored, and draw the screen again when the program continues."""
        if sys.platform == "win32" or not self._own:
            return

        def stop() -> None:
            with _as_before(self.app.input.fileno(), self._modes):
                os.kill(0 if group else os.getpid(), signal.SIGSTOP)

        run_in_terminal(stop)

    def draw_again(self) -> None:
        """Draw each cell anew: other programs may have written over them. The shell's own screen is left as it is."""
        self.app.renderer.erase(leave_alternate_screen=False)
        self.app.invalidate()

    # Running

    async def run_async(self, begin: object) -> int:
        """Run until the end; return the exit code. An error is raised after the terminal is restored."""
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        signals: list[int] = []
        if self._own:
            gc.freeze()  # objects from the start stay, and a garbage collection of them would delay keys
            self._modes = self._first.modes if self._first else _modes(self.app.input.fileno())
            loop.set_exception_handler(lambda _, context: self._fail(_reason(context)))
            signals = self._catch_signals(loop)
        if self._first is not None:
            let_signals_through()
            self.app.after_render += self._drawn_over
        code = 0
        try:
            code = await self.app.run_async(
                pre_run=lambda: self.tell(begin), set_exception_handler=False, handle_sigint=self._own
            )
        except EOFError:
            self.clean = False  # the terminal is gone
        except Exception as error:  # noqa: BLE001, drawing the last picture may fail as the one before did
            self._error = self._error or error
        finally:
            for number in signals:
                loop.remove_signal_handler(number)
            if self._own:
                loop.set_exception_handler(before)
            for timer in (self._timer, self._frame):
                if timer:
                    timer.cancel()
            self._untitle()
            if self._first is not None:
                self._first.restore()
            if self._own and self.clean and self.last_key.lower() == YES[0]:
                drop_rest_of_answer(self.app.input.fileno())
        if self._error is not None:
            self.clean = False
            raise self._error
        return code

    def _drawn_over(self, app: object) -> None:
        """Note that prompt-toolkit leads out of the alternate screen, now that it has drawn there."""
        assert self._first is not None
        self._first.taken = True
        self.app.after_render -= self._drawn_over

    def _catch_signals(self, loop: asyncio.AbstractEventLoop) -> list[int]:
        """Catch the signals that would end or stop the program without restoring the terminal."""
        caught: list[int] = []
        for name in (*_ENDING, "SIGTSTP", "SIGCONT"):
            number = getattr(signal, name, None)
            if number is None or sys.platform == "win32":
                continue
            try:
                loop.add_signal_handler(number, self._signalled, number)
            except (ValueError, RuntimeError):
                break  # not the main thread: signals belong to others
            caught.append(number)
        return caught

    def _signalled(self, number: int) -> None:
        match signal.Signals(number).name:
            case "SIGTSTP":
                self.suspend(group=False)
            case "SIGCONT":  # after a SIGSTOP, which nobody can catch, the terminal has the shell's modes
                self.app.input.raw_mode().__enter__()
                self.draw_again()
            case _:
                self.clean = False
                self._exit(128 + number)

    def _untitle(self) -> None:
        if self._titled:
            try:
                self.app.output.clear_title()
                self.app.output.write_raw(_POP_TITLE)
                self.app.output.flush()
            except OSError:
                return  # nobody can see it


def drop_rest_of_answer(file: int, seconds: float = _REST) -> None:
    """Drop what follows a letter that answered the last question, up to Enter; otherwise the shell would get it."""
    modes = _modes(file)
    if sys.platform == "win32" or modes is None:
        return
    import termios

    silent = [*modes[:3], modes[3] & ~(termios.ICANON | termios.ECHO), *modes[4:]]
    end = time.monotonic() + seconds
    with _as_before(file, silent):
        while (left := end - time.monotonic()) > 0 and select.select([file], [], [], left)[0]:
            if os.read(file, 1) in (b"", b"\r", b"\n"):
                return


def _modes(file: int) -> list[Any] | None:
    """Return the terminal's modes; None without a terminal."""
    if sys.platform == "win32":
        return None
    import termios

    try:
        return termios.tcgetattr(file)
    except termios.error:
        return None


@contextmanager
def _as_before(file: int, modes: list[Any] | None) -> Iterator[None]:
    """Restore the terminal's original modes for a while: prompt-toolkit's own way back forgets flow control."""
    if sys.platform == "win32" or modes is None:
        yield
        return
    import termios

    during = termios.tcgetattr(file)
    termios.tcsetattr(file, termios.TCSANOW, modes)
    try:
        yield
    finally:
        termios.tcsetattr(file, termios.TCSANOW, during)


def _reason(context: dict[str, Any]) -> BaseException:
    error = context.get("exception")
    return error if isinstance(error, BaseException) else RuntimeError(str(context.get("message")))


def _keys(shell: Shell) -> KeyBindings:
    """Make every key an event, except the mouse's and the terminal's answers, which prompt-toolkit handles."""
    bindings = KeyBindings()

    def pressed(event: KeyPressEvent) -> None:
        press = event.key_sequence[0]
        name = press.key.value if isinstance(press.key, Keys) else press.key
        if press.key == Keys.BracketedPaste:
            shell.tell(terminal.Pasted(press.data))
        elif name == "c-z":
            shell.suspend(group=True)
        elif name == "c-l":
            shell.draw_again()
        else:
            shell.last_key = name
            shell.tell(terminal.Key(_NAMES.get(name, name)))

    kept = (Keys.CPRResponse, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.ScrollUp, Keys.ScrollDown)
    own = [Keys(key) for key in ALL_KEYS if key not in kept]
    for key in (*own, Keys.Any):
        if key not in (Keys.Ignore,):
            bindings.add(key, eager=key != Keys.Any)(pressed)
    return bindings


def now() -> int:
    """Return the milliseconds of a monotonic clock."""
    return time.monotonic_ns() // 1_000_000
