"""Scripts for shells: every command, every option and every game is in them, and the shells take them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from quadrille.client.commands import subcommands
from quadrille.client.commands.completion import SHELLS
from quadrille.client.completion import commands, script
from quadrille.rules.registry import keys
from tests.client.conftest import Run

PROBE = """
complete() { :; }
source {script}
asked() {{ COMP_WORDS=("$@"); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _quadrille; echo "${{COMPREPLY[@]}}"; }}
asked {words}
"""


@pytest.mark.parametrize("shell", SHELLS)
def test_everything_is_in_it(shell: str) -> None:
    text = script(shell)
    for command in commands():
        assert command.name in subcommands() and command.name.split()[-1] in text
        for option in command.options:
            assert all(name.lstrip("-") in text for name in option.names)
    assert all(key in text for key in keys())


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_takes_it(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    path = tmp_path / "script"
    path.write_text(script(shell), "utf-8")
    assert subprocess.run([program, "-n", str(path)], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("quadrille resu", "resume"),
        ("quadrille host mai", ""),
        ("quadrille host maz", "maze"),
        ("quadrille host maze --watchers inv", "invited"),
        ("quadrille host maze --clock 5", ""),
        ("quadrille bot che", "check"),
        ("quadrille bot check --quic", "--quick"),
        ("quadrille who --unb", "--unblock"),
        ("quadrille completion f", "fish"),
    ],
)
def test_bash_completes(words: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(script("bash"), "utf-8")
    probe = PROBE.replace("complete() { :; }", "complete() {{ :; }}").format(script=path, words=words)
    done = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == found


def test_the_command(run: Run) -> None:
    assert run("completion fish").out.startswith("# quadrille completion fish")
    assert '"csh" is none of bash' in run("completion csh").err
