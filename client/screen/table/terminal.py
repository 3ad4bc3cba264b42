"""Events of a terminal for any screen, requests of a screen to its terminal, and the line at the prompt with its keys.

Ctrl-Z and Ctrl-L do not reach a screen, because they mean the same on all of them: see app.py. Nor does a click where
nothing can be clicked. The arrows are not among the keys of a line: they are the board's, or a list's.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

from quadrille.client.screen.draw.canvas import ClickTarget
from quadrille.client.screen.draw.theme import THEMES
from quadrille.client.words.answers import goes_on, is_whole, meaning
from quadrille.client.words.commands import AnyPlace, Command, by_any_word, by_word, unknown
from quadrille.client.words.story import sentence
from quadrille.rules.core.talk import common_start
from quadrille.rules.registry import keys
from quadrille.value import value

ROWS: Final = 24
COLUMNS: Final = 80


@value
class Look:
    """The look and the sounds that a person has set."""

    theme: str = "night"
    plain: bool = False
    bell: bool = True
    title: bool = True


@value
class Key:
    """A key by its name in prompt-toolkit ("up", "f1", "c-q"), or the letter itself."""

    name: str


#: It leaves every screen, also where the window is too small to show anything; app.py takes Ctrl-C and SIGINT for it.
LEAVES: Final = Key("c-q")
#: Keys that close a page or a list; those of commands are pressed once more.
CLOSES: Final = ("escape", "q", "f1", "f10", "c-t", "c-q")


@value
class Pasted:
    """Pasted text."""

    text: str


@value
class Click:
    """A target on the screen was clicked (draw/canvas.py); one that stands for a key is that key."""

    does: str
    name: str


@value
class Wheel:
    """The wheel was turned."""

    up: bool


@value
class Resized:
    """The window has another size."""

    rows: int
    columns: int


@value
class Begun:
    """The screen is there; effects of the first position may run."""


@value
class Tick:
    """Time has passed: the time in milliseconds."""

    now: int


@value
class Told:
    """A message for the line above the prompt."""

    text: str
    alarm: bool = False


Pointing: TypeAlias = Key | Wheel | Click
Event: TypeAlias = Key | Pasted | Click | Wheel | Resized | Begun | Tick | Told


@value
class Ring:
    """The bell."""


@value
class Entitle:
    """The title of the window; "" for none."""

    text: str


@value
class Wake:
    """Read the clock in that many milliseconds."""

    after: int


@value
class Quit:
    """End the session."""

    code: int = 0


Effect: TypeAlias = Ring | Entitle | Wake | Quit


def clicked(target: ClickTarget) -> Key | Click:
    """Return the event of a click."""
    return Key(target.name) if target.does == "key" else Click(target.does, target.name)


# The line at the prompt, and what every screen with one does with keys and events

LONGEST: Final = 4096
_MOST_KEPT: Final = 100
_NO_NAMES: Final[Mapping[str, Iterable[str]]] = {}
#: How each key that edits changes the text before the caret and after it. prompt-toolkit has them too, but its import
#: alone makes the first picture come 1.7 times later.
_EDITS: Final[Mapping[str, Callable[[str, str], tuple[str, str]]]] = {
    **dict.fromkeys(("backspace", "c-h"), lambda before, after: (before[:-1], after)),
    **dict.fromkeys(("delete", "c-d"), lambda before, after: (before, after[1:])),
    **dict.fromkeys(("home", "c-a"), lambda before, after: ("", before + after)),
    **dict.fromkeys(("end", "c-e"), lambda before, after: (before + after, "")),
    **dict.fromkeys(("c-b", "c-left"), lambda before, after: (before[:-1], before[-1:] + after)),
    **dict.fromkeys(("c-f", "c-right"), lambda before, after: (before + after[:1], after[1:])),
    "c-u": lambda _, after: ("", after),
    "c-k": lambda before, _: (before, ""),
    "c-w": lambda before, after: (re.sub(r"\S*\s*$", "", before), after),
}
#: The longest steps reach the ends of any list.
LIST_KEYS: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}


@value
class PickList:
    """A list to choose from: the text of each row, and its line, which a blank at its end leaves to be completed. It
    `stays` open after a choice.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    at: int = 0
    stays: bool = False


def picked(pick: PickList, event: Pointing) -> PickList | str | None:
    """Return the list after an event, the line of the row that it chooses, or None if it closes the list."""
    match event:
        case Key("enter" | " "):
            return pick.rows[pick.at][1]
        case Click("choice", row):
            return pick.rows[int(row)][1]
        case Click():
            return None
        case Key(key) if key in CLOSES:
            return None
        case Key(key):
            at = stepped(pick.at, key, len(pick.rows))
        case Wheel(up):
            at = stepped(pick.at, "up" if up else "down", len(pick.rows))
    return pick if at is None else replace(pick, at=at)


#: Any screen with a line, a notice and a size.
S = TypeVar("S", bound=Any)


@value
class Line:
    """The typed text and its caret.

    A `selected` line was entered, or is a hint, and stays to be read. As with selected text, the next letter replaces
    it. A key that edits it keeps it, and so does a blank or a dash, because no line begins with one. `answer` has the
    letters of an answer to a question. The first letter is enough; the others go to the line, and leave it when the
    word is complete.
    """

    text: str = ""
    at: int = 0
    selected: bool = False
    answer: str = ""

    @classmethod
    def of(cls, text: str) -> "Line":
        """Put the caret behind a text."""
        return cls(text, len(text))

    @property
    def entered(self) -> "Line":
        """The line after Enter, where it stays."""
        return Line(self.text, len(self.text), selected=bool(self.text))


def edited(line: Line, key: str) -> Line | None:
    """Return the line after a key; None for a key that does not edit."""
    if (edit := _EDITS.get(key)) is not None:
        before, after = edit(line.text[: line.at], line.text[line.at :])
        return Line(before + after, len(before))
    if key in (" ", "-"):
        line = Line(line.text, line.at)
    return inserted(line, key) if len(key) == 1 and key.isprintable() else None


def inserted(line: Line, text: str) -> Line:
    """Insert a text at the caret, or put it in place of a selected line. Drop unprintable characters."""
    if line.selected:
        line = Line(answer=line.answer)
    fit = "".join(sign for sign in text if sign.isprintable())[: LONGEST - len(line.text)]
    answer = goes_on(line.answer, fit) if line.answer else ""
    return Line(line.text[: line.at] + fit + line.text[line.at :], line.at + len(fit), answer=answer)


def answered(screen: S, key: str) -> S:
    """Note that a key was an answer: the rest of its word may follow."""
    return _changed(screen, line=replace(screen.line, answer=key.lower() if meaning(key) is not None else ""))


def after_answer(screen: S, key: str, *, letter_ends: bool = True) -> tuple[S, bool]:
    """Take a key that may belong to an answer; also return whether the key only ends that answer.

    Enter ends a whole word, and a letter too, unless something else (`letter_ends`) awaits Enter now.
    """
    line = screen.line
    if not line.answer:
        return screen, False
    done = _changed(screen, line=replace(line, answer=""))
    if key == "enter":
        return done, letter_ends or is_whole(line.answer)
    spelled = goes_on(line.answer, key) if len(key) == 1 else ""
    if not spelled:
        return done, False
    if not is_whole(spelled):
        return screen, False
    middle = spelled[1:-1]
    rest = line.text[: len(line.text) - len(middle)] if line.text.lower().endswith(middle) else line.text
    return _changed(screen, line=Line(rest, len(rest), answer=spelled)), True


def at_prompt(
    screen: S, key: str, place: AnyPlace, moves: Sequence[str] = (), names: Mapping[str, Iterable[str]] = _NO_NAMES
) -> S | None:
    """Take a key of the line: it edits, clears or completes it, or brings back another. None for any other key.

    A line is completed to one of these `moves` or a word of the place; a word's argument to one of its values, which
    may be `names`.
    """
    line = screen.line
    match key:
        case "escape":
            return _changed(screen, line=Line())
        case "c-p" | "c-n":
            at = max(0, min(len(screen.lines), screen.recalled + (-1 if key == "c-p" else 1)))
            return _changed(screen, recalled=at, line=Line.of(screen.lines[at] if at < len(screen.lines) else ""))
        case "tab" if words := [*moves, *_completions(line.text, place, names)]:
            common = common_start(words)
            return _changed(screen, line=Line.of(common if len(common) > len(line.text) else words[0]))
    after = edited(line, key)
    return None if after is None else _changed(screen, line=after)


def _completions(text: str, place: AnyPlace, names: Mapping[str, Iterable[str]]) -> list[str]:
    word, blank, rest = text.partition(" ")
    if not blank:
        return [known for known in by_word(place) if word and known.startswith(word)]
    command = by_any_word(place).get(word)
    values = {"game": keys(), "theme": THEMES, **names}.get(command.values if command else "", ())
    return [f"{word} {name}" for name in values if name.startswith(rest)]


def read_line(screen: S, place: AnyPlace) -> tuple[S, str, Command | None, str]:
    """Take the line at Enter, and remember it; also return its text, the command that it names, and what follows."""
    text = " ".join(screen.line.text.split())
    word, _, rest = text.partition(" ")
    lines = screen.lines if screen.lines[-1:] == (text,) else (*screen.lines, text)[-_MOST_KEPT:]
    after = _changed(screen, line=Line(), lines=lines, recalled=len(lines))
    return after, text, by_any_word(place).get(word.lower()), rest


def not_known(screen: S, text: str, place: AnyPlace, advice: str = "", what: str = "no word") -> S:
    """Refuse a line whose first word is none of the place; it stays to be read."""
    sentence_told = unknown(text.partition(" ")[0], by_word(place), advice, what)
    return refused(_changed(screen, line=Line.of(text).entered), sentence_told)


def typed_text(text: str, place: AnyPlace) -> str:
    """Return the help of the command that a line names, or alone can mean; else the words that begin as it does."""
    word, known = text.split(" ")[0].lower(), by_any_word(place)
    fitting = [one for one in by_word(place) if one.startswith(word) and " " not in text]
    command = known.get(word) or (known[fitting[0]] if len(fitting) == 1 else None)
    if command is not None and command.help:
        return f"{command.typed}: {command.help}."
    return f"Tab: {', '.join(fitting)}" if fitting else ""


def stepped(at: int, key: str, count: int) -> int | None:
    """Move in a list by a key: one step wraps around, a longer one stops at the ends. Return None for another key."""
    step = LIST_KEYS.get(key)
    if step is None:
        return None
    return (at + step) % count if abs(step) == 1 else max(0, min(count - 1, at + step))


def _changed(screen: S, **changes: object) -> S:
    changed: S = replace(screen, **changes)
    return changed


def heard(screen: S, event: object) -> S:
    """Take an event that every screen with a prompt handles alike."""
    match event:
        case Pasted(text):
            return _changed(screen, line=inserted(screen.line, text.split("\n")[0]), notice="")
        case Resized(rows, columns):
            return _changed(screen, rows=rows, columns=columns)
        case Told(text, alarm):
            return _changed(screen, notice=text, alarm=alarm)
    return screen


def refused(screen: S, reason: object) -> S:
    return _changed(screen, notice=sentence(str(reason)), alarm=True)
