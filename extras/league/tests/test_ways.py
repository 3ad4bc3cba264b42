"""Where a tournament is played: what can't be, and what is missing for it, is said in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.client.cli import main

WORDS = ["tournament", "quick", "maze", "random", "greedy", "--on"]


def test_a_place_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*WORDS, "cloud"]) != 0
    [said] = capsys.readouterr().err.splitlines()
    assert '"cloud" is no cluster: write dask://HOST:PORT' in said


@pytest.mark.parametrize("library", ["numpy", "distributed"])
def test_what_is_not_installed_is_said_in_one_line(library: str, tmp_path: Path) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; from quadrille.client.cli import main; sys.exit(main())"
    found = subprocess.run(
        [sys.executable, "-c", code, *WORDS, "dask://127.0.0.1:1"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert found.stderr == f"quadrille: {library} is not installed: install it with pip install {library}\n"
    assert found.returncode == 2
