"""A game of a bot in one file, with everything that is needed to rerun the bot on it.

A bundle is made from the notes of a game (ai/bots/notes.py). It may come from anybody, so it is validated. It holds
only what the bot's own seat knew. rerun.py reruns a bot on it, and `KeptMatch` replays its game for people.
Specification: docs/protocols/records.md, "Kept games and bundles".
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from quadrille.ai.bots.lines.answers import answer
from quadrille.ai.bots.lines.news import Item, Story
from quadrille.ai.data import Data, scene_data
from quadrille.ai.faults import KINDS, BotFault
from quadrille.ai.json_lines import BadJson, decode
from quadrille.rules.core import Face, State
from quadrille.rules.core.thoughts import Thought, Thoughts, thought
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.options import shown
from quadrille.rules.registry import game
from quadrille.value import value

VERSION: Final = 1


class BadBundle(RulesError):
    """A file that is not a bundle, or describes an impossible game."""


@value
class BundledLine:
    """A line with its time in milliseconds: `told` to the bot, or `said` by it, whatever that was."""

    at: int
    told: Mapping[str, Any] | None = None
    said: str = ""

    def plain(self) -> Data:
        """Return the line as a file holds it."""
        return {"at": self.at} | ({"said": self.said} if self.told is None else {"told": self.told})


@contextmanager
def _followed() -> Iterator[None]:
    """Refuse lines that describe no game, whatever is wrong with them."""
    try:
        yield
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadBundle(f"the lines to the bot can't be followed: {type(error).__name__}: {error}") from None


class ToldGame:
    """A game as its bot received it, up to some line."""

    def __init__(self) -> None:
        self.start: Mapping[str, Any] = {}
        self.turn: Mapping[str, Any] = {}
        #: The knowledge of the bot's seat; None before a game.
        self.view: State[Any, Any] | None = None
        self._story: Story | None = None

    def tell(self, message: Mapping[str, Any]) -> None:
        """Process the next line to the bot."""
        with _followed():
            if message["do"] == "start":
                if type(message["seat"]) is not int or not 0 <= message["seat"] < message["seats"]:
                    raise BadBundle(f"the bot has no seat {shown(message['seat'])} in this game")
                self.start, self.turn = message, {}
                self._story = Story(game(message["game"]).start(message["options"], message["seats"]), message["seat"])
            for item in message.get("news", ()):
                if self._story is None:
                    raise BadBundle("there is news of a game that has not begun")
                self._happen(item, self._story)
            self.view = self._story.view if self._story else None
            if message["do"] == "turn":
                self.turn = message
                if not isinstance(message["turn"], int) or self.view is None:
                    raise BadBundle("there is a turn without its number, or without a game")

    def _happen(self, item: Item, story: Story) -> None:
        story.hear(item)


@value
class Bundle:
    """One game of one bot. `errors` is its standard error; `cut`: more lines came than were kept."""

    command: tuple[str, ...]
    lines: tuple[BundledLine, ...]
    quadrille: str = ""
    rules: int = 0
    errors: str = ""
    fault: BotFault | None = None
    cut: bool = False

    def plain(self) -> Data:
        """Return the bundle with a description of the game before its lines: the view is that of the last turn."""
        course = ToldGame()
        for line in self.lines:
            if line.told is not None and line.told["do"] != "over":
                course.tell(line.told)
        start, view = course.start, course.view
        data: Data = {"bundle": VERSION, "quadrille": self.quadrille, "command": self.command}
        data["rules"] = start.get("rules", self.rules)
        data |= {name: start.get(name) for name in ("table", "game", "options", "seats", "seat", "names", "seed")}
        data |= {"terms": start.get("clock"), "turn": course.turn.get("turn"), "clock": course.turn.get("clock")}
        data |= {"patience": course.turn.get("patience")}
        data |= {"view": view and scene_data(view.scene()), "text": view and drawing(view.scene()).split("\n")}
        data |= {"fault": self.fault and {"kind": self.fault.kind, "why": self.fault.why}, "errors": self.errors}
        return data | {"cut": self.cut, "lines": [line.plain() for line in self.lines]}


class KeptMatch(ToldGame):
    """The match in a bundle as the bot's seat knew it; `thoughts` are the bot's, only if its game has ended."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()
        self._opening: list[str] = []
        self._said: tuple[str, Thought] | None = None
        self._told = Thoughts()
        for line in bundle.lines:
            if line.told is not None:
                self.tell(line.told)
            elif self._story is not None:
                with _followed():
                    self._take(line.said, self._story)
        with _followed():
            self.match = self._replayed()
        self.thoughts = self._told if self.match.over or bundle.fault else Thoughts()

    def tell(self, message: Mapping[str, Any]) -> None:
        if message["do"] == "start":
            self._opening, self._told, self._said = [], Thoughts(), None
        super().tell(message)
        if message["do"] == "turn":
            self._said = None

    def _happen(self, item: Item, story: Story) -> None:
        if not story.entries:
            self._opening += item["faces"] if list(item) == ["faces"] else []
        entry = story.hear(item)
        self._told = self._told.before(len(story.entries))
        match entry, self._said:
            case Played(seat, move), (text, told) if seat == story.seat and move.text == text:
                self._told.add(len(story.entries) - 1, seat, told)
                self._said = None

    def _take(self, line: str, story: Story) -> None:
        """Note the thought in an answer to the open turn, if the bot told one."""
        try:
            heard = answer(line.encode("utf-8", "surrogateescape"))
            if heard.get("turn") == self.turn.get("turn", 0) and (own := thought(heard, story.view)) is not None:
                self._said = story.public.game.parse(heard["move"], story.public).text, own
        except (BotFault, RulesError):
            return

    def _replayed(self) -> Match:
        start, story = self.start, self._story
        if story is None:
            raise BadBundle("the bot was told of no game")
        self.names = tuple(name if isinstance(name, str) else "" for name in start.get("names", ()))
        match = Match(game(start["game"]), start["options"], start["seats"], viewer=start["seat"])
        for name in self._opening:
            match.answer(Face(name))
        for entry in story.entries:
            match.repeat(entry)
        return match


def kept_bundle(lines: Sequence[bytes]) -> Bundle:
    """Make a bundle from the notes of a game, line by line."""
    bundle: Data = {"lines": []}
    for line in lines:
        try:
            row = decode(line)
        except BadJson:
            break  # the program that wrote it died in the middle
        match row:
            case {"kept": 1}:
                bundle |= row
            case {"errors": errors}:
                bundle["errors"] = errors
            case {"fault": kind, "why": why}:
                bundle["fault"] = {"kind": kind, "why": why}
            case {"cut": _}:
                bundle["cut"] = True
            case _:
                bundle["lines"].append(row)
    return _bundle(bundle)


def read_bundle(text: bytes) -> Bundle:
    try:
        bundle = decode(text)
    except BadJson as error:
        raise BadBundle(f"this is no bundle of a bot's game: {error}") from None
    if not isinstance(bundle, dict) or "bundle" not in bundle:
        raise BadBundle("this is no bundle of a bot's game: quadrille bot bundle makes one")
    if bundle["bundle"] != VERSION:
        raise BadBundle(f"this bundle is of version {shown(bundle['bundle'])}, and version {VERSION} is read here")
    return _bundle(bundle)


def _bundle(bundle: Mapping[str, Any]) -> Bundle:
    match bundle:
        case {"command": list(command), "lines": list(rows)} if all(isinstance(word, str) for word in command):
            lines = tuple(map(_line, rows))
        case _:
            raise BadBundle('a bundle has a "command", which is a list of words, and "lines"')
    fault: BotFault | None = None
    match bundle.get("fault"):
        case {"kind": str(kind), "why": str(why)} if kind in KINDS:
            fault = BotFault(kind, why)
    rules, errors = bundle.get("rules", 0), bundle.get("errors", "")
    return Bundle(
        tuple(command),
        lines,
        str(bundle.get("quadrille", "")),
        rules if isinstance(rules, int) else 0,
        errors if isinstance(errors, str) else "",
        fault,
        bool(bundle.get("cut")),
    )


def _line(row: object) -> BundledLine:
    match row:
        case {"at": int(at), "told": {"do": str(_)} as told}:
            return BundledLine(at, told=told)
        case {"at": int(at), "said": str(said)}:
            return BundledLine(at, said=said)
    raise BadBundle(f'a line of a bundle has "at" and "told" or "said", and this one has not: {str(row)[:80]}')
