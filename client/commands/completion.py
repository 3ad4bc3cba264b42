"""`quadrille completion SHELL`: a script that lets a shell complete commands, options, games and files."""

import argparse
from collections.abc import Callable, Iterable
from typing import Any, Final

SHELLS: Final = ("bash", "zsh", "fish", "tcsh", "powershell")
DESCRIPTION: Final = """Print a script by which a shell completes commands, options and games.

  eval "$(quadrille completion bash)"                                   in ~/.bashrc
  quadrille completion zsh > FOLDER/_quadrille                          a folder of $fpath
  quadrille completion fish > ~/.config/fish/completions/quadrille.fish"""
#: Placeholders that stand for a path.
_PATHS: Final = {"FILE": "FILE", "FOLDER": "DIRECTORY"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def run(settings: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(whole_parser(), shell=settings.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """Return one parser of all commands, whose arguments name what completes them."""
    from quadrille.client.commands import subcommands

    whole = argparse.ArgumentParser(prog="quadrille")
    groups = {"": whole.add_subparsers()}
    for name, subcommand in subcommands().items():
        first, _, second = name.rpartition(" ")
        made = groups[first].add_parser(second, help=subcommand.help)
        if any(other.startswith(f"{name} ") for other in subcommands()):
            groups[name] = made.add_subparsers()
        subcommand.load(name).arguments(made)
        for action in made._actions:  # argparse has no public list of them
            _complete(action)
    return whole


def _complete(action: Any) -> None:
    """Name the words or the files that can stand for an argument."""
    import shtab

    from quadrille.ai.house import listed
    from quadrille.client.documents import documents
    from quadrille.rules.registry import keys

    words: dict[str, Callable[[], Iterable[str]]] = {"GAME": keys, "BOT": listed, "DOCUMENT": documents}
    takes = action.metavar.partition(",")[0] if isinstance(action.metavar, str) else ""
    if takes in words and not action.choices:
        action.choices = tuple(words[takes]())
    elif takes in _PATHS:
        action.complete = getattr(shtab, _PATHS[takes])
