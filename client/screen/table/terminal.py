"""Events of a terminal for any screen, requests of a screen to its terminal, and the line at the prompt with its keys.

Ctrl-Z and Ctrl-L do not reach a screen, because they mean the same on all of them: see app.py. Nor does a click where
nothing can be clicked. The arrows are not among the keys of a line: they are the board's, or a list's.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

from quadrille.client.screen.draw.canvas import ClickTarget
from quadrille.client.words.answers import goes_on, is_whole, meaning
from quadrille.client.words.commands import AnyPlace, by_any_word
from quadrille.client.words.story import sentence
from quadrille.rules.core.talk import common_start
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


def completed(line: Line, words: Sequence[str]) -> Line:
    """Complete the line to the common prefix of these words, else to the first of them."""
    if not words:
        return line
    common = common_start(words)
    return Line.of(common if len(common) > len(line.text) else words[0])


def typed_text(text: str, place: AnyPlace, words: Iterable[str]) -> str:
    """Return the help of the command that a line names, or alone can mean; else the words that begin as it does."""
    word, known = text.split(" ")[0].lower(), by_any_word(place)
    fitting = [one for one in words if one.startswith(word) and " " not in text]
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


def remembered(screen: S, text: str) -> S:
    """Add a line to the history."""
    lines = screen.lines if screen.lines[-1:] == (text,) else (*screen.lines, text)[-_MOST_KEPT:]
    return _changed(screen, lines=lines, recalled=len(lines))


def recalled(screen: S, key: str) -> S:
    """Bring back an earlier line (Ctrl-P), or a later one."""
    at = max(0, min(len(screen.lines), screen.recalled + (-1 if key == "c-p" else 1)))
    return _changed(screen, recalled=at, line=Line.of(screen.lines[at] if at < len(screen.lines) else ""))
