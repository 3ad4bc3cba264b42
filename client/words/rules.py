"""The rules of a game for people: its page, its options and presets, and its origin."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from textwrap import dedent, wrap
from typing import Any, Final

from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Game, settle
from quadrille.rules.options import Options, Spec, Value

_WIDTH: Final = 79
#: For a narrow screen: what separates blocks, rows that are drawn with signs, and marks of Markdown.
_BLOCK: Final = re.compile(r"\n(?:\s*\n)+(?=    |\S)|\n(?=- )")
_DRAWN: Final = " " * 4
_MARKS: Final = re.compile("[`*]")
#: Words that tell people to type.
_NAMED: Final = re.compile(r"type\s+its\s+name,\s+such\s+as\s+\w+")
_TYPED: Final = re.compile(r"\b([Tt])ype(?=\s+(?:both|the|`|\w\d))")
#: Headings of sections that nobody needs at a table.
_THEORY: Final = "## what is known\n"
_UNREAD: Final = ("# rulings\n", _THEORY)
_SECTION: Final = re.compile(r"(?m)^(?=##+ )")
_CODE: Final = re.compile(r"`(\w+)`")


def page(game: Game[Any, Any]) -> str:
    """Return a game's page, in Markdown that reads well as plain text; without one, what its lesson tells."""
    module = type(game).__module__
    try:
        return files(module.rpartition(".")[0] or module).joinpath("page.md").read_text("utf-8")
    except (FileNotFoundError, ModuleNotFoundError, TypeError):
        paragraphs = [game.lesson.goal, *(f"- {tip}" for tip in game.lesson.tips)]
        first = settle(game.start(), SeedDealer(""))  # the moves of somebody, and not the faces of a card that is owed
        moves = "The moves in the first position: " + ", ".join(map(str, islice(first.moves, 5)))
        return "\n\n".join([f"# {game.title}", *filter(None, paragraphs), moves]) + "\n"


def touch_blocks(game: Game[Any, Any], options: Options | None = None) -> Iterator[str]:
    """Take a page apart for a narrow screen, where moves are touched and options are fixed: headings with their `#`,
    drawings in lines, all else as one line for each paragraph and item. The text beside a drawing comes below it.
    """
    fixed = options or game.read_options({})
    values = {name: plain(value) for name, value in fixed.plain().items()}
    unread = _UNREAD if fixed.changed() else (*_UNREAD, "# variants\n")
    sections = _SECTION.split(_TYPED.sub(r"\1ouch", _NAMED.sub("touch it", page(game))))
    text = "\n\n".join(section for section in sections if not any(heading in section.lower() for heading in unread))
    text = _CODE.sub(lambda code: values.get(code[1], code[0]), text)
    for block in _BLOCK.split(f"{text}\n\n{game.title}: {game.credit}."):
        beside = block if not block.startswith(_DRAWN) else ""
        if not beside:
            lines = block.split("\n")
            gaps = (at for at in range(_WIDTH, 0, -1) if not any(line[max(0, at - 4) : at].strip() for line in lines))
            column = next((at for at in gaps if any(line[at : at + 1].strip() for line in lines)), 0) or _WIDTH
            yield dedent("\n".join(line[:column].rstrip() for line in lines)) + "\n"
            beside = "\n".join(line[column:] for line in lines)
        yield from filter(None, [" ".join(_MARKS.sub("", beside).split())])


def rules_text(game: Game[Any, Any], *, on_command_line: bool = False, theory: bool = True) -> str:
    """Return the page, followed by the options and presets; on a command line also how they are written there. Without
    `theory`, leave out what is known of good play.
    """
    option, preset = (": --set option=value", ": --preset name") if on_command_line else ("", "")
    sections = (section for section in _SECTION.split(page(game)) if theory or not section.lower().startswith(_THEORY))
    parts = ["".join(sections).rstrip()]
    if options := [
        (f"{spec.name}={plain(spec.default)}", f"{spec.help} ({spec.takes})") for spec in game.Options.specs()
    ]:
        parts.append(f"## Options, with their defaults{option}\n\n" + listed(options))
    if presets := [
        (name, ": ".join(filter(None, (made.help, set_text(made.options))))) for name, made in game.presets.items()
    ]:
        parts.append(f"## Presets{preset}\n\n" + listed(presets))
    parts += ["\n".join(wrap(f"{game.title}: {sentence}.", _WIDTH)) for sentence in (about_text(game), game.credit)]
    return "\n\n".join(parts)


def set_text(options: Any) -> str:
    """Write options as arguments of a command line."""
    return " ".join(f"{name}={plain(value)}" for name, value in options.items())


@lru_cache(maxsize=64)
def options_text(game: Game[Any, Any], options: Options) -> str:
    """Return the options that differ from the defaults: `5 x 5`, `preset one-lap`, `laps 1, lap points 61`; "" if none
    do.
    """
    changed, parts = options.changed(), []
    if changed.keys() & {"width", "height"}:
        size = options.plain()
        parts.append(f"{size['width']} x {size['height']}")
    rest = {name: value for name, value in changed.items() if name not in ("width", "height")}
    presets = (name for name, made in game.presets.items() if game.read_options(made.options).changed() == rest)
    if rest and (preset := next(presets, "")):
        return ", ".join([*parts, f"preset {preset}"])
    return ", ".join([*parts, *(_told(spec, rest[spec.name]) for spec in options.specs() if spec.name in rest)])


def _told(spec: Spec, value: Value) -> str:
    return f"{spec.words} {value}" if not isinstance(value, bool) else spec.words if value else f"no {spec.words}"


def plain(value: Value) -> str:
    """Write a value as it stands after `=`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed(rows: Sequence[tuple[str, str]], width: int = _WIDTH, widest: int = 0) -> str:
    """List names with a text beside each, which is wrapped; `widest` is the least width of the names."""
    widest = max([widest, *(len(name) for name, _ in rows)])
    lines = []
    for name, text in rows:
        first, further = f"  {name.ljust(widest)}  ", " " * (widest + 4)
        lines += wrap(text, width, initial_indent=first, subsequent_indent=further, break_on_hyphens=False)
    return "\n".join(lines)


def seats_text(seats: range) -> str:
    """Return such a range as `2` or `2 to 8`."""
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def about_text(game: Game[Any, Any]) -> str:
    """Return `2 to 8 players, usually 4; 8 to 16 minutes; ages 7 and up`, as far as it is known."""
    (least, most), age = game.lesson.minutes, game.lesson.age
    usual = "" if len(game.seats) == 1 else f", usually {game.usual_seats}"
    about = (f"{least} to {most} minutes" if most else "", f"ages {age} and up" if age else "")
    return "; ".join(filter(None, (f"{seats_text(game.seats)} players{usual}", *about)))
