"""All formats of tournaments, by the kind that a plan file names: ours, and those that packages plug in.

A package names a class that is a `Format` by an entry point of the group `quadrille.formats`. The kind of a foreign one
ends with @ and the name of its package, as the key of a foreign game does.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.schedule import Format
from quadrille.ai.tournament.schedules.swiss import Swiss
from quadrille.plugs import BrokenPlug, missing, plugs, tell_broken
from quadrille.rules.options import shown

GROUP: Final = "quadrille.formats"
_OWN: Final[Mapping[str, type[Any]]] = {"round robin": RoundRobin, "gauntlet": Gauntlet, "swiss": Swiss}
#: The package that brings the rarer formats, for those who lack them.
_RARER: Final = "others come with the folder extras/league of quadrille-games, which is not installed here"


@cache
def _load(kind: str) -> type[Any]:
    if kind in _OWN:
        return _OWN[kind]
    plug = plugs(GROUP)[kind]
    found = plug.load()
    if not (isinstance(found, type) and issubclass(found, Format)):
        raise plug.broken("its entry point is no class that inherits Format")
    return found


def is_there(kind: str) -> bool:
    """Return whether there is a format of that kind."""
    return kind in _OWN or kind in plugs(GROUP)


def format_of(kind: str) -> type[Any]:
    """Return the format of that kind, or refuse."""
    if is_there(kind):
        try:
            return _load(kind)
        except BrokenPlug as error:
            raise TournamentError(str(error)) from error
    raise TournamentError(f"there is no format {shown(kind)}: {missing(kind) or _listed()}")


def _listed() -> str:
    """Name the formats of files; if only our own are here, say who brings others."""
    formats = dict(_OWN)
    for kind in sorted(plugs(GROUP)):
        try:
            formats[kind] = _load(kind)
        except BrokenPlug as error:
            tell_broken(error)
    sentence = "there are " + ", ".join(kind for kind, format in formats.items() if format.in_files)
    return sentence if len(formats) > len(_OWN) else f"{sentence}; {_RARER}"


def kind_of(format: Format) -> str:
    """Return the kind that a journal names."""
    own = next((kind for kind, own_format in _OWN.items() if type(format) is own_format), None)
    return own or next(kind for kind in plugs(GROUP) if type(format) is _load(kind))
