"""README and guides keep their word: whatever they have their readers type is typed here, as it stands."""

import ast
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.client.cli import Parser
from quadrille.client.commands import subcommands
from quadrille.plugs import GAME_FILE
from quadrille.rules.registry import game
from tests.guides.typed import GUIDES, ROOT, blocks, commands, printed_as_shown, save, typed
from tests.waiting import soon

TEMPLATE = ROOT / "examples/template"
PAGES = [ROOT / "README.md", TEMPLATE / "README.md", *sorted(GUIDES.glob("*.md"))]
PAGES += sorted(ROOT.glob("extras/*/README.md"))
WORKFLOW = TEMPLATE / ".github/workflows/check.yml"
#: One is about a clone of the sources, and test_scenes.py types it; test_card_game.py types another; one is typed in a
#: bare shell; the package of one is installed in fresh environments (tests/packaging/test_plugged.py).
ELSEWHERE = {"add-a-game", "card-game", "README", "plug-in"}
#: First words that are no command of the core: of the league, which may be missing, and of a guide's own package.
OTHERS = ("--version", "GAME", "bars", "ladder")


def stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", [*PAGES, WORKFLOW], ids=stem)
def test_every_command_and_option_is_there(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In sentences, too. The bots that they name have been saved."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(GAME_FILE, "")  # a game's file that is named is one for all that follows
    for page in PAGES:
        save(page, tmp_path)
    shutil.copy(TEMPLATE / "mybot.py", tmp_path)
    lines = list(commands(path))
    assert lines
    for line in lines:
        words = shlex.split(line.partition("#")[0].replace("|", " ").partition(" > ")[0])[1:]
        name = next((name for name in (" ".join(words[:2]), *words[:1]) if name in subcommands()), "")
        assert name or not words or words[0] in OTHERS, line
        if not name or "--help" in words or words == name.split():
            continue
        parser = Parser(prog=name)
        subcommands()[name].load(name).arguments(parser)
        try:
            parser.parse_args(words[len(name.split()) :])
        except SystemExit:
            pytest.fail(f"it is refused: {line}")


def test_no_reader_is_sent_for_a_package_that_nobody_has_registered() -> None:
    """`pip` would fetch whatever a stranger registers by its name; only an index of one's own is safe."""
    read = [*PAGES, *(path for path in TEMPLATE.rglob("*.*") if path.suffix in (".md", ".toml"))]
    lines = [line for path in read for line in path.read_text("utf-8").splitlines() if "quadrille-games" in line]
    assert len(read) > len(PAGES) and all("--no-index" in line for line in lines), lines


def test_variants_of_coin_isolation_are_counted_once_by_what_combines() -> None:
    """Each choice beside the usual one, and each flag; a layout and a length are no variants."""
    chosen = [spec for spec in game("coin-isolation").Options.specs() if spec.kind in ("choice", "flag")]
    assert (len(chosen), sum(len(spec.choices) - 1 if spec.choices else 1 for spec in chosen)) == (7, 11)
    for path in (ROOT / "rules/games/coin_isolation/page.md", ROOT / "README.md"):
        said = [line.lower() for line in path.read_text("utf-8").splitlines() if "eleven" in line.lower()]
        assert len(said) == 1 and "seven options" in said[0], path


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


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in PAGES if path.stem not in ELSEWHERE], ids=stem)
def test_its_commands_run_as_they_stand(path: Path, tmp_path: Path) -> None:
    if any(block.file.endswith(".js") for block in blocks(path)) and shutil.which("node") is None:
        pytest.skip("there is no Node here")
    for page in (GUIDES / "first-bot.md", path):  # the others go on with that bot
        save(page, tmp_path)
    for block in blocks(path):
        if block.language == "sh" and not block.word:
            typed(block.text, tmp_path)
        elif block.language == "console":
            printed_as_shown(block.text, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="there are no terminals of this kind")
def test_the_readme_is_typed_from_top_to_bottom_in_a_bare_shell(tmp_path: Path) -> None:
    """In a fresh clone, at a terminal; its PATH has nothing of ours but what the first command puts there."""
    from tests.client.screen.pseudo_terminal import Program

    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    first, *rest = [block for block in blocks(clone / "README.md") if block.language in ("sh", "console", "python")]
    (clone / "game.py").write_text(next(block.text for block in rest if block.language == "python"))
    lines = [
        line for block in rest if block.language == "sh" for line in block.text.splitlines() if "pytest" not in line
    ]
    lines += [line[2:] for block in rest for line in block.text.splitlines() if line.startswith("$ ")]
    own = os.path.dirname(sys.executable)
    path = os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if folder != own)
    bash = str(shutil.which("bash"))
    with Program(
        bash, "--norc", "-i", home=tmp_path / "home", rows=40, columns=120, PATH=path, PS1="after \\# > "
    ) as shell:
        shell.press(f"cd {clone}", "enter", first.text)
        assert soon(lambda: shell.read(0.05) and "Enter: a short first game" in shell.text, 600), shell.text
        shell.press("enter")
        shell.sees("YOUR TURN", "Coin Isolation")
        shell.press("c-q", "c-q")
        for number, line in enumerate([*lines, "python game.py", "command -v quadrille"], 3):
            shell.sees(f"after {number} >")
            shell.screen.reset()  # of what earlier programs left
            shell.press(line, "enter")
            if line.startswith("quadrille play"):
                shell.sees("^Q Quit")
                shell.press("c-q")
        shell.sees(str(clone / ".venv/bin/quadrille"))
        assert "not found" not in shell.text and "Traceback" not in shell.text
