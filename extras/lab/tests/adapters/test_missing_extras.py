"""An adapter whose library is not installed says in one line what to install; without an observer all say the same."""

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("adapter", "library", "line"),
    [
        ("openspiel", "pyspiel", "OpenSpiel is not installed: install it with pip install open_spiel"),
        ("openspiel", "numpy", "OpenSpiel is not installed: install it with pip install open_spiel"),
        ("pettingzoo", "pettingzoo", "PettingZoo is not installed: install it with pip install pettingzoo"),
        ("gymnasium", "gymnasium", "Gymnasium is not installed: install it with pip install gymnasium"),
        ("pettingzoo", "gymnasium", "PettingZoo is not installed: install it with pip install pettingzoo"),
    ],
)
def test_a_missing_library_is_named_with_what_installs_it(adapter: str, library: str, line: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; import quadrille.extras.lab.adapters.{adapter}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"quadrille.ai.missing.MissingLibrary: {line}"
    assert "During handling" not in done.stderr


def test_what_all_adapters_share_needs_no_library() -> None:
    blocked = "; ".join(f"sys.modules[{name!r}] = None" for name in ("numpy", "pyspiel", "pettingzoo", "gymnasium"))
    program = f"import sys; {blocked}; import quadrille.extras.lab.adapters.play"
    subprocess.run([sys.executable, "-c", program], check=True)
