"""A line that is being typed at a terminal: what each key does to it. No terminal here, only letters that come in.

The terminal itself would edit a line as well, but would not say what is half typed when something else is to be shown.
"""

import re
from typing import Final

_MOST_KEPT: Final = 100
_LONGEST: Final = 4096
#: One key: an escape sequence of an arrow or another special key, or a letter.
_KEY: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
_HALF: Final = re.compile(r"\x1b(?:\[[0-9;]*|O)?")
_NAMES: Final = {
    "\x7f": "back", "\x08": "back", "\x1b[3~": "delete",
    "\x01": "home", "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home",
    "\x05": "end", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end",
    "\x02": "left", "\x1b[D": "left", "\x1bOD": "left",
    "\x06": "right", "\x1b[C": "right", "\x1bOC": "right",
    "\x10": "up", "\x1b[A": "up", "\x1bOA": "up",
    "\x0e": "down", "\x1b[B": "down", "\x1bOB": "down",
    "\x15": "clear", "\x0b": "cut", "\x17": "word",
    "\r": "enter", "\n": "enter", "\x04": "end of input",
}  # fmt: skip


class LineEditor:
    """The half-typed `text`, where the cursor is in it, and the lines before it."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._rest = ""  # the beginning of an escape sequence
        self._kept: list[str] = []
        self._at = 0

    def feed(self, letters: str) -> list[str | None]:
        """Keys were pressed; the lines that are finished, and None for the end of input."""
        letters = self._rest + letters
        whole, self._rest = letters, ""
        start = letters.rfind("\x1b")
        if start >= 0 and _HALF.fullmatch(letters, start):
            whole, self._rest = letters[:start], letters[start:]
        done: list[str | None] = []
        for key in _KEY.findall(whole):
            name = _NAMES.get(key, "")
            if name == "enter":
                done.append(self._take())
            elif name == "end of input" and not self.text:
                done.append(None)
            elif name in ("up", "down"):
                self._recall(-1 if name == "up" else 1)
            elif name:
                self._edit(name)
            elif key.isprintable() and len(self.text) < _LONGEST:
                self.text = self.text[: self.cursor] + key + self.text[self.cursor :]
                self.cursor += 1
        return done

    def _take(self) -> str:
        line = self.text
        if line.strip() and line not in self._kept[-1:]:
            self._kept = [*self._kept, line][-_MOST_KEPT:]
        self._at = len(self._kept)
        self.text, self.cursor = "", 0
        return line

    def _recall(self, step: int) -> None:
        self._at = max(0, min(len(self._kept), self._at + step))
        self.text = self._kept[self._at] if self._at < len(self._kept) else ""
        self.cursor = len(self.text)

    def _edit(self, name: str) -> None:
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        match name:
            case "back":
                before = before[:-1]
            case "delete" | "end of input":
                after = after[1:]
            case "clear":
                before = ""
            case "cut":
                after = ""
            case "word":
                before = re.sub(r"\S*\s*$", "", before)
            case "home":
                before, after = "", before + after
            case "end":
                before, after = before + after, ""
            case "left":
                before, after = before[:-1], before[-1:] + after
            case "right":
                before, after = before + after[:1], after[1:]
        self.text, self.cursor = before + after, len(before)
