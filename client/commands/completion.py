"""`quadrille completion SHELL`: a script that lets a shell complete commands, options and games."""

import argparse
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")
DESCRIPTION: Final = """Print a script by which a shell completes commands, options and games.

  eval "$(quadrille completion bash)"                                   in ~/.bashrc
  quadrille completion zsh > FOLDER/_quadrille                          a folder of $fpath
  quadrille completion fish > ~/.config/fish/completions/quadrille.fish"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.completion import script

    print(script(settings.shell), end="")
    return 0
