"""The command `quadrille`: finds the module of the subcommand, runs it, and turns errors into sentences.

It imports only the module of the given command. Exit codes: 0 fine, 1 the answer is no or the game was
lost by error, 2 wrong usage, 130 interrupted.
"""

import argparse
import difflib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from quadrille import __version__
from quadrille.client.foreign import shown_lines
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.squares import quoted

FINE: Final = 0
NO: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
#: The environment variable of a room's passphrase; no program that we start inherits it.
WORDS_VARIABLE: Final = "QUADRILLE_PASSPHRASE"
#: The same for the key of a Wi-Fi.
WIFI_VARIABLE: Final = "QUADRILLE_WIFI_KEY"
#: Modules that an install by `quadrille share` lacks if the host had no compiled package for that machine.
_NETWORK_MODULES: Final = ("nacl", "_cffi_backend")
NO_NETWORK: Final = "the network needs PyNaCl and cffi, which are not installed here: pip install PyNaCl cffi"

#: All commands of one word or two, with their lines of help. client/commands has a module for each, of the same name.
COMMANDS: Final = {
    "games": "list the games",
    "rules": "print the rules of a game",
    "docs": "show a guide, or a chapter of the protocols",
    "play": "play a game in the terminal",
    "replay": "show a recorded game move by move",
    "picture": "draw a position of a game as a picture",
    "maze-export": "draw the maze of a game of Maze",
    "engine": "serve the rules to programs, in lines of JSON",
    "perft": "count the sequences of moves of a game",
    "solve": "find the winner with perfect play",
    "openings": "tell the results of first moves in many games",
    "analyse": "find the moves that lost a recorded game",
    "learn": "play the positions before your own mistakes again",
    "puzzle": "solve the puzzle of the day",
    "lobby": "the lobby: games, tables and people",
    "host": "open a table on the network",
    "join": "sit down at a table on the network",
    "watch": "watch a game on the network",
    "resume": "go on with an unfinished game",
    "tables": "list the tables on the network",
    "peers": "list the peers on the network, and known peers",
    "bot": "let a bot sit down at a table",
    "bot new": "write a bot to begin with",
    "bot check": "find the faults of a bot",
    "bot bundle": "put a game of a bot into one file",
    "bot replay": "run a bot on a bundled game again",
    "tournament": "let bots play a tournament",
    "ladder": "find a bot's place among bots of known strength",
    "tune": "find better values for the numbers of a bot",
    "train": "learn the weights of a game from games of its own",
    "verify": "check the log or the record of a game",
    "completion": "complete commands in your shell",
    "relay": "pass sealed frames between people with a ticket",
    "share": "give Quadrille to your neighbours without the internet",
    "doctor": "find the reasons why programs do not meet",
    "bench": "measure how fast the rules are",
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose refusals look like all others of the program."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(
                action, f"{quoted(str(value))} is none of {', '.join(map(str, action.choices))}"
            )

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
    except ModuleNotFoundError as error:
        if not lacks_network(error):
            raise
        return _refuse(f"{NO_NETWORK} (quadrille play goes without)", NO)
    except BrokenPipeError:
        unheard()
        return FINE
    except OSError as error:
        return _refuse(": ".join(str(part) for part in (error.filename, error.strerror or error) if part), USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(words: list[str]) -> int:
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
    """Run a command line without a command: help, the version, the lobby, or a refusal."""
    lines = "\n".join(f"  {name:12} {help}" for name, help in COMMANDS.items())
    parser = Parser(
        prog="quadrille",
        usage="quadrille [--version] COMMAND ...",
        description="Small abstract games on paper and with cards, for the people and the programs\nin the same room.",
        epilog=f"commands:\n{lines}\n\nquadrille COMMAND --help tells more about each.",
    )
    parser.add_argument("--version", action="version", version=f"quadrille {__version__}", help="print the version")
    if not words and sys.stdin and sys.stdin.isatty() and not (sys.stdout and sys.stdout.isatty()):
        parser.print_help()  # who types would see nothing
        return USAGE
    if not words or (words[0].startswith("--") and words[0] not in ("--help", "--version")):
        return _run(["lobby", *words])  # its help also says what a terminal without a screen can do
    if not words[0].startswith("-"):
        near = difflib.get_close_matches(words[0], COMMANDS, 1)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(COMMANDS)
        parser.error(f"there is no command {quoted(words[0])}: {hint}")
    parser.parse_args(words)
    return USAGE


def lacks_network(error: ModuleNotFoundError) -> bool:
    """Whether this is an install that can play, but has not what the network needs."""
    return error.name is not None and error.name.partition(".")[0] in _NETWORK_MODULES


def unheard() -> None:
    """Discard unflushed output silently, because its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(why: str, code: int) -> int:
    print(f"quadrille: {shown_lines(why)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
