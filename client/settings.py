"""The person's settings, in settings.toml in the platform's folder for settings.

A broken file is reported in one line and never overwritten; the default settings hold then.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import platformdirs

from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted
from quadrille.value import value

FILE: Final = "settings.toml"
THEMES: Final = ("night", "paper", "contrast", "mono")
_AUTO: Final = "auto"
_HEADER: Final = "# Settings of quadrille. Lines that are not here have their usual values.\n"


@value
class Settings:
    """All settings; `ascii` is "auto", "yes" or "no", and `hints` is the bot that gives hints."""

    theme: str = "night"
    ascii: str = _AUTO
    bell: bool = True
    title: bool = True
    name: str = ""
    hints: str = "3"


_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"theme": THEMES, "ascii": (_AUTO, "yes", "no")}


def settings_path() -> Path:
    return platformdirs.user_config_path("quadrille", False) / FILE


def read_settings(path: Path | None = None) -> tuple[Settings, str]:
    """Return the settings, and one line about an error in the file ("" if there is none)."""
    path = path or settings_path()
    try:
        text = path.read_text("utf-8")
        import tomllib  # imported here: a screen starts sooner without settings

        return _checked(tomllib.loads(text)), ""
    except FileNotFoundError:
        return Settings(), ""
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, RecursionError) as error:
        reason = str(error).split("\n")[0]
    return Settings(), f"the settings are not read: {reason}. The usual ones hold ({path})"


def _checked(given_settings: Mapping[str, Any]) -> Settings:
    from quadrille.rules.options import shown  # imported here, because help imports no options of games

    usual = Settings()
    for name, given in given_settings.items():
        if name not in {field.name for field in fields(Settings)}:
            raise ValueError(f"there is no setting {quoted(name)}")
        if type(given) is not type(getattr(usual, name)):
            kind = "true or false" if isinstance(getattr(usual, name), bool) else "a text"
            raise ValueError(f"{name} takes {kind}, not {shown(given)}")
        if name in _CHOICES and given not in _CHOICES[name]:
            raise ValueError(f"{name} takes one of {', '.join(_CHOICES[name])}, not {shown(given)}")
        if isinstance(given, str) and not given.isprintable():
            raise ValueError(f"{name} has a character that is none")
    return Settings(**given_settings)


def write_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings, but never over a file that can't be read."""
    path = path or settings_path()
    if wrong := read_settings(path)[1]:
        raise RulesError(f"this is not remembered, since {wrong}")
    import json  # imported here: every command reads settings, and few write them

    from quadrille.client.files import write_file

    usual = Settings()
    lines = [_HEADER]
    for field in fields(Settings):
        value = getattr(settings, field.name)
        if value != getattr(usual, field.name):
            lines.append(f"{field.name} = {json.dumps(value, ensure_ascii=False)}\n")  # TOML writes them alike
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(str(path), "".join(lines), over=True, mode=0o600)


def wants_ascii(settings: Settings, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether to write only ASCII, because the settings say so or the locale has nothing else."""
    if settings.ascii != _AUTO:
        return settings.ascii == "yes"
    if sys.platform == "win32":
        return False
    named = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environment.get(name))), "C")
    return "utf-8" not in named.lower().replace("utf8", "utf-8")


def can_print(signs: str) -> bool:
    """Tell whether standard output can encode these signs."""
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def ascii_choice(settings: Settings, *, plain: bool) -> str:
    """Return the setting `ascii` that makes a screen `plain` or not: the automatic choice if it does so."""
    if wants_ascii(settings) == plain:
        return settings.ascii
    if wants_ascii(replace(settings, ascii=_AUTO)) == plain:
        return _AUTO
    return "yes" if plain else "no"


def has_screen(*, plain: bool = False) -> bool:
    """Return whether to draw a full screen: on a terminal that is not dumb, unless `plain` is asked for."""
    if plain or not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return False
    return sys.platform == "win32" or takes_codes()


def takes_codes() -> bool:
    """Return whether a terminal here takes codes of its own accord; one of Windows has to be asked for it."""
    return sys.platform != "win32" and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def own_name(name: str | None) -> str:
    """Return the name of this person for others: the given one, or that of the settings, or the login name."""
    import getpass  # imported here, as names are: most commands need no name

    from quadrille.net.core.errors import LocalError
    from quadrille.net.trust.names import LONGEST_NAME, plain_name

    if name is None:
        if kept := read_settings()[0].name:
            return plain_name(kept)
        try:
            return plain_name(getpass.getuser())
        except (OSError, KeyError, ImportError):
            return plain_name("")
    if plain_name(name) != name:
        raise LocalError(
            f"{quoted(name)} is no name: use 1 to {LONGEST_NAME} letters with single spaces, each word in one alphabet"
        )
    return name
