"""Nobody is told to install from an index what somebody else publishes there, or what nobody has published yet."""

import re
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Final

import pytest

from quadrille.rules.native.install import COMPILE, DISTRIBUTION, UPDATE

ROOT: Final = Path(__file__).resolve().parents[2]
#: An installer with its words, to the end of the command; our name among them, as no file; and our name with an extra.
COMMAND: Final = re.compile(r"\b(?:pip3?|pipx|uvx?)(?: tool| pip)? (?:install|download|run)\b([^`\n|&;)]*)")
OURS: Final = re.compile(r"(?<![\w./@-])[Qq]uadrille(?:[_-]games)?(?![\w./-])")
WITH_EXTRA: Final = re.compile(r"(?<![\w./-])quadrille(?:-games)?\[\w+\]")


def from_an_index(text: str) -> list[str]:
    """Return the commands and requirements of a text that an index would answer."""
    commands = (found for found in COMMAND.finditer(text) if "--no-index" not in found[1])
    return [found[0] for found in commands if OURS.search(found[1])] + WITH_EXTRA.findall(text)


def test_what_an_index_would_answer_is_told_from_a_checkout_and_a_wheel_file() -> None:
    for text in (
        "pip install quadrille", "pip3 install 'quadrille[cluster]'", "`pip install -U quadrille`",
        'pip install "quadrille-games>=0.1"', "uv tool install quadrille-games", "comes with `quadrille[cluster]`",
        "- run: pip install quadrille==0.1.0", "python -m pip install --pre Quadrille", "pipx run quadrille",
    ):  # fmt: skip
        assert from_an_index(text), text
    for text in (
        "pip install . && quadrille", "pip install '.[cluster]'", 'pip install "$QUADRILLE"', "pip install jinja2",
        "pip install ./wheels/quadrille_games-0.1.0-py3-none-any.whl", COMPILE, UPDATE,
    ):  # fmt: skip
        assert not from_an_index(text), text


@pytest.mark.slow
def test_no_document_sentence_template_or_workflow_names_an_index() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    files = [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]
    texts = {path: path.read_text("utf-8", "replace") for path in files if path != Path(__file__).resolve()}
    assert len(texts) > 1000
    assert {str(path): found for path, text in texts.items() if (found := from_an_index(text))} == {}


def test_the_name_is_everywhere_the_same_and_so_is_the_line_that_compiles() -> None:
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", "utf-8")
    assert config["metadata"]["name"] == DISTRIBUTION
    for name in ("README.md", "docs/guides/strong-bot.md", "docs/guides/run-a-tournament.md", "build_engine.py"):
        assert COMPILE in re.sub(r"\s+", " ", (ROOT / name).read_text("utf-8")), name
    assert '"--config-settings", "compile=yes"' in (ROOT / "tools/release").read_text("utf-8")
    assert 'CIBW_CONFIG_SETTINGS: "compile=yes"' in (ROOT / ".github/workflows/release.yml").read_text("utf-8")
