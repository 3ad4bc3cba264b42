"""The match that a bot played, from the notes of its game: as its seat knew it, with the thoughts that it told.

Notes may come from anybody (bundle.py). Specification: docs/protocols/records.md, "Kept games and bundles".
"""

from collections.abc import Mapping
from typing import Any

from quadrille.ai.bots.lines.answers import answer
from quadrille.ai.bots.lines.news import Story
from quadrille.ai.checks.bundle import BadBundle, Bundle
from quadrille.ai.faults import BotFault
from quadrille.rules.core import Face
from quadrille.rules.core.thoughts import Thought, Thoughts, thought
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.options import shown
from quadrille.rules.registry import game


class KeptMatch:
    """The match in a bundle; `thoughts` only if the bot's game has ended."""

    def __init__(self, bundle: Bundle) -> None:
        self.names: tuple[str, ...] = ()
        self._story: Story | None = None
        self._match: Match | None = None
        self._opening: list[str] = []
        self._turn = 0
        self._said: tuple[str, Thought] | None = None
        self._told = Thoughts()
        try:
            for line in bundle.lines:
                if line.told is not None:
                    self._hear(line.told)
                else:
                    self._take(line.said)
            self.match = self._replayed()
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise BadBundle(f"the lines to the bot can't be followed: {type(error).__name__}: {error}") from None
        self.thoughts = self._told if self.match.over or bundle.fault else Thoughts()

    def _hear(self, told: Mapping[str, Any]) -> None:
        if told["do"] == "start":
            if type(told["seat"]) is not int or not 0 <= told["seat"] < told["seats"]:
                raise BadBundle(f"the bot has no seat {shown(told['seat'])} in this game")
            self._match = Match(game(told["game"]), told["options"], told["seats"], viewer=told["seat"])
            self._story = Story(game(told["game"]).start(told["options"], told["seats"]), told["seat"])
            self._opening, self._told, self._said = [], Thoughts(), None
            self.names = tuple(name if isinstance(name, str) else "" for name in told.get("names", ()))
        for item in told.get("news", ()):
            self._happen(item)
        if told["do"] == "turn":
            self._turn, self._said = told["turn"], None

    def _happen(self, item: dict[str, Any]) -> None:
        story = self._story
        if story is None:
            raise BadBundle("there is news of a game that has not begun")
        if not story.entries:
            self._opening += item["faces"] if list(item) == ["faces"] else []
        entry = story.hear(item)
        self._told = self._told.before(len(story.entries))
        match entry, self._said:
            case Played(seat, move), (text, told) if seat == story.seat and move.text == text:
                self._told.add(len(story.entries) - 1, seat, told)
                self._said = None

    def _take(self, line: str) -> None:
        """A line of the bot: the thought in an answer to the open turn, if the bot told one."""
        story = self._story
        if story is None:
            return
        try:
            said = answer(line.encode("utf-8", "surrogateescape"))
            if said.get("turn") == self._turn and (found := thought(said, story.view)) is not None:
                self._said = story.public.game.parse(said["move"], story.public).text, found
        except (BotFault, RulesError):
            return

    def _replayed(self) -> Match:
        match, story = self._match, self._story
        if match is None or story is None:
            raise BadBundle("the bot was told of no game")
        for name in self._opening:
            match.answer(Face(name))
        for entry in story.entries:
            match.repeat(entry)
        return match
