"""`quadrille docs`: each document is listed once, is found by its name, and is shown as it stands or filled.

Each example is found too, and whatever is no source stays out.
"""

import re
import sys
from pathlib import Path

import pytest

from quadrille.client.commands import subcommands
from quadrille.client.commands.docs import filled
from quadrille.client.documents import READERS, documents, example, example_folder, example_paths
from tests.client.conftest import Run
from tests.documents import ROOT, name_of
from tests.documents import documents as written

NAMES = tuple(documents())


def of_extras() -> set[str]:
    return {name_of(path) for path in written() if path.is_relative_to(ROOT / "extras")}


def test_every_document_has_a_name_of_its_own() -> None:
    assert sorted(NAMES) == sorted(["examples", *map(name_of, written())])


def test_each_is_listed_once_with_a_sentence_in_80_columns(run: Run) -> None:
    lines = run("docs").out.splitlines()
    assert [line.split()[0] for line in lines if re.match(r"  \S", line)] == list(NAMES)
    assert all(len(line) <= 80 and line.isprintable() for line in lines)
    more = lines[lines.index("More") + 1 :] if "More" in lines else []
    unplaced = [line.split()[0] for line in more if re.match(r"  \S", line)]
    assert set(unplaced) <= of_extras(), "a document without a reader: name it in client/documents.py"
    for name, one in documents().items():
        described = one.summary.count(" ") > 2 or name in of_extras()
        assert described and one.summary.endswith("."), f"{name} is not described: {one.summary}"


@pytest.mark.parametrize("path", written(), ids=name_of)
def test_each_is_shown_as_it_stands_where_nobody_looks(run: Run, path: Path) -> None:
    text = path.read_text("utf-8")
    assert run(f"docs {name_of(path)}").out == text
    assert text.replace("\n", "").isprintable() and text.endswith("\n")


def test_the_list_of_examples_tells_where_they_are(run: Run) -> None:
    told = run("docs examples").out
    assert f"\n{example_folder()}\n" in told
    assert told.startswith("# Examples\n") and told.endswith((ROOT / "examples/README.md").read_text("utf-8")[-200:])


def test_whatever_a_help_or_a_document_refers_to_is_there(run: Run) -> None:
    helps = [run(f"{name} --help").out for name in subcommands()]
    texts = [one.text for one in documents().values()]
    named = {name for text in (*helps, *texts) for name in re.findall(r"\bquadrille docs ([a-z][a-z-]+)", text)}
    assert len(named) > 5 and {name for _, names in READERS for name in names} <= set(NAMES)
    assert named <= {name for _, names in READERS for name in names} | of_extras()


@pytest.mark.parametrize("name", NAMES)
def test_prose_is_filled_and_no_word_is_lost(name: str) -> None:
    text, width = documents()[name].text, 60
    lines, code = list(filled(text, width, bold=False)), False
    for line in lines:
        code = line.startswith("    ")
        assert len(line) <= width or code or line.startswith("#"), line
    kept = re.sub(r"[^a-z]", "", "\n".join(lines).lower())
    words = re.sub(r"^```.*$", "", text, flags=re.MULTILINE) if "|" not in text else ""
    assert kept == re.sub(r"[^a-z]", "", words.lower()) or not words


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
@pytest.mark.parametrize("pager", ["less", "cat", "no-such-pager", "'"])
def test_a_terminal_gets_the_pager_and_ctrl_c_is_a_key_of_it(
    pager: str, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever is installed here: a pager of our own stands for it, presses Ctrl-C, and keeps what it was given."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("less", "cat"):
        (tools / name).write_text(
            f"#!/bin/sh\necho {name} $* >{tmp_path}/used\nkill -INT $PPID\n/bin/cat >{tmp_path}/shown\n"
        )
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("PAGER", pager)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run("docs security") == (0, "", "")
    used = (tmp_path / "used").read_text().strip()
    shown = (tmp_path / "shown").read_text("utf-8")
    assert used == ("cat" if pager == "cat" else "less -FR")
    assert ("\x1b[1m# Security\x1b[m\n" if used != "cat" else "# Security\n") in shown
    assert used != "cat" or "\x1b" not in shown


def test_without_a_pager_it_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run("docs security").out.startswith("# Security\n\nQuadrille is for")


def test_every_example_is_found_by_its_path() -> None:
    assert {"README.md", "first_bot.py", "jsonlines/bot.c", "wire/bot.py"} <= set(example_paths(example_folder()))
    assert example("jsonlines/bot.c") == ROOT / "examples/jsonlines/bot.c"
    for name in ("../setup.py", "jsonlines", "none.py"):
        with pytest.raises(FileNotFoundError, match=r"there is no example"):
            example(name)


def test_what_is_built_beside_an_example_is_no_example(tmp_path: Path) -> None:
    for name in ("a/bot.c", "a/bot", "a/Bot.class", "weights.npz", "__pycache__/x.py", ".github/ci.yml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert example_paths(tmp_path) == [".github/ci.yml", "a/bot.c"]
