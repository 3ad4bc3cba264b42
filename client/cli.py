"""The command `quadrille`: finds the module of the subcommand, runs it, and turns errors into sentences.

It imports only the module of the given command (client/commands). Exit codes: 0 fine, 1 the answer is no or the game
was lost by error, 2 wrong usage, 130 interrupted.
"""

import argparse
import os
import re
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NoReturn

from quadrille import __version__
from quadrille.client.commands import INSTEAD, WHICH_GAME, command, first_screen, subcommands
from quadrille.client.foreign import shown_lines
from quadrille.net.core.errors import NetError
from quadrille.plugs import BrokenPlug, game_fault, whole_names
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.squares import nearest, quoted

FINE: Final = 0
NO: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
#: The environment variable of a room's passphrase; no program that we start inherits it.
WORDS_VARIABLE: Final = "QUADRILLE_PASSPHRASE"
#: The same for the key of a Wi-Fi.
WIFI_VARIABLE: Final = "QUADRILLE_WIFI_KEY"


#: The first page of a help fits on a screen, as a terminal has it that nobody made larger.
_ROWS: Final = 24
_COLUMNS: Final = 80


class _Form(argparse.HelpFormatter):
    """The form of a help: prose as wide as the window, and examples and tables, which are indented, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        def filled(paragraph: str) -> str:
            fits = max(map(len, paragraph.splitlines()), default=0) <= width
            return paragraph if fits or "\n " in f"\n{paragraph}" else textwrap.fill(paragraph, width)

        return "\n\n".join(map(filled, text.split("\n\n")))


class _Help(argparse.Action):
    """`--help` prints one page, and `--help all` every option."""

    def __call__(self, parser: argparse.ArgumentParser, settings: Any, values: Any, option: str | None = None) -> None:
        whole = parser.format_help()
        assert isinstance(parser, Parser)
        print(whole if values == "all" or whole.count("\n") <= _ROWS else parser.first_page(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """An argument parser whose refusals look like all others of the program.

    The `first` options stand at the top of the first page of its help.
    """

    first: Sequence[str] = ()

    def __init__(self, *, add_help: bool = True, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Form, add_help=False, **settings)
        if add_help:
            about = "show one page of help, or all of it"
            self.add_argument(
                "-h", "--help", action=_Help, nargs="?", default=argparse.SUPPRESS, metavar="all", help=about
            )

    def first_page(self) -> str:
        """Return what the command does, with its examples, and a line for each of its first options."""
        form = self._get_formatter()
        paragraphs = [form._fill_text(text, _COLUMNS, "") for text in (self.description or "").split("\n\n")[:2]]
        options = [option for option in self._actions if option.option_strings and option.help != argparse.SUPPRESS][1:]
        options.sort(key=lambda option: (*self.first, option.option_strings[0]).index(option.option_strings[0]))
        places = [
            form._format_args(option, str(option.metavar or option.dest))
            for option in self._actions
            if not option.option_strings
        ]
        top = "\n\n".join(
            [" ".join([f"usage: {self.prog} [OPTION ...]", *places]), *filter(None, paragraphs)]
        ).splitlines()
        room = max(0, _ROWS - 3 - sum(1 + (len(row) - 1) // _COLUMNS if row else 1 for row in top))
        foot = f"{self.prog} --help all" + (f": all {len(options)} options" if options[room:] else ": more about each")
        return "\n".join([*top, "", *(self._row(form, option) for option in options[:room]), "", foot, ""])

    @staticmethod
    def _row(form: argparse.HelpFormatter, option: argparse.Action) -> str:
        """Return an option with the beginning of its help, up to the first pause."""
        about = re.split(r"[;:(]", (option.help or "") % vars(option), maxsplit=1)[0].strip()
        line = f"  {form._format_action_invocation(option):22} {about}"
        return line if len(line) <= _COLUMNS else f"{line[: _COLUMNS - 1].rsplit(' ', 1)[0]} …"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            near = nearest(str(value), choices, "")
            fault = f"{quoted(str(value))} is none of {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"{fault}: {near}" if near else fault)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        settings, others = self.parse_known_args(args, namespace)
        if others:
            word = others[0].partition("=")[0]
            names = {name.lstrip("-"): name for name in self._option_string_actions}
            from difflib import get_close_matches  # only a wrong word needs it

            near = next(iter(get_close_matches(word.lstrip("-"), names, 1)), "")  # dashes would make all names alike
            hint = f": write {INSTEAD[word]}" if word in INSTEAD else f": did you mean {names[near]}?" if near else ""
            self.error(f"unrecognized arguments: {' '.join(others)}{hint}")
        return settings

    def error(self, message: str) -> NoReturn:
        if message.startswith("the following arguments are required: GAME"):  # others, too, perhaps
            message = WHICH_GAME
        self.exit(USAGE, f"quadrille: {message}\nSee: {self.prog} --help\n")


def main(words: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(list(sys.argv[1:] if words is None else words))
        if sys.stdout is not None:
            sys.stdout.flush()
    except (BadRecord, BrokenPlug, NetError) as error:
        return _refuse(str(error), NO)
    except RulesError as error:
        return _refuse(str(error), USAGE)
    except BrokenPipeError:
        unheard()
        return FINE
    except OSError as error:
        is_lost = isinstance(error, FileNotFoundError) and error.filename is None
        where = "the folder that you are in" if is_lost else error.filename
        return _refuse(": ".join(str(part) for part in (where, error.strerror or error) if part), USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if not (fault := game_fault(error)):
            raise
        return _refuse(fault, NO)
    return code


def _run(words: list[str]) -> int:
    words = ["--help" if word == "?" else word for word in words]
    if words[:1] in (["--help"], ["-h"]):
        words = ["help", *words[1:]]
    command_found = command(words)
    if command_found is None:
        return _no_command(words)
    name, subcommand = command_found
    module = subcommand.load(name)
    parser = Parser(prog=f"quadrille {name}", description=module.DESCRIPTION)
    parser.first = getattr(module, "FIRST", ())
    module.arguments(parser)
    # No program that we start inherits a passphrase or a key (client/network/passphrase.py).
    hidden = argparse.Namespace(
        environment_words=os.environ.pop(WORDS_VARIABLE, None), environment_key=os.environ.pop(WIFI_VARIABLE, None)
    )
    settings = parser.parse_args(whole_names(words[len(name.split()) :]), hidden)
    if named := getattr(settings, "home", None):
        from quadrille.net.core.home import VARIABLE, home  # imported here: most commands need no home

        os.environ[VARIABLE] = str(home(named))  # every bot's box hides it, whoever starts the bot
    return int(module.run(settings))


def _no_command(words: list[str]) -> int:
    """Run a command line without a command: the version, the lobby, or a refusal."""
    parser = Parser(prog="quadrille", add_help=False)
    parser.add_argument("--version", action="version", version=f"quadrille {__version__}")
    if not words and sys.stdin and sys.stdin.isatty() and not (sys.stdout and sys.stdout.isatty()):
        print(first_screen())  # the person who types would see nothing
        return USAGE
    if not words or (words[0].startswith("--") and words[0] != "--version"):
        return _run(["lobby", *words])  # its help also says what a terminal without a screen can do
    if not words[0].startswith("-"):
        name = INSTEAD.get(words[0])
        hint = (
            f"it is quadrille {name}" if name else nearest(words[0], subcommands(), "quadrille help lists the commands")
        )
        parser.error(f"there is no command {quoted(words[0])}: {hint}")
    parser.parse_args(words)
    return USAGE


@contextmanager
def interrupts(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at Ctrl-C."""
    before = signal.signal(signal.SIGINT, lambda *_: stop())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def unheard() -> None:
    """Discard unflushed output silently, because its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(reason: str, code: int) -> int:
    print(f"quadrille: {shown_lines(reason)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
