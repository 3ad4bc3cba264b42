"""The bots to begin with: an example in the language of a file's ending, or the template for a folder."""

from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Final

from quadrille.client.documents import example, example_folder, example_paths
from quadrille.client.files import write_file
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted
from quadrille.value import value


@value
class FirstFile:
    """An example: its language and its file, what builds it (`FILE` is the new file), and the bot's name then."""

    language: str
    file: str
    build: str
    bot: str


STARTERS: Final = {
    ".py": FirstFile("Python", "first_bot.py", "", "FILE"),
    ".js": FirstFile("JavaScript", "jsonlines/bot.js", "", '"node FILE"'),
    ".c": FirstFile("C", "jsonlines/bot.c", "cc -std=c99 -O2 -o bot FILE", "./bot"),
    ".rs": FirstFile("Rust", "jsonlines/bot.rs", "rustc -O -o bot FILE", "./bot"),
    ".go": FirstFile("Go", "jsonlines/bot.go", "go build -o bot FILE", "./bot"),
    ".java": FirstFile("Java", "jsonlines/Bot.java", "javac -d classes FILE", '"java -cp classes Bot"'),
    ".sh": FirstFile("Bash", "jsonlines/bot.sh", "", '"bash FILE"'),
}
WAYS: Final = ", ".join(f"{ending} ({starter.language})" for ending, starter in STARTERS.items())
_TEMPLATE: Final = "template"


def begin(path: Path) -> list[str]:
    """Write a bot to a new file, or the template to a new folder; return the commands to go on with."""
    if path.exists():
        raise RulesError(f"{quoted(str(path))} is there already, and nothing is written over it")
    if not path.suffix:
        _write_template(path)
        return [f"cd {_word(path)}", *_tries("mybot.py")]
    starter = STARTERS.get(path.suffix)
    if starter is None:
        raise RulesError(
            f"there is no bot to begin with for {quoted(path.suffix)}: there are {WAYS}; a name without an ending is a "
            "folder with a bot in Python, a test and a workflow"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(str(path), example(starter.file).read_text("utf-8").replace(f"examples/{starter.file}", path.name))
    folder = [] if path.parent == Path() else [f"cd {_word(path.parent)}"]
    build = [starter.build.replace("FILE", _word(path.name))] if starter.build else []
    return [*folder, *build, *_tries(starter.bot.replace("FILE", _word(path.name)))]


def _tries(bot: str) -> list[str]:
    return [f"quadrille bot check {bot} --quick --game maze", f"quadrille play maze --against {bot}"]


def _write_template(path: Path) -> None:
    """Write the files of the folder: on a full disk none of them, so that it can be tried again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:
            new = Path(folder, path.name)
            for name in example_paths(example_folder() / _TEMPLATE):
                (new / name).parent.mkdir(parents=True, exist_ok=True)
                text = example(f"{_TEMPLATE}/{name}").read_text("utf-8")
                (new / name).write_text(text, "utf-8", newline="\n")
            new.rename(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _word(path: PurePath | str) -> str:
    """Return a path as a word of a command line."""
    text = str(path)
    return f"'{text}'" if " " in text else text
