"""An adapter whose library is not installed says in one line what to install; without an observer all say the same."""

import subprocess
import sys

import pytest

from quadrille.rules.errors import RulesError


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
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {line}"
    assert "During handling" not in done.stderr


def test_what_all_adapters_share_needs_no_library() -> None:
    blocked = "; ".join(f"sys.modules[{name!r}] = None" for name in ("numpy", "pyspiel", "pettingzoo", "gymnasium"))
    program = f"import sys; {blocked}; import quadrille.extras.lab.adapters.play"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("maker", ["openspiel.load", "pettingzoo.env", "gymnasium.vector_env"])
def test_without_an_observer_all_refuse_in_the_same_words(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's texts need no observer: so there a game can be loaded."""
    adapter, _, name = maker.partition(".")
    make = getattr(pytest.importorskip(f"quadrille.extras.lab.adapters.{adapter}"), name)
    monkeypatch.setattr("quadrille.extras.lab.observations.view", lambda purpose, game: None)
    with pytest.raises(RulesError, match=r"^Maze has no observations: no .* it, as lab\.maze of quadrille\.views$"):
        make("maze") if name != "load" else make("maze").new_initial_state().observation_tensor(0)
