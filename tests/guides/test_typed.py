"""README and guides keep their word: whatever they have their readers type is typed here, as it stands."""

import ast
import shlex
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from quadrille.client.cli import COMMANDS, Parser
from tests.guides.typed import GUIDES, ROOT, blocks, commands, printed_as_shown, save, typed

PAGES = [ROOT / "README.md", *sorted(GUIDES.glob("*.md"))]
#: It is about a clone of the sources, and test_scenes.py types it.
ELSEWHERE = {"add-a-game"}


def stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", PAGES, ids=stem)
def test_every_command_and_option_is_there(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In sentences, too. The bots that they name have been saved."""
    monkeypatch.chdir(tmp_path)
    for page in PAGES:
        save(page, tmp_path)
    lines = list(commands(path))
    assert lines
    for line in lines:
        words = shlex.split(line.partition("#")[0].replace("|", " ").partition(" > ")[0])[1:]
        name = next((name for name in (" ".join(words[:2]), *words[:1]) if name in COMMANDS), "")
        assert name or not words or words[0] in ("--version", "GAME"), line
        if not name or "--help" in words or words == name.split():
            continue
        parser = Parser(prog=name)
        import_module(f"quadrille.client.commands.{name.replace('-', '_').replace(' ', '_')}").arguments(parser)
        try:
            parser.parse_args(words[len(name.split()) :])
        except SystemExit:
            pytest.fail(f"it is refused: {line}")


@pytest.mark.parametrize("path", PAGES, ids=stem)
def test_no_line_is_too_long_for_a_reader(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert not [line for line in lines if len(line) > 150 and not line.startswith("|")]


@pytest.mark.parametrize("path", PAGES, ids=stem)
def test_what_is_saved_as_python_can_be_read(path: Path) -> None:
    for block in blocks(path):
        if block.language == "python":
            ast.parse(block.text)


@pytest.mark.parametrize("path", PAGES, ids=stem)
def test_a_program_that_stands_by_itself_runs(path: Path) -> None:
    for block in blocks(path):
        if block.language == "python" and not block.file:
            exec(block.text, {})


@pytest.mark.parametrize("name", ["first_bot", "strong_bot"])
def test_the_bots_of_the_guides_are_those_of_the_examples(name: str) -> None:
    guide = GUIDES / f"{name.replace('_', '-')}.md"
    [block] = [block for block in blocks(guide) if block.file == f"{name}.py"]
    assert block.text == (ROOT / f"examples/{name}.py").read_text("utf-8")
    assert name != "first_bot" or len(block.text.splitlines()) < 20


def test_the_bot_with_numbers_to_tune_is_the_one_of_the_examples() -> None:
    [block] = [block for block in blocks(GUIDES / "strong-bot.md") if block.file == "tuned_bot.py"]
    assert block.text == (ROOT / "examples/tuned_bot.py").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in PAGES if path.stem not in ELSEWHERE], ids=stem)
def test_its_commands_run_as_they_stand(path: Path, tmp_path: Path) -> None:
    if any(block.file.endswith(".js") for block in blocks(path)) and shutil.which("node") is None:
        pytest.skip("there is no Node here")
    for page in (GUIDES / "first-bot.md", path):  # the others go on with that bot
        save(page, tmp_path)
    for block in blocks(path):
        if block.text.startswith("python3 -m venv"):
            continue  # .ci/run types these two, in fresh clones
        if block.language == "sh" and not block.word:
            typed(block.text, tmp_path)
        elif block.language == "console":
            printed_as_shown(block.text, tmp_path)
