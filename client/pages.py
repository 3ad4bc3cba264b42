"""The rules of a game for people: its page, its options and presets, and its origin."""

from importlib.resources import files
from itertools import islice
from textwrap import wrap
from typing import Any, Final

from quadrille.rules.core import Game
from quadrille.rules.options import Options, Spec, Value

_WIDTH: Final = 79


def page(game: Game[Any, Any]) -> str:
    """Return a game's page, in Markdown that reads well as plain text; without one, what its lesson tells."""
    module = type(game).__module__
    own = files("quadrille.rules").joinpath("pages", f"{game.key}.md")
    try:
        return (files(module.rpartition(".")[0] or module).joinpath("page.md") if "@" in game.key else own).read_text(
            "utf-8"
        )
    except (FileNotFoundError, ModuleNotFoundError, TypeError):
        told = [game.lesson.goal, *(f"- {tip}" for tip in game.lesson.tips)]
        moves = "The moves in the first position: " + ", ".join(map(str, islice(game.start().moves, 5)))
        return "\n\n".join([f"# {game.title}", *filter(None, told), moves]) + "\n"


def rules_text(game: Game[Any, Any], *, on_command_line: bool = False) -> str:
    """Return the page, followed by the options and presets; on a command line also how they are written there."""
    option, preset = (": --set option=value", ": --preset name") if on_command_line else ("", "")
    parts = [page(game).rstrip()]
    if options := [
        (f"{spec.name}={plain(spec.default)}", f"{spec.help} ({spec.takes})") for spec in game.Options.specs()
    ]:
        parts.append(f"## Options, with their defaults{option}\n\n" + _listed(options))
    if presets := [(name, f"{made.help}: {set_text(made.options)}") for name, made in game.presets.items()]:
        parts.append(f"## Presets{preset}\n\n" + _listed(presets))
    parts += ["\n".join(wrap(f"{game.title}: {told}.", _WIDTH)) for told in (about_text(game), game.credit)]
    return "\n\n".join(parts)


def set_text(options: Any) -> str:
    """Write options as arguments of a command line."""
    return " ".join(f"{name}={plain(value)}" for name, value in options.items())


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


def _listed(rows: list[tuple[str, str]]) -> str:
    widest = max(len(name) for name, _ in rows)
    lines = []
    for name, text in rows:
        lines += wrap(
            text,
            _WIDTH,
            initial_indent=f"  {name.ljust(widest)}  ",
            subsequent_indent=" " * (widest + 4),
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def seats_text(seats: range) -> str:
    """`2` or `2 to 8`."""
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def about_text(game: Game[Any, Any]) -> str:
    """`2 to 8 players, usually 4; 8 to 16 minutes; ages 7 and up`, as far as it is known."""
    (least, most), age = game.lesson.minutes, game.lesson.age
    usual = "" if len(game.seats) == 1 else f", usually {game.usual_seats}"
    told = (f"{least} to {most} minutes" if most else "", f"ages {age} and up" if age else "")
    return "; ".join(filter(None, (f"{seats_text(game.seats)} players{usual}", *told)))
