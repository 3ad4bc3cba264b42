"""What keys do to a line that is being typed. The arrows are not among them: they are the board's."""

import re
from dataclasses import replace
from typing import Final

from quadrille.client.screen.table.model import Line, Model

LONGEST: Final = 4096
_MOST_KEPT: Final = 100


def edited(line: Line, key: str) -> Line | None:
    """The line after a key; None for a key that is none of a line's."""
    before, after = line.text[: line.at], line.text[line.at :]
    match key:
        case "backspace" | "c-h":
            return Line(before[:-1] + after, len(before[:-1]))
        case "delete" | "c-d":
            return Line(before + after[1:], line.at)
        case "home" | "c-a":
            return Line(line.text, 0)
        case "end" | "c-e":
            return Line.of(line.text)
        case "c-b" | "c-left":
            return Line(line.text, max(0, line.at - 1))
        case "c-f" | "c-right":
            return Line(line.text, min(len(line.text), line.at + 1))
        case "c-u":
            return Line(after, 0)
        case "c-k":
            return Line(before, line.at)
        case "c-w":
            kept = re.sub(r"\S*\s*$", "", before)
            return Line(kept + after, len(kept))
    return inserted(line, key) if len(key) == 1 and key.isprintable() else None


def inserted(line: Line, text: str) -> Line:
    """The line with a text at the caret; what can't stand in a line is left out."""
    fit = "".join(sign for sign in text if sign.isprintable())[: LONGEST - len(line.text)]
    return Line(line.text[: line.at] + fit + line.text[line.at :], line.at + len(fit))


def remembered(model: Model, text: str) -> Model:
    """The model with a line among those that can be recalled."""
    lines = model.lines if model.lines[-1:] == (text,) else (*model.lines, text)[-_MOST_KEPT:]
    return replace(model, lines=lines, recalled=len(lines))


def recalled(model: Model, step: int) -> Model:
    """An earlier line, or a later one."""
    at = max(0, min(len(model.lines), model.recalled + step))
    text = model.lines[at] if at < len(model.lines) else ""
    return replace(model, recalled=at, line=Line.of(text), focus="line")
