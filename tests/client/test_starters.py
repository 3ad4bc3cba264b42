"""`quadrille bot new`: a bot to begin with in each language, and a folder with all that a bot's repository needs."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.client.bots.starters import STARTERS, begin
from quadrille.client.cli import Parser
from quadrille.client.commands import command
from quadrille.client.documents import example, example_paths
from quadrille.rules.errors import RulesError
from tests.client.conftest import Run
from tests.guides.typed import typed

TEMPLATE = example("template/mybot.py").parent
WORKFLOW = (TEMPLATE / ".github/workflows/check.yml").read_text("utf-8")


@pytest.mark.parametrize("ending", STARTERS)
def test_a_file_is_an_example_under_its_own_name(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / f"my{ending}"
    starter, lines = STARTERS[ending], begin(path)
    text = path.read_text("utf-8")
    assert text == example(starter.file).read_text("utf-8").replace(f"examples/{starter.file}", f"my{ending}")
    assert "examples/" not in text and f"my{ending}" in text.partition("\n\n\n")[0]
    assert lines[0] == f"cd {tmp_path / 'deep'}"
    bot = starter.bot.replace("FILE", f"my{ending}")
    assert lines[-2:] == [f"quadrille bot check {bot} --quick --game maze", f"quadrille play maze --against {bot}"]
    assert starter.build.replace("FILE", f"my{ending}") in text
    assert f"bot check {bot}" in text


def test_a_folder_is_the_template(tmp_path: Path) -> None:
    begin(tmp_path / "mine")
    assert example_paths(tmp_path / "mine") == example_paths(TEMPLATE)
    ast.parse((tmp_path / "mine/mybot.py").read_text("utf-8"))


def test_the_command_says_how_to_go_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["bot", "new", "my bot.go"]) == (
        0,
        "my bot.go is written. Go on with:\n  go build -o bot 'my bot.go'\n"
        "  quadrille bot check ./bot --quick --game maze\n  quadrille play maze --against ./bot\n",
        "",
    )


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text("mine")
    for path in (tmp_path / "my.py", tmp_path):
        with pytest.raises(RulesError, match="is there already, and nothing is written over it"):
            begin(path)
    assert (tmp_path / "my.py").read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_an_unknown_language_is_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"\.hs.*: there are \.py \(Python\), .*\.sh \(Bash\); a name"):
        begin(tmp_path / "my.hs")
    assert not list(tmp_path.iterdir())


def commands() -> list[str]:
    readme = (TEMPLATE / "README.md").read_text("utf-8")
    block = readme.partition("```sh\n")[2].partition("```")[0]
    return re.findall(r"- run: (.*)", WORKFLOW) + block.splitlines()


def test_every_command_of_the_template_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TEMPLATE)
    ours = [line for line in commands() if line.startswith("quadrille ")]
    assert {line.split()[1] for line in ours} == {"bot", "play", "ladder"}
    for line in ours:
        words = shlex.split(line)[1:]
        if (found := command(words)) is None:
            assert words[0] == "ladder", "only the league may be missing"
            continue
        name, one = found
        parser = Parser(prog=name)
        one.load(name).arguments(parser)
        parser.parse_args(words[len(name.split()) :])


@pytest.mark.slow
def test_the_template_s_test_and_check_pass(tmp_path: Path) -> None:
    """As its workflow runs them; only how long the check takes is bounded."""
    begin(tmp_path / "mine")
    lines = [line for line in re.findall(r"- run: (.*)", WORKFLOW) if "pip" not in line and "ladder" not in line]
    assert lines == ["python -m unittest", "quadrille bot check mybot.py --quick"]
    done = subprocess.run([sys.executable, "-m", "unittest"], cwd=tmp_path / "mine", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr
    assert "Nothing is wrong" in typed(f"{lines[1]} --within 6s", tmp_path / "mine")
