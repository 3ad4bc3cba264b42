"""The command `quadrille`: finds the module of the subcommand, runs it, and turns errors into sentences.

It imports only the module of the given command (client/commands). Exit codes: 0 fine, 1 the answer is no or the game
was lost by error, 2 wrong usage, 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from quadrille import __version__
from quadrille.client.commands import command, first_screen, line, subcommands
from quadrille.client.foreign import shown_lines
from quadrille.net.core.errors import NetError
from quadrille.plugs import BrokenPlug
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


class Parser(argparse.ArgumentParser):
    """An argument parser whose refusals look like all others of the program."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            near = nearest(str(value), choices, "")
            told = f"{quoted(str(value))} is none of {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"{told}: {near}" if near else told)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, others = self.parse_known_args(args, namespace)
        if others:
            near = nearest(others[0].partition("=")[0], self._option_string_actions, "")
            self.error(f"unrecognized arguments: {' '.join(others)}{f': {near}' if near else ''}")
        return found

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"quadrille: {message}\nSee: {self.prog} --help\n")


def main(words: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(list(sys.argv[1:] if words is None else words))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPlug as error:
        return _refuse(str(error), NO)
    except RulesError as error:
        return _refuse(str(error), NO if isinstance(error, BadRecord) else USAGE)
    except NetError as error:
        return _refuse(str(error), NO)
    except BrokenPipeError:
        unheard()
        return FINE
    except OSError as error:
        return _refuse(": ".join(str(part) for part in (error.filename, error.strerror or error) if part), USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(words: list[str]) -> int:
    words = ["--help" if word == "?" else word for word in words]
    if words[:1] in (["--help"], ["-h"]):
        words = ["help", *words[1:]]
    found = command(words)
    if found is None:
        return _no_command(words)
    name, one = found
    module = one.load(name)
    parser = Parser(prog=f"quadrille {name}", description=module.DESCRIPTION)
    module.arguments(parser)
    # No program that we start inherits a passphrase or a key (client/network/passphrase.py, wifi.py).
    hidden = argparse.Namespace(
        environment_words=os.environ.pop(WORDS_VARIABLE, None), environment_key=os.environ.pop(WIFI_VARIABLE, None)
    )
    code: int = module.run(parser.parse_args(words[len(name.split()) :], hidden))
    return code


def _no_command(words: list[str]) -> int:
    """Run a command line without a command: the version, the lobby, or a refusal."""
    parser = Parser(prog="quadrille", add_help=False)
    parser.add_argument("--version", action="version", version=f"quadrille {__version__}")
    if not words and sys.stdin and sys.stdin.isatty() and not (sys.stdout and sys.stdout.isatty()):
        print(help_text())  # the person who types would see nothing
        return USAGE
    if not words or (words[0].startswith("--") and words[0] != "--version"):
        return _run(["lobby", *words])  # its help also says what a terminal without a screen can do
    if not words[0].startswith("-"):
        hint = nearest(words[0], subcommands(), "quadrille help lists the commands")
        parser.error(f"there is no command {quoted(words[0])}: {hint}")
    parser.parse_args(words)
    return USAGE


def help_text(*, whole: bool = False) -> str:
    """Return the commands on one screen, or all of them with a line for each."""
    return "\n".join(line((name, one.help)) for name, one in subcommands().items()) if whole else first_screen()


def unheard() -> None:
    """Discard unflushed output silently, because its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(why: str, code: int) -> int:
    print(f"quadrille: {shown_lines(why)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
