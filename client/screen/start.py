"""The start of each screen. Its first picture stands before the slow part: the import of prompt-toolkit and the rest.

Keys that a person types meanwhile wait in the terminal, unseen. Refusals come before the picture, in lines.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.draw.theme import ALL_COLOURS, FEW_COLOURS, NO_COLOURS, TABLE_OF_COLOURS, code, styles
from quadrille.client.screen.table import terminal
from quadrille.client.settings import Settings, read_settings, wants_ascii
from quadrille.value import value

if sys.platform != "win32":
    import termios
if TYPE_CHECKING:
    from argparse import Namespace

    from quadrille.client.kept.own_tables import OwnTables
    from quadrille.client.network.options import NetworkOptions
    from quadrille.client.picture.film import FilmedMatch
    from quadrille.client.screen.lobby.model import LobbyScreen
    from quadrille.client.screen.network.news import Order
    from quadrille.client.screen.table.model import Model
    from quadrille.client.table.game_setup import GameSetup

#: The alternate screen without the cursor, cleared, in which no line wraps; and back.
ENTER: Final = "\x1b[?1049h\x1b[H\x1b[?25l\x1b[?7l\x1b[0m\x1b[J"
LEAVE: Final = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
_SIGNALS: Final = {getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGTSTP") if hasattr(signal, name)}
#: Seconds that a terminal may stall before it is left as it is: a connection over the air often needs some.
_PATIENCE: Final = 10
#: Seconds in which the rest of an answer may follow its first letter.
_REST: Final = 0.3


@value
class PaintedPicture:
    """A picture as a terminal takes it, row by row, and the place of the caret. Without rows nothing is known of what
    the terminal shows.
    """

    rows: tuple[str, ...] = ()
    caret: tuple[int, int] | None = None

    def after(self, before: "PaintedPicture") -> str:
        """Return what shows it on a terminal that shows the one `before`."""
        rows = (f"\x1b[{at}H{row}" for at, row in enumerate(self.rows, 1) if row not in before.rows[at - 1 : at])
        caret = "\x1b[{};{}H\x1b[?25h".format(*(at + 1 for at in self.caret)) if self.caret else ""
        return "".join(("\x1b[?25l", *rows, "\x1b[0m", caret))


class FirstPicture:
    """The first picture on this process's terminal as it is `shown`, with the terminal's `modes` from before it. A
    shell goes on from there, and writes through it; the alternate screen `is_left` when the shell has led out of it.

    The terminal takes the `rest` of it later: a stalled connection must not hold up the program. All bytes go out in
    their order, because any others would cut an escape sequence.
    """

    def __init__(self, modes: list[Any], shown: PaintedPicture) -> None:
        self.modes = modes
        self.shown = shown
        self.is_left = False
        self.rest = b""
        try:  # opened anew, because the shell and other programs have the same open terminal, and expect it to block
            self.file = os.open(os.ttyname(sys.stdout.fileno()), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:  # it is another user's, as after su
            self.file = sys.stdout.fileno()

    def write(self, text: str) -> None:
        self.rest += text.encode(sys.stdout.encoding or "utf-8", "replace")

    def flush(self) -> None:
        """Write as much as the terminal takes now."""
        try:
            os.set_blocking(self.file, False)
            while self.rest:
                self.rest = self.rest[os.write(self.file, self.rest) :]
        except BlockingIOError:
            pass
        finally:
            os.set_blocking(self.file, True)

    def drain(self) -> None:
        """Wait until the terminal has taken all, but not for ever."""
        end = time.monotonic() + _PATIENCE
        while self.rest and (left := end - time.monotonic()) > 0:
            select.select([], [self.file], [], left)
            self.flush()

    def let_signals_through(self) -> None:
        assert sys.platform != "win32"
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

    def restore(self) -> None:
        """Give the terminal its modes back."""
        assert sys.platform != "win32"
        with suppress(OSError, termios.error):  # the terminal is gone
            if not self.is_left:
                self.write(LEAVE)
            self.is_left = True
            self.drain()
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self.modes)
            if self.rest:  # what is printed after it would wait for ever
                self.rest, nowhere = b"", os.open(os.devnull, os.O_WRONLY)
                for file in (sys.stdout, sys.stderr):
                    if file.isatty():
                        os.dup2(nowhere, file.fileno())


@contextmanager
def shown_first(model: Any, draw: Callable[[Any], Picture]) -> Iterator[FirstPicture | None]:
    """Show the first picture of a model, and restore the terminal at the end; None where the shell shows it.

    Signals that would leave the terminal as it is wait until a shell lets them through, or until the end.
    """
    if sys.platform == "win32":
        yield None
        return
    keys, size = sys.stdin.fileno(), os.get_terminal_size(sys.stdout.fileno())
    model = replace(model, rows=size.lines or terminal.ROWS, columns=size.columns or terminal.COLUMNS)
    first = FirstPicture(termios.tcgetattr(keys), painted(draw(model), model.look.theme, colours(model.look.theme)))
    raw = termios.tcgetattr(keys)
    raw[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    raw[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    raw[6][termios.VMIN] = 1
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        termios.tcsetattr(keys, termios.TCSANOW, raw)
        first.write(ENTER + first.shown.after(PaintedPicture()))
        first.flush()
        yield first
    finally:
        first.restore()
        first.let_signals_through()


@contextmanager
def with_modes(file: int, modes: list[Any]) -> Iterator[None]:
    """Give the terminal other modes for a while."""
    assert sys.platform != "win32"
    during = termios.tcgetattr(file)
    termios.tcsetattr(file, termios.TCSANOW, modes)
    try:
        yield
    finally:
        termios.tcsetattr(file, termios.TCSANOW, during)


def drop_rest_of_answer(file: int, seconds: float = _REST) -> None:
    """Drop what follows a letter that answered the last question, up to Enter; otherwise the shell would get it."""
    assert sys.platform != "win32"
    end, silent = time.monotonic() + seconds, termios.tcgetattr(file)
    silent[3] &= ~(termios.ICANON | termios.ECHO)
    with with_modes(file, silent):
        while (left := end - time.monotonic()) > 0 and select.select([file], [], [], left)[0]:
            if os.read(file, 1) in (b"", b"\r", b"\n"):
                return


def colours(theme: str) -> int:
    """Return the number of colours that the terminal of this process has, or fewer if the person wants that."""
    if theme == "mono" or os.environ.get("NO_COLOR"):
        return NO_COLOURS
    if os.environ.get("TERM") in ("linux", "eterm-color"):
        return FEW_COLOURS
    if sys.platform == "win32":
        return ALL_COLOURS
    return ALL_COLOURS if os.environ.get("COLORTERM") in ("truecolor", "24bit") else TABLE_OF_COLOURS


def painted(picture: Picture, theme: str, number: int) -> PaintedPicture:
    """Return a picture as a terminal with that number of colours takes it."""
    rows = ("".join(_escape(words, theme, number) + text for words, text in row) for row in picture.rows)
    return PaintedPicture(tuple(rows), picture.caret)


@lru_cache(maxsize=1024)
def _escape(words: str, theme: str, number: int) -> str:
    """Return the escape sequence of a style; of several words about one thing the last holds."""
    known = styles(theme, number)
    codes = dict(code(word, number) for name in ("screen", *words.split()) for word in known.get(name, "").split())
    return f"\x1b[{';'.join(('0', *codes.values()))}m"


# Screens


def look_of(settings: Settings) -> terminal.Look:
    theme = "mono" if os.environ.get("NO_COLOR") else settings.theme
    return terminal.Look(theme, wants_ascii(settings), settings.bell, settings.title)


def begin_lobby(options: "NetworkOptions", settings: Settings, remark: str) -> "LobbyScreen":
    from quadrille.client.screen.lobby.model import LobbyScreen
    from quadrille.client.settings import own_name  # imported here: a game needs no lobby

    return LobbyScreen(look_of(settings), name=own_name(options.name), notice=remark, alarm=bool(remark))


def go_on(setup: "GameSetup", isolate: str, at_home: str | None, tables: "OwnTables | None" = None) -> int:
    """Play a game at this terminal, a stored one with the tables that have taken it; return the exit code."""
    from quadrille.client.screen.table.shown import table_model  # imported here: the lobby needs no table

    return _run(table_model(setup), isolate=isolate, at_home=at_home, tables=tables)


def look_at(filmed: "FilmedMatch") -> int:
    """Show a record at this terminal, to step through and to play on from; return the exit code."""
    from quadrille.client.screen.table.shown import replay_of

    return _run(replay_of(filmed))


def _run(model: "Model", **given: Any) -> int:
    from quadrille.client.screen.table.draw import draw

    settings, remark = read_settings()
    notice = f"{remark}." if remark else model.notice
    model = replace(model, look=look_of(settings), bot=settings.hints, notice=notice, alarm=bool(remark))
    with shown_first(model, draw) as first:
        from quadrille.client.screen.stage import Stage, shown

        return shown(Stage(model, settings, first=first, **given))


def spend(settings: "Namespace", order: "Order | None" = None) -> int:
    """Run an evening at this terminal; return the exit code."""
    from quadrille.client.network.options import network_options
    from quadrille.client.screen.lobby.draw import draw_lobby

    options = network_options(settings)  # no screen yet, because a passphrase may have to be asked for
    with shown_first(begin_lobby(options, *read_settings()), draw_lobby) as first:
        from quadrille.client.screen.evening_stage import EveningStage
        from quadrille.client.screen.stage import shown

        return shown(EveningStage(options, order, first=first))
