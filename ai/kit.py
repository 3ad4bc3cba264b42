"""Runs a bot as a program: reads the lines of its table, keeps its view of the game, calls the `Bot`, writes its
answers.

    python -m quadrille.ai.kit FILE.py[:NAME]     the bot in a file, or the one of that name
    python -m quadrille.ai.kit KIND[:LEVEL]       a built-in opponent

Only what its seat may know comes into this process. A bot's own output goes to standard error. Specification:
docs/protocols/bots.md.
"""

import importlib.util
import inspect
import io
import json
import os
import random
import shlex
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import Path
from typing import Any, BinaryIO, Final

from quadrille.ai.bot import PROTOCOL, Bot, Clock, numbers_of
from quadrille.ai.bots.lines.news import Item, Story
from quadrille.ai.bots.process.executable import no_file
from quadrille.ai.house import NEAR
from quadrille.ai.json_lines import encode
from quadrille.rules.core import RULES_VERSION, Move, Over, State
from quadrille.rules.core.thoughts import FIELDS
from quadrille.rules.options import shown
from quadrille.rules.registry import game

#: Maximum characters that are sent of a value that is no JSON.
_LONGEST_ODD: Final = 40
_USAGE: Final = "what to play: FILE.py, FILE.py:NAME, or a built-in opponent such as random"


class Part:
    """One bot's side of the dialogue: each input line gives an output line or none."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.story: Story | None = None
        self.done = False
        self._seed = ""
        self._strange = set[object]()

    def answer(self, line: bytes) -> bytes | None:
        """Answer a line of the table."""
        message = json.loads(line.decode())  # json would guess the encoding of bytes first
        match message["do"]:
            case "hello":
                return encode(self._greet(message))
            case "start":
                self._start(message)
                return encode({"ready": True})
            case "turn":
                self._hear(message["news"])
                move: dict[str, Any] = {"turn": message["turn"], "move": self._choose(message)}
                if (thought := self.bot.thought(self._view)) is not None:
                    move |= self._sendable(thought)
                if message.get("hint"):
                    move |= self._reason(move["move"])
                return encode(move)
            case "offer":
                self._hear(message["news"])
                agree = self.bot.offered(message["offer"], message["by"], self._view)
                return encode({"offer": message["number"], "agree": bool(agree)})
            case "over":
                self._hear(message["news"])
                self.bot.ends(_over(message), self._view)
                self.story = None
                self._share(1)
            case "quit":
                self.done = True
                self._share(1)
        return None

    def _share(self, cores: int) -> None:
        """Let the bot use that many cores from now on: beside its own one more, as it thinks by one search."""
        if self.bot.crew is not None:
            self.bot.crew.shutdown(wait=False, cancel_futures=True)
            self.bot.crew = None
        if cores > 1:
            from quadrille.ai.tournament.play.cores import cores as usable  # imported here: few tables offer a core
            from quadrille.ai.tournament.play.processes import Processes

            self.bot.crew = Processes(1) if usable() > 1 else None

    @property
    def _view(self) -> State[Any, Any]:
        assert self.story is not None
        return self.story.view

    def _greet(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["rules"] != RULES_VERSION:
            sys.exit(f"the table plays by version {message['rules']} of the rules, and this kit by {RULES_VERSION}")
        bot = self.bot
        hello: dict[str, Any] = {"hello": bot.name or type(bot).__name__, "protocol": PROTOCOL}
        hello |= {"games": list(bot.games)} if bot.games else {}
        hello |= {name: value for name in ("author", "version") if (value := getattr(bot, name))}
        hello |= {"work": True} if bot.counts_work else {}
        parameters = [
            {"name": name, "least": number.least, "most": number.most, "usual": number.usual}
            for name, number in numbers_of(bot).items()
        ]
        hello |= {"parameters": parameters} if parameters else {}
        return hello | {"omit": ["view", "text", "moves"]}

    def _start(self, message: dict[str, Any]) -> None:
        self._seed = message["seed"]
        played, rules = game(message["game"]), message.get("rules", RULES_VERSION)
        if rules != played.rules:
            sys.exit(f"the table plays {played.title} by rules {rules}, and this kit by rules {played.rules}")
        self._set(message.get("parameters", {}))
        self._share(message.get("cores", 1))
        self.story = Story(played.start(message["options"], message["seats"]), message["seat"])
        for item in message["news"]:
            self.story.hear(item)
        self.bot.starts(self.story.view, self.story.seat)

    def _set(self, values: dict[str, int | float]) -> None:
        """Set the bot's numbers for a game; those that the table does not name are usual."""
        numbers = numbers_of(self.bot)
        if unknown := next((name for name in values if name not in numbers), None):
            sys.exit(f"the table sets {unknown}, and {type(self.bot).__name__} has no Number of that name")
        for name, number in numbers.items():
            setattr(self.bot, name, values.get(name, number.usual))

    def _hear(self, news: Iterable[Item]) -> None:
        assert self.story is not None
        for item in news:
            entry = self.story.hear(item)
            if "undone" in item:
                self.bot.undone(item["undone"], self.story.view)
            elif entry is not None:
                self.bot.moved(entry, self.story.view)

    def _choose(self, message: dict[str, Any]) -> str:
        story, timed = self.story, message["clock"]
        assert story is not None
        left, increment = (None, 0) if timed is None else (tuple(timed["left"]), timed["increment"])
        clock = Clock(story.seat, left, increment, message["budget"], message.get("work"), message.get("patience", 0))
        # new dice for each turn, so that any turn of a game can be replayed by itself
        dice = random.Random(f"{self._seed} {story.seat} {len(story.entries)}")  # noqa: S311 - dice, no secret
        move: object = self.bot.choose(story.view, clock, dice)
        if not isinstance(move, Move | str):
            kind = type(self.bot).__name__
            raise TypeError(
                f"{kind}.choose gave {shown(move)}: it has to give a move, such as one of view.moves, or its text"
            )
        return str(move)

    def _reason(self, move: str) -> dict[str, Any]:
        """Return the bot's reason as a field of its answer. Drop one that is no JSON, with a word to its author."""
        reason = self.bot.reason(self._view, move)
        if reason is None:
            return {}
        try:
            encode(reason)
        except (TypeError, ValueError, RecursionError):
            print(f"reason() gave {shown(reason)}, which is no JSON", file=sys.stderr)
            return {}
        return {"reason": reason}

    def _sendable(self, thought: object) -> dict[str, Any]:
        """Return a bot's thought as fields of its answer. A value that is no JSON becomes a text, which the table drops
        with a remark. The bot's author reads of a wrong name once.
        """
        if not isinstance(thought, Mapping):
            kind = type(self.bot).__name__
            raise TypeError(
                f'{kind}.thought gave {shown(thought)}: it has to give a dictionary, such as {{"value": 0.5}}'
            )
        fields: dict[str, Any] = {}
        for name, value in thought.items():
            if name not in FIELDS:
                if name not in self._strange:
                    self._strange.add(name)
                    print(f"thought() gave {shown(name)}: it takes {', '.join(FIELDS)}", file=sys.stderr)
                continue
            plain = value
            if type(value) not in (bool, int, float) and isinstance(value, Real):  # such as a number of NumPy
                plain = int(value) if isinstance(value, Integral) else float(value)
            try:
                encode(plain)
            except (TypeError, ValueError, RecursionError):
                plain = str(value)[:_LONGEST_ODD]
            fields[name] = plain
        return fields


def _over(message: dict[str, Any]) -> Over:
    """Return the end of the game as the rules state it: JSON lists become tuples again."""
    figures = {
        name: tuple(figure) if isinstance(figure, list) else figure for name, figure in message["figures"].items()
    }
    return Over(tuple(message["places"]), figures, message["reason"])


def serve(bot: Bot, lines: BinaryIO, answers: BinaryIO) -> None:
    """Play until the table says quit, or is gone."""
    part = Part(bot)
    for line in lines:
        if (reply := part.answer(line)) is not None:
            answers.write(reply)
            answers.flush()
        if part.done:
            break


def run(bot: Bot) -> None:
    """Run a bot as this program; call it at the end of the bot's file."""
    _run(lambda: bot)


def _run(bring: Callable[[], Bot]) -> None:
    """Run the bot, which may print as soon as its file is loaded, but not into its answers."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # its words come before the reason of its end
    try:
        serve(bring(), lines, answers)
    except BrokenPipeError:
        os._exit(0)  # the table is gone, so nothing needs to be flushed


def load(what: str) -> Bot:
    """Return the bot of a file, or the built-in one of that kind."""
    path, _, name = what.rpartition(":") if ".py:" in what else (what, "", "")
    if not path.endswith(".py"):
        return _built_in(what)
    if not Path(path).is_file():
        sys.exit(no_file(path))
    sys.path.insert(0, str(Path(path).resolve().parent))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        sys.exit("".join(traceback.format_exception_only(error)).rstrip())  # without the kit's own frames
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    bots = {kind.__name__: kind for kind in kinds if issubclass(kind, Bot)}
    if name:
        if name not in bots:
            near = get_close_matches(name, bots, 1, NEAR)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(bots) or 'none'}"
            sys.exit(f"{path} has no class {name}(Bot): {hint}")
        return _made(bots[name])
    if len(bots) != 1:
        none = f'has none (name a program that reads lines by its command: "python3 {shlex.quote(Path(path).name)}")'
        which = f"has several: write {path}:NAME, with one of {', '.join(bots)}" if bots else none
        sys.exit(f"{path} should have one class that is a Bot; it {which}")
    return _made(next(iter(bots.values())))


def _made(kind: type[Bot]) -> Bot:
    if inspect.isabstract(kind):
        near = get_close_matches("choose", vars(kind), 1, NEAR)
        hint = f"; it has {near[0]}" if near else ""
        sys.exit(f"the class {kind.__name__} has no method choose(self, view, clock, rng){hint}")
    return kind()


def _built_in(what: str) -> Bot:
    from quadrille.ai.opponents import opponent
    from quadrille.rules.errors import RulesError

    try:
        return opponent(what)
    except RulesError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(_USAGE)
    _run(lambda: load(sys.argv[1]))
