"""The command `quadrille`: finds the module of the subcommand, runs it, and turns errors into sentences.

It imports only the module of the given command. Exit codes: 0 fine, 1 the answer is no or the game was
lost by error, 2 wrong usage, 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from quadrille import __version__
from quadrille.client.foreign import shown_lines
from quadrille.net.core.errors import NetError
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

#: All commands of one word or two, with their lines of help. client/commands has a module for each, of the same name.
COMMANDS: Final = {
    "lobby": "choose a game, find people, solve today's puzzle",
    "play": "play a game in the terminal",
    "host": "open a table on the network",
    "join": "sit down at a table on the network, or watch",
    "who": "list who is on the network, and the tables",
    "resume": "continue an unfinished game",
    "rules": "list the games, or print the rules of one",
    "puzzle": "solve the puzzle of the day",
    "learn": "play the positions before your own mistakes again",
    "replay": "show a recorded game move by move",
    "analyse": "find the moves that lost a recorded game",
    "picture": "draw a position of a game, or its maze",
    "openings": "show how first moves scored in many games",
    "solve": "find the winner with perfect play",
    "verify": "check the log or the record of a game",
    "bot": "bring a bot to a table",
    "bot new": "write a bot to begin with",
    "bot check": "find the faults of a bot",
    "bot bundle": "put a game of a bot into one file",
    "bot replay": "run a bot on a bundled game again",
    "tournament": "let bots play a tournament",
    "ladder": "find a bot's place among bots of known strength",
    "tune": "find better values for the numbers of a bot",
    "train": "learn the weights of a game from games of its own",
    "engine": "serve the rules to programs, in lines of JSON",
    "perft": "count the sequences of moves of a game",
    "relay": "pass sealed frames between people with a ticket",
    "doctor": "find out why you can't see each other",
    "docs": "show a guide, or a chapter of the protocols",
    "completion": "complete commands in your shell",
    "help": "show these lines, or the help of a command",
}
#: Help on one screen: groups of commands, by what one wants.
_FIRST_SCREEN: Final = (
    {
        "": "choose a game, find people            <- start here",
        "play [GAME]": "against bots, or several people at one keyboard",
        "puzzle": "one position a day, one winning move",
        "learn": "the positions before your own mistakes, again",
    },
    {
        "host GAME": "open a table on this network; --guests for phones",
        "join [TABLE]": "sit down at a table; --watch looks on",
        "who": "who is here, and which tables there are",
        "resume": "continue a game that was left",
        "doctor": "why you can't see each other",
    },
    {
        "rules [GAME]": "the games, and how each goes",
        "replay [FILE]": "the last game again, or a recorded one",
        "analyse [FILE]": "the moves that lost it",
    },
    {"bot ...": "write a bot, check it, bring it to a table", "tournament ...": "let bots play for a ranking"},
    {"help COMMAND": "all about one command", "help --all": "everything else"},
)


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
    count = 2 if " ".join(words[:2]) in COMMANDS else 1
    name = " ".join(words[:count])
    if name not in COMMANDS:
        return _no_command(words)
    command = import_module(f"quadrille.client.commands.{name.replace('-', '_').replace(' ', '_')}")
    parser = Parser(prog=f"quadrille {name}", description=command.DESCRIPTION)
    command.arguments(parser)
    # No program that we start inherits a passphrase or a key (client/network/passphrase.py, wifi.py).
    hidden = argparse.Namespace(
        environment_words=os.environ.pop(WORDS_VARIABLE, None), environment_key=os.environ.pop(WIFI_VARIABLE, None)
    )
    code: int = command.run(parser.parse_args(words[count:], hidden))
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
        hint = nearest(words[0], COMMANDS, "quadrille help lists the commands")
        parser.error(f"there is no command {quoted(words[0])}: {hint}")
    parser.parse_args(words)
    return USAGE


def help_text(*, whole: bool = False) -> str:
    """Return the commands on one screen, or all of them with a line for each."""
    groups = (COMMANDS,) if whole else _FIRST_SCREEN
    return "\n\n".join("\n".join(f"quadrille {name:17} {help}" for name, help in group.items()) for group in groups)


def unheard() -> None:
    """Discard unflushed output silently, because its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(why: str, code: int) -> int:
    print(f"quadrille: {shown_lines(why)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
